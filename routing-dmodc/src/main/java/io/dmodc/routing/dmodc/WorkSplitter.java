package io.dmodc.routing.dmodc;

import io.dmodc.routing.Parallel;
import java.util.function.IntConsumer;

/** Hands small work over to other threads only where there is much of it. */
final class WorkSplitter {
    /** A piece is a microsecond or less, a hand-over some tens of them. */
    private static final int FEW = 128;

    private WorkSplitter() {}

    /** Receives the bounds of a piece. */
    interface Piece {
        /** Does {@code start..end − 1}. */
        void work(int start, int end);
    }

    /** Cuts {@code 0..count−1} into pieces of a size, for bodies that keep buffers from one number to the next. */
    static void forEachPiece(int count, int size, Piece piece, Parallel parallel) {
        int pieces = (count + size - 1) / size;
        (pieces < 2 ? Parallel.sequential() : parallel)
                .forEach(pieces, i -> piece.work(i * size, Math.min(count, (i + 1) * size)));
    }

    /** Calls {@code body} for {@code 0..count−1}; here if there are few. */
    static void forEach(int count, IntConsumer body, Parallel parallel) {
        (count < FEW ? Parallel.sequential() : parallel).forEach(count, body);
    }
}
