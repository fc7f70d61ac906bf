package io.dmodc.manager.core;

import io.dmodc.routing.LftRow;

/** How the digests come about that computations add up for their rows; the core itself only compares them. */
public interface RowDigest {
    /** Digest of a row. */
    long of(LftRow row);

    /**
     * Digest of a row that is as long as another one.
     *
     * @param digest of {@code from}
     */
    long exchanged(long digest, LftRow from, LftRow to);
}
