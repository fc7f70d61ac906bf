package io.dmodc.topology;

import java.util.BitSet;
import java.util.List;

/**
 * The destination index of every host port ever seen. An index is given once and survives loss and return of its host
 * and of all others, because the routing formulas divide it: renumbering would reroute the whole fabric.
 *
 * <p>Bounded by {@link #INDEX_MAX}. Not thread-safe.
 */
public final class NodeIndexMap {
    /** Highest index: a table never has more entries than this plus one, which is what the protocol with the agents takes. */
    public static final int INDEX_MAX = (1 << 19) - 1;

    /** No index is hidden. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    private final GuidNumbers indices;
    private int next;

    /** No host seen yet. */
    private int limit = UNLIMITED;

    public NodeIndexMap() {
        indices = new GuidNumbers();
    }

    private NodeIndexMap(GuidNumbers indices, int next) {
        this.indices = indices;
        this.next = next;
    }

    /**
     * Reads the lines {@code guid index} of a node map file.
     *
     * @throws IllegalArgumentException in one line, when a line is malformed, an index is used twice or too high
     */
    public static NodeIndexMap parse(String source, List<String> lines) {
        return of(source, GuidNumbers.parse(source, lines, INDEX_MAX));
    }

    /**
     * The map with these indices, by port GUID.
     *
     * @param source for messages
     * @throws IllegalArgumentException in one line, when an index is used twice
     */
    public static NodeIndexMap of(String source, GuidNumbers indices) {
        BitSet used = new BitSet();
        indices.forEach((guid, index) -> {
            if (used.get(index)) {
                throw new IllegalArgumentException(
                        source + ": " + Guid.format(guid) + ": node index " + index + " is taken by another GUID");
            }
            used.set(index);
        });
        return new NodeIndexMap(indices, used.length());
    }

    /** The lines of a node map file. */
    public List<String> lines() {
        return indices.lines();
    }

    /**
     * Deals no index any more, and hides those from this one on: their hosts stay out of views.
     *
     * @param first {@link #UNLIMITED} ends that
     */
    public void limitTo(int first) {
        limit = first;
    }

    /** The first index that is hidden; {@link #UNLIMITED} when none is. */
    public int limit() {
        return limit;
    }

    /** Index of a host port, or −1 when it has none or a hidden one. */
    public int indexOf(long portGuid) {
        int index = indices.getOrDefault(portGuid, -1);
        return index < limit ? index : -1;
    }

    /** Size of the index space: highest index that is not hidden plus one. */
    public int size() {
        return Math.min(next, limit);
    }

    /** Highest index ever given plus one, hidden ones included. */
    public int dealt() {
        return next;
    }

    /** Visits the host ports that were given this index or a higher one. */
    public void forEachFrom(int first, GuidNumbers.Visitor visitor) {
        indices.forEach((guid, index) -> {
            if (index >= first) {
                visitor.visit(guid, index);
            }
        });
    }

    /** Gives the next free index to a host port not seen before; −1 while the map is limited. */
    int assign(long portGuid) {
        if (limit != UNLIMITED) {
            return -1;
        }
        if (next > INDEX_MAX) {
            throw new IllegalStateException(
                    "node " + Guid.format(portGuid) + ": all " + next + " node indices are taken");
        }
        indices.put(portGuid, next);
        return next++;
    }
}
