package io.dmodc.routing;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an engine came to. */
public sealed interface RoutingResult {
    /** The tables that were made, of whatever kind; {@code null} when none could be. */
    @Nullable
    Tables made();

    /**
     * The tables of an engine that makes linear forwarding tables; {@code null} when none could be made.
     *
     * @throws IllegalStateException if they are of another kind
     */
    default @Nullable LftSet tables() {
        Tables made = made();
        return made == null ? null : made.lfts();
    }

    /**
     * Every leaf is alive, and every live switch with hosts reaches every other, those in parts of the fabric left out that
     * were never cabled to its own.
     */
    record Complete(Tables made) implements RoutingResult {
        @Override
        public LftSet tables() {
            return made.lfts();
        }
    }

    /**
     * Some pairs of switches with hosts have no legal path; the rest is routed all the same. Pairs in two parts of the
     * fabric that were never cabled together are none.
     *
     * @param cutOffLeaves switch indices, ascending: dead leaves, and a small set of live ones that every unreachable
     *     pair has a member of
     * @param unreachableLeafPairs ordered pairs of live leaves without a path
     * @param upperPairs the same of pairs with a switch above the leaves that has hosts
     */
    record Partial(Tables made, List<Integer> cutOffLeaves, long unreachableLeafPairs, UpperPairs upperPairs)
            implements RoutingResult {
        public Partial {
            cutOffLeaves = List.copyOf(cutOffLeaves);
        }

        @Override
        public LftSet tables() {
            return made.lfts();
        }
    }

    /**
     * No tables can be made of this view.
     *
     * @param rootsWanted whether the engine found no roots it can route from, and might if they were named
     */
    record Unroutable(String reason, boolean rootsWanted) implements RoutingResult {
        public Unroutable(String reason) {
            this(reason, false);
        }

        @Override
        public @Nullable Tables made() {
            return null;
        }
    }
}
