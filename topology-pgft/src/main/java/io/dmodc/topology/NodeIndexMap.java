package io.dmodc.topology;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The destination index of every host port ever seen. An index is given once and survives loss and return of its host
 * and of all others, because the routing formulas divide it: renumbering would reroute the whole fabric.
 *
 * <p>Bounded by {@link #INDEX_MAX}. Not thread-safe.
 */
public final class NodeIndexMap {
    /** Highest index there is. */
    public static final int INDEX_MAX = (1 << 20) - 1;

    /** Highest index where tables go to agents: they never have more entries than this plus one. */
    public static final int TABLE_INDEX_MAX = (1 << 19) - 1;

    /** What follows from the map can be brought up to date after as many changes, and is found anew beyond. */
    private static final int RECORD_MAX = 1024;

    private final GuidNumbers indices;
    private int next;
    private int indexMax = INDEX_MAX;

    /** Indices below {@link #next} that may be dealt again. */
    private final BitSet free = new BitSet();

    /** Indices that nobody has and nobody is dealt. */
    private final BitSet retired = new BitSet();

    private final List<Long> dealt = new ArrayList<>();
    private final Set<Long> leftOut = new LinkedHashSet<>();
    private boolean closed;
    private Set<Long> hidden = Set.of();
    private NodeTypes types = NodeTypes.NONE;
    private int version;

    /** Host ports that have another index since version {@link #recordedFrom}, one a version; at most {@link #RECORD_MAX}. */
    private final List<Long> renumbered = new ArrayList<>();

    private int recordedFrom;

    /** No host seen yet. */
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

    /** The map that numbers the hosts of a view as they are in it; all else it numbered is known as numbers taken. */
    public static NodeIndexMap of(FabricView view) {
        GuidNumbers indices = new GuidNumbers();
        for (int node = 0; node < view.nodeCount(); node++) {
            if (view.nodeGuid(node) != 0) {
                indices.put(view.nodeGuid(node), node);
            }
        }
        return new NodeIndexMap(indices, view.nodeCount());
    }

    /** The lines of a node map file. */
    public List<String> lines() {
        return indices.lines();
    }

    /** Deals no index above this one, as {@link #TABLE_INDEX_MAX}. */
    public void limit(int highest) {
        indexMax = highest;
    }

    /** From now on hosts that are new are numbered type by type; those that have an index keep it. */
    public void numberBy(NodeTypes given) {
        types = given;
    }

    /** By which hosts that are new are numbered. */
    public NodeTypes types() {
        return types;
    }

    /** Tables had so many entries: the space is not smaller than that. */
    public void reserve(int size) {
        next = Math.max(next, size);
    }

    /** Gaps below the highest index are free, too: what they were given to is forgotten. */
    public void freeGaps() {
        free.set(0, next);
        indices.forEach((guid, index) -> free.clear(index));
    }

    /** The host port will not come back: another may get its index. */
    public void forget(long portGuid) {
        int index = indices.getOrDefault(portGuid, -1);
        if (index >= 0) {
            indices.remove(portGuid);
            dealt.remove(portGuid);
            free.set(index);
            record(portGuid);
        }
    }

    /** A host port that is in no view has this index: what a map {@link #of(FabricView) of a view} does not know. */
    public void put(long portGuid, int index) {
        if (index >= 0 && indices.getOrDefault(portGuid, -1) != index) {
            indices.put(portGuid, index);
            record(portGuid);
        }
    }

    /**
     * A new host port stands where the old one stood, and has its index from now on, which counts as dealt to nobody; one that it had is free.
     *
     * @return false if the old one has none
     */
    public boolean handOver(long oldPortGuid, long newPortGuid) {
        int index = indices.getOrDefault(oldPortGuid, -1);
        if (index >= 0) {
            forget(newPortGuid);
            forget(oldPortGuid);
            free.clear(index);
            indices.put(newPortGuid, index);
            record(newPortGuid);
        }
        return index >= 0;
    }

    /** Deals this index, which is free, to nobody: packets to who had it may still be under way. */
    public void retire(int index) {
        if (free.get(index)) {
            free.clear(index);
            retired.set(index);
        }
    }

    /**
     * Deals no index until {@link #open}: hosts without one stay out of views, and so do these.
     *
     * @param hosts port GUIDs
     */
    public void close(Set<Long> hosts) {
        if (!closed || !hidden.equals(hosts)) {
            recordNothingBefore(version + 1);
        }
        closed = true;
        hidden = Set.copyOf(hosts);
    }

    /** Deals indices again and hides none. */
    public void open() {
        if (closed) {
            recordNothingBefore(version + 1);
        }
        closed = false;
        hidden = Set.of();
    }

    /** True between {@link #close} and {@link #open}. */
    public boolean closed() {
        return closed;
    }

    /** Index of a host port, or −1 when it has none or is hidden. */
    public int indexOf(long portGuid) {
        return hidden.contains(portGuid) ? -1 : indices.getOrDefault(portGuid, -1);
    }

    /** True for a host port that has an index, hidden or not. */
    public boolean knows(long portGuid) {
        return indices.get(portGuid).isPresent();
    }

    /** Size of the index space: highest index ever given plus one, or what was {@link #reserve reserved}. */
    public int size() {
        return next;
    }

    /** The {@link #size} if nobody has the highest index any more, so that it does not follow from the indices; else 0. */
    public int sizeBeyondKnown() {
        return next > 0 && (free.get(next - 1) || retired.get(next - 1)) ? next : 0;
    }

    /** Host ports that were given an index since this was called last, in that order. */
    public List<Long> takeDealt() {
        List<Long> taken = List.copyOf(dealt);
        dealt.clear();
        return taken;
    }

    /** Host ports for which there was no index left since this was called last, in that order: they stay out of views. */
    public List<Long> takeLeftOut() {
        List<Long> taken = List.copyOf(leftOut);
        leftOut.clear();
        return taken;
    }

    /** Grows whenever a host port has another index than before, or another set of them is hidden. */
    int version() {
        return version;
    }

    /** Host ports with another index than in an earlier version, some more than once; null if that is not known. */
    @Nullable
    List<Long> renumberedSince(int earlier) {
        return earlier < recordedFrom
                ? null
                : List.copyOf(renumbered.subList(earlier - recordedFrom, renumbered.size()));
    }

    private void record(long portGuid) {
        if (renumbered.size() == RECORD_MAX) {
            recordNothingBefore(version);
        }
        renumbered.add(portGuid);
        version++;
    }

    private void recordNothingBefore(int newVersion) {
        renumbered.clear();
        version = newVersion;
        recordedFrom = newVersion;
    }

    /** Gives the lowest free index to a host port not seen before; −1 while the map is closed, or all are taken. */
    int assign(long portGuid) {
        if (closed) {
            return -1;
        }
        int gap = free.nextSetBit(0);
        if (gap < 0 && next > indexMax) {
            leftOut.add(portGuid);
            return -1;
        }
        int index = gap < 0 ? next++ : gap;
        free.clear(index);
        indices.put(portGuid, index);
        dealt.add(portGuid);
        record(portGuid);
        return index;
    }
}
