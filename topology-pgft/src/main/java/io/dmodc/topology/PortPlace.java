package io.dmodc.topology;

/** One port of one switch; ordered by unsigned GUID, then by number. */
public record PortPlace(long guid, int port) implements Comparable<PortPlace> {
    @Override
    public int compareTo(PortPlace other) {
        int order = Long.compareUnsigned(guid, other.guid);
        return order == 0 ? Integer.compare(port, other.port) : order;
    }
}
