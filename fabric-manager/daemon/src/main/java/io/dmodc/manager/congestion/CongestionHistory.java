package io.dmodc.manager.congestion;

import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What was measured of the last {@value #KEPT} epochs that were measured; of each some hundred bytes. Thread-safe. */
public final class CongestionHistory {
    /** As many as epochs are kept. */
    static final int KEPT = 256;

    private final TreeMap<Long, MeasuredCongestion> byEpoch = new TreeMap<>();

    /** Takes one more in; at the bound the oldest epoch is forgotten. */
    public synchronized void add(MeasuredCongestion measured) {
        byEpoch.put(measured.epoch(), measured);
        if (byEpoch.size() > KEPT) {
            byEpoch.pollFirstEntry();
        }
    }

    /** That of the newest epoch that was measured; {@code null} before the first. */
    public synchronized @Nullable MeasuredCongestion latest() {
        return byEpoch.isEmpty() ? null : byEpoch.lastEntry().getValue();
    }

    /** That of this epoch; {@code null} if it was not measured, or is forgotten. */
    public synchronized @Nullable MeasuredCongestion of(long epoch) {
        return byEpoch.get(epoch);
    }
}
