package io.dmodc.routing.vtftr;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.grid.GridGenerator;
import io.dmodc.topology.grid.GridRecognition;
import io.dmodc.topology.grid.GridShape;
import io.dmodc.topology.grid.RecognisedGrid;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** A grid for tests, spoken of by rows and columns; a leaf is {@code row · columns + column}. */
public final class GridFabric {
    private final FabricViewBuilder fabric;
    private final NodeIndexMap nodes = new NodeIndexMap();
    private final GuidNumbers levels = new GuidNumbers();
    private final RecognisedGrid grid;
    private final FabricView whole;
    private long epoch;

    private GridFabric(GridShape shape) {
        fabric = GridGenerator.generate(shape);
        whole = fabric.build(++epoch, nodes, levels);
        for (int s = 0; s < whole.switchCount(); s++) {
            levels.put(whole.switchGuid(s), whole.rank(s));
        }
        grid = GridRecognition.recognise(whole);
    }

    public static GridFabric grid(String shape) {
        return new GridFabric(GridShape.parse(shape));
    }

    /** A square grid with one host and two roots of each kind. */
    public static GridFabric square(int size) {
        return grid(size + "x" + size + ";hosts=1;roots=2,2");
    }

    /** Kills the leaves "02" (row 0, column 2), … */
    public GridFabric without(String... leaves) {
        for (String leaf : leaves) {
            kill((leaf.charAt(0) - '0') * grid.columns() + leaf.charAt(1) - '0');
        }
        return this;
    }

    public GridFabric kill(int leaf) {
        return set(leaf, false);
    }

    public GridFabric set(int leaf, boolean alive) {
        return setSwitch(grid.leaf(leaf / grid.columns(), leaf % grid.columns()), alive);
    }

    public GridFabric setSwitch(int s, boolean alive) {
        fabric.apply(new SwitchState(whole.switchGuid(s), alive));
        return this;
    }

    /** Kills leaves that are alive, as a seed has it. */
    public GridFabric killRandom(int count, RandomGenerator random) {
        List<Integer> alive = new ArrayList<>();
        for (int leaf = 0; leaf < grid.rows() * grid.columns(); leaf++) {
            if (fabric.alive(whole.switchGuid(grid.leaf(leaf / grid.columns(), leaf % grid.columns())))) {
                alive.add(leaf);
            }
        }
        for (int i = 0; i < count; i++) {
            kill(alive.remove(random.nextInt(alive.size())));
        }
        return this;
    }

    public GridFabric cut(Cable cable) {
        Degradation.cut(fabric, cable);
        return this;
    }

    /** Cuts a cable, or sets both ends of it up again. */
    GridFabric set(Cable cable, boolean up) {
        if (!up) {
            return cut(cable);
        }
        fabric.apply(new PortSeen(cable.guid(), cable.port(), true, new ToSwitch(cable.farGuid(), cable.farPort())));
        fabric.apply(new PortSeen(cable.farGuid(), cable.farPort(), true, new ToSwitch(cable.guid(), cable.port())));
        return this;
    }

    /** A root or any other switch dies, or rarely comes back, or a cable is cut. */
    GridFabric loseRootOrCable(RandomGenerator random) {
        FabricView view = view();
        List<Cable> cables = Degradation.cables(view);
        if (random.nextInt(3) == 0) {
            return setSwitch(random.nextInt(view.switchCount()), random.nextInt(4) == 0);
        }
        return cables.isEmpty() ? this : cut(cables.get(random.nextInt(cables.size())));
    }

    public FabricView view() {
        return fabric.build(++epoch, nodes, levels);
    }

    public RecognisedGrid grid() {
        return grid;
    }

    public GridState state() {
        return GridState.of(grid, view());
    }

    public TurnTables tables(SpareMode mode) {
        return Vtftr.compute(state(), mode);
    }
}
