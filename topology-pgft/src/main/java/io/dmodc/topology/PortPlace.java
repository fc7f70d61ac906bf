package io.dmodc.topology;

import java.util.Comparator;

/** One port of one switch; ordered by unsigned GUID, then by number. */
public record PortPlace(long guid, int port) implements Comparable<PortPlace> {
    private static final Comparator<PortPlace> ORDER =
            Comparator.comparing(PortPlace::guid, Long::compareUnsigned).thenComparingInt(PortPlace::port);

    @Override
    public int compareTo(PortPlace other) {
        return ORDER.compare(this, other);
    }
}
