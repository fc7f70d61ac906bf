package io.dmodc.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.topology.FabricChange;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoTargetsTest {
    private static FabricView view(String shape) {
        return PgftGenerator.generate(PgftShape.parse(shape)).build(0, new NodeIndexMap(), new GuidNumbers());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2;4,4;1,2;1,1",
                "2;4,3;1,2;1,1",
                "2;18,36;1,18;1,1",
                "3;2,2,3;1,2,2;1,2,1",
                "3;8,8,16;1,4,8;1,2,1"
            })
    void shouldNotFlapACableThatIsCutForGood(String shape) {
        FabricView view = view(shape);

        DemoTargets targets = DemoTargets.of(view);

        int flap = view.switchOf(targets.flapSwitch());
        int bundle = view.switchOf(targets.bundleSwitch());
        boolean sameCable = view.peerSwitch(flap, targets.flapPort()) == bundle
                && targets.bundlePorts().contains(view.peerPort(flap, targets.flapPort()));
        assertThat(sameCable).isFalse();
    }

    /** The shape that operations.md has people try, without the cable that the demo has cut by then. */
    @Test
    void shouldNotWaitForAHungSwitchWithTwoNeighboursToBeNoticed() {
        FabricView whole = view("2;2,3;1,2;1,1");
        DemoTargets targets = DemoTargets.of(whole);
        FabricViewBuilder cut = PgftGenerator.generate(PgftShape.parse("2;2,3;1,2;1,1"));
        cut.apply(new FabricChange.PortSeen(
                targets.bundleSwitch(), targets.bundlePorts().get(0), false, null));
        FabricView then = cut.build(0, new NodeIndexMap(), new GuidNumbers());

        assertThat(DemoTargets.isSeenToHang(whole, whole.switchOf(targets.other())))
                .isTrue();
        assertThat(DemoTargets.isSeenToHang(then, then.switchOf(targets.other())))
                .isFalse();
    }

    @Test
    void shouldRefuseAFabricWithTooFewCables() {
        FabricView view = view("2;2,2;1,2;1,1");

        assertThatThrownBy(() -> DemoTargets.of(view))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no cable is left to flap");
    }
}
