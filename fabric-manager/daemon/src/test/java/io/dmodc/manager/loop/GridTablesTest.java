package io.dmodc.manager.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.Effect.Method;
import io.dmodc.manager.core.Effect.TablesInForce;
import io.dmodc.manager.core.FabricEvent.Routed;
import io.dmodc.manager.core.LostPairs;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.Tables;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.southbound.TableDigest;
import io.dmodc.southbound.TableRefusedException;
import io.dmodc.southbound.TurnTable;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GeneratedGuids;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.grid.GridGenerator;
import io.dmodc.topology.grid.GridShape;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tables by input class, computed, checked and planned as those of fat-trees are. */
class GridTablesTest {
    private final FabricViewBuilder cabling = GridGenerator.generate(GridShape.parse("5x4;hosts=2;roots=2,3"));
    private final NodeIndexMap nodes = new NodeIndexMap();
    private final GuidNumbers levels = new GuidNumbers();
    private long epoch;

    private static TableComputation computation(String engine) {
        return new EngineChoice(engine, null, null, "").computation(Parallel.sequential());
    }

    private FabricView view() {
        FabricView view = cabling.build(++epoch, nodes, levels);
        for (int s = 0; s < view.switchCount() && epoch == 1; s++) {
            levels.put(view.switchGuid(s), view.rank(s));
        }
        return view;
    }

    private static Effect.Compute compute(FabricView view, @Nullable Tables held) {
        List<List<LftRow>> rows = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            rows.add(held == null ? List.of() : List.of(held.row(s)));
        }
        return new Effect.Compute(
                view, Map.of(), new TablesInForce(rows, new BitSet(), new BitSet()), Method.INCREMENTAL);
    }

    @Test
    void shouldComputeCheckAndPlanOneEpochAfterTheOther() throws TableRefusedException {
        for (String engine : List.of("vtftr", "vtftr-pairwise")) {
            TableComputation computation = computation(engine);
            Routed whole = computation.compute(compute(view(), null), () -> 0);
            assertThat(whole.result()).isInstanceOf(RoutingResult.Complete.class);
            TurnTableSet tables =
                    (TurnTableSet) Objects.requireNonNull(whole.result().made());
            cabling.apply(new SwitchState(view().switchGuid(6), false));

            Routed routed = computation.compute(compute(view(), tables), () -> 0);

            cabling.apply(new SwitchState(view().switchGuid(6), true));
            TurnTableSet next =
                    (TurnTableSet) Objects.requireNonNull(routed.result().made());
            assertThat(routed.result())
                    .isInstanceOfSatisfying(
                            RoutingResult.Partial.class,
                            partial -> assertThat(partial.cutOffLeaves()).containsExactly(6));
            assertThat(Objects.requireNonNull(routed.report()).valid()).isTrue();
            assertThat(routed.change().text()).startsWith("transient-safe: ");
            for (int s = 0; s < next.switchCount(); s++) {
                assertThat(routed.digests()[s])
                        .isEqualTo(TableDigest.of(next.row(s).toBytes()));
            }
        }
    }

    /** What a switch without an agent sends by its older table is not followed. */
    @Test
    void shouldNotSayThatNoPairsAreLostWhereNobodyLooks() {
        TableComputation computation = computation("vtftr");
        FabricView view = view();
        Routed whole = computation.compute(compute(view, null), () -> 0);
        Tables tables = Objects.requireNonNull(whole.result().made());
        assertThat(whole.detours().lost()).isEqualTo(LostPairs.NONE);

        Map<Integer, List<LftRow>> frozen = Map.of(0, List.of(tables.row(0)));
        Routed headless = computation.compute(new Effect.Compute(view(), frozen), () -> 0);

        assertThat(headless.detours().lost()).isEqualTo(LostPairs.UNLOOKED);
    }

    /** A host at a root is not led to; all else goes on. */
    @Test
    void shouldRouteTheRestWhenARootGetsAHost() {
        TableComputation computation = computation("vtftr");
        FabricView bare = view();
        computation.compute(compute(bare, null), () -> 0);
        long root = bare.switchGuid(bare.switchCount() - 1);
        int port = bare.portCount(bare.switchCount() - 1);
        cabling.apply(new SwitchSeen(root, "root", port + 1));
        for (int p = 1; p <= port; p++) {
            int leaf = bare.peerSwitch(bare.switchCount() - 1, p);
            int up = bare.peerPort(bare.switchCount() - 1, p);
            cabling.apply(new PortSeen(root, p, true, new ToSwitch(bare.switchGuid(leaf), up)));
        }
        cabling.apply(new PortSeen(root, port + 1, true, new ToHost(GeneratedGuids.host(1000))));

        Routed routed = computation.compute(compute(view(), null), () -> 0);

        assertThat(Objects.requireNonNull(routed.report()).failures()).isEmpty();
        assertThat(routed.report().unreachableLeafPairs()).isZero();
        assertThat(routed.result()).isInstanceOf(RoutingResult.Complete.class);
    }

    /** What the engine writes is what agents read: neither module knows the other. */
    @Test
    void shouldMeanByEveryEntryWhatAgentsRead() throws TableRefusedException {
        FabricView view = view();
        Routed routed = computation("vtftr").compute(compute(view, null), () -> 0);
        TurnTableSet tables =
                (TurnTableSet) Objects.requireNonNull(routed.result().made());
        assertThat(tables.entryCount()).isEqualTo(TurnTable.entryCount(view.nodeCount()));
        for (int s = 0; s < view.switchCount(); s++) {
            TurnTable read = TurnTable.of(tables.row(s).toBytes());
            assertThat(read.destinationCount()).isEqualTo(view.nodeCount());
            for (int port = 1; port <= view.portCount(s); port++) {
                assertThat(read.inputClass(port)).isEqualTo(tables.inputClass(s, port));
            }
            for (int inputClass = 0; inputClass < TurnTable.INPUT_CLASSES; inputClass++) {
                for (int vc = 0; vc < TurnTable.VIRTUAL_CHANNELS; vc++) {
                    assertThat(read.nextVc(inputClass, vc)).isEqualTo(tables.channel(s, inputClass, vc));
                }
                for (int d = 0; d < view.nodeCount(); d++) {
                    assertThat(read.port(inputClass, d)).isEqualTo(tables.port(s, inputClass, d));
                }
            }
        }
        int leaf = view.nodeSwitch(0);
        assertThat(tables.inputClass(leaf, view.nodePort(0))).isEqualTo(TurnTable.FROM_BELOW);
    }

    @Test
    void shouldSayThatAFatTreeIsNoGrid() {
        FabricView tree =
                PgftGenerator.generate(PgftShape.parse("2;4,4;1,2;1,1")).build(1, nodes, levels);

        Routed routed = computation("vtftr").compute(compute(tree, null), () -> 0);

        assertThat(routed.result())
                .isInstanceOfSatisfying(
                        RoutingResult.Unroutable.class,
                        unroutable -> assertThat(unroutable.reason()).startsWith("no grid: "));
    }
}
