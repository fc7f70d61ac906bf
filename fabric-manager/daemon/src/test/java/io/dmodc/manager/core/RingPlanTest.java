package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.RULES;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Effect.Member;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RingPlanTest {
    private final RingPlan plan = new RingPlan(RULES);

    private static List<SwitchRecord> switches(int count) {
        List<SwitchRecord> switches = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            SwitchRecord record = new SwitchRecord(0x100 + i, "s" + i, 4);
            record.ringAddress = new RingAddress("10.0.0." + i, 7471);
            switches.add(record);
        }
        return switches;
    }

    private List<Long> order(List<SwitchRecord> switches) {
        plan.changed(0);
        plan.renew(plan.nextDeadline(), switches);
        return plan.current().members().stream().map(Member::guid).toList();
    }

    @Test
    void shouldCollectJoinsBeforeItTellsARing() {
        plan.changed(0);
        plan.changed(100);

        assertThat(plan.renew(RULES.membershipQuietNanos(), switches(3))).isFalse();
        assertThat(plan.renew(100 + RULES.membershipQuietNanos(), switches(3))).isTrue();
        assertThat(plan.current().epoch()).isEqualTo(1);
    }

    @Test
    void shouldScatterNeighboursOfTheFabricOverTheRing() {
        List<Long> order = order(switches(64));

        int adjacent = 0;
        for (int i = 1; i < order.size(); i++) {
            adjacent += Math.abs(order.get(i) - order.get(i - 1)) == 1 ? 1 : 0;
        }
        assertThat(order).hasSize(64).doesNotHaveDuplicates();
        assertThat(adjacent).isLessThan(8);
    }

    @Test
    void shouldKeepTheOrderOfTheOthersWhenOneJoins() {
        List<Long> before = order(switches(20));

        List<Long> after = new ArrayList<>(order(switches(21)));

        after.remove(Long.valueOf(0x100 + 20));
        assertThat(after).isEqualTo(before);
    }

    @Test
    void shouldLeaveOutAgentsWithoutADetector() {
        List<SwitchRecord> switches = switches(3);
        switches.get(1).ringAddress = new RingAddress("10.0.0.1", 0);

        assertThat(order(switches)).containsExactlyInAnyOrder(0x100L, 0x102L);
    }

    @Test
    void shouldNotRaiseTheEpochWhenNothingChanged() {
        order(switches(5));
        long epoch = plan.current().epoch();

        order(switches(5));

        assertThat(plan.current().epoch()).isEqualTo(epoch);
    }

    @Test
    void shouldStartAboveTheEpochsOfAnEarlierManager() {
        plan.startAt(3L << 32);

        order(switches(2));

        assertThat(plan.current().epoch()).isEqualTo((3L << 32) + 1);
    }
}
