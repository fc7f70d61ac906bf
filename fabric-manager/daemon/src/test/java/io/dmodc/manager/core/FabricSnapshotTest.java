package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.SwitchRecord.Condition;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** That each snapshot shows all there is to know is compared after each batch of all tests with a {@link SimulatedFabric}. */
class FabricSnapshotTest {
    private final SimulatedFabric fabric = new SimulatedFabric("2;3,4;1,2;1,2").start();

    @Test
    void shouldStayAsItWasWhateverHappensAfterwards() {
        FabricSnapshot before = fabric.state.snapshot();
        List<Object> switches = SnapshotTwin.all(before.switches());
        List<Alarm> alarms = before.alarms();
        EpochRecord epoch = Objects.requireNonNull(before.lastEpoch());
        int pushed = epoch.switchesPushed();

        fabric.setLinks(fabric.guid("l2s0"), false, true);
        fabric.calm();
        fabric.leave(fabric.guid("leaf1"));
        fabric.calm();

        assertThat(SnapshotTwin.all(before.switches())).isEqualTo(switches);
        assertThat(before.alarms()).isEqualTo(alarms).isEmpty();
        assertThat(before.lastEpoch()).isSameAs(epoch);
        assertThat(epoch.switchesPushed()).isEqualTo(pushed);
        assertThat(before.counts().headless()).isZero();
        assertThat(fabric.state.snapshot().alarms()).isNotEmpty();
        assertThat(fabric.state.snapshot().counts().headless()).isEqualTo(1);
    }

    @Test
    void shouldShareWhatDidNotChange() {
        FabricSnapshot before = fabric.state.snapshot();

        fabric.leave(fabric.guid("leaf1"));
        fabric.work();

        FabricSnapshot after = fabric.state.snapshot();
        assertThat(after.findSwitch(fabric.guid("leaf1"))).isNotSameAs(before.findSwitch(fabric.guid("leaf1")));
        assertThat(after.findSwitch(fabric.guid("leaf0"))).isSameAs(before.findSwitch(fabric.guid("leaf0")));
        assertThat(after.expected(fabric.guid("leaf1"), 1)).isSameAs(before.expected(fabric.guid("leaf1"), 1));
    }

    @Test
    void shouldShowBeforeTheFirstBatchWhatTheLastRunLeft() {
        FabricSnapshot next = fabric.restarted().state.snapshot();

        assertThat(next.switches()).hasSize(fabric.state.switches().size()).allSatisfy(it -> {
            assertThat(it.condition()).isEqualTo(Condition.HEADLESS);
            assertThat(it.saysUp(1)).isTrue();
        });
        assertThat(next.switchTotals()).isEqualTo(fabric.state.snapshot().switchTotals());
        assertThat(next.linkTotals()).isEqualTo(fabric.state.snapshot().linkTotals());
        assertThat(next.discovering()).isTrue();
    }
}
