package io.dmodc.detector.net;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * Members whose datagrams come from another address than the membership says: all of them are dropped, so such a member is held dead
 * for ever although it lives. Each is told once, and only when it goes on for a while: an agent that comes back at another
 * address speaks from there before all others have the membership that says so. Forgotten with each membership; at
 * {@link #KEPT_MAX} no more are kept. Confined to the event loop.
 */
final class ForeignSources {
    /** Most pairs of member and address of one membership. */
    static final int KEPT_MAX = 16;

    private record Source(long guid, InetSocketAddress actual) {}

    /** When each was seen first; {@code Long.MAX_VALUE} once it was told. */
    private final Map<Source, Long> seen = new HashMap<>();

    private long lastsNanos;

    /** @param lasting how long it must go on */
    void restart(long lasting) {
        seen.clear();
        lastsNanos = lasting;
    }

    /** True if this is to be told now. */
    boolean isNews(long guid, InetSocketAddress actual, long nowNanos) {
        Source source = new Source(guid, actual);
        Long first = seen.get(source);
        if (first == null) {
            if (seen.size() < KEPT_MAX) {
                seen.put(source, nowNanos);
            }
            return false;
        }
        if (first == Long.MAX_VALUE || nowNanos - first < lastsNanos) {
            return false;
        }
        seen.put(source, Long.MAX_VALUE);
        return true;
    }
}
