package io.dmodc.simulator;

import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Makes the fabric of a history: a PGFT of 30 to 60 switches, two or three levels, with spare ports. A last pod or a last
 * top switch may stay in its box until a fault unpacks it.
 */
final class FabricFactory {
    static final int SWITCHES_MIN = 30;
    static final int SWITCHES_MAX = 60;
    private static final int SPARE_PORTS = 2;

    private final SimulatedFabric fabric;
    private final SplittableRandom random;
    final PgftShape shape;

    /** Switches that are not there yet, and the cables that come with them: near index, port, far index, port. */
    final List<SimulatedSwitch> boxed = new ArrayList<>();

    final List<int[]> boxedCables = new ArrayList<>();

    FabricFactory(SimulatedFabric fabric, SplittableRandom random) {
        this.fabric = fabric;
        this.random = random;
        shape = shape();
        FabricViewBuilder whole = PgftGenerator.generateShuffled(shape, random);
        FabricView view = whole.build(0, new NodeIndexMap(), new GuidNumbers());
        for (int s = 0; s < view.switchCount(); s++) {
            fabric.add(
                    view.switchGuid(s), view.switchName(s), level(view.switchName(s)), view.portCount(s) + SPARE_PORTS);
        }
        chooseBoxed();
        for (int s = 0; s < view.switchCount(); s++) {
            for (int port = 1; port <= view.portCount(s); port++) {
                cable(whole, view, s, port);
            }
        }
    }

    private PgftShape shape() {
        while (true) {
            String text = random.nextInt(3) == 0
                    ? "2;" + between(1, 3) + "," + between(16, 40) + ";1," + between(5, 14) + ";1," + between(1, 2)
                    : "3;" + between(1, 3) + "," + between(2, 5) + "," + between(2, 6) + ";1," + between(2, 3) + ","
                            + between(1, 3) + ";1," + between(1, 2) + "," + between(1, 2);
            PgftShape drawn = PgftShape.parse(text);
            boolean small = drawn.switchCount() <= (SWITCHES_MIN + SWITCHES_MAX) / 2;
            if (drawn.switchCount() >= SWITCHES_MIN
                    && drawn.switchCount() <= SWITCHES_MAX
                    && (small || random.nextInt(3) == 0)) {
                return drawn;
            }
        }
    }

    private int between(int from, int to) {
        return from + random.nextInt(to - from + 1);
    }

    private static int level(String name) {
        return name.startsWith("leaf") ? 0 : name.charAt(1) - '1';
    }

    private static int number(String name) {
        return Integer.parseInt(name.substring(name.startsWith("leaf") ? 4 : 3));
    }

    /** The most significant digit of a number below the top level is the pod. */
    private void chooseBoxed() {
        int choice = random.nextInt(3);
        int top = shape.levels() - 1;
        for (SimulatedSwitch s : fabric.switches) {
            int count = shape.switchCount(s.level + 1);
            boolean lastTop = s.level == top && number(s.name) == count - 1 && count > 1;
            boolean lastPod = s.level < top && number(s.name) >= count - count / shape.m(shape.levels());
            if (choice == 0 ? lastPod : choice == 1 && lastTop) {
                boxed.add(s);
            } else {
                s.powered = true;
            }
        }
    }

    /** Some hosts have all addresses, some a few and some none. */
    private Host addressed(Host host) {
        int number = fabric.hosts.size();
        HostAddresses addresses = new HostAddresses(
                number % 4 == 0 ? 0 : number % HostAddresses.LID_MAX + 1,
                number % 2 == 0 ? 0 : 0x0a000000 + number,
                number % 3 == 0 ? 0xfd00_0000_0000_0000L : 0,
                number % 3 == 0 ? number : 0,
                number % 4 == 3 ? 0x0200_0000_0000L + number : 0);
        return new Host(host.portGuid(), host.hostGuid(), host.hostPort(), host.name(), addresses);
    }

    private void cable(FabricViewBuilder whole, FabricView view, int s, int port) {
        SimulatedSwitch near = fabric.switches.get(s);
        if (whole.neighbour(near.guid, port) instanceof ToHost to) {
            fabric.addHost(addressed(to.host()), near, port);
            fabric.plugHost(fabric.hosts.size() - 1, near, port);
        } else if (whole.neighbour(near.guid, port) instanceof ToSwitch to) {
            SimulatedSwitch far = fabric.switches.get(view.switchOf(to.guid()));
            if (boxed.contains(near) || boxed.contains(far)) {
                if (near.index < far.index) {
                    boxedCables.add(new int[] {near.index, port, far.index, to.port()});
                }
            } else if (near.index < far.index) {
                fabric.plug(near, port, far, to.port());
            }
        }
    }
}
