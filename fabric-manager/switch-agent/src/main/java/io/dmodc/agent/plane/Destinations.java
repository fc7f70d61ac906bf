package io.dmodc.agent.plane;

import java.util.Arrays;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** What the indices of a table stand for. Immutable. */
public final class Destinations {
    /** None is known. */
    public static final Destinations NONE = new Destinations(new Destination[0]);

    private final @Nullable Destination[] byIndex;

    private Destinations(@Nullable Destination[] byIndex) {
        this.byIndex = byIndex;
    }

    /**
     * Returns what indices stand for.
     *
     * @param size index space: all known indices are below
     * @param at asked once for each index; null: stands for nothing
     */
    public static Destinations of(int size, IntFunction<@Nullable Destination> at) {
        @Nullable Destination[] byIndex = new Destination[size];
        Arrays.setAll(byIndex, at);
        return new Destinations(byIndex);
    }

    /** Returns what an index stands for; null when nobody has said. */
    public @Nullable Destination at(int index) {
        return index < byIndex.length ? byIndex[index] : null;
    }

    /** Returns the highest known index plus one, or more. */
    public int size() {
        return byIndex.length;
    }
}
