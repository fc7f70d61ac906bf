package io.dmodc.routing.dmodc;

import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.NodeTypes;
import io.dmodc.topology.SwitchClaims;
import io.dmodc.topology.SwitchClaims.PortClaim;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Small fabrics with everything that goes wrong in real ones, a seed each. */
public final class RandomFabrics {
    private static final List<PgftShape> SHAPES = List.of(
            PgftShape.parse("1;4;1;1"),
            PgftShape.parse("2;3,4;1,3;1,1"),
            PgftShape.parse("2;2,5;1,2;1,3"),
            PgftShape.parse("3;2,2,3;1,2,2;1,2,1"),
            PgftShape.parse("3;1,3,3;1,3,2;1,1,2"),
            PgftShape.parse("3;3,2,4;1,2,3;1,1,1"),
            PgftShape.parse("3;2,3,2;1,1,4;1,3,1"),
            PgftShape.parse("4;2,2,2,2;1,2,2,1;1,1,2,3"),
            PgftShape.parse("4;1,2,2,3;1,2,1,2;1,1,1,1"));

    /** By the end of the name; numbers of one leaf are in up to three places then. */
    static final NodeTypes THREE_TYPES =
            NodeTypes.parse("types", List.of("*1 io", "*4 io", "*6 service", "*2 service"));

    private final SplittableRandom random;
    private final FabricViewBuilder fabric;
    private final NodeIndexMap nodes = new NodeIndexMap();
    private final GuidNumbers levels = new GuidNumbers();

    private RandomFabrics(long seed) {
        random = new SplittableRandom(seed);
        PgftShape shape = SHAPES.get(random.nextInt(SHAPES.size()));
        fabric = random.nextBoolean() ? PgftGenerator.generate(shape) : PgftGenerator.generateShuffled(shape, random);
    }

    public static FabricView draw(long seed) {
        return new RandomFabrics(seed).draw();
    }

    /** The same, with nodes numbered by type where the seed is a multiple of 3. */
    static FabricView drawSomeByType(long seed) {
        RandomFabrics drawing = new RandomFabrics(seed);
        if (seed % 3 == 0) {
            drawing.nodes.numberBy(THREE_TYPES);
        }
        return drawing.draw();
    }

    /** The same, with hosts in place of cables anywhere, most of them on switches above the leaves. */
    public static FabricView drawWithHostsAbove(long seed) {
        RandomFabrics drawing = new RandomFabrics(seed);
        drawing.draw();
        drawing.repeat(8, drawing::cableHostToUpperSwitch);
        return drawing.view();
    }

    /** Two of them that were never cabled together, their GUIDs taking turns; levels are known of both or of none. */
    public static FabricView drawTwo(long seed) {
        RandomFabrics all = new RandomFabrics(seed);
        FabricViewBuilder both = new FabricViewBuilder();
        GuidNumbers levels = new GuidNumbers();
        boolean known = all.random.nextBoolean();
        for (int i = 0; i < 2; i++) {
            RandomFabrics drawing = new RandomFabrics(2 * seed + i);
            FabricView view = drawing.draw();
            drawing.repeat(3, drawing::cableHostToUpperSwitch);
            for (int s = 0; s < view.switchCount(); s++) {
                long guid = view.switchGuid(s);
                both.restore(moved(drawing.fabric.claims(guid), i));
                both.apply(new SwitchState(moved(guid, i), drawing.fabric.alive(guid)));
                if (known && view.rank(s) >= 0) {
                    levels.put(moved(guid, i), view.rank(s));
                }
            }
        }
        return both.build(7, new NodeIndexMap(), levels);
    }

    private static long moved(long guid, int fabric) {
        return 2 * guid + fabric;
    }

    private static SwitchClaims moved(SwitchClaims claims, int fabric) {
        List<PortClaim> ports = claims.ports().stream()
                .map(port -> new PortClaim(port.port(), port.up(), moved(port.neighbour(), fabric), port.lastUpOwner()))
                .toList();
        return new SwitchClaims(moved(claims.guid(), fabric), claims.name(), claims.portCount(), ports);
    }

    private static @Nullable Neighbour moved(@Nullable Neighbour neighbour, int fabric) {
        if (neighbour instanceof ToSwitch to) {
            return new ToSwitch(moved(to.guid(), fabric), to.port());
        }
        if (neighbour instanceof ToHost to) {
            Host host = to.host();
            long port = moved(host.portGuid(), fabric);
            return new ToHost(new Host(port, moved(host.hostGuid(), fabric), host.hostPort(), host.name()));
        }
        return null;
    }

    private FabricView draw() {
        FabricView whole = view();
        if (random.nextBoolean()) {
            IntStream.range(0, whole.switchCount()).forEach(s -> levels.put(whole.switchGuid(s), whole.rank(s)));
        }
        if (oneIn(4)) {
            repeat(4, this::swapCables);
        }
        if (oneIn(4)) {
            repeat(3, this::cableHostToUpperSwitch);
        }
        if (oneIn(4)) {
            repeat(3, this::unplugHost);
        }
        if (oneIn(3)) {
            repeat(3, this::killSwitch);
        }
        if (!oneIn(4)) {
            cutCables();
        }
        return view();
    }

    private FabricView view() {
        return fabric.build(7, nodes, levels);
    }

    private boolean oneIn(int count) {
        return random.nextInt(count) == 0;
    }

    private void repeat(int timesMax, Runnable damage) {
        IntStream.rangeClosed(0, random.nextInt(timesMax)).forEach(i -> damage.run());
    }

    private void swapCables() {
        List<Cable> cables = Degradation.cables(view());
        if (cables.size() >= 2) {
            Cable one = cables.get(random.nextInt(cables.size()));
            Cable other = cables.get(random.nextInt(cables.size()));
            if (!one.equals(other)) {
                connect(one.guid(), one.port(), other.farGuid(), other.farPort());
                connect(other.guid(), other.port(), one.farGuid(), one.farPort());
            }
        }
    }

    private void connect(long guid, int port, long farGuid, int farPort) {
        fabric.apply(new PortSeen(guid, port, true, new ToSwitch(farGuid, farPort)));
        fabric.apply(new PortSeen(farGuid, farPort, true, new ToSwitch(guid, port)));
    }

    private void cableHostToUpperSwitch() {
        List<Cable> cables = Degradation.cables(view());
        if (!cables.isEmpty()) {
            Cable cable = cables.get(random.nextInt(cables.size()));
            Degradation.cut(fabric, cable);
            boolean near = random.nextBoolean();
            long guid = 0x7000_0000_0000_0000L + random.nextInt(1 << 20);
            fabric.apply(new PortSeen(
                    near ? cable.guid() : cable.farGuid(),
                    near ? cable.port() : cable.farPort(),
                    true,
                    new ToHost(new Host(guid, guid, 1, "stray"))));
        }
    }

    private void unplugHost() {
        FabricView view = view();
        int node = random.nextInt(view.nodeCount());
        if (view.nodeSwitch(node) >= 0) {
            fabric.apply(new PortSeen(view.switchGuid(view.nodeSwitch(node)), view.nodePort(node), false, null));
        }
    }

    private void killSwitch() {
        FabricView view = view();
        fabric.apply(new SwitchState(view.switchGuid(random.nextInt(view.switchCount())), false));
    }

    private void cutCables() {
        int cables = view().linkCount();
        Degradation.apply(fabric, 0, random.nextInt(cables / 2 + 1), random);
    }
}
