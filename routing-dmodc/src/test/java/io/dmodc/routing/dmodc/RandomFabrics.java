package io.dmodc.routing.dmodc;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

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

    /** The same, with hosts in place of cables anywhere, most of them on switches above the leaves. */
    public static FabricView drawWithHostsAbove(long seed) {
        RandomFabrics drawing = new RandomFabrics(seed);
        drawing.draw();
        drawing.repeat(8, drawing::cableHostToUpperSwitch);
        return drawing.view();
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
