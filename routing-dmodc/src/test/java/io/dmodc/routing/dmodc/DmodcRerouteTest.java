package io.dmodc.routing.dmodc;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftDelta;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.Tables;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** From one epoch to the next, against routing each epoch anew: {@link FaultSequence}. */
class DmodcRerouteTest {
    private static final List<PgftShape> SHAPES = List.of(
            PgftShape.parse("2;3,4;1,3;1,1"),
            PgftShape.parse("3;2,2,3;1,2,2;1,2,1"),
            PgftShape.parse("3;3,3,4;1,3,3;1,1,1"),
            PgftShape.parse("3;4,6,6;1,4,6;1,2,1"),
            PgftShape.parse("3;8,8,16;1,8,8;1,1,1"),
            PgftShape.parse("4;2,2,3,3;1,2,2,2;1,1,2,1"),
            PgftShape.parse("2;20,36;1,70;1,1"));

    private static final int SWAPPED = Integer.getInteger("swapped", 60);
    private static final int EVENTS = 60;

    static LongStream seeds() {
        return LongStream.range(0, 2L * SHAPES.size() * Integer.getInteger("more", 1));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void shouldEqualAFullRerouteAfterEveryEvent(long seed) {
        FaultSequence faults =
                new FaultSequence(SHAPES.get((int) seed % SHAPES.size()), seed % 3 == 0, seed % 4 != 1, seed);
        Rerouter strict = Dmodc.standard().rerouter();
        Rerouter plain = Dmodc.plain().rerouter();
        FabricView view = faults.view();
        LftSet before = null;
        for (int event = 0; event < EVENTS; event++) {
            String what = "seed " + seed + " event " + event;
            RoutingResult result = strict.route(view, Parallel.sequential());
            compare(what, result, Dmodc.standard().route(view, Parallel.sequential()));
            compareDeltas(what, before, result.tables());
            before = result.tables();
            if (event % 4 == 0) {
                compare(
                        what + " plain",
                        plain.route(view, Parallel.sequential()),
                        Dmodc.plain().route(view, Parallel.sequential()));
            }
            view = faults.next();
        }
    }

    static LongStream manySeeds() {
        return LongStream.range(1000, 1000 + Integer.getInteger("reroutes", 30));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("manySeeds")
    void shouldEqualAFullRerouteWhereHostsComeAndGo(long seed) {
        PgftShape shape = SHAPES.get((int) seed % (seed % 20 == 0 ? SHAPES.size() : 4));
        FaultSequence faults = new FaultSequence(shape, seed % 3 == 0, seed % 5 != 1, true, seed);
        Dmodc engine = seed % 4 == 0 ? Dmodc.plain() : seed % 4 == 1 ? Dmodc.strict() : Dmodc.standard();
        Rerouter rerouter = engine.rerouter();
        FabricView view = faults.view();
        LftSet before = null;
        for (int event = 0; event < EVENTS / 2; event++) {
            String what = "seed " + seed + " event " + event;
            RoutingResult result = rerouter.route(view, Parallel.sequential());
            compare(what, result, engine.route(view, Parallel.sequential()));
            compareDeltas(what, before, result.tables());
            before = result.tables();
            view = faults.next();
        }
    }

    /** To switches; where a row did not change it is the same object. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("manySeeds")
    void shouldEqualAFullRerouteToSwitches(long seed) {
        PgftShape shape = SHAPES.get((int) seed % (seed % 20 == 0 ? SHAPES.size() : 4));
        FaultSequence faults = new FaultSequence(shape, seed % 3 == 0, seed % 5 != 1, seed % 2 == 0, seed);
        Dmodc engine = seed % 4 == 0 ? Dmodc.plain() : seed % 4 == 1 ? Dmodc.strict() : Dmodc.standard();
        compareToSwitches(engine, faults, EVENTS / 2, seed);
    }

    /** Rows of more switches than one piece of a row has. */
    @Test
    void shouldEqualAFullRerouteToMoreThanAThousandSwitches() {
        FaultSequence faults = new FaultSequence(PgftShape.parse("3;1,16,64;1,2,16;1,1,1"), true, true, true, 3);
        assertThat(faults.view().switchCount()).isGreaterThan(1024);

        compareToSwitches(Dmodc.standard(), faults, 12, 3);
    }

    private static void compareToSwitches(Dmodc engine, FaultSequence faults, int events, long seed) {
        SwitchRerouter rerouter = engine.switchRerouter();
        FabricView view = faults.view();
        LftSet before = null;
        int same = 0;
        for (int event = 0; event < events; event++) {
            LftSet tables = rerouter.route(view, Parallel.sequential());
            LftSet anew = engine.routeSwitches(view, Parallel.sequential());
            assertThat(tables.epoch()).isEqualTo(anew.epoch());
            for (int s = 0; s < view.switchCount(); s++) {
                assertThat(tables.row(s).toBytes())
                        .as("seed %d event %d switch %d", seed, event, s)
                        .isEqualTo(anew.row(s).toBytes());
                same += before != null && s < before.switchCount() && before.row(s) == tables.row(s) ? 1 : 0;
            }
            before = tables;
            view = faults.next();
        }
        assertThat(same).isPositive();
    }

    static LongStream longRowSeeds() {
        return LongStream.range(0, Integer.getInteger("longRows", 6));
    }

    /** Rows of several spans, which leaves of a pod share but for those with their own hosts: where they have the same ports. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("longRowSeeds")
    void shouldEqualAFullRerouteWhereLeavesShareTheirRows(long seed) {
        PgftShape shape = PgftShape.parse(seed % 2 == 0 ? "3;32,6,24;1,6,4;1,1,1" : "2;60,84;1,5;1,1");
        FaultSequence faults = new FaultSequence(shape, seed % 3 == 0, true, seed % 2 == 0, seed);
        Rerouter rerouter = Dmodc.standard().rerouter();
        FabricView view = faults.view();
        LftSet before = null;
        LftDelta delta = new LftDelta();
        for (int event = 0; event < EVENTS / 3; event++) {
            LftSet tables = Objects.requireNonNull(
                    rerouter.route(view, Parallel.sequential()).tables());
            LftSet anew = Objects.requireNonNull(
                    Dmodc.standard().route(view, Parallel.sequential()).tables());
            byte[][] into = new byte[tables.switchCount()][tables.entryCount()];
            tables.copyRows(IntStream.range(0, into.length).toArray(), into, Parallel.sequential());
            boolean comparable =
                    before != null && before.switchCount() == into.length && before.entryCount() <= tables.entryCount();
            for (int s = 0; s < into.length; s++) {
                String what = "seed " + seed + " event " + event + " switch " + s;
                assertThat(into[s]).as(what).isEqualTo(anew.row(s).toBytes());
                assertThat(Arrays.equals(into[s], tables.row(s).toBytes()))
                        .as(what)
                        .isTrue();
                if (comparable) {
                    LftRow last = Objects.requireNonNull(before).row(s);
                    assertThat(delta.blocks(last, tables.row(s)))
                            .as(what)
                            .isEqualTo(
                                    changedBlocks(last.fittedTo(into[s].length).toBytes(), into[s]));
                }
            }
            before = tables;
            view = faults.next();
        }
    }

    /**
     * Where a cable leads where it should not, a switch that lacks a neighbour can stay as it is while the others of its pod reach a target turning lower:
     * what it shares with them must not change behind its back.
     */
    @Test
    void shouldEqualAFullRerouteWhereRowsAreSharedAcrossSwappedCables() {
        // 523 is one that failed; 1,500 in all were run.
        for (long seed : LongStream.concat(LongStream.range(0, SWAPPED), LongStream.of(523))
                .toArray()) {
            PgftShape shape = PgftShape.parse(seed % 2 == 0 ? "3;240,3,3;1,4,2;1,1,1" : "3;240,4,2;1,4,2;1,1,1");
            FaultSequence faults = new FaultSequence(shape, false, true, seed);
            faults.swapCables(1 + (int) (seed % 4));
            Rerouter rerouter = Dmodc.standard().rerouter();
            FabricView view = faults.view();
            for (int event = 0; event < 40; event++) {
                Tables tables = rerouter.route(view, Parallel.sequential()).tables();
                Tables anew =
                        Dmodc.standard().route(view, Parallel.sequential()).tables();
                for (int s = 0; tables != null && anew != null && s < view.switchCount(); s++) {
                    assertThat(tables.row(s).toBytes())
                            .as("seed %d event %d switch %d", seed, event, s)
                            .isEqualTo(anew.row(s).toBytes());
                }
                view = faults.nextCable();
            }
        }
    }

    @Test
    void shouldNotDependOnTheNumberOfThreads() {
        FaultSequence faults = new FaultSequence(PgftShape.parse("3;8,8,16;1,8,8;1,1,1"), false, true, 7);
        Rerouter alone = Dmodc.standard().rerouter();
        Rerouter together = Dmodc.standard().rerouter();
        ForkJoinPool pool = new ForkJoinPool(3);
        try {
            FabricView view = faults.view();
            for (int event = 0; event < 80; event++) {
                compare(
                        "event " + event,
                        together.route(view, Parallel.on(pool)),
                        alone.route(view, Parallel.sequential()));
                view = faults.next();
            }
        } finally {
            pool.shutdown();
        }
    }

    /** Switches, links and targets are what they were: two spines that had aggregation nodes have hosts now, without a path between. */
    @Test
    void shouldCountPairsOfUpperSwitchesThatHaveHostsNow() {
        FabricViewBuilder fabric = PgftGenerator.generate(PgftShape.parse("2;3,4;1,3;1,1"));
        NodeIndexMap nodes = new NodeIndexMap();
        GuidNumbers levels = new GuidNumbers();
        FabricView whole = fabric.build(1, nodes, levels);
        IntStream.range(0, whole.switchCount()).forEach(s -> levels.put(whole.switchGuid(s), whole.rank(s)));
        Map<Long, Integer> spines = new TreeMap<>();
        for (Cable cable : Degradation.cables(whole)) {
            boolean far = whole.rank(whole.switchOf(cable.farGuid())) == 1;
            if (spines.size() < 2
                    && spines.putIfAbsent(far ? cable.farGuid() : cable.guid(), far ? cable.farPort() : cable.port())
                            == null) {
                Degradation.cut(fabric, cable);
            }
        }
        spines.forEach((guid, port) -> plug(fabric, guid, port, Host.Kind.AGGREGATION));
        FabricView before = fabric.build(2, nodes, levels);
        Rerouter rerouter = Dmodc.standard().rerouter();
        rerouter.route(before, Parallel.sequential());
        spines.forEach((guid, port) -> plug(fabric, guid, port, Host.Kind.HOST));
        FabricView now = fabric.build(3, nodes, levels);

        RoutingResult result = rerouter.route(now, Parallel.sequential());

        assertThat(now.hasTargetsOf(before)).isTrue();
        assertThat(result).isInstanceOf(RoutingResult.Partial.class);
        compare("hosts on two spines", result, Dmodc.standard().route(now, Parallel.sequential()));
    }

    private static void plug(FabricViewBuilder fabric, long guid, int port, Host.Kind kind) {
        long host = guid + (kind == Host.Kind.HOST ? 0x7000_0000_0000_0000L : 0x6000_0000_0000_0000L);
        fabric.apply(
                new PortSeen(guid, port, true, new ToHost(new Host(host, host, 1, "new", HostAddresses.NONE, kind))));
    }

    @Test
    void shouldKeepTheRowsThatAFaultDoesNotConcern() {
        FaultSequence faults = new FaultSequence(PgftShape.parse("3;4,6,6;1,4,6;1,2,1"), false, true, 1);
        Rerouter rerouter = Dmodc.standard().rerouter();
        FabricView view = faults.view();
        LftSet first = Objects.requireNonNull(
                rerouter.route(view, Parallel.sequential()).tables());
        LftSet again = Objects.requireNonNull(
                rerouter.route(faults.view(), Parallel.sequential()).tables());

        assertThat(again.epoch()).isEqualTo(view.epoch() + 1);
        assertThat(IntStream.range(0, view.switchCount())).allMatch(s -> again.row(s) == first.row(s));
    }

    private static void compare(String what, RoutingResult result, RoutingResult anew) {
        assertThat(result).as(what).hasSameClassAs(anew);
        if (result instanceof RoutingResult.Partial partial && anew instanceof RoutingResult.Partial expected) {
            assertThat(partial.cutOffLeaves()).as(what).isEqualTo(expected.cutOffLeaves());
            assertThat(partial.unreachableLeafPairs()).as(what).isEqualTo(expected.unreachableLeafPairs());
            assertThat(partial.upperPairs()).as(what).isEqualTo(expected.upperPairs());
        }
        LftSet tables = result.tables();
        LftSet expected = anew.tables();
        if (tables != null && expected != null) {
            assertThat(tables.epoch()).isEqualTo(expected.epoch());
            for (int s = 0; s < expected.switchCount(); s++) {
                assertThat(Arrays.mismatch(
                                tables.row(s).toBytes(), expected.row(s).toBytes()))
                        .as("%s: first difference at switch %d", what, s)
                        .isEqualTo(-1);
                assertThat(alternatives(tables.row(s)))
                        .as("%s: alternatives of switch %d", what, s)
                        .isEqualTo(alternatives(expected.row(s)));
            }
        }
    }

    /** By column, the ports that are said to serve each other's columns. */
    private static List<BitSet> alternatives(LftRow row) {
        List<BitSet> alternatives = new ArrayList<>();
        row.forEachRun(0, row.entryCount(), (from, to, pattern) -> {
            BitSet ports = new BitSet();
            for (byte port : pattern.interchangeable() ? pattern.ports() : new byte[0]) {
                ports.set(Byte.toUnsignedInt(port));
            }
            alternatives.addAll(Collections.nCopies(to - from, ports));
        });
        return alternatives;
    }

    /** Blocks that changed, as the daemon would push them, against looking at every entry. */
    private static void compareDeltas(String what, @Nullable LftSet before, @Nullable LftSet now) {
        if (before == null
                || now == null
                || before.switchCount() != now.switchCount()
                || before.entryCount() > now.entryCount()) {
            return;
        }
        for (int s = 0; s < now.switchCount(); s++) {
            byte[] from = before.row(s).fittedTo(now.entryCount()).toBytes();
            byte[] to = now.row(s).toBytes();
            assertThat(LftDelta.changedBlocks(before.row(s), now.row(s)))
                    .as("%s: switch %d", what, s)
                    .isEqualTo(changedBlocks(from, to));
        }
    }

    private static int[] changedBlocks(byte[] from, byte[] to) {
        return IntStream.range(0, to.length)
                .filter(d -> from[d] != to[d])
                .map(d -> d / LftDelta.BLOCK)
                .distinct()
                .toArray();
    }
}
