package io.dmodc.routing.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.change.TableDifference.ChangedEntry;
import io.dmodc.routing.change.TableDifference.ChangedSwitch;
import io.dmodc.routing.change.TableDifference.EpochTables;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.minhop.MinHop;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchForgotten;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Differences of the tables of random fabrics against walks of every pair. */
class TableDifferenceTest {
    private static final String[] SHAPES = {
        "2;2,4;1,2;1,1", "2;3,3;1,3;1,2", "3;2,2,3;1,2,2;1,2,1", "3;2,3,2;1,2,3;1,1,1", "3;6,5,4;1,2,3;1,1,2"
    };
    private static final int RUNS = 400;

    /** A way that is longer goes round. */
    private static final int HOPS_MAX = 100;

    private static EpochTables routed(FabricView view, RoutingEngine engine) {
        LftSet tables = engine.route(view, Parallel.sequential()).tables();
        LftRow[] none = new LftRow[view.switchCount()];
        Arrays.fill(none, LftRow.noRoutes(view.nodeCount()));
        return new EpochTables(view, tables == null ? new LftSet(view.epoch(), view.nodeCount(), none) : tables);
    }

    private static EpochTables whole(FabricViewBuilder fabric) {
        return routed(Fabrics.view(fabric), Dmodc.standard());
    }

    @Test
    void shouldFindNothingWhereNothingDiffers() {
        EpochTables tables = whole(PgftGenerator.generate(PgftShape.parse(SHAPES[2])));

        TableDifference difference = TableDifference.of(tables, tables);

        assertThat(difference).isEqualTo(new TableDifference(List.of(), 0, List.of(), List.of(), 12, 0));
    }

    /** leaf0 lost its cable to l2s0: what it sent there goes by l2s1, and so does what came from there. */
    @Test
    void shouldNameSwitchesAndCountPairsOfOneLostCable() {
        FabricViewBuilder fabric = PgftGenerator.generate(PgftShape.parse("2;2,2;1,2;1,1"));
        EpochTables before = whole(fabric);
        Degradation.cut(fabric, Degradation.cables(before.view()).get(0));
        EpochTables after = whole(fabric);

        TableDifference difference = TableDifference.of(before, after);

        assertThat(difference.switches()).extracting(ChangedSwitch::entries).allMatch(entries -> entries > 0);
        assertThat(difference.entries())
                .isEqualTo(difference.switches().stream()
                        .mapToLong(ChangedSwitch::entries)
                        .sum());
        assertThat(difference.hosts()).isEqualTo(4);
        assertThat(difference.pairsMoved()).isEqualTo(twin(before, after)).isPositive();
    }

    /** Both shorter and longer: what is missing has no route. */
    @Test
    void shouldListEntries() {
        LftRow before = LftRow.of(new byte[] {1, 2, 3});
        LftRow after = LftRow.of(new byte[] {1, 4, 3, 5});

        assertThat(TableDifference.entries(before, after))
                .containsExactly(new ChangedEntry(1, 2, 4), new ChangedEntry(3, LftSet.NO_ROUTE, 5));
        assertThat(TableDifference.entries(after, before))
                .containsExactly(new ChangedEntry(1, 4, 2), new ChangedEntry(3, 5, LftSet.NO_ROUTE));
    }

    @Test
    void shouldAgreeWithWalkingEveryPair() {
        long moved = 0;
        int withGone = 0;
        for (int run = 0; run < RUNS; run++) {
            SplittableRandom random = new SplittableRandom(run);
            FabricViewBuilder fabric = PgftGenerator.generate(PgftShape.parse(SHAPES[run % SHAPES.length]));
            NodeIndexMap nodes = new NodeIndexMap();
            EpochTables before = happened(fabric, nodes, random);
            EpochTables after = happened(fabric, random.nextInt(3) == 0 ? new NodeIndexMap() : nodes, random);

            TableDifference difference = TableDifference.of(before, after);

            assertThat(difference.pairsMoved()).as("seed %d", run).isEqualTo(twin(before, after));
            assertThat(difference.switches()).as("seed %d", run).isEqualTo(changedSwitches(before, after));
            assertThat(difference.entries())
                    .as("seed %d", run)
                    .isEqualTo(difference.switches().stream()
                            .mapToLong(ChangedSwitch::entries)
                            .sum());
            moved += difference.pairsMoved();
            withGone += difference.forwardedBefore().isEmpty() ? 0 : 1;
        }
        assertThat(moved).isPositive();
        assertThat(withGone).isPositive();
    }

    /** Random damage, hosts that moved, went or came, switches that went for good, and tables of some engine with slips in them. */
    private static EpochTables happened(FabricViewBuilder fabric, NodeIndexMap nodes, SplittableRandom random) {
        FabricView view = Fabrics.view(fabric);
        List<Cable> cables = Degradation.cables(view);
        for (int i = random.nextInt(4); i > 0 && !cables.isEmpty(); i--) {
            Degradation.cut(fabric, cables.get(random.nextInt(cables.size())));
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            long guid = view.switchGuid(random.nextInt(view.switchCount()));
            if (fabric.knows(guid)) {
                fabric.apply(
                        random.nextInt(4) == 0
                                ? new SwitchForgotten(guid)
                                : new SwitchState(guid, !fabric.alive(guid)));
            }
        }
        if (random.nextInt(3) == 0) {
            unplug(fabric, view, random);
        }
        FabricView drawn = fabric.build(random.nextInt(1000), nodes, new GuidNumbers());
        EpochTables routed = routed(drawn, random.nextBoolean() ? Dmodc.standard() : new MinHop());
        return random.nextInt(3) == 0 ? withSlips(routed, random) : routed;
    }

    /** A host goes; sometimes it takes the place of another one. */
    private static void unplug(FabricViewBuilder fabric, FabricView view, SplittableRandom random) {
        int node = random.nextInt(view.nodeCount());
        int other = random.nextInt(view.nodeCount());
        if (view.nodeSwitch(node) < 0 || view.nodeSwitch(other) < 0 || node == other) {
            return;
        }
        long leaf = view.switchGuid(view.nodeSwitch(node));
        long place = view.switchGuid(view.nodeSwitch(other));
        if (fabric.knows(leaf) && fabric.knows(place)) {
            var host = fabric.neighbour(leaf, view.nodePort(node));
            fabric.apply(new PortSeen(leaf, view.nodePort(node), false, null));
            if (random.nextBoolean()) {
                fabric.apply(new PortSeen(place, view.nodePort(other), true, host));
            }
        }
    }

    private static EpochTables withSlips(EpochTables tables, SplittableRandom random) {
        LftRow[] rows = new LftRow[tables.view().switchCount()];
        for (int s = 0; s < rows.length; s++) {
            byte[] entries = tables.tables().row(s).toBytes();
            if (entries.length > 0 && random.nextInt(3) == 0) {
                entries[random.nextInt(entries.length)] = (byte) random.nextInt(6);
            }
            rows[s] = LftRow.of(entries);
        }
        return new EpochTables(
                tables.view(), new LftSet(tables.view().epoch(), tables.tables().entryCount(), rows));
    }

    private static List<ChangedSwitch> changedSwitches(EpochTables before, EpochTables after) {
        FabricView view = after.view();
        List<ChangedSwitch> changed = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            LftRow old = before.row(view.switchGuid(s));
            LftRow now = after.row(view.switchGuid(s));
            int entries = old == null || now == null ? 0 : differing(old, now);
            if (entries > 0) {
                changed.add(new ChangedSwitch(view.switchGuid(s), view.switchName(s), entries));
            }
        }
        return changed;
    }

    private static int differing(LftRow before, LftRow after) {
        int count = 0;
        for (int d = 0; d < Math.max(before.entryCount(), after.entryCount()); d++) {
            int old = d < before.entryCount() ? before.port(d) : LftSet.NO_ROUTE;
            int now = d < after.entryCount() ? after.port(d) : LftSet.NO_ROUTE;
            count += old == now ? 0 : 1;
        }
        return count;
    }

    /** Walks every pair of hosts twice. */
    private static long twin(EpochTables before, EpochTables after) {
        Map<Long, Integer> here = hosts(before.view());
        Map<Long, Integer> there = hosts(after.view());
        long moved = 0;
        for (Map.Entry<Long, Integer> source : here.entrySet()) {
            for (Map.Entry<Long, Integer> to : here.entrySet()) {
                int from = there.getOrDefault(source.getKey(), -1);
                int end = there.getOrDefault(to.getKey(), -1);
                if (from >= 0 && end >= 0 && !source.getKey().equals(to.getKey())) {
                    String way = walk(before, source.getValue(), to.getValue());
                    moved += way.equals(walk(after, from, end)) ? 0 : 1;
                }
            }
        }
        return moved;
    }

    private static Map<Long, Integer> hosts(FabricView view) {
        Map<Long, Integer> hosts = new HashMap<>();
        for (int node = 0; node < view.nodeCount(); node++) {
            if (view.nodeSwitch(node) >= 0) {
                hosts.put(view.nodeGuid(node), node);
            }
        }
        return hosts;
    }

    private static String walk(EpochTables tables, int from, int to) {
        FabricView view = tables.view();
        StringBuilder way = new StringBuilder();
        int s = view.nodeSwitch(from);
        for (int hops = 0; hops <= HOPS_MAX; hops++) {
            way.append(view.switchGuid(s));
            if (!view.alive(s)) {
                return way.append(" dead").toString();
            }
            int port =
                    to < tables.tables().entryCount() ? tables.tables().lfts().port(s, to) : LftSet.NO_ROUTE;
            way.append(':').append(port).append(' ');
            if (port < 1 || port > view.portCount(s)) {
                return way.toString();
            }
            if (view.peerSwitch(s, port) < 0) {
                int node = view.peerNode(s, port);
                return way.append(node < 0 ? 0 : view.nodeGuid(node)).toString();
            }
            s = view.peerSwitch(s, port);
        }
        return way.toString();
    }
}
