package io.dmodc.manager.loop;

import io.dmodc.manager.loop.EventLog.Entry;
import org.jspecify.annotations.Nullable;

/** The last entries of some kind, in the order in which they came; O(1). Not thread-safe. */
final class EntryRing {
    private final Entry[] entries;
    private int oldest;
    private int count;

    /** @param max entries kept */
    EntryRing(int max) {
        entries = new Entry[max];
    }

    /** Keeps one more; returns the one that gives way to it, {@code null} if there is room. */
    @Nullable
    Entry add(Entry entry) {
        if (count < entries.length) {
            entries[(oldest + count++) % entries.length] = entry;
            return null;
        }
        Entry leaving = entries[oldest];
        entries[oldest] = entry;
        oldest = (oldest + 1) % entries.length;
        return leaving;
    }

    int count() {
        return count;
    }

    /** The i-th from the oldest. */
    Entry get(int i) {
        return entries[(oldest + i) % entries.length];
    }
}
