package io.dmodc.topology.pgft;

import static io.dmodc.topology.TestFabric.fabric;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.TestFabric;
import io.dmodc.topology.ViewText;
import io.dmodc.topology.pgft.Degradation.Damage;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DegradationTest {
    private static final String SHAPE = "3;2,4,3;1,2,2;1,2,1";

    @Test
    void shouldTakeAwayExactlyWhatItSays() {
        TestFabric fabric = fabric(SHAPE);

        Damage damage = Degradation.apply(fabric.builder(), 2, 5, new SplittableRandom(1));

        FabricView view = fabric.view();
        assertThat(damage.switches()).hasSize(2).doesNotHaveDuplicates();
        assertThat(damage.cables()).hasSize(5).doesNotHaveDuplicates();
        for (long guid : damage.switches()) {
            assertThat(view.alive(view.switchOf(guid))).isFalse();
            assertThat(view.switchName(view.switchOf(guid))).startsWith("l");
        }
        for (int s = 0; s < view.switchCount(); s++) {
            assertThat(view.alive(s) || !view.switchName(s).startsWith("leaf")).isTrue();
        }
        damage.cables()
                .forEach(cable -> assertThat(view.peerSwitch(view.switchOf(cable.guid()), cable.port()))
                        .isEqualTo(-1));
        TestFabric onlySwitches = fabric(SHAPE);
        Degradation.apply(onlySwitches.builder(), 2, 0, new SplittableRandom(1));
        assertThat(onlySwitches.view().linkCount() - view.linkCount()).isEqualTo(5);
    }

    @Test
    void shouldDoTheSameForTheSameSeed() {
        List<String> first = ViewText.of(fabric(SHAPE).damaged(2, 5, 42).view());

        assertThat(ViewText.of(fabric(SHAPE).damaged(2, 5, 42).view())).isEqualTo(first);
        assertThat(ViewText.of(fabric(SHAPE).damaged(2, 5, 43).view())).isNotEqualTo(first);
    }

    @Test
    void shouldChangeNothingWhenAskedForTooMuch() {
        TestFabric fabric = fabric(SHAPE);
        List<String> before = ViewText.of(fabric.view());

        assertThatThrownBy(() -> fabric.damaged(0, 73, 1))
                .hasMessage("cannot take 73 cables between switches away: the fabric has 60");
        assertThatThrownBy(() -> fabric.damaged(1, 72, 1)).hasMessageStartingWith("cannot take 72 cables");
        assertThatThrownBy(() -> fabric.damaged(11, 0, 1))
                .hasMessage("cannot take 11 switches above the leaves away: the fabric has 10");
        assertThatThrownBy(() -> fabric.damaged(-1, 0, 1)).hasMessageStartingWith("cannot take -1 switches");

        assertThat(ViewText.of(fabric.view())).isEqualTo(before);
    }

    @Test
    void shouldTakeEverythingWhenAskedTo() {
        assertThat(fabric(SHAPE).damaged(10, 0, 1).view().linkCount()).isZero();
        assertThat(fabric(SHAPE).damaged(0, 60, 1).view().linkCount()).isZero();
    }
}
