package io.dmodc.manager.opensm;

import java.util.concurrent.TimeUnit;

/**
 * When a dump went which way; monotonic nanoseconds, 0 for what did not happen.
 *
 * @param epoch of the newest tables in it
 * @param seenNanos when the fabric was seen as it is, the last time before
 * @param pushedNanos when the core had handed over the first of its tables
 * @param writtenNanos when the file was in its place, also after a power cut: OpenSM may have loaded it a moment before
 * @param signalledNanos when OpenSM had been told, the first time; 0 if it loaded the file by itself, in the sweep after the change
 * @param configuredNanos when its log last said that tables are sent
 * @param readBackNanos when the last switch was seen to hold them; 0 if the next dump, as that of a further round, took its place before
 * @param switches whose tables changed
 * @param blocks of 64 entries that changed
 */
public record LoadTimes(
        long epoch,
        long seenNanos,
        long pushedNanos,
        long writtenNanos,
        long signalledNanos,
        long configuredNanos,
        long readBackNanos,
        int switches,
        int blocks) {
    /** As a line for people, counted from the look; tables of an earlier step were computed before it. */
    public String text() {
        return "epoch " + epoch + ": " + switches + " switches, " + blocks + " blocks; computed " + at(pushedNanos)
                + ", written " + at(writtenNanos) + ", "
                + (signalledNanos == 0 ? "loaded by OpenSM itself" : "told " + at(signalledNanos)) + ", OpenSM done "
                + at(configuredNanos) + (readBackNanos == 0 ? "" : ", read back " + at(readBackNanos))
                + " after the fabric was seen so"
                + (readBackNanos == 0 ? "; the next dump came before all was read back" : "");
    }

    private String at(long nanos) {
        long after = nanos - seenNanos;
        return nanos == 0
                ? "unknown"
                : TimeUnit.NANOSECONDS.toMillis(Math.abs(after)) + (after < 0 ? " ms before" : " ms");
    }
}
