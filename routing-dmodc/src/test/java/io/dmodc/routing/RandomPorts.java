package io.dmodc.routing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Ports of candidates, drawn at random, beside the patterns that each set of them has to make: a list is filtered. */
final class RandomPorts {
    final CandidatePorts ports;

    private final SplittableRandom random;
    private final long places;

    /** By neighbour, ascending by place. */
    private final List<Integer> placeOf = new ArrayList<>();

    private final byte[] portOf;
    private final int divider;
    private final int phase;
    private final Map<Long, PortPattern> patterns = new HashMap<>();

    RandomPorts(SplittableRandom random) {
        this(random, places(random));
    }

    private static long places(SplittableRandom random) {
        long drawn = switch (random.nextInt(4)) {
            case 0 -> -1L >>> random.nextInt(64);
            case 1 -> ~(0x101L << random.nextInt(56));
            case 2 -> 1L << random.nextInt(64);
            default -> random.nextLong() >>> random.nextInt(60);
        };
        return drawn == 0 ? 1 : drawn;
    }

    RandomPorts(SplittableRandom random, long places) {
        this.random = random;
        this.places = places;
        for (int place = 0; place < 64; place++) {
            if ((places >>> place & 1) != 0) {
                placeOf.add(place);
            }
        }
        portOf = new byte[placeOf.size()];
        for (int i = 0; i < portOf.length; i++) {
            portOf[i] = (byte) (3 * i + 7);
        }
        divider = random.nextInt(3) == 0 ? 1 : random.nextInt(1, 60);
        phase = random.nextInt(1_000);
        ports = new CandidatePorts(portOf, divider, phase, true).at(places);
    }

    /** Some candidates by place, of places without a port, too. */
    long candidates() {
        return switch (random.nextInt(6)) {
            case 0 -> 0;
            case 1 -> -1;
            case 2 -> places;
            case 3 -> 1L << random.nextInt(64);
            default -> random.nextLong();
        };
    }

    /** What they have to make; one object for each set of those that there are. */
    PortPattern pattern(long candidates) {
        return patterns.computeIfAbsent(candidates & places, this::newPattern);
    }

    private PortPattern newPattern(long there) {
        List<Byte> chosen = new ArrayList<>();
        for (int i = 0; i < portOf.length; i++) {
            if ((there >>> placeOf.get(i) & 1) != 0) {
                chosen.add(portOf[i]);
            }
        }
        byte[] entries = new byte[chosen.size()];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = chosen.get(i);
        }
        return switch (entries.length) {
            case 0 -> PortPattern.NO_ROUTE;
            case 1 -> PortPattern.constant(entries[0] & 0xff);
            default -> PortPattern.ofCandidates(divider, phase, entries);
        };
    }

    /** Neighbours by place, one by one. */
    long placed(long neighbours) {
        long placed = 0;
        for (int i = 0; i < portOf.length; i++) {
            placed |= (neighbours >>> i & 1) << placeOf.get(i);
        }
        return placed;
    }

    int count() {
        return portOf.length;
    }
}
