package io.dmodc.routing.quality;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.check.NaiveTables;
import io.dmodc.routing.engines.Engines;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.Guid;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** A small fabric, whole or spoilt in many ways, and tables for it, good or bad: a seed each. */
record SpoiltFabric(FabricView view, LftSet tables, String engine) {
    private static final String[] SHAPES = {
        "1;5;1;1",
        "2;2,4;1,2;1,1",
        "2;3,3;1,3;1,2",
        "3;2,2,3;1,2,2;1,2,1",
        "3;2,3,2;1,2,3;1,1,1",
        "4;2,2,2,2;1,2,2,1;1,1,2,1"
    };

    static SpoiltFabric draw(SplittableRandom random) {
        PgftShape shape = PgftShape.parse(SHAPES[random.nextInt(SHAPES.length)]);
        boolean shuffled = random.nextBoolean();
        FabricViewBuilder fabric =
                shuffled ? PgftGenerator.generateShuffled(shape, random) : PgftGenerator.generate(shape);
        FabricView whole = Fabrics.view(fabric);
        NodeIndexMap nodes = random.nextBoolean() ? new NodeIndexMap() : shuffledNodes(whole, random);
        GuidNumbers levels = new GuidNumbers();
        if (random.nextBoolean()) {
            IntStream.range(0, whole.switchCount()).forEach(s -> levels.put(whole.switchGuid(s), whole.rank(s)));
        }
        if (random.nextInt(3) > 0) {
            spoil(fabric, whole, random);
        }
        FabricView view = fabric.build(1, nodes, levels);
        return route(view, shape, random);
    }

    /**
     * Indices in any order, with gaps: runs of nodes on one switch become short. Some are so far apart that a span of
     * columns has nodes of a few switches only, and the others send alike there.
     */
    private static NodeIndexMap shuffledNodes(FabricView whole, SplittableRandom random) {
        int indices = random.nextBoolean() ? whole.nodeCount() + 3 : 6 * LftRow.SPAN_COLUMNS;
        List<Integer> free = new ArrayList<>(IntStream.range(0, indices).boxed().toList());
        List<String> lines = new ArrayList<>();
        for (int node = 0; node < whole.nodeCount(); node++) {
            lines.add(Guid.format(whole.nodeGuid(node)) + " " + free.remove(random.nextInt(free.size())));
        }
        return NodeIndexMap.parse("drawn", lines);
    }

    private static void spoil(FabricViewBuilder fabric, FabricView whole, SplittableRandom random) {
        if (random.nextInt(3) == 0) {
            int s = random.nextInt(whole.switchCount());
            Fabrics.addHost(fabric, whole.switchGuid(s), 1 + random.nextInt(whole.portCount(s)), 0xabc);
        }
        if (random.nextInt(3) == 0) {
            int node = random.nextInt(whole.nodeCount());
            long guid = whole.switchGuid(whole.nodeSwitch(node));
            fabric.apply(new PortSeen(guid, whole.nodePort(node), false, null));
        }
        if (random.nextInt(3) == 0 && whole.linkCount() > 0) {
            Fabrics.swapCables(fabric, 1 + random.nextInt(3), random);
        }
        if (random.nextInt(4) == 0) {
            fabric.apply(new SwitchState(whole.switchGuid(random.nextInt(whole.switchCount())), false));
        }
        int cables = Degradation.cables(Fabrics.view(fabric)).size();
        Degradation.apply(fabric, 0, random.nextInt(cables / 3 + 1), random);
    }

    private static SpoiltFabric route(FabricView view, PgftShape shape, SplittableRandom random) {
        String engine = List.of("dmodc", "dmodc-plain", "dmodk", "minimal", "shortest", "spoilt")
                .get(random.nextInt(6));
        LftSet tables = switch (engine) {
            case "minimal" -> NaiveTables.set(view, NaiveTables.minimal(view, random));
            case "shortest" -> NaiveTables.set(view, NaiveTables.shortest(view, random));
            case "spoilt" -> spoilt(view, random);
            default ->
                Engines.named(engine, shape).route(view, Parallel.sequential()).tables();
        };
        return tables == null
                ? new SpoiltFabric(view, NaiveTables.set(view, NaiveTables.minimal(view, random)), "minimal")
                : new SpoiltFabric(view, tables, engine);
    }

    private static LftSet spoilt(FabricView view, SplittableRandom random) {
        byte[][] rows = NaiveTables.minimal(view, random);
        NaiveTables.spoil(view, rows, 1 + random.nextInt(view.switchCount() * 4), random);
        return NaiveTables.set(view, rows);
    }
}
