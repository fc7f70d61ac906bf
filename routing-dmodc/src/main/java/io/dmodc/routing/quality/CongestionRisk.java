package io.dmodc.routing.quality;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.quality.CongestionSummary.HotPort;
import io.dmodc.routing.quality.PortStage.Direction;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How much traffic tables may press through one port.
 *
 * <p><b>Definition.</b> Each pattern is a set of flows (source node, destination node). The risk of a port under a
 * pattern is the smaller of the number of distinct sources and the number of distinct destinations of the flows through
 * it: as many packets can meet there although neither their senders nor their receivers are the bottleneck. The risk of
 * a pattern is that of its worst port. It cannot be below 1, nor below what cuts of the fabric allow: {@link
 * PatternRisk#least}.
 *
 * <p><b>Who takes part.</b> Nodes with a host on a live switch, in index order. Pairs whose route does not arrive send
 * nothing and are counted. Ports to hosts have one destination and so at most risk 1: they are counted as a stage, but
 * never named as worst.
 *
 * <p>Exact integers in any order of work. Memory: a few ints per port and worker, and one bit for each node, of switches
 * with entries that lead nowhere.
 */
public final class CongestionRisk {
    private final ArrivingRoutes routes;
    private final AllToAll allToAll;
    private final List<PortStage> stages;
    private final Parallel parallel;

    private CongestionRisk(RouteTrees trees, Parallel parallel, Progress progress) {
        this.parallel = parallel;
        routes = new ArrivingRoutes(trees);
        allToAll = new AllToAll(trees, routes.node, routes.hosts, parallel, progress);
        trees.forEach(routes.node, parallel, () -> RouteTrees.both(routes.settling(), allToAll.counting()));
        allToAll.complete();
        List<PortStage> all = new ArrayList<>(routes.channels.stages);
        all.add(new PortStage(Direction.TO_HOST, -1, -1, routes.nodeCount()));
        this.stages = List.copyOf(all);
    }

    /**
     * Follows all routes of the tables and counts all-to-all traffic.
     *
     * @param view the fabric the tables are for
     * @param tables towards nodes, whoever made them
     * @param parallel where this and the later questions are worked on; no answer depends on it
     * @param progress hears of the all-to-all traffic
     * @throws IllegalArgumentException if the tables have another size than the view
     */
    public static CongestionRisk of(FabricView view, LftSet tables, Parallel parallel, Progress progress) {
        return new CongestionRisk(new RouteTrees(view, tables), parallel, progress);
    }

    /**
     * Ordered pairs of nodes that take part whose route does not arrive, for those who ask for nothing else.
     *
     * @param view the fabric the tables are for
     * @param tables towards nodes, whoever made them
     * @param parallel where the routes are followed
     * @throws IllegalArgumentException if the tables have another size than the view
     */
    public static long unroutedPairs(FabricView view, LftSet tables, Parallel parallel) {
        return ArrivingRoutes.of(view, tables, parallel).unroutedPairs();
    }

    /** Nodes that take part. */
    public int nodeCount() {
        return routes.nodeCount();
    }

    /** Node indices without a host at present, or with one on a dead switch; aggregation nodes are not counted. */
    public int absentNodeCount() {
        return routes.home.length - routes.nodeCount() - routes.channels.view.aggregationCount();
    }

    /** Ordered pairs of nodes that take part whose route does not arrive. */
    public long unroutedPairs() {
        return routes.unroutedPairs();
    }

    /** Ordered pairs of nodes that take part. */
    public long pairs() {
        return (long) routes.nodeCount() * (routes.nodeCount() - 1);
    }

    /** In the order a packet meets them; the last one is the ports to hosts. */
    public List<PortStage> stages() {
        return stages;
    }

    /** Risk when every node sends to every other. */
    public int allToAll() {
        return IntStream.range(0, stages.size()).map(this::allToAll).max().orElse(0);
    }

    /** Highest risk of the ports of one stage when every node sends to every other. */
    public int allToAll(int stage) {
        if (stage == stages.size() - 1) {
            return pairs() > unroutedPairs() ? 1 : 0;
        }
        return allToAll.risk(routes.channels.start[stage], routes.channels.start[stage + 1]);
    }

    /** Risk of one port when every node sends to every other; 0 where no live link to a switch is. */
    public int allToAll(int s, int port) {
        int channel = s < 0 || port < 1 || port > FabricView.PORT_MAX ? -1 : routes.channels.channel[s << 8 | port];
        return channel < 0 ? 0 : allToAll.risk(channel);
    }

    /**
     * Risk when every node of some sends to every other of some, as compute nodes to storage.
     *
     * @param from node indices; those that take no part are passed over
     * @param to likewise; a node of both does not send to itself
     */
    public GroupRisk between(BitSet from, BitSet to, Progress progress) {
        return GroupRisk.of(routes, from, to, parallel, progress);
    }

    /**
     * The risk that all-to-all traffic has at least, whatever forwarding tables carry it: by how many ports lead out of
     * each switch with nodes and each subtree. Never above {@link #allToAll()}.
     */
    public int allToAllLeast() {
        return new AllToAllLeast(routes).least();
    }

    /** What flows meet on their ways when every node sends to every other. Counted anew at each call. */
    public FlowRisk allToAllFlows() {
        return allToAll.flows();
    }

    /** Risk under random permutations; the same seed draws the same ones. */
    public PatternRisk permutations(int count, long seed, Progress progress) {
        return PatternRisk.of(routes, new Permutations(routes, count, seed), parallel, progress);
    }

    /** Risk under the shifts by 1, 2, … nodes−1, in this order. */
    public PatternRisk shifts(Progress progress) {
        return shifts(Shifts.all(routes), progress);
    }

    /** Risk under some shifts, ascending; the same seed draws the same ones. */
    public PatternRisk shifts(int count, long seed, Progress progress) {
        return shifts(Shifts.sample(routes, count, seed), progress);
    }

    private PatternRisk shifts(Shifts shifts, Progress progress) {
        return PatternRisk.of(routes, shifts, parallel, progress);
    }

    /**
     * The live ports between switches that bear most, by shifts, then by all-to-all traffic; equal ones by stage, switch
     * index and port.
     *
     * @param permutations an answer of this study, for the figures only
     * @param shifts an answer of this study
     * @param most how many at most
     */
    public List<PortRisk> worstPorts(PatternRisk permutations, PatternRisk shifts, int most) {
        int[] worst = highest(most, (one, other) -> {
            int byShifts = Integer.compare(shifts.peak(one), shifts.peak(other));
            return byShifts != 0 ? byShifts : Integer.compare(allToAll.risk(one), allToAll.risk(other));
        });
        BitSet asked = new BitSet();
        Arrays.stream(worst).forEach(asked::set);
        int[] sources = allToAll.sources(asked);
        return Arrays.stream(worst)
                .mapToObj(channel -> port(channel, sources[channel], permutations, shifts))
                .toList();
    }

    /** How many live ports between switches bear as much as this one, by shifts and by all-to-all traffic. */
    public long portsAsBad(PortRisk port, PatternRisk shifts) {
        return IntStream.range(0, routes.channels.count())
                .filter(channel -> shifts.peak(channel) == port.shifts() && allToAll.risk(channel) == port.allToAll())
                .count();
    }

    /** The live ports between switches that bear most in all-to-all traffic; equal ones by stage, switch index and port. */
    List<HotPort> hottest(int most) {
        return Arrays.stream(highest(most, Comparator.comparingInt(allToAll::risk)))
                .mapToObj(channel -> {
                    int place = routes.channels.place[channel];
                    return new HotPort(place >> 8, place & 0xff, allToAll.risk(channel));
                })
                .toList();
    }

    /** The channels that come last in an order, the last one first; equal ones by index. */
    private int[] highest(int most, Comparator<Integer> order) {
        int[] highest = new int[Math.min(most, routes.channels.count())];
        int count = 0;
        for (int channel = 0; channel < routes.channels.count(); channel++) {
            int at = count;
            while (at > 0 && order.compare(highest[at - 1], channel) < 0) {
                at--;
            }
            if (at < highest.length) {
                count = Math.min(highest.length, count + 1);
                System.arraycopy(highest, at, highest, at + 1, count - 1 - at);
                highest[at] = channel;
            }
        }
        return Arrays.copyOf(highest, count);
    }

    private PortRisk port(int channel, int sources, PatternRisk permutations, PatternRisk shifts) {
        int s = routes.channels.place[channel] >> 8;
        int port = routes.channels.place[channel] & 0xff;
        return new PortRisk(
                s,
                port,
                routes.channels.peer[channel],
                routes.channels.view.peerPort(s, port),
                routes.channels.stageOf(channel),
                sources,
                allToAll.destinations(channel),
                permutations.peak(channel),
                shifts.peak(channel));
    }
}
