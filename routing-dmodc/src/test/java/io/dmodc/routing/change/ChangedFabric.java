package io.dmodc.routing.change;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowBuilder;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.change.ChangePlan.Step;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.check.TableCheck;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/** A fabric to which things happen, and the change of tables that they make necessary. */
final class ChangedFabric {
    private final FabricViewBuilder fabric;
    private final NodeIndexMap nodes = new NodeIndexMap();
    private final GuidNumbers levels = new GuidNumbers();
    private RoutingEngine engine;
    private final SplittableRandom random;
    private final List<Cable> cut = new ArrayList<>();
    private final List<Long> dead = new ArrayList<>();
    private final List<PortSeen> pulled = new ArrayList<>();
    private final BitSet untold = new BitSet();
    private final BitSet batched = new BitSet();
    private boolean routed;
    private long epoch;

    FabricView before;
    FabricView works;
    LftSet tables;
    private LftSet tablesBefore;
    RowsInForce inForce;

    /** By switch, what it may hold; nothing known: empty. */
    private final List<List<LftRow>> possible = new ArrayList<>();

    private ChangeWatch watch;

    ChangedFabric(PgftShape shape, RoutingEngine engine, SplittableRandom random) {
        this.engine = engine;
        this.random = random;
        fabric = PgftGenerator.generate(shape);
        FabricView whole = Fabrics.view(fabric);
        for (int s = 0; s < whole.switchCount(); s++) {
            levels.put(whole.switchGuid(s), whole.rank(s));
        }
        works = fabric.build(++epoch, nodes, levels);
        tables = route();
        tablesBefore = tables;
        before = works;
        inForce = RowsInForce.of(tables);
        for (int s = 0; s < works.switchCount(); s++) {
            possible.add(List.of(tables.row(s)));
        }
        watch = new ChangeWatch(works, tables, new BitSet());
    }

    void swapCables(int count) {
        for (int i = 0; i < count; i++) {
            if (Degradation.cables(Fabrics.view(fabric)).size() > 1) {
                Fabrics.swapCables(fabric, 1, random);
            }
        }
    }

    int cableCount() {
        return Degradation.cables(Fabrics.view(fabric)).size();
    }

    void cutCables(int count) {
        for (int i = 0; i < count; i++) {
            List<Cable> cables = Degradation.cables(Fabrics.view(fabric));
            if (!cables.isEmpty()) {
                Cable cable = cables.get(random.nextInt(cables.size()));
                Degradation.cut(fabric, cable);
                cut.add(cable);
            }
        }
    }

    void mendCables(int count) {
        for (int i = 0; i < count && !cut.isEmpty(); i++) {
            Cable cable = cut.remove(random.nextInt(cut.size()));
            Fabrics.connect(fabric, cable.guid(), cable.port(), cable.farGuid(), cable.farPort());
        }
    }

    void killSwitches(int count) {
        for (int i = 0; i < count; i++) {
            FabricView view = Fabrics.view(fabric);
            int s = random.nextInt(view.switchCount());
            if (view.alive(s)) {
                fabric.apply(new SwitchState(view.switchGuid(s), false));
                dead.add(view.switchGuid(s));
            }
        }
    }

    void wakeSwitches(int count) {
        for (int i = 0; i < count && !dead.isEmpty(); i++) {
            long guid = dead.remove(random.nextInt(dead.size()));
            fabric.apply(new SwitchState(guid, true));
        }
    }

    /** A host is plugged into another leaf, where another one is taken away. */
    void moveHost() {
        int from = random.nextInt(works.nodeCount());
        int to = random.nextInt(works.nodeCount());
        if (works.nodeSwitch(from) >= 0
                && works.nodeSwitch(to) >= 0
                && works.nodeSwitch(from) != works.nodeSwitch(to)) {
            long leaf = works.switchGuid(works.nodeSwitch(from));
            long other = works.switchGuid(works.nodeSwitch(to));
            Neighbour host = new ToHost(Objects.requireNonNull(works.host(from)));
            fabric.apply(new PortSeen(leaf, works.nodePort(from), false, null));
            fabric.apply(new PortSeen(other, works.nodePort(to), true, host));
        }
    }

    /** A host is taken away; or another adapter is at a port, with an index of its own or that of the one there before; or one is back. */
    void changeHosts() {
        int node = random.nextInt(works.nodeCount());
        if (works.nodeSwitch(node) < 0) {
            pulled.forEach(fabric::apply);
            pulled.clear();
            return;
        }
        long leaf = works.switchGuid(works.nodeSwitch(node));
        int port = works.nodePort(node);
        long fresh = 0x0e00_0000_0000_0000L + 16 * epoch + random.nextInt(16);
        int kind = random.nextInt(3);
        if (kind == 0) {
            pulled.add(new PortSeen(leaf, port, true, new ToHost(Objects.requireNonNull(works.host(node)))));
            fabric.apply(new PortSeen(leaf, port, false, null));
        } else {
            fabric.apply(new PortSeen(leaf, port, true, new ToHost(new Host(fresh, fresh, 1, "fresh"))));
            if (kind == 1) {
                nodes.handOver(works.nodeGuid(node), fresh);
            }
        }
    }

    /** A cable of the leaf is cut that the host with the highest index is at. */
    void cutAboveTheLastHost() {
        long leaf = works.switchGuid(works.nodeSwitch(works.nodeCount() - 1));
        List<Cable> cables = Degradation.cables(Fabrics.view(fabric)).stream()
                .filter(cable -> cable.guid() == leaf || cable.farGuid() == leaf)
                .toList();
        Cable cable = cables.get(random.nextInt(cables.size()));
        Degradation.cut(fabric, cable);
        cut.add(cable);
    }

    /** Another engine routes from now on. */
    void use(RoutingEngine other) {
        engine = other;
    }

    /** A switch above the leaves is found on another level from now on. */
    void shiftLevel() {
        int s = random.nextInt(works.switchCount());
        if (works.rank(s) > 0) {
            levels.put(works.switchGuid(s), works.rank(s) + (random.nextBoolean() ? 1 : -1));
        }
    }

    /** False if the engine found no tables: none would be sent. */
    boolean isRouted() {
        return routed;
    }

    /** Some switches, any, cannot be told anything from now on. */
    void loseAgents(int count) {
        for (int i = 0; i < count; i++) {
            untold.set(random.nextInt(works.switchCount()));
        }
    }

    /** Tables of all switches are loaded in batches from now on. */
    void loadInBatches() {
        batched.set(0, works.switchCount());
    }

    /** What happened until now is routed. */
    void draw() {
        before = works;
        tablesBefore = tables;
        works = fabric.build(++epoch, nodes, levels);
        tables = route();
    }

    private LftSet route() {
        LftSet found = engine.route(works, Parallel.sequential()).tables();
        routed = found != null;
        return found == null ? noTables() : found;
    }

    private LftSet noTables() {
        LftRow[] rows = new LftRow[works.switchCount()];
        Arrays.fill(rows, LftRow.noRoutes(works.nodeCount()));
        return new LftSet(epoch, works.nodeCount(), rows);
    }

    /** What was drawn last, by switch. */
    LftRow[] rows() {
        LftRow[] rows = new LftRow[works.switchCount()];
        Arrays.setAll(rows, tables::row);
        return rows;
    }

    /** The change to what was drawn last, from what switches may hold. Nothing is known of what a returned one holds. */
    ChangePlan plan() {
        return plan(ChangeTerms.UNBOUNDED);
    }

    ChangePlan plan(ChangeTerms terms) {
        List<List<LftRow>> known = new ArrayList<>();
        for (int s = 0; s < works.switchCount(); s++) {
            known.add(before.alive(s) ? possible.get(s) : List.of());
        }
        inForce = RowsInForce.of(tables.entryCount(), known, untold);
        RowsInForce told = RowsInForce.of(tables.entryCount(), possible, untold).withBatched(batched);
        return watch.plan(works, told, tables, TableCheck.notRight(works, tables, Parallel.sequential()), terms);
    }

    /** The same change, of which nothing is known but the view and the tables before it. */
    ChangePlan planAnew() {
        BitSet notRight = TableCheck.notRight(before, tablesBefore, Parallel.sequential());
        RowsInForce told = RowsInForce.of(tables.entryCount(), possible, untold).withBatched(batched);
        return new ChangeWatch(before, tablesBefore, notRight)
                .plan(works, told, tables, TableCheck.notRight(works, tables, Parallel.sequential()));
    }

    /** All switches have got what they should, and what is known of the cabling stays so. */
    void acknowledge() {
        for (int s = 0; s < works.switchCount(); s++) {
            possible.set(s, List.of(tables.row(s)));
        }
    }

    /** All switches have got what they should; whoever could be told nothing can again. */
    void settle() {
        untold.clear();
        for (int s = 0; s < works.switchCount(); s++) {
            possible.set(s, List.of(tables.row(s)));
        }
        watch = new ChangeWatch(works, tables, TableCheck.notRight(works, tables, Parallel.sequential()));
    }

    /** The change is given up in one of its rounds, of which nobody knows who has done what; earlier ones are done. */
    void stopIn(int round, ChangePlan plan) {
        LftRowBuilder builder = new LftRowBuilder();
        for (int s = 0; s < works.switchCount(); s++) {
            for (Step step : plan.steps(s, builder)) {
                if (step.round() < round) {
                    possible.set(s, List.of(step.row()));
                } else if (step.round() == round) {
                    List<LftRow> both = new ArrayList<>(inForce.of(s).length == 0 ? List.of() : possible.get(s));
                    both.add(step.row());
                    possible.set(s, inForce.of(s).length == 0 && both.size() == 1 ? List.of() : both);
                }
            }
        }
    }
}
