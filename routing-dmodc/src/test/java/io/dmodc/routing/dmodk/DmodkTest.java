package io.dmodc.routing.dmodk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.RoutingResult.Complete;
import io.dmodc.routing.RoutingResult.Unroutable;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DmodkTest {
    private static final PgftShape SHAPE = PgftShape.parse("3;2,2,3;1,2,2;1,2,1");
    private static final Dmodk DMODK = new Dmodk(SHAPE);

    private static FabricView view(FabricViewBuilder fabric) {
        return fabric.build(1, new NodeIndexMap(), new GuidNumbers());
    }

    private static RoutingResult route(FabricViewBuilder fabric) {
        return DMODK.route(view(fabric), Parallel.sequential());
    }

    @Test
    void shouldRouteTheWholeShape() {
        RoutingResult result = route(PgftGenerator.generate(SHAPE));

        assertThat(result).isInstanceOf(Complete.class);
        LftSet tables = ((Complete) result).tables();
        assertThat(tables.row(0).toBytes()).containsExactly(1, 2, 5, 6, 3, 4, 5, 6, 3, 4, 5, 6);
        assertThat(tables.row(6).toBytes()).containsExactly(1, 1, 4, 4, 5, 5, 6, 6, 5, 5, 6, 6);
        assertThat(tables.row(12).toBytes()).containsExactly(1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    }

    @Test
    void shouldRefuseOneLostCable() {
        FabricViewBuilder fabric = PgftGenerator.generate(SHAPE);
        Degradation.cut(fabric, Degradation.cables(view(fabric)).get(0));

        assertThat(route(fabric))
                .isEqualTo(new Unroutable("not the whole " + SHAPE
                        + ": switch leaf0 0x02f0000000000000 port 3 does not lead to switch l2s0 port 1"));
    }

    @Test
    void shouldRefuseDeadSwitch() {
        FabricViewBuilder fabric = PgftGenerator.generate(SHAPE);
        fabric.apply(new SwitchState(view(fabric).switchGuid(15), false));

        assertThat(route(fabric))
                .isInstanceOfSatisfying(
                        Unroutable.class,
                        refused -> assertThat(refused.reason()).contains("does not lead to switch l3s3"));
    }

    @Test
    void shouldRefuseOtherNumbering() {
        assertThat(route(PgftGenerator.generateShuffled(SHAPE, new SplittableRandom(1))))
                .isInstanceOf(Unroutable.class);
    }

    @Test
    void shouldRefuseOtherShape() {
        PgftShape other = PgftShape.parse("2;2,3;1,2;1,1");

        assertThat(route(PgftGenerator.generate(other)))
                .isEqualTo(new Unroutable("not the whole " + SHAPE + ": 5 switches, expected 16"));
        assertThatThrownBy(() -> DMODK.routeSwitches(view(PgftGenerator.generate(other)), Parallel.sequential()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("not the whole " + SHAPE + ": 5 switches, expected 16");
    }
}
