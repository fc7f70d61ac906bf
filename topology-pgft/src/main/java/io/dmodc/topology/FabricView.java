package io.dmodc.topology;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The fabric at one epoch: immutable, dense, flat.
 *
 * <p><b>Index spaces.</b> {@code switch} 0..S−1 in ascending unsigned GUID order, dead switches included, so that an
 * index changes only when a switch is seen for the first time. {@code node} 0..N−1 is the fixed destination index
 * (some may have no host at present). {@code target} 0..T−1 are the switches that nodes are cabled to: first the
 * {@link #leafCount() leaves} in order of their lowest host's index, then other switches with hosts, then those with
 * nothing but an {@linkplain Host.Kind#AGGREGATION aggregation node}. {@code group} is a
 * port group, all ports of a switch to one neighbour, contiguous per switch and ordered by the neighbour's GUID
 * (Gliksberg et al., G_s in Table I). Ports are numbered from 1 as on the metal.
 *
 * <p><b>Layout.</b> Compressed rows: {@code portBase[s] + port − 1} is a port's place in what cables and nodes are at
 * ports, live or dead. Live links and port groups are in {@link LinkRows}, of which views share what they have alike.
 *
 * <p><b>Direction.</b> A link is up or down when its ends are on adjacent ranks (leaves are 0); links inside a rank or
 * across several are neither, and no legal up–down path uses them.
 *
 * <p>Safe to share between threads.
 */
public final class FabricView {
    /** Highest port number of a switch: 255 means "no route" in a table. */
    public static final int PORT_MAX = 254;

    /** Rank of a switch that no leaf reaches. */
    public static final int UNRANKED = -1;

    private final long epoch;

    /** Shared with other views as far as they are alike. */
    final FabricTables t;

    FabricView(long epoch, FabricTables tables) {
        this.epoch = epoch;
        this.t = tables;
    }

    /** The number that every table, message and log line caused by this view carries. */
    public long epoch() {
        return epoch;
    }

    public int switchCount() {
        return t.switchGuid.length;
    }

    /** Size of the destination index space; indices without a host at present count too. */
    public int nodeCount() {
        return t.nodeGuid.length;
    }

    public int targetCount() {
        return t.targetSwitch.length;
    }

    /** Targets {@code 0..leafCount−1} are the leaf switches (L). */
    public int leafCount() {
        return t.leafCount;
    }

    /** Targets {@code 0..hostTargetCount−1} are leaves or have hosts; the others have aggregation nodes alone. */
    public int hostTargetCount() {
        return t.hostTargetCount;
    }

    public long switchGuid(int s) {
        return t.switchGuid[s];
    }

    public String switchName(int s) {
        return t.switchName[s];
    }

    /** False for a switch that was seen once and is down now. */
    public boolean alive(int s) {
        return t.alive[s];
    }

    /** Distance up from the leaves, or {@link #UNRANKED}. */
    public int rank(int s) {
        return t.rank[s];
    }

    /** Highest rank of any switch. */
    public int rankMax() {
        return t.rankMax;
    }

    /**
     * Part of the fabric a switch is in, 0..{@link #partCount() partCount}−1 by lowest switch index: all that hang together
     * by cables, live or dead. −1 for a switch without a cable to another one.
     */
    public int part(int s) {
        return t.parts.part[s];
    }

    /** In how many parts the fabric falls that were never cabled together. */
    public int partCount() {
        return t.parts.count;
    }

    /** False if two switches are in different parts: then nothing is amiss where no path joins them. */
    public boolean belongTogether(int s, int other) {
        int part = t.parts.part[s];
        int far = t.parts.part[other];
        return part == far || part < 0 || far < 0;
    }

    /** Switch index of a GUID, or −1. */
    public int switchOf(long guid) {
        return t.switchOf(guid);
    }

    public int portCount(int s) {
        return t.portBase[s + 1] - t.portBase[s];
    }

    /** Switch at the far end of a live link of this port, or −1. */
    public int peerSwitch(int s, int port) {
        return t.links.peerSwitch[t.links.base[s] + port - 1];
    }

    /** Port number at the far end of a live link of this port; 0 where there is none. */
    public int peerPort(int s, int port) {
        return t.links.peerPort[t.links.base[s] + port - 1] & 0xff;
    }

    /** Switch that a cable at this port leads to, live or dead, or −1. */
    public int cabledSwitch(int s, int port) {
        return t.farSwitch[t.portBase[s] + port - 1];
    }

    /** Port number at the far end of a cable, live or dead; 0 where there is none. */
    public int cabledPort(int s, int port) {
        int far = t.farEnd[t.portBase[s] + port - 1];
        return far < 0 ? 0 : far - t.portBase[cabledSwitch(s, port)] + 1;
    }

    /** Node cabled to this port, or −1. */
    public int peerNode(int s, int port) {
        return t.peerNode[t.portBase[s] + port - 1];
    }

    /** First group of a switch; its groups end before {@link #groupEnd}. */
    public int groupStart(int s) {
        return t.links.base[s];
    }

    /** Just behind the last group of a switch. */
    public int groupEnd(int s) {
        return t.links.groupEnd[s];
    }

    /** Every group index is below it; not every index below it is a group. */
    public int groupLimit() {
        return t.links.groupRemote.length;
    }

    /** Switch a port group leads to (Ω_g). */
    public int groupRemote(int group) {
        return t.links.groupRemote[group];
    }

    /** How many parallel ports a group has (#g). */
    public int groupSize(int group) {
        return t.links.groupPortBase[group + 1] - t.links.groupPortBase[group];
    }

    /** The i-th port number of a group, ascending. */
    public int groupPort(int group, int i) {
        return t.links.groupPort[t.links.groupPortBase[group] + i] & 0xff;
    }

    /** True if the switches have plane numbers, by which {@link GroupOrder#PLANE} orders groups. */
    public boolean hasPlanes() {
        return t.plane != null;
    }

    /**
     * Number of the plane a switch is in, 0 for leaves, {@link Integer#MAX_VALUE} where it has none.
     *
     * @throws IllegalStateException if the view {@link #hasPlanes() has no planes}
     */
    public int plane(int s) {
        if (t.plane == null) {
            throw new IllegalStateException("the view of epoch " + epoch + " has no plane numbers");
        }
        return t.plane[s];
    }

    /** The same view with a plane number for each switch. */
    FabricView withPlanes(int[] plane) {
        FabricTables numbered = new FabricTables(t);
        numbered.plane = plane;
        return new FabricView(epoch, numbered);
    }

    /** Groups of a switch in an order: of {@link GroupOrder#PLANE}, across all ranks; by GUID where the view has no planes. */
    public int[] groups(int s, GroupOrder order) {
        int first = groupStart(s);
        int[] groups = new int[groupEnd(s) - first];
        int[] plane = order == GroupOrder.PLANE ? t.plane : null;
        for (int i = 0; i < groups.length; i++) {
            int at = i;
            while (plane != null && at > 0 && plane[groupRemote(groups[at - 1])] > plane[groupRemote(first + i)]) {
                groups[at] = groups[at - 1];
                at--;
            }
            groups[at] = first + i;
        }
        return groups;
    }

    /** True if going from {@code s} to {@code remote} climbs one rank. */
    public boolean isUp(int s, int remote) {
        return t.rank[s] >= 0 && t.rank[remote] == t.rank[s] + 1;
    }

    /** True if going from {@code s} to {@code remote} descends one rank. */
    public boolean isDown(int s, int remote) {
        return isUp(remote, s);
    }

    /** Switch of a target. */
    public int targetSwitch(int target) {
        return t.targetSwitch[target];
    }

    /** Target of a switch, or −1 when no node is cabled to it. */
    public int targetOfSwitch(int s) {
        return t.switchTarget[s];
    }

    /** True for leaf switches, dead ones included. */
    public boolean isLeaf(int s) {
        return t.switchTarget[s] >= 0 && t.switchTarget[s] < t.leafCount;
    }

    /** Port GUID of a node, 0 where the index has no host at present. */
    public long nodeGuid(int node) {
        return t.nodeGuid[node];
    }

    /** Switch a node is cabled to (λ_n), or −1 where the index has no host at present. */
    public int nodeSwitch(int node) {
        return t.nodeSwitch[node];
    }

    /** Port of {@link #nodeSwitch} the node is cabled to; 0 where the index has no host at present. */
    public int nodePort(int node) {
        return t.nodePort[node] & 0xff;
    }

    /** True if both views have the very same hosts; views drawn one after the other mostly do. O(1), and may miss some. */
    public boolean sharesHosts(FabricView other) {
        return t.nodeHost == other.t.nodeHost;
    }

    /** True for a node index with a host at present, false for one with an aggregation node or with nothing. */
    public boolean isHost(int node) {
        return t.nodeSwitch[node] >= 0 && !t.aggregation.get(node);
    }

    /** How many node indices have a host at present. */
    public int hostCount() {
        return Arrays.stream(hostsOfSwitches()).sum();
    }

    /** How many node indices have an aggregation node at present. */
    public int aggregationCount() {
        return t.aggregation.cardinality();
    }

    /** How many hosts are cabled to each switch, by switch index. */
    public int[] hostsOfSwitches() {
        int[] hosts = new int[t.switchGuid.length];
        for (int node = 0; node < t.nodeSwitch.length; node++) {
            if (isHost(node)) {
                hosts[t.nodeSwitch[node]]++;
            }
        }
        return hosts;
    }

    /** The host or aggregation node behind a node index. */
    public @Nullable Host host(int node) {
        return t.nodeHost[node];
    }

    /** Live links between switches, each cable counted once. */
    public int linkCount() {
        return t.links.linkCount;
    }

    /**
     * The same fabric as if some of it were down: same epoch, same indices, same ranks.
     *
     * @param switches by index
     * @param links by either end; those that are not live make no difference, nor do switches and ports that are not there
     * @return this view when there is nothing to leave out
     */
    public FabricView without(BitSet switches, List<PortPlace> links) {
        return switches.isEmpty() && links.isEmpty()
                ? this
                : new FabricView(epoch, ViewExclusion.without(t, switches, links));
    }

    /**
     * The same view with links that work and are not in it, between live switches; ranks stay as they are.
     *
     * @param links from one end to the other; where either has a link already, or is no port of the view, it adds none
     */
    public FabricView with(SortedMap<PortPlace, PortPlace> links) {
        return links.isEmpty() ? this : new FabricView(epoch, ViewExclusion.with(t, links));
    }

    /**
     * True if both views number everything alike: the same switches with the same ports, the same nodes on the same
     * ports, the same targets. Only then does an index of one mean something in the other. At once when the views were
     * drawn one after the other from the same cabling, O(switches + nodes) else.
     */
    public boolean comparableTo(FabricView older) {
        FabricTables o = older.t;
        return hasTargetsOf(older)
                && Arrays.equals(t.nodeGuid, o.nodeGuid)
                && Arrays.equals(t.nodeSwitch, o.nodeSwitch)
                && Arrays.equals(t.nodePort, o.nodePort)
                && t.aggregation.equals(o.aggregation);
    }

    /** True if both views have the same switches with the same ports, and targets on the same ones; nodes may be others. */
    public boolean hasTargetsOf(FabricView older) {
        FabricTables o = older.t;
        return t.leafCount == o.leafCount
                && Arrays.equals(t.switchGuid, o.switchGuid)
                && Arrays.equals(t.portBase, o.portBase)
                && Arrays.equals(t.targetSwitch, o.targetSwitch);
    }

    /**
     * Which switches a fault or a repair between two views touched: those with another rank, those that died or came
     * back, and those on which a port leads elsewhere than it did (another switch, another port of it, or nothing). The
     * port groups of all others are the same; only their group indices may be others.
     *
     * <p>O(switches), and O(ports) of those whose rows of links the views do not share.
     *
     * @param older any view this one is {@link #comparableTo comparable} to
     * @return switch indices, ascending
     * @throws IllegalArgumentException if the views are not comparable
     */
    public int[] switchesChangedSince(FabricView older) {
        if (!comparableTo(older)) {
            throw new IllegalArgumentException("views of epochs " + older.epoch + " and " + epoch
                    + " number different things; expected comparable views");
        }
        return t.switchesChangedSince(older.t);
    }

    /**
     * As {@link #switchesChangedSince}, whatever became of nodes.
     *
     * @param older any view this one {@link #hasTargetsOf has the targets of}
     */
    public int[] switchesLinkedOtherwiseThan(FabricView older) {
        return t.switchesChangedSince(older.t);
    }

    /**
     * Which switches a fault or a repair touched, if it touched nothing but links, liveness and nodes of known targets.
     *
     * @return as {@link #switchesChangedSince}; null if switches, ports or targets are numbered otherwise, if there are
     *     fewer node indices, or if a plane or a rank changed. Nodes may be elsewhere: see {@link #nodesMovedSince}
     */
    public int @Nullable [] switchesRelinkedSince(FabricView older) {
        if (!hasTargetsOf(older) || nodeCount() < older.nodeCount() || !Arrays.equals(t.plane, older.t.plane)) {
            return null;
        }
        int[] changed = t.switchesChangedSince(older.t);
        for (int s : changed) {
            if (rank(s) != older.rank(s)) {
                return null;
            }
        }
        return changed;
    }

    /**
     * Node indices that are on another switch or port than in a view with the same switches and no more indices, came, or
     * went. At once for views that share their hosts, O(nodes) else. Another adapter on the same port with the same index has not
     * moved.
     */
    public BitSet nodesMovedSince(FabricView older) {
        return sharesHosts(older) ? new BitSet() : t.nodesMovedSince(older.t);
    }
}
