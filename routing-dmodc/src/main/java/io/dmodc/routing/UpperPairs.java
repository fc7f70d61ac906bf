package io.dmodc.routing;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * Pairs of live switches with hosts that no legal path joins, at least one of the two above the leaves: two spines of a
 * two-level tree, or two switches of different planes. No fault needs to be behind it: up and then down is all a legal
 * path may do, and nothing is above a spine.
 *
 * @param count ordered pairs
 * @param examples the first {@link #EXAMPLES_MAX} of those without a leaf that is named as cut off, each pair once, by
 *     target index of its upper switch; pairs of upper switches stand at the one of lower index
 * @param more pairs without such a leaf, each once, that are no examples
 */
public record UpperPairs(long count, List<Pair> examples, long more) {
    /** Most pairs that are kept by name. */
    public static final int EXAMPLES_MAX = 10;

    /** Every switch above the leaves with hosts reaches all others with hosts, or there is none. */
    public static final UpperPairs NONE = new UpperPairs(0, List.of(), 0);

    /** Two switch indices; {@code upper} is above the leaves. */
    public record Pair(int upper, int other) {}

    public UpperPairs {
        examples = List.copyOf(examples);
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /**
     * One line for people.
     *
     * @param name of a switch index
     */
    public String text(IntFunction<String> name) {
        if (examples.isEmpty()) {
            return count
                    + " ordered pairs of a cut-off leaf and a switch with hosts above the leaves have no legal path";
        }
        return count + " ordered pairs of switches with hosts, one or both above the leaves, have no legal path: "
                + names(name);
    }

    /** The examples, and how many more there are; empty where all pairs have a cut-off leaf. */
    public String names(IntFunction<String> name) {
        return examples.stream()
                        .map(pair -> name.apply(pair.upper) + " – " + name.apply(pair.other))
                        .collect(Collectors.joining(", "))
                + (more == 0 ? "" : " and " + more + " more");
    }

    /** Counts pairs one by one. */
    public static final class Counter {
        private final List<Pair> examples = new ArrayList<>();
        private long count;
        private long more;

        /**
         * Adds a pair.
         *
         * @param directions in how many of both directions there is no path
         * @param explained if one of both is a leaf that is named as cut off
         */
        public void add(int upper, int other, int directions, boolean explained) {
            count += directions;
            if (!explained && examples.size() < EXAMPLES_MAX) {
                examples.add(new Pair(upper, other));
            } else if (!explained) {
                more++;
            }
        }

        public UpperPairs result() {
            return count == 0 ? NONE : new UpperPairs(count, examples, more);
        }
    }
}
