package io.dmodc.topology;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** A seeded random PGFT of two to five levels, to which hosts on upper switches can be added, and damage. */
final class HostsAbove {
    private static final int SWITCHES_MAX = 300;
    private static final int HOST_SWITCHES_MAX = 8;

    private final SplittableRandom random;
    private final PgftShape shape;
    private final FabricViewBuilder fabric;

    /** Hosts, and those on leaves that have all of theirs. */
    private int all;

    private int onFullLeaves;

    HostsAbove(long seed) {
        random = new SplittableRandom(seed);
        shape = drawShape();
        fabric = PgftGenerator.generateShuffled(shape, random.split());
        onFullLeaves = shape.switchCount(1) * shape.m(1);
        all = onFullLeaves;
    }

    private PgftShape drawShape() {
        while (true) {
            int levels = 2 + random.nextInt(4);
            StringBuilder m = new StringBuilder().append(2 + random.nextInt(5));
            StringBuilder w = new StringBuilder("1");
            StringBuilder p = new StringBuilder("1");
            for (int l = 2; l <= levels; l++) {
                int most = levels > 3 ? 2 : 4;
                m.append(',').append(2 + random.nextInt(most));
                w.append(',').append(2 + random.nextInt(most));
                p.append(',').append(1 + random.nextInt(2));
            }
            PgftShape drawn = PgftShape.parse(levels + ";" + m + ";" + w + ";" + p);
            if (drawn.switchCount() <= SWITCHES_MAX) {
                return drawn;
            }
        }
    }

    /** Takes hosts from one leaf in eight; one at least is left, and most hosts are on leaves that have all. */
    HostsAbove drained() {
        FabricView view = view();
        for (int s = 0; s < view.switchCount(); s++) {
            if (isBuiltAsLeaf(view, s) && random.nextInt(8) == 0) {
                int kept = 1 + random.nextInt(shape.m(1));
                if (2 * onFullLeaves > all + shape.m(1)) {
                    keepHosts(view, s, kept);
                }
            }
        }
        return this;
    }

    /** Leaves one host to each leaf of one of the largest subtrees. */
    HostsAbove drainedSubtree() {
        FabricView view = view();
        int leaves = shape.switchCount(1) / shape.m(shape.levels());
        int subtree = random.nextInt(shape.m(shape.levels()));
        for (int s = 0; s < view.switchCount(); s++) {
            if (isBuiltAsLeaf(view, s)
                    && Integer.parseInt(view.switchName(s).substring("leaf".length())) / leaves == subtree) {
                keepHosts(view, s, 1);
            }
        }
        return this;
    }

    private void keepHosts(FabricView view, int s, int count) {
        onFullLeaves -= count < shape.m(1) ? shape.m(1) : 0;
        all -= shape.m(1) - count;
        int kept = count;
        for (int port = 1; port <= view.portCount(s); port++) {
            boolean host = fabric.neighbour(view.switchGuid(s), port) instanceof ToHost;
            if (host && kept-- <= 0) {
                fabric.apply(new PortSeen(view.switchGuid(s), port, false, null));
            }
        }
    }

    /** Adds hosts to upper switches, fewer to each than a leaf has; most hosts stay on leaves that have all. */
    HostsAbove withHosts() {
        FabricView view = view();
        List<Integer> upper = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            if (!isBuiltAsLeaf(view, s)) {
                upper.add(s);
            }
        }
        int switches = 1 + random.nextInt(Math.min(HOST_SWITCHES_MAX, upper.size()));
        for (int i = 0; i < switches; i++) {
            int s = upper.remove(random.nextInt(upper.size()));
            int hosts = Math.min(2 * onFullLeaves - all - 1, 1 + random.nextInt(shape.m(1) - 1));
            if (hosts > 0) {
                addHosts(fabric, view.switchGuid(s), hosts);
                all += hosts;
            }
        }
        return this;
    }

    /** Gives a switch so many ports more, with a host behind each. */
    static void addHosts(FabricViewBuilder fabric, long guid, int count) {
        SwitchClaims claims = fabric.claims(guid);
        fabric.apply(new SwitchSeen(guid, claims.name(), claims.portCount() + count));
        claims.ports().forEach(port -> fabric.apply(new PortSeen(guid, port.port(), port.up(), port.neighbour())));
        for (int h = 1; h <= count; h++) {
            long host = 0x0dd0_0000_0000_0000L | guid << 8 | h;
            ToHost to = new ToHost(new Host(host, host, 1, "above"));
            fabric.apply(new PortSeen(guid, claims.portCount() + h, true, to));
        }
    }

    /** Loses at most so many cables of a hundred between switches. */
    HostsAbove damaged(int percent) {
        int cables = Degradation.cables(view()).size();
        Degradation.apply(fabric, 0, random.nextInt(1 + cables * percent / 100), random);
        return this;
    }

    /** Exchanges the far ends of two cables. */
    HostsAbove swapped() {
        List<Cable> cables = Degradation.cables(view());
        Cable one = cables.remove(random.nextInt(cables.size()));
        Cable other = cables.remove(random.nextInt(cables.size()));
        connect(one.guid(), one.port(), other.farGuid(), other.farPort());
        connect(other.guid(), other.port(), one.farGuid(), one.farPort());
        return this;
    }

    private void connect(long guid, int port, long farGuid, int farPort) {
        fabric.apply(new PortSeen(guid, port, true, new ToSwitch(farGuid, farPort)));
        fabric.apply(new PortSeen(farGuid, farPort, true, new ToSwitch(guid, port)));
    }

    PgftShape shape() {
        return shape;
    }

    FabricView view() {
        return fabric.build(0, new NodeIndexMap(), new GuidNumbers());
    }

    static boolean isBuiltAsLeaf(FabricView view, int s) {
        return view.switchName(s).startsWith("leaf");
    }

    /** The slow twin: hops from the switches that were built as leaves, whatever hosts there are. */
    static int[] hopsFromLeavesAsBuilt(FabricView view) {
        int[] hops = new int[view.switchCount()];
        Arrays.fill(hops, FabricView.UNRANKED);
        Deque<Integer> queue = new ArrayDeque<>();
        for (int s = 0; s < hops.length; s++) {
            if (isBuiltAsLeaf(view, s)) {
                hops[s] = 0;
                queue.add(s);
            }
        }
        while (!queue.isEmpty()) {
            int s = queue.remove();
            for (int remote : remotes(view, s)) {
                if (hops[remote] < 0) {
                    hops[remote] = hops[s] + 1;
                    queue.add(remote);
                }
            }
        }
        return hops;
    }

    /** Switches at the other ends of live cables, each once. */
    static int[] remotes(FabricView view, int s) {
        return IntStream.rangeClosed(1, view.portCount(s))
                .map(port -> view.peerSwitch(s, port))
                .filter(remote -> remote >= 0)
                .distinct()
                .toArray();
    }
}
