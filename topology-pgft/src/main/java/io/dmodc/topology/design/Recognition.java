package io.dmodc.topology.design;

import io.dmodc.topology.pgft.PgftShape;

/** Whether a fabric is a whole PGFT. */
public sealed interface Recognition {
    /** It is, of this shape. */
    record Whole(PgftShape shape) implements Recognition {}

    /** It is not; the first reason in one line. */
    record NotWhole(String reason) implements Recognition {}
}
