package io.dmodc.topology;

import org.jspecify.annotations.Nullable;

/** One port of one switch; ordered by unsigned GUID, then by number. */
public record PortPlace(long guid, int port) implements Comparable<PortPlace> {
    @Override
    public int compareTo(PortPlace other) {
        int order = Long.compareUnsigned(guid, other.guid);
        return order == 0 ? Integer.compare(port, other.port) : order;
    }

    /** As a record's own, and several times as fast: ports are looked up more often than anything else. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PortPlace that && that.guid == guid && that.port == port;
    }

    /** GUIDs and numbers are dense; spread, so that their sums do not meet. */
    @Override
    public int hashCode() {
        return (int) ((guid * 0x9e3779b97f4a7c15L) >>> 32) + port;
    }
}
