package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.SubnetManagerReported;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long a manager that has just started waits before it computes anything: 2 s of quiet, 15 s at most. */
class DiscoveryTest {
    private final SimulatedFabric fabric = new SimulatedFabric("2;2,4;1,2;1,1");
    private final List<Long> guids = new ArrayList<>();

    DiscoveryTest() {
        FabricView view = fabric.whole();
        for (int s = 0; s < view.switchCount(); s++) {
            guids.add(view.switchGuid(s));
        }
    }

    private void passUntil(SimulatedFabric site, long millis) {
        site.pass(millis * MILLI - site.now);
    }

    @Test
    void shouldWaitForQuietWhenNothingIsKnown() {
        fabric.state.expected.clear();
        fabric.work();
        assertThat(fabric.step.nextDeadline())
                .as("nobody is there to be waited for")
                .isEqualTo(Long.MAX_VALUE);
        passUntil(fabric, 60_000);

        guids.subList(0, 5).forEach(fabric::join);
        passUntil(fabric, 61_500);
        fabric.join(guids.get(5));
        passUntil(fabric, 63_499);
        assertThat(fabric.state.discovering()).isTrue();
        assertThat(fabric.count(Effect.Compute.class)).isZero();

        passUntil(fabric, 63_500);
        assertThat(fabric.state.discovering()).isFalse();
        assertThat(fabric.count(Effect.Compute.class)).isEqualTo(1);
    }

    @Test
    void shouldGoOnAfterTwoQuietSecondsWhenEnoughOfAKnownFabricAreIn() {
        SimulatedFabric next = fabric.start().restarted();
        long begun = next.now / MILLI;
        guids.subList(0, 3).forEach(next::join);
        passUntil(next, begun + 1_999);
        assertThat(next.state.discovering()).isTrue();

        passUntil(next, begun + 2_000);

        assertThat(next.state.discovering()).as("3 of 6 are half").isFalse();
        assertThat(next.state.alarmCount(Alarm.Kind.SWITCH_MISSING)).isEqualTo(3);
        assertThat(next.state.alarmCount(Alarm.Kind.PUSHES_HELD)).isZero();
        assertThat(next.notes(LoggedEvent.Kind.SWITCH_HEADLESS))
                .hasSize(3)
                .allSatisfy(note -> assertThat(note.text())
                        .endsWith("no agent has come in since the manager started; it keeps its table"));
    }

    @Test
    void shouldWaitForMoreThanTwoOfSixUntilTheTimeIsOver() {
        SimulatedFabric next = fabric.start().restarted();
        long begun = next.now / MILLI;
        guids.subList(0, 2).forEach(next::join);
        passUntil(next, begun + 14_999);
        assertThat(next.state.discovering()).isTrue();

        passUntil(next, begun + 15_000);

        assertThat(next.state.discovering()).isFalse();
        assertThat(next.state.alarmCount(Alarm.Kind.PUSHES_HELD)).isEqualTo(1);
        assertThat(next.notes(LoggedEvent.Kind.PUSHES_HELD))
                .extracting(LoggedEvent::text)
                .containsExactly("nothing is pushed: fewer than 50 % of the switches that forward have an agent here");

        next.join(guids.get(2));
        next.calm();
        assertThat(next.notes(LoggedEvent.Kind.PUSHES_HELD))
                .last()
                .extracting(LoggedEvent::text)
                .isEqualTo("enough agents are here again: tables are pushed");
    }

    @Test
    void shouldNotWaitOnceEverybodyWhoIsKnownIsIn() {
        SimulatedFabric next = fabric.start().restarted();
        long begun = next.now;
        guids.forEach(next::join);
        next.work();

        assertThat(next.state.discovering()).isFalse();
        assertThat(next.now).isEqualTo(begun);
    }

    /** An agent that is in counts when it has told its ports. */
    @Test
    void shouldWaitForThePortsOfTheLastOne() {
        SimulatedFabric next = fabric.start().restarted();
        next.mute.add(guids.get(5));
        guids.forEach(next::join);
        next.work();
        assertThat(next.state.discovering()).isTrue();

        next.pass(2_000 * MILLI);

        assertThat(next.state.discovering()).isFalse();
    }

    @Test
    void shouldTellWhoIsMissingAlsoWhenNobodyComes() {
        SimulatedFabric next = fabric.start().restarted();
        long begun = next.now / MILLI;
        passUntil(next, begun + 14_999);
        assertThat(next.state.alarms()).isEmpty();

        passUntil(next, begun + 15_000);

        assertThat(next.state.alarmCount(Alarm.Kind.SWITCH_MISSING)).isEqualTo(6);
        assertThat(next.count(Effect.Push.class)).isZero();
    }

    /** One alarm says that discovery fails, and not one for each switch. */
    @Test
    void shouldMissNoSwitchBeforeTheSubnetIsSeen() {
        SimulatedFabric next = fabric.start().restarted();
        next.send(new SubnetManagerReported(next.now, List.of("no ibnetdiscover"), false));
        passUntil(next, next.now / MILLI + 3_600_000);
        assertThat(next.state.alarms()).singleElement().extracting(Alarm::text).isEqualTo("no ibnetdiscover");
        assertThat(next.notes(LoggedEvent.Kind.SWITCH_HEADLESS)).isEmpty();

        guids.subList(0, 4).forEach(next::join);
        next.send(new SubnetManagerReported(next.now, List.of(), false));
        next.work();

        assertThat(next.state.alarmCount(Alarm.Kind.SWITCH_MISSING)).isEqualTo(2);
        assertThat(next.state.alarmCount(Alarm.Kind.SUBNET_MANAGER)).isZero();
        assertThat(next.state.discovering()).isFalse();
    }
}
