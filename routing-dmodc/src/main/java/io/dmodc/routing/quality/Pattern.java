package io.dmodc.routing.quality;

import io.dmodc.routing.Parallel;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;

/** Patterns {@code 0..count−1} of one kind. Immutable. */
interface Pattern {
    int count();

    /** How many neighbours one worker takes at a time. */
    int pieceSize();

    /** How many neighbours have mostly the same flows; 1 if they do not. */
    int lanes();

    /**
     * Makes {@code sink} hold pattern {@code i}.
     *
     * @param first false if {@code sink} holds pattern {@code i − 1} at present
     */
    void load(FlowSink sink, int i, boolean first);

    /**
     * Visits each flow of patterns {@code from .. to − 1} once, in any order; those that do not arrive, too.
     */
    void forEachFlow(int from, int to, FlowVisitor visitor);

    /** What people call pattern {@code i}. */
    int number(int i);

    /** Hears of flows. */
    interface FlowVisitor {
        /**
         * A node of switch {@code s} sends to node {@code d} in the patterns {@code firstLane .. endLane − 1}, counted from
         * the first one visited.
         */
        void flow(int s, int d, int firstLane, int endLane);
    }

    /**
     * Loads all patterns, those of a piece in order into one sink.
     *
     * @param sinks makes one for a piece
     * @param measure hears which pattern the sink holds
     * @param end the piece is over; never called from two workers at a time
     */
    default <S extends FlowSink> void sweep(
            Supplier<S> sinks, ObjIntConsumer<S> measure, Consumer<S> end, Parallel parallel, Progress progress) {
        int[] done = {0};
        parallel.forEach((int) (((long) count() + pieceSize() - 1) / pieceSize()), piece -> {
            int from = piece * pieceSize();
            int to = Math.min(count(), from + pieceSize());
            S sink = sinks.get();
            for (int i = from; i < to; i++) {
                load(sink, i, i == from);
                measure.accept(sink, i);
            }
            synchronized (done) {
                end.accept(sink);
                done[0] += to - from;
                progress.reached(done[0], count());
            }
        });
    }
}
