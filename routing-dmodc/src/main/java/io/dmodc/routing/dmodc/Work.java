package io.dmodc.routing.dmodc;

import io.dmodc.routing.Parallel;
import java.util.function.IntConsumer;

/** Pieces of work too small for a hand-over to other threads unless there are many. */
final class Work {
    /** A piece is a microsecond or less, a hand-over some tens of them. */
    private static final int FEW = 128;

    private Work() {}

    /** Calls {@code body} for {@code 0..count−1}; here if there are few. */
    static void forEach(int count, IntConsumer body, Parallel parallel) {
        (count < FEW ? Parallel.sequential() : parallel).forEach(count, body);
    }
}
