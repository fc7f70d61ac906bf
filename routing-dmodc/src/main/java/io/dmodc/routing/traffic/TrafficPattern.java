package io.dmodc.routing.traffic;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Who sends to whom among n positions: everybody to every other in equal parts, or each to one other.
 *
 * <p>Those of bits write a position with b bits, n = 2^b, as network simulators do (Dally and Towles, <i>Principles and
 * Practices of Interconnection Networks</i>, table 3.1): bit-complement sends to ¬x, bit-reverse to x read backwards,
 * shuffle to x turned left by one bit, transpose to x with its halves swapped. Where a position is sent to itself
 * ({@code 0} in a transpose) its packets turn around at its own switch. Immutable.
 */
public final class TrafficPattern {
    private static final List<String> NAMES =
            List.of("uniform", "permutation", "shift:K", "bit-complement", "bit-reverse", "shuffle", "transpose");

    private static final String SHIFT = "shift:";

    private final String name;
    private final int nodes;
    /** Position that each position sends to; null if each sends to all others. */
    private final int @Nullable [] to;

    private TrafficPattern(String name, int nodes, int @Nullable [] to) {
        this.name = name;
        this.nodes = nodes;
        this.to = to;
    }

    /** What can be asked for; {@code K} stands for a number. */
    public static List<String> names() {
        return NAMES;
    }

    /** True if the text names a pattern, whether or not it fits a number of nodes. */
    public static boolean isName(String text) {
        String name = text.toLowerCase(Locale.ROOT);
        return NAMES.contains(name) || name.matches("shift:-?\\d{1,9}");
    }

    /**
     * Makes a pattern.
     *
     * @param text one of {@link #names}
     * @param nodes how many positions there are
     * @param seed which permutation is drawn; the others do not ask for it
     * @throws IllegalArgumentException in one line, if there is no such pattern or it needs another number of nodes
     */
    public static TrafficPattern named(String text, int nodes, long seed) {
        String name = text.toLowerCase(Locale.ROOT);
        if (!isName(name)) {
            throw new IllegalArgumentException(
                    "pattern '" + text + "' is unknown; expected one of " + String.join(", ", NAMES));
        }
        if (name.equals("uniform")) {
            return new TrafficPattern(name, nodes, null);
        }
        if (name.equals("permutation")) {
            return new TrafficPattern(name, nodes, permutation(nodes, seed));
        }
        int[] to = new int[nodes];
        if (name.startsWith(SHIFT)) {
            int distance = Integer.parseInt(name.substring(SHIFT.length()));
            Arrays.setAll(to, x -> Math.floorMod(x + (long) distance, nodes));
            return new TrafficPattern(name, nodes, to);
        }
        int bits = bits(name, nodes);
        Arrays.setAll(to, x -> ofBits(name, x, bits));
        return new TrafficPattern(name, nodes, to);
    }

    /** Position that each position sends to in a random permutation; drawn as Fisher and Yates do. */
    public static int[] permutation(int nodes, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] to = new int[nodes];
        for (int at = 0; at < nodes; at++) {
            int other = random.nextInt(at + 1);
            to[at] = to[other];
            to[other] = at;
        }
        return to;
    }

    private static int bits(String name, int nodes) {
        int bits = Integer.numberOfTrailingZeros(Math.max(1, nodes));
        if (nodes != 1 << bits || (name.equals("transpose") && bits % 2 != 0)) {
            throw new IllegalArgumentException("pattern '" + name + "' of " + nodes + " nodes; expected a power of "
                    + (name.equals("transpose") ? "four" : "two"));
        }
        return bits;
    }

    private static int ofBits(String name, int x, int bits) {
        int mask = (1 << bits) - 1;
        return switch (name) {
            case "bit-complement" -> ~x & mask;
            case "bit-reverse" -> bits == 0 ? 0 : Integer.reverse(x) >>> (Integer.SIZE - bits);
            case "shuffle" -> bits == 0 ? 0 : ((x << 1) | (x >>> (bits - 1))) & mask;
            default -> ((x >>> (bits / 2)) | (x << (bits / 2))) & mask;
        };
    }

    /** As it was asked for, in small letters. */
    public String name() {
        return name;
    }

    /** How many positions there are. */
    public int nodes() {
        return nodes;
    }

    /** True if each position sends to all others in equal parts. */
    public boolean isUniform() {
        return to == null;
    }

    /**
     * The one position that a position sends to.
     *
     * @throws IllegalStateException if it sends to all others
     */
    public int destination(int position) {
        if (to == null) {
            throw new IllegalStateException("pattern 'uniform' has no one destination for position " + position);
        }
        return to[position];
    }
}
