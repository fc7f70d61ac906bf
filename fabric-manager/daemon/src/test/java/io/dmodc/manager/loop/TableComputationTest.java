package io.dmodc.manager.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.ChangeBounds;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.Effect.Method;
import io.dmodc.manager.core.FabricEvent.Routed;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowBuilder;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.PortPattern;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.check.CheckReport;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.minhop.MinHop;
import io.dmodc.routing.rebalance.EntryMoves;
import io.dmodc.southbound.TableDigest;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.Guid;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TableComputationTest {
    private final FabricView whole = PgftGenerator.generate(PgftShape.parse("3;4,6,6;1,4,6;1,2,1"))
            .build(1, new NodeIndexMap(), new GuidNumbers());

    private final TableComputation computation =
            new TableComputation(Dmodc.standard(), SurplusEntryRule.FORBIDDEN, Parallel.sequential());

    private Routed compute(FabricView view) {
        return computation.compute(new Effect.Compute(view, Map.of()), () -> 0);
    }

    @Test
    void shouldSayFromEpochToEpochWhatComputingAnewSays() {
        ImaginedFabric fabric = new ImaginedFabric(whole);
        for (int epoch = 0; epoch < 60; epoch++) {
            FabricView view = fabric.next();

            Routed routed = compute(view);

            LftSet anew = Objects.requireNonNull(
                    Dmodc.standard().route(view, Parallel.sequential()).tables());
            LftSet tables = Objects.requireNonNull(routed.result().tables());
            assertThat(routed.result()).as("epoch %d", epoch).isInstanceOf(RoutingResult.Complete.class);
            assertThat(Objects.requireNonNull(routed.report()).valid()).isTrue();
            assertThat(IntStream.range(0, view.switchCount()))
                    .as("epoch %d", epoch)
                    .allMatch(s -> tables.row(s).sameEntries(anew.row(s)));
            assertThat(routed.digests())
                    .as("epoch %d", epoch)
                    .isEqualTo(IntStream.range(0, view.switchCount())
                            .mapToLong(s -> TableDigest.of(anew.row(s).toBytes()))
                            .toArray());
        }
    }

    /** An engine that keeps a count, as an incremental one keeps tables; wrong from its second epoch on. */
    private static final class SpoiltEngine implements RoutingEngine {
        private final RoutingEngine right = Dmodc.standard();

        @Override
        public String name() {
            return "spoilt";
        }

        @Override
        public RoutingResult route(FabricView view, Parallel parallel) {
            return right.route(view, parallel);
        }

        @Override
        public Rerouter rerouter() {
            AtomicInteger epochs = new AtomicInteger();
            return (view, parallel) -> epochs.getAndIncrement() == 0
                    ? right.route(view, parallel)
                    : new RoutingResult.Unroutable("what was kept is wrong");
        }

        @Override
        public LftSet routeSwitches(FabricView view, Parallel parallel) {
            return right.routeSwitches(view, parallel);
        }
    }

    /** Says of a port that leads down to other leaves that it leads to the first node as well. */
    private static final class LyingEngine implements RoutingEngine {
        private final RoutingEngine right = Dmodc.standard();
        private final int at;
        private final int port;

        private LyingEngine(int at, int port) {
            this.at = at;
            this.port = port;
        }

        @Override
        public String name() {
            return "lying";
        }

        @Override
        public RoutingResult route(FabricView view, Parallel parallel) {
            LftSet tables = Objects.requireNonNull(right.route(view, parallel).tables());
            LftRow[] rows = new LftRow[tables.switchCount()];
            Arrays.setAll(rows, tables::row);
            LftRowBuilder builder = new LftRowBuilder();
            builder.begin(rows[at]);
            byte[] ports = {(byte) rows[at].port(0), (byte) port};
            builder.put(0, 1, PortPattern.ofCandidates(PortPattern.NUMBER_MAX, 0, ports));
            rows[at] = builder.build();
            return new RoutingResult.Complete(new LftSet(tables.epoch(), tables.entryCount(), rows));
        }

        @Override
        public LftSet routeSwitches(FabricView view, Parallel parallel) {
            return right.routeSwitches(view, parallel);
        }
    }

    @Test
    void shouldLeaveAllMovesOutWhereTheCheckRefusesTablesWithThem() {
        LftSet right = Objects.requireNonNull(
                Dmodc.standard().route(whole, Parallel.sequential()).tables());
        int top = whole.nodeSwitch(whole.nodeCount() - 1);
        while (whole.rank(top) < 2) {
            top = whole.peerSwitch(top, right.port(top, 0));
        }
        int at = top;
        int wrong = IntStream.rangeClosed(1, whole.portCount(at))
                .filter(port -> whole.peerSwitch(at, port) >= 0 && port != right.port(at, 0))
                .findFirst()
                .orElseThrow();
        TableComputation lying =
                new TableComputation(new LyingEngine(at, wrong), SurplusEntryRule.FORBIDDEN, Parallel.sequential());
        EntryMoves moves = EntryMoves.parse(Guid.format(whole.switchGuid(at)) + ":0=" + wrong);
        Effect.Compute asked = new Effect.Compute(
                whole,
                whole,
                Map.of(),
                Map.of(),
                Map.of(),
                null,
                Method.INCREMENTAL,
                "",
                ChangeBounds.ofFault(true),
                moves);

        Routed routed = lying.compute(asked, () -> 0);

        assertThat(routed.moves().moves()).isEqualTo(EntryMoves.NONE);
        assertThat(routed.moves().refusal()).isEqualTo("every pair is delivered over a minimal legal path");
        assertThat(Objects.requireNonNull(routed.report()).valid()).isTrue();
        LftSet tables = Objects.requireNonNull(routed.result().tables());
        assertThat(IntStream.range(0, whole.switchCount()))
                .allMatch(s -> tables.row(s).sameEntries(right.row(s)));
    }

    private long lost(Map<Integer, List<LftRow>> frozen, Map<Integer, Integer> heldCounts) {
        Effect.Compute asked = new Effect.Compute(
                whole,
                whole,
                frozen,
                heldCounts,
                Map.of(),
                null,
                Method.INCREMENTAL,
                "",
                ChangeBounds.ofFault(true),
                EntryMoves.NONE);
        return computation.compute(asked, () -> 0).detours().lost().count();
    }

    /** Of the leaf of which so many entries are known to be there, the one behind them has no route. */
    @Test
    void shouldReckonWithEveryRowAndEveryNumberOfEntriesThatALeafMayHold() {
        int last = whole.nodeCount() - 1;
        int leaf = whole.nodeSwitch(0);
        LftRow right = Objects.requireNonNull(compute(whole).result().tables()).row(leaf);
        Map<Integer, List<LftRow>> asWanted = Map.of(leaf, List.of(right));
        Map<Integer, List<LftRow>> nothing = Map.of(leaf, List.of(LftRow.noRoutes(0)));

        assertThat(lost(asWanted, Map.of())).isZero();
        assertThat(lost(Map.of(), Map.of(leaf, last + 1))).isZero();
        assertThat(lost(Map.of(), Map.of(leaf, last))).isOne();
        assertThat(lost(asWanted, Map.of(leaf, last))).isOne();
        assertThat(lost(nothing, Map.of(leaf, last)))
                .isEqualTo(lost(nothing, Map.of()))
                .isEqualTo(lost(Map.of(), Map.of(leaf, 0)))
                .isGreaterThan(last);
    }

    private static Routed compute(TableComputation computation, FabricView view, Method method) {
        return computation.compute(new Effect.Compute(view, Map.of(), null, method), () -> 0);
    }

    @Test
    void shouldForgetWhatItKeptWhenAskedForAFreshStart() {
        TableComputation spoilt =
                new TableComputation(new SpoiltEngine(), SurplusEntryRule.FORBIDDEN, null, Parallel.sequential());
        assertThat(compute(spoilt, whole, Method.INCREMENTAL).result()).isInstanceOf(RoutingResult.Complete.class);
        assertThat(compute(spoilt, whole, Method.INCREMENTAL).result()).isInstanceOf(RoutingResult.Unroutable.class);

        Routed fresh = compute(spoilt, whole, Method.FRESH);

        assertThat(fresh.result()).isInstanceOf(RoutingResult.Complete.class);
        assertThat(Objects.requireNonNull(fresh.report()).valid()).isTrue();
        assertThat(fresh.digests()).isEqualTo(compute(whole).digests());
    }

    @Test
    void shouldHaveTheFallBackEngineComputeWhatIsAskedOfIt() {
        TableComputation both =
                new TableComputation(Dmodc.standard(), SurplusEntryRule.FORBIDDEN, new MinHop(), Parallel.sequential());

        Routed routed = compute(both, whole, Method.FALLBACK);

        LftSet minHop = Objects.requireNonNull(
                new MinHop().route(whole, Parallel.sequential()).tables());
        LftSet tables = Objects.requireNonNull(routed.result().tables());
        assertThat(IntStream.range(0, whole.switchCount()))
                .allMatch(s -> tables.row(s).sameEntries(minHop.row(s)));
        assertThat(Objects.requireNonNull(routed.report()).valid()).isTrue();
        assertThat(compute(computation, whole, Method.FALLBACK).result())
                .isEqualTo(new RoutingResult.Unroutable("no fall-back engine"));
    }

    /** The rows of a small fabric where l2s0 cannot be told anything while both cables of leaf0 are cut. */
    private CheckReport checkWithOldRow(String cut) {
        FabricViewBuilder fabric = PgftGenerator.generate(PgftShape.parse("2;2,3;1,2;1,1"));
        NodeIndexMap nodes = new NodeIndexMap();
        GuidNumbers levels = new GuidNumbers();
        FabricView before = fabric.build(1, nodes, levels);
        LftSet old = Objects.requireNonNull(compute(before).result().tables());
        for (int s = 0; s < before.switchCount(); s++) {
            if (before.rank(s) >= 0) {
                levels.put(before.switchGuid(s), before.rank(s));
            }
        }
        Degradation.cables(before).stream()
                .filter(cable -> name(before, cable.guid()).equals("leaf0")
                        || name(before, cable.farGuid()).equals("leaf0"))
                .filter(cable -> name(before, cable.guid()).matches(cut)
                        || name(before, cable.farGuid()).matches(cut))
                .forEach(cable -> fabric.apply(
                        new PortSeen(cable.guid(), cable.port(), false, fabric.neighbour(cable.guid(), cable.port()))));
        FabricView after = fabric.build(2, nodes, levels);
        assertThat(after.linkCount()).isLessThan(before.linkCount());
        int spine = IntStream.range(0, after.switchCount())
                .filter(s -> after.switchName(s).equals("l2s0"))
                .findFirst()
                .orElseThrow();
        Effect.Compute asked = new Effect.Compute(after, Map.of(spine, List.of(old.row(spine))));
        return Objects.requireNonNull(computation.compute(asked, () -> 0).report());
    }

    private static String name(FabricView view, long guid) {
        return view.switchName(view.switchOf(guid));
    }

    @Test
    void shouldBearAnOldEntryForADeadPortWhereNothingLeadsAnyMore() {
        CheckReport report = checkWithOldRow("l2s[01]");

        assertThat(report.valid()).as(report.toString()).isTrue();
        assertThat(report.cutOffLeaves()).hasSize(1);
    }

    /** From the other leaves there is a way to leaf0, by l2s1; none is from l2s0, so nobody may send there by it. */
    @Test
    void shouldNotMindAnOldEntryThatTheOthersLeadAround() {
        assertThat(checkWithOldRow("l2s0").valid()).isTrue();
    }

    @Test
    void shouldImagineTheFabricWithOneCableMissingNowAndThen() {
        ImaginedFabric fabric = new ImaginedFabric(whole);

        assertThat(fabric.next().linkCount()).isEqualTo(whole.linkCount());
        assertThat(fabric.next().linkCount()).isEqualTo(whole.linkCount() - 1);
        assertThat(fabric.next().linkCount()).isEqualTo(whole.linkCount());
        assertThat(whole.linkCount()).isEqualTo(36 * 8 + 24 * 6);
    }
}
