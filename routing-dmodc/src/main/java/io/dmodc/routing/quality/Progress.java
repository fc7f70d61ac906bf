package io.dmodc.routing.quality;

/** Hears how far a long computation is. */
@FunctionalInterface
public interface Progress {
    /** Nobody wants to know. */
    Progress NONE = (done, total) -> {};

    /**
     * Called from any worker, never from two at a time; {@code done} only grows.
     *
     * @param done patterns, or pieces of all-to-all traffic or of the flows of patterns, looked at
     * @param total how many there are
     */
    void reached(int done, int total);
}
