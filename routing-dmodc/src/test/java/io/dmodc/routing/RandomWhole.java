package io.dmodc.routing;

import io.dmodc.routing.RandomRows.Drawn;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A row of candidates of one switch's ports, drawn at random, and those of switches that lack some of its neighbours, each beside
 * what it has to hold: of every column the set, filtered.
 */
final class RandomWhole {
    private final SplittableRandom random;
    private final RandomPorts ports;

    /** By column. */
    private final long[] candidates;

    private final LftRow row;

    RandomWhole(SplittableRandom random, int entryCount) {
        this(random, several(random), new long[entryCount], LftRow.noRoutes(entryCount), 1);
    }

    private RandomWhole(SplittableRandom random, RandomPorts ports, long[] before, LftRow base, int oneIn) {
        this.random = random;
        this.ports = ports;
        candidates = before.clone();
        LftRowBuilder builder = new LftRowBuilder();
        builder.begin(base);
        int longest = random.nextInt(3) == 0 ? 3_000 : 300;
        for (int from = 0; from < candidates.length; ) {
            int to = Math.min(candidates.length, from + random.nextInt(1, longest));
            if (random.nextInt(oneIn) == 0) {
                long set = set();
                Arrays.fill(candidates, from, to, set);
                builder.put(from, to, ports.ports, set);
            }
            from = to;
        }
        row = builder.build();
    }

    private static RandomPorts several(SplittableRandom random) {
        RandomPorts drawn = new RandomPorts(random);
        while (drawn.count() < 6) {
            drawn = new RandomPorts(random);
        }
        return drawn;
    }

    /** Few lack many: so some of them are there at nearly every switch. */
    private long set() {
        long some = random.nextLong();
        return switch (random.nextInt(6)) {
            case 0 -> 0;
            case 1, 2 -> -1;
            default -> some | random.nextLong();
        };
    }

    /** The same with other candidates in a few columns. */
    RandomWhole edited() {
        return new RandomWhole(random, ports, candidates, row, random.nextInt(2, 40));
    }

    Drawn drawn() {
        return new Drawn(row, patterns(ports));
    }

    /** Ports of a switch that lacks one to three of its neighbours. */
    RandomPorts lacking() {
        long lost = 0;
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            lost |= ports.placed(1L << random.nextInt(ports.count()));
        }
        return new RandomPorts(random, ports.ports.places() & ~lost);
    }

    /** True if each column that has candidates has some by these ports. */
    boolean serves(RandomPorts others) {
        long mine = ports.ports.places();
        return Arrays.stream(candidates).allMatch(set -> (set & mine) == 0 || (set & others.ports.places()) != 0);
    }

    /** As these ports, which it {@link #serves}, read it. */
    Drawn readBy(RandomPorts others) {
        return new Drawn(Objects.requireNonNull(row.with(ports.ports, others.ports)), patterns(others));
    }

    /** The same, from what they read before. */
    Drawn readBy(RandomPorts others, RandomWhole before, Drawn last) {
        CandidateChanges changes = Objects.requireNonNull(CandidateChanges.between(before.row, row, ports.ports));
        return new Drawn(Objects.requireNonNull(changes.read(last.row(), others.ports)), patterns(others));
    }

    private PortPattern[] patterns(RandomPorts of) {
        return IntStream.range(0, candidates.length)
                .mapToObj(column -> of.pattern(candidates[column]))
                .toArray(PortPattern[]::new);
    }
}
