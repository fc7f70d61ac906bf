package io.dmodc.routing.dmodc;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.PlaneNumbers;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A fabric that breaks and heals for a long time: single faults, bursts of them, and now and then a new cable. Where hosts
 * move, they come, go, come back and are replaced, on leaves and on upper switches.
 */
final class FaultSequence {
    private static final int BURST_MAX = 300;

    private final SplittableRandom random;
    private final FabricViewBuilder fabric;
    private final NodeIndexMap nodes = new NodeIndexMap();
    private final GuidNumbers levels = new GuidNumbers();
    private final PlaneNumbers planes = new PlaneNumbers();
    private final List<Cable> cut = new ArrayList<>();
    private final List<Long> dead = new ArrayList<>();
    private final boolean hostsMove;
    private final List<Host> gone = new ArrayList<>();
    private long epoch;

    /** @param levelsKnown as a daemon that learnt them has it; else ranks can move with every fault */
    FaultSequence(PgftShape shape, boolean shuffled, boolean levelsKnown, long seed) {
        this(shape, shuffled, levelsKnown, false, seed);
    }

    FaultSequence(PgftShape shape, boolean shuffled, boolean levelsKnown, boolean hostsMove, long seed) {
        this.hostsMove = hostsMove;
        random = new SplittableRandom(seed);
        if (seed % 3 == 0) {
            nodes.numberBy(RandomFabrics.THREE_TYPES);
        }
        fabric = shuffled ? PgftGenerator.generateShuffled(shape, random) : PgftGenerator.generate(shape);
        FabricView whole = view();
        if (levelsKnown) {
            IntStream.range(0, whole.switchCount()).forEach(s -> levels.put(whole.switchGuid(s), whole.rank(s)));
        }
    }

    FabricView view() {
        return planes.number(fabric.build(++epoch, nodes, levels));
    }

    /** The next event, of any size. */
    FabricView next() {
        for (int i = random.nextInt(4); hostsMove && i > 0; i--) {
            moveHost();
        }
        switch (random.nextInt(hostsMove ? 20 : 10)) {
            case 0, 1, 2 -> cutCables(1);
            case 3, 4 -> healCables(1);
            case 5 -> killSwitch();
            case 6 -> reviveSwitch();
            case 7 -> cutCables(random.nextInt(1, BURST_MAX));
            case 8 -> healCables(random.nextInt(1, BURST_MAX));
            case 9 -> rare();
            default -> moveHost();
        }
        return view();
    }

    /** Cables lead elsewhere from now on: what is no PGFT any more. */
    void swapCables(int pairs) {
        List<Cable> cables = Degradation.cables(view());
        for (int i = 0; i < pairs; i++) {
            swap(cables.get(random.nextInt(cables.size())), cables.get(random.nextInt(cables.size())));
            cables = Degradation.cables(view());
        }
    }

    /** One cable less, or one more. */
    FabricView nextCable() {
        if (random.nextBoolean()) {
            cutCables(1);
        } else {
            healCables(1);
        }
        return view();
    }

    private void swap(Cable one, Cable other) {
        if (!one.equals(other)) {
            connect(one.guid(), one.port(), other.farGuid(), other.farPort());
            connect(other.guid(), other.port(), one.farGuid(), one.farPort());
        }
    }

    private void cutCables(int count) {
        List<Cable> cables = new ArrayList<>(Degradation.cables(view()));
        for (int i = Math.min(count, cables.size() / 2); i > 0; i--) {
            Cable cable = cables.remove(random.nextInt(cables.size()));
            Degradation.cut(fabric, cable);
            cut.add(cable);
        }
    }

    private void healCables(int count) {
        for (int i = Math.min(count, cut.size()); i > 0; i--) {
            Cable cable = cut.remove(random.nextInt(cut.size()));
            setUp(cable.guid(), cable.port());
            setUp(cable.farGuid(), cable.farPort());
        }
    }

    private void setUp(long guid, int port) {
        fabric.apply(new PortSeen(guid, port, true, fabric.neighbour(guid, port)));
    }

    private void killSwitch() {
        FabricView view = view();
        long guid = view.switchGuid(random.nextInt(view.switchCount()));
        if (fabric.alive(guid) && 3 * dead.size() < view.switchCount()) {
            fabric.apply(new SwitchState(guid, false));
            dead.add(guid);
        }
    }

    private void reviveSwitch() {
        if (!dead.isEmpty()) {
            fabric.apply(new SwitchState(dead.remove(random.nextInt(dead.size())), true));
        }
    }

    /** What changes more than links: two cables swapped, a host pulled, a host added where a cable was. */
    private void rare() {
        List<Cable> cables = Degradation.cables(view());
        if (cables.size() < 2) {
            return;
        }
        Cable one = cables.get(random.nextInt(cables.size()));
        Cable other = cables.get(random.nextInt(cables.size()));
        switch (random.nextInt(4)) {
            case 0 -> swap(one, other);
            case 1 -> {
                Degradation.cut(fabric, one);
                long guid = 0x7000_0000_0000_0000L + random.nextInt(1 << 20);
                fabric.apply(
                        new PortSeen(one.farGuid(), one.farPort(), true, new ToHost(new Host(guid, guid, 1, "stray"))));
            }
            default -> {
                FabricView view = view();
                int node = random.nextInt(view.nodeCount());
                if (view.nodeSwitch(node) >= 0) {
                    fabric.apply(
                            new PortSeen(view.switchGuid(view.nodeSwitch(node)), view.nodePort(node), false, null));
                }
            }
        }
    }

    private void moveHost() {
        FabricView view = view();
        int node = random.nextInt(view.nodeCount());
        Host host = view.host(node);
        long at = host == null
                ? view.switchGuid(random.nextInt(view.switchCount()))
                : view.switchGuid(view.nodeSwitch(node));
        int port = host == null ? 1 + random.nextInt(fabric.portCount(at)) : view.nodePort(node);
        if (host == null && (fabric.neighbour(at, port) instanceof ToSwitch && random.nextInt(5) > 0)) {
            return;
        }
        switch (random.nextInt(5)) {
            case 0 -> plug(at, port, null);
            case 1 -> plug(at, port, adapter());
            case 2 -> plug(at, port, gone.isEmpty() ? adapter() : gone.remove(random.nextInt(gone.size())));
            case 3 -> {
                Host other = adapter();
                nodes.handOver(host == null ? 0 : host.portGuid(), other.portGuid());
                plug(at, port, other);
            }
            default -> {
                int other = random.nextInt(view.nodeCount());
                if (view.host(other) != null) {
                    plug(at, port, view.host(other));
                }
            }
        }
        if (host != null) {
            gone.add(host);
        }
    }

    private void plug(long guid, int port, @Nullable Host host) {
        fabric.apply(new PortSeen(guid, port, host != null, host == null ? null : new ToHost(host)));
    }

    private Host adapter() {
        long guid = 0x6000_0000_0000_0000L + random.nextInt(1 << 20);
        Host.Kind kind = random.nextInt(6) == 0 ? Host.Kind.AGGREGATION : Host.Kind.HOST;
        return new Host(guid, guid, 1, "adapter", HostAddresses.NONE, kind);
    }

    private void connect(long guid, int port, long farGuid, int farPort) {
        fabric.apply(new PortSeen(guid, port, true, new ToSwitch(farGuid, farPort)));
        fabric.apply(new PortSeen(farGuid, farPort, true, new ToSwitch(guid, port)));
    }
}
