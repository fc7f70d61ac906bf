package io.dmodc.demo.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.demo.linux.FabricPlan.Cable;
import io.dmodc.demo.linux.FabricPlan.End;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FabricPlanTest {
    private static FabricView view(String pgft) {
        return PgftGenerator.generate(PgftShape.parse(pgft)).build(0, new NodeIndexMap(), new GuidNumbers());
    }

    @Test
    void shouldNameAndNumberEverything() {
        FabricPlan plan = FabricPlan.of(view("2;4,4;1,2;1,1"));

        assertThat(plan.namespaces()).hasSize(22).doesNotHaveDuplicates().contains("fm-leaf3", "fm-l2s1", "fm-node15");
        assertThat(plan.links()).hasSize(8);
        assertThat(plan.links().get(0).text()).isEqualTo("leaf0 p5 – l2s0 p1");
        assertThat(plan.hosts().get(0).address()).isEqualTo("10.100.0.1");
        assertThat(FabricPlan.address(255)).isEqualTo("10.100.1.0");
        assertThat(plan.hostCable(5)).isEqualTo(new Cable(13, new End("fm-leaf1", 2), new End("fm-node5", 1)));
        assertThat(plan.switches().get(4).address()).isEqualTo("172.30.1.4");
    }

    @Test
    void shouldGiveNoTwoInterfacesTheSameNumberOrAddress() {
        FabricPlan plan = FabricPlan.of(view("3;4,4,4;1,2,2;1,1,1"));

        assertThat(plan.cables().stream().flatMap(cable -> Stream.of(cable.index(true), cable.index(false))))
                .hasSize(224)
                .doesNotHaveDuplicates();
        assertThat(plan.cables().stream().flatMap(cable -> Stream.of(cable.mac(true), cable.mac(false))))
                .doesNotHaveDuplicates();
    }

    @Test
    void shouldRefuseInOneLineWhatIsTooLargeOrCannotHeal() {
        FabricView large = view("3;8,8,16;1,4,8;1,2,1");
        FabricPlan bare = FabricPlan.of(view("2;2,2;1,1;1,1"));

        assertThatThrownBy(() -> FabricPlan.of(large))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("224 switches and 1024 hosts; expected at most")
                .hasMessageNotContaining("\n");
        assertThatThrownBy(() -> LinuxTargets.of(bare))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nothing can heal")
                .hasMessageNotContaining("\n");
    }

    @Test
    void shouldChooseTwoCablesOfDifferentLeavesAndTwoSpines() {
        LinuxTargets targets = LinuxTargets.of(FabricPlan.of(view("3;2,2,3;1,2,2;1,2,1")));

        assertThat(targets.cables().stream().map(cable -> cable.first().namespace()))
                .containsExactly("fm-leaf0", "fm-leaf1");
        assertThat(targets.spine().rank()).isEqualTo(2);
        assertThat(targets.other().rank()).isEqualTo(2);
        assertThat(targets.other()).isNotEqualTo(targets.spine());
    }
}
