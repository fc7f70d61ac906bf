package io.dmodc.routing.dmodc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.RoutingResult.Complete;
import io.dmodc.routing.RoutingResult.Partial;
import io.dmodc.routing.RoutingResult.Unroutable;
import io.dmodc.routing.UpperPairs;
import io.dmodc.routing.UpperPairs.Pair;
import io.dmodc.topology.FabricView;
import java.util.List;
import org.junit.jupiter.api.Test;

class DmodcTest {
    /** Four leaves a, b, c, d under two spines. */
    private static SmallFabric twoSpines() {
        SmallFabric fabric = new SmallFabric().switches("a", "b", "c", "d", "x", "y");
        for (String leaf : new String[] {"a", "b", "c", "d"}) {
            fabric.hosts(leaf, 2).cable(leaf, "x").cable(leaf, "y");
        }
        return fabric;
    }

    private static RoutingResult route(FabricView view) {
        return Dmodc.standard().route(view, Parallel.sequential());
    }

    @Test
    void shouldRouteAroundLostSpine() {
        SmallFabric fabric = twoSpines().kill("x");
        FabricView view = fabric.view();

        RoutingResult result = route(view);

        assertThat(result).isInstanceOf(Complete.class);
        LftSet tables = ((Complete) result).tables();
        assertThat(view.peerSwitch(fabric.at("a"), tables.port(fabric.at("a"), 7)))
                .isEqualTo(fabric.at("y"));
        assertThat(tables.row(fabric.at("x")).toBytes()).containsOnly(LftSet.NO_ROUTE);
    }

    @Test
    void shouldNameDeadLeafAndRouteTheRest() {
        SmallFabric fabric = twoSpines();
        fabric.numberNodes();

        RoutingResult result = route(fabric.kill("c").view());

        assertThat(result).isInstanceOf(Partial.class);
        Partial partial = (Partial) result;
        assertThat(partial.cutOffLeaves()).containsExactly(fabric.at("c"));
        assertThat(partial.unreachableLeafPairs()).isZero();
        assertThat(partial.tables().port(fabric.at("a"), 4)).isEqualTo(LftSet.NO_ROUTE);
        assertThat(partial.tables().port(fabric.at("a"), 6)).isNotEqualTo(LftSet.NO_ROUTE);
    }

    @Test
    void shouldNameTheLeafWithoutUplinksAndNoOther() {
        SmallFabric fabric = twoSpines().switches("alone").hosts("alone", 1);

        RoutingResult result = route(fabric.view());

        assertThat(result).isInstanceOf(Partial.class);
        assertThat(((Partial) result).cutOffLeaves()).containsExactly(fabric.at("alone"));
        assertThat(((Partial) result).unreachableLeafPairs()).isEqualTo(8);
        assertThat(((Partial) result).tables().port(fabric.at("alone"), 8)).isEqualTo(1);
    }

    /** A management host each on both spines: nothing is above them. */
    @Test
    void shouldBePartialWhereHostsOnTwoSpinesHaveNoLegalPath() {
        SmallFabric fabric = twoSpines().hosts("x", 1).hosts("y", 1);
        fabric.numberNodes();

        RoutingResult result = route(fabric.view());

        assertThat(result).isInstanceOf(Partial.class);
        Partial partial = (Partial) result;
        assertThat(partial.cutOffLeaves()).isEmpty();
        assertThat(partial.unreachableLeafPairs()).isZero();
        assertThat(partial.upperPairs())
                .isEqualTo(new UpperPairs(2, List.of(new Pair(fabric.at("x"), fabric.at("y"))), 0));
        assertThat(partial.upperPairs().text(fabric.view()::switchName))
                .isEqualTo(
                        "2 ordered pairs of switches with hosts, one or both above the leaves, have no legal path: x – y");
    }

    @Test
    void shouldCountUpperPairsOfACutOffLeafButNotNameThem() {
        SmallFabric fabric = twoSpines().switches("alone").hosts("alone", 1).hosts("x", 1);

        Partial partial = (Partial) route(fabric.view());

        assertThat(partial.cutOffLeaves()).containsExactly(fabric.at("alone"));
        assertThat(partial.upperPairs()).isEqualTo(new UpperPairs(2, List.of(), 0));
        assertThat(partial.upperPairs().text(fabric.view()::switchName))
                .isEqualTo(
                        "2 ordered pairs of a cut-off leaf and a switch with hosts above the leaves have no legal path");
    }

    @Test
    void shouldRouteToHostOnUpperSwitchWhereLegal() {
        SmallFabric fabric = twoSpines().hosts("x", 1);
        FabricView view = fabric.view();
        assertThat(view.rank(fabric.at("x"))).isEqualTo(1);

        LftSet tables = ((Complete) route(view)).tables();

        assertThat(tables.port(fabric.at("x"), 8)).isEqualTo(view.nodePort(8));
        assertThat(view.peerSwitch(fabric.at("a"), tables.port(fabric.at("a"), 8)))
                .isEqualTo(fabric.at("x"));
        assertThat(tables.port(fabric.at("y"), 8)).as("only down and up again").isEqualTo(LftSet.NO_ROUTE);
        LftSet plain = ((Complete) Dmodc.plain().route(view, Parallel.sequential())).tables();
        assertThat(plain.port(fabric.at("y"), 8)).as("plain does not mind").isNotEqualTo(LftSet.NO_ROUTE);
    }

    @Test
    void shouldRouteToSwitchesWithPortZeroForItself() {
        SmallFabric fabric = twoSpines().kill("d");
        FabricView view = fabric.view();

        LftSet tables = Dmodc.standard().routeSwitches(view, Parallel.sequential());

        assertThat(tables.entryCount()).isEqualTo(6);
        for (int s = 0; s < 6; s++) {
            assertThat(tables.port(s, s)).isZero();
        }
        assertThat(view.peerSwitch(fabric.at("a"), tables.port(fabric.at("a"), fabric.at("y"))))
                .isEqualTo(fabric.at("y"));
        assertThat(tables.port(fabric.at("x"), fabric.at("y"))).isEqualTo(LftSet.NO_ROUTE);
        assertThat(tables.port(fabric.at("x"), fabric.at("d"))).isEqualTo(LftSet.NO_ROUTE);
    }

    @Test
    void shouldRefuseFabricsWithoutLiveLeaf() {
        SmallFabric noHosts = new SmallFabric().switches("a", "b").cable("a", "b");
        SmallFabric allDead = new SmallFabric().switches("a").hosts("a", 1).kill("a");

        assertThat(route(noHosts.view())).isEqualTo(new Unroutable("none of 0 leaf switches is alive"));
        assertThat(route(allDead.view())).isEqualTo(new Unroutable("none of 1 leaf switches is alive"));
        assertThat(route(new SmallFabric().view())).isInstanceOf(Unroutable.class);
    }

    @Test
    void shouldRefuseRanksAboveTheBound() {
        FabricView view = twoSpines().level("y", Dmodc.RANK_MAX + 1).view();

        assertThat(route(view)).isEqualTo(new Unroutable("switch y has rank 32, expected at most 31"));
        assertThatThrownBy(() -> Dmodc.standard().routeSwitches(view, Parallel.sequential()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("switch y has rank 32, expected at most 31");
    }

    @Test
    void shouldRouteChainAsHighAsTheBound() {
        SmallFabric fabric = new SmallFabric().switches("s0").hosts("s0", 1);
        for (int rank = 1; rank <= Dmodc.RANK_MAX; rank++) {
            fabric.switches("s" + rank).cable("s" + (rank - 1), "s" + rank);
        }
        FabricView view = fabric.view();

        LftSet tables = ((Complete) route(view)).tables();

        assertThat(tables.port(fabric.at("s31"), 0)).isEqualTo(1);
        assertThat(Dmodc.standard()
                        .costsAndDividers(view, Parallel.sequential())
                        .cost(fabric.at("s31"), 0))
                .isEqualTo(31);
    }

    @Test
    void shouldKeepDividersInBoundsWhereProductsWouldOverflow() {
        SmallFabric fabric =
                new SmallFabric().switches("leaf", "other").hosts("leaf", 1).hosts("other", 1);
        String[] below = {"leaf", "other"};
        for (int rank = 1; rank <= Dmodc.RANK_MAX; rank++) {
            String[] here = {"left" + rank, "right" + rank};
            fabric.switches(here);
            for (String s : below) {
                fabric.cable(s, here[0]).cable(s, here[1]);
            }
            below = here;
        }
        FabricView view = fabric.view();
        CostsAndDividers known = Dmodc.standard().costsAndDividers(view, Parallel.sequential());

        assertThat(known.divider(fabric.at("left29"))).isEqualTo(1 << 29);
        assertThat(known.divider(fabric.at("left31"))).isEqualTo(Dividers.DIVIDER_MAX);
        assertThat(route(view)).isInstanceOf(Complete.class);
    }
}
