package io.dmodc.routing;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an engine came to. */
public sealed interface RoutingResult {
    /** The tables that were made; {@code null} when none could be. */
    @Nullable
    LftSet tables();

    /** Every live leaf reaches every other: all nodes are routed. */
    record Complete(LftSet tables) implements RoutingResult {}

    /**
     * Some pairs of leaves have no legal path; the rest is routed all the same.
     *
     * @param cutOffLeaves switch indices, ascending: dead leaves, and a small set of live ones that every unreachable
     *     pair has a member of
     * @param unreachableLeafPairs ordered pairs of live leaves without a path
     */
    record Partial(LftSet tables, List<Integer> cutOffLeaves, long unreachableLeafPairs) implements RoutingResult {
        public Partial {
            cutOffLeaves = List.copyOf(cutOffLeaves);
        }
    }

    /** No tables can be made of this view. */
    record Unroutable(String reason) implements RoutingResult {
        @Override
        public @Nullable LftSet tables() {
            return null;
        }
    }
}
