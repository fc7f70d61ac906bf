package io.dmodc.detector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class MembershipTest {
    @Test
    void shouldKeepItsOwnCopyOfTheTable() {
        long[] guids = {10, 11};
        int[] incarnations = {1, 2};
        Membership membership = new Membership(7, 3, guids, incarnations);

        guids[0] = 99;
        incarnations[0] = 99;

        assertThat(membership.guid(0)).isEqualTo(10);
        assertThat(membership.incarnation(0)).isEqualTo(1);
        assertThat(membership.slotOf(11)).isEqualTo(1);
        assertThat(membership.slotOf(99)).isEqualTo(-1);
    }

    @Test
    void shouldNameWhatIsWrongWithATable() {
        assertRefused(0, new long[] {1}, new int[] {1}, "membership: epoch 0, expected above 0");
        assertRefused(4, new long[] {}, new int[] {}, "membership epoch 4: 0 slots, expected 1..1048576");
        assertRefused(
                4,
                new long[] {1, 2},
                new int[] {1},
                "membership epoch 4: 1 incarnations for 2 slots, expected one each");
        assertRefused(
                4,
                new long[] {0xab, 2, 0xab},
                new int[] {1, 1, 1},
                "membership epoch 4: guid 0x00000000000000ab in more than one slot, expected one each");
        assertRefused(
                4,
                new long[] {1, 2},
                new int[] {1, -1},
                "membership epoch 4: slot 1 has incarnation 4294967295, expected 0..4294967294");
    }

    @Test
    void shouldNameWhatIsWrongWithTimings() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RingRules.published(0, 10))
                .withMessage("ring rules: heartbeat 0 ns, expected above 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RingRules.published(10, 10))
                .withMessageStartingWith("ring rules: suspicion 10 ns, expected above the heartbeat's 10");
    }

    private static void assertRefused(long epoch, long[] guids, int[] incarnations, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Membership(epoch, 1, guids, incarnations))
                .withMessage(message);
    }
}
