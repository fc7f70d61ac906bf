package io.dmodc.routing.dmodc;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftDelta;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.RoutingResult;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
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

    private static final int EVENTS = 60;

    static LongStream seeds() {
        return LongStream.range(0, 20);
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
            int[] expected = IntStream.range(0, to.length)
                    .filter(d -> from[d] != to[d])
                    .map(d -> d / LftDelta.BLOCK)
                    .distinct()
                    .toArray();
            LftRow row = now.row(s);
            assertThat(LftDelta.changedBlocks(before.row(s), row))
                    .as("%s: switch %d", what, s)
                    .isEqualTo(expected);
        }
    }
}
