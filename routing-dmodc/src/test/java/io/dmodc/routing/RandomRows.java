package io.dmodc.routing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Rows drawn at random, each beside what it has to hold: the pattern of every column, one by one.
 *
 * <p>Counts and columns lie on the edges of blocks and spans as often as anywhere else; patterns come again and again, so
 * that runs meet their like.
 */
final class RandomRows {
    private static final int ENTRIES_MAX = 5_000;
    private static final int PORTS_MAX = 300;

    /**
     * A row and what it has to hold.
     *
     * @param patterns of each column; rows made of the very same parts have the very same patterns
     */
    record Drawn(LftRow row, PortPattern[] patterns) {
        /** The entries, each by the formula. */
        byte[] entries() {
            byte[] entries = new byte[patterns.length];
            for (int column = 0; column < entries.length; column++) {
                entries[column] = entry(patterns[column], column);
            }
            return entries;
        }
    }

    /** Columns {@code from .. to − 1} follow the pattern, which is put as it is or as candidates. */
    record Run(
            int from, int to, PortPattern pattern, @Nullable CandidatePorts ports, long candidates) {
        Run(int from, int to, PortPattern pattern) {
            this(from, to, pattern, null, 0);
        }

        void putInto(LftRowBuilder builder) {
            if (ports == null) {
                builder.put(from, to, pattern);
            } else {
                builder.put(from, to, ports, candidates);
            }
        }
    }

    private final SplittableRandom random;
    private final List<PortPattern> known = new ArrayList<>(List.of(PortPattern.NO_ROUTE));
    private final List<RandomPorts> ports = new ArrayList<>();

    RandomRows(SplittableRandom random) {
        this.random = random;
    }

    /** From now on half of the runs are put as candidates of one of three switches' ports. */
    RandomRows withCandidates() {
        while (ports.size() < 3) {
            RandomPorts drawn = new RandomPorts(random);
            ports.add(drawn);
            known.add(drawn.ports.all());
        }
        return this;
    }

    /** The written formula. */
    static byte entry(PortPattern pattern, long column) {
        long choice = (column + pattern.phase()) / pattern.divider();
        return pattern.ports()[(int) (choice % pattern.portCount())];
    }

    int entryCount() {
        return edgeOr(random.nextInt(ENTRIES_MAX + 1), ENTRIES_MAX);
    }

    /** A number in 0..max that is often beside a multiple of 64 or 1,024. */
    private int edgeOr(int number, int max) {
        int unit = switch (random.nextInt(4)) {
            case 0 -> 64;
            case 1 -> 1_024;
            default -> 1;
        };
        int near = unit == 1 ? number : number / unit * unit + random.nextInt(-1, 2);
        return Math.max(0, Math.min(near, max));
    }

    PortPattern pattern() {
        if (random.nextBoolean()) {
            return known.get(random.nextInt(known.size()));
        }
        PortPattern pattern = newPattern();
        known.add(pattern);
        return pattern;
    }

    PortPattern newPattern() {
        if (random.nextInt(4) == 0) {
            byte[] entries = bytes(random.nextInt(1, PORTS_MAX));
            int at = random.nextInt(entries.length);
            return PortPattern.literal(entries, at, entries.length - at, random.nextInt(ENTRIES_MAX));
        }
        int ports = random.nextInt(3) == 0 ? 1 : random.nextInt(1, PORTS_MAX + 1);
        return new PortPattern(divider(), phase(), bytes(ports));
    }

    private int divider() {
        return switch (random.nextInt(6)) {
            case 0, 1 -> 1;
            case 2 -> PortPattern.NUMBER_MAX - random.nextInt(3);
            case 3 -> random.nextInt(1, 3 * ENTRIES_MAX);
            default -> random.nextInt(1, 71);
        };
    }

    private int phase() {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> PortPattern.NUMBER_MAX - random.nextInt(3);
            default -> random.nextInt(100_000);
        };
    }

    byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    /** A row of so many entries: empty, of any bytes, or made of runs. */
    Drawn row(int entryCount) {
        Drawn drawn = random.nextInt(3) == 0 ? literal(entryCount) : empty(entryCount);
        return random.nextInt(4) == 0 ? drawn : edited(drawn, drawn.row, runs(entryCount));
    }

    static Drawn empty(int entryCount) {
        PortPattern[] patterns = new PortPattern[entryCount];
        Arrays.fill(patterns, PortPattern.NO_ROUTE);
        return new Drawn(LftRow.noRoutes(entryCount), patterns);
    }

    private Drawn literal(int entryCount) {
        LftRow row = LftRow.of(bytes(entryCount));
        PortPattern[] patterns = new PortPattern[entryCount];
        Arrays.setAll(patterns, column -> row.span(column / RowSpan.COLUMNS).pattern(0));
        return new Drawn(row, patterns);
    }

    /** Ascending runs: few or many, short or across spans, some empty, some one after the other. */
    List<Run> runs(int entryCount) {
        List<Run> runs = new ArrayList<>();
        int longest = random.nextBoolean() ? 20 : 2_500;
        int from = column(0, entryCount, longest);
        while (from < entryCount && random.nextInt(30) > 0) {
            int to = column(from, entryCount, longest);
            runs.add(run(from, to));
            from = random.nextInt(3) == 0 ? to : column(to, entryCount, longest);
        }
        return runs;
    }

    private Run run(int from, int to) {
        if (ports.isEmpty() || random.nextBoolean()) {
            return new Run(from, to, pattern());
        }
        RandomPorts of = ports.get(random.nextInt(16) == 0 ? 1 + random.nextInt(2) : 0);
        long candidates = of.candidates();
        return new Run(from, to, of.pattern(candidates), of.ports, candidates);
    }

    private int column(int least, int max, int longest) {
        return Math.max(least, edgeOr(Math.min(least + random.nextInt(longest), max), max));
    }

    /** The spans, as bits, that are not the very same in a row as long. */
    static long[] otherSpans(LftRow row, LftRow base) {
        long[] others = new long[(row.spanCount() + 63) / 64];
        row.addOtherSpans(base, others);
        return others;
    }

    /** What {@code base} is with the runs, made by the builder to replace {@code previous}. */
    static Drawn edited(Drawn base, LftRow previous, List<Run> runs) {
        LftRowBuilder builder = new LftRowBuilder();
        builder.begin(base.row, previous);
        PortPattern[] patterns = base.patterns.clone();
        for (Run run : runs) {
            run.putInto(builder);
            Arrays.fill(patterns, run.from, run.to, run.pattern);
        }
        return new Drawn(builder.build(), patterns);
    }

    /** True if two spans have the same patterns in all columns, wherever their runs end. */
    static boolean samePatterns(RowSpan some, RowSpan others) {
        int run = 0;
        int other = 0;
        for (int column = 0; column < RowSpan.COLUMNS; ) {
            if (!some.hasPattern(run, others, other)) {
                return false;
            }
            column = Math.min(some.ends[run], others.ends[other]);
            run += some.ends[run] == column ? 1 : 0;
            other += others.ends[other] == column ? 1 : 0;
        }
        return true;
    }
}
