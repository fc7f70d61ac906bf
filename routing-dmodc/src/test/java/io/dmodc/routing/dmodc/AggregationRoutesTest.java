package io.dmodc.routing.dmodc;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.check.CheckReport;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.check.LostPaths;
import io.dmodc.routing.check.TableCheck;
import io.dmodc.routing.quality.CongestionRisk;
import io.dmodc.routing.quality.Progress;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** An aggregation node in each switch is routed to as its switch is, and changes nothing for the hosts. */
class AggregationRoutesTest {
    private static final PgftShape SHAPE = PgftShape.parse("3;2,3,3;1,2,2;1,2,1");

    /** A fabric spoilt at random, and the same with aggregation nodes. */
    private static FabricView[] pair(int seed) {
        FabricView[] pair = new FabricView[2];
        for (int with = 0; with < 2; with++) {
            SplittableRandom random = new SplittableRandom(seed);
            FabricViewBuilder fabric = PgftGenerator.generateShuffled(SHAPE, random);
            if (with == 1) {
                Fabrics.addAggregation(fabric);
            }
            NodeIndexMap nodes = new NodeIndexMap();
            GuidNumbers levels = new GuidNumbers();
            FabricView whole = fabric.build(1, nodes, levels);
            for (int s = 0; s < whole.switchCount(); s++) {
                levels.put(whole.switchGuid(s), whole.rank(s));
            }
            for (int s = 0; s < whole.switchCount(); s++) {
                fabric.apply(new SwitchState(whole.switchGuid(s), random.nextInt(8) > 0));
            }
            Fabrics.swapCables(fabric, seed % 3, random);
            pair[with] = fabric.build(2, nodes, levels);
        }
        return pair;
    }

    private static LftSet nodes(FabricView view) {
        return Objects.requireNonNull(
                Dmodc.strict().route(view, Parallel.sequential()).tables());
    }

    @Test
    void shouldHaveAnEntryWhereverTheirSwitchHasOneAndLeaveHostsAlone() {
        for (int seed = 0; seed < 150; seed++) {
            FabricView[] pair = pair(seed);
            FabricView view = pair[1];
            LftSet tables = nodes(view);
            LftSet without = nodes(pair[0]);
            LftSet switches = Dmodc.strict().routeSwitches(view, Parallel.sequential());

            for (int s = 0; s < view.switchCount(); s++) {
                for (int node = 0; view.alive(s) && node < view.nodeCount(); node++) {
                    int home = view.nodeSwitch(node);
                    if (view.isHost(node)) {
                        assertThat(tables.port(s, node)).as("seed %d", seed).isEqualTo(without.port(s, node));
                    } else if (home == s) {
                        assertThat(tables.port(s, node)).isEqualTo(view.portCount(s));
                    } else {
                        assertThat(tables.port(s, node) == LftSet.NO_ROUTE)
                                .as("seed %d", seed)
                                .isEqualTo(switches.port(s, home) == LftSet.NO_ROUTE);
                    }
                }
            }
        }
    }

    @Test
    void shouldBeCheckedLikeHostsAndCountInNoVerdict() {
        for (int seed = 0; seed < 60; seed++) {
            FabricView[] pair = pair(seed);
            RoutingResult with = Dmodc.strict().route(pair[1], Parallel.sequential());
            RoutingResult without = Dmodc.strict().route(pair[0], Parallel.sequential());

            CheckReport report = TableCheck.check(pair[1], nodes(pair[1]), Parallel.sequential());

            assertThat(report.valid()).as("seed %d", seed).isTrue();
            assertThat(with.getClass()).isEqualTo(without.getClass());
            if (with instanceof RoutingResult.Partial partial) {
                assertThat(partial.cutOffLeaves()).isEqualTo(((RoutingResult.Partial) without).cutOffLeaves());
            }
            CongestionRisk risk = CongestionRisk.of(pair[1], nodes(pair[1]), Parallel.sequential(), Progress.NONE);
            CongestionRisk before = CongestionRisk.of(pair[0], nodes(pair[0]), Parallel.sequential(), Progress.NONE);
            assertThat(risk.nodeCount()).isEqualTo(before.nodeCount());
            assertThat(risk.absentNodeCount()).isEqualTo(before.absentNodeCount());
            assertThat(risk.allToAll()).isEqualTo(before.allToAll());
            assertThat(risk.shifts(Progress.NONE).whole().max())
                    .isEqualTo(before.shifts(Progress.NONE).whole().max());
        }
    }

    @Test
    void shouldFindAMissingEntry() {
        FabricView view = pair(3)[1];
        LftSet tables = nodes(view);
        byte[][] rows = new byte[view.switchCount()][view.nodeCount()];
        for (int s = 0; s < rows.length; s++) {
            tables.copyRow(s, rows[s]);
        }
        int node = view.hostCount();
        for (int s = 0; s < rows.length; s++) {
            if (view.alive(s) && s != view.nodeSwitch(node) && rows[s][node] != (byte) LftSet.NO_ROUTE) {
                rows[s][node] = (byte) LftSet.NO_ROUTE;
                break;
            }
        }

        CheckReport report =
                TableCheck.check(view, new LftSet(view.epoch(), view.nodeCount(), rows), Parallel.sequential());

        assertThat(report.valid()).isFalse();
    }

    @Test
    void shouldCutNobodyOffWhenASpineWithNothingElseDies() {
        FabricViewBuilder fabric = PgftGenerator.generate(SHAPE);
        Fabrics.addAggregation(fabric);
        FabricView before = Fabrics.view(fabric);
        fabric.apply(new SwitchState(before.switchGuid(before.switchCount() - 1), false));

        LostPaths lost = LostPaths.of(before, Fabrics.view(fabric));

        assertThat(lost).isEqualTo(new LostPaths(List.of(), List.of()));
    }
}
