package io.dmodc.detector;

import static io.dmodc.detector.MessageType.ALIVE;
import static io.dmodc.detector.MessageType.DEAD;
import static io.dmodc.detector.MessageType.HEARTBEAT;
import static io.dmodc.detector.MessageType.NEW_OBSERVER;
import static io.dmodc.detector.MessageType.SYNC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

/**
 * Beyond the crash-stop world of the paper: restarts, epochs, strangers, late wake-ups, lost news. The node under test
 * is slot 4 of 10; η = 100, δ = 1000.
 */
class IncarnationsAndEpochsTest {
    private final OneNode node = new OneNode(4, 10);

    @Test
    void shouldDropHeartbeatsOfAnEarlierLifeAndNameTheNewer() {
        node.receive(OneNode.inLife(node.from(3, HEARTBEAT), 5));
        node.takeSent();

        assertThat(node.receive(node.from(3, HEARTBEAT))).isEqualTo(DropReason.STALE);

        assertThat(node.takeReceivers(ALIVE)).containsExactly(3);
    }

    @Test
    void shouldTakeAHeartbeatOfALaterLifeAsAJoin() {
        node.receive(node.dead(8, 3, 1, 0, 2));

        node.receive(OneNode.inLife(node.from(3, HEARTBEAT), 2));

        assertThat(node.heard).endsWith("alive 3.2 hops 1");
        assertThat(node.detector.emitter()).isEqualTo(3);
        assertThat(node.detector.state()).as("it has not answered yet").isEqualTo(RingState.ASKING);
        node.receive(OneNode.inLife(node.from(3, HEARTBEAT), 2));
        assertThat(node.detector.state()).isEqualTo(RingState.WATCHING);
    }

    @Test
    void shouldCompareIncarnationsUnsigned() {
        node.receive(OneNode.inLife(node.from(3, HEARTBEAT), Integer.MAX_VALUE));
        node.receive(OneNode.inLife(node.from(3, HEARTBEAT), Integer.MIN_VALUE));

        assertThat(node.detector.incarnation(3)).isEqualTo(Integer.MIN_VALUE);
        assertThat(node.receive(OneNode.inLife(node.from(3, HEARTBEAT), -1))).isEqualTo(DropReason.TYPE);
    }

    @Test
    void shouldNotBlameTheEmitterForItsOwnLateness() {
        node.passHearing(3, 5_000);

        node.now = 7_500;
        node.detector.tick(7_500);

        assertThat(node.heard).isEmpty();
        assertThat(node.detector.lateWakeUps()).isEqualTo(1);
        assertThat(node.detector.state()).isEqualTo(RingState.ASKING);
        assertThat(node.passUntil(7_699).heard).isEmpty();
        assertThat(node.passUntil(7_700).heard).hasSize(1);
    }

    @Test
    void shouldStillFindTheDeadWhenItIsAlwaysLate() {
        node.passHearing(3, 5_000);

        for (long time = 5_250; node.heard.isEmpty() && time < 10_000; time += 250) {
            node.now = time;
            node.detector.tick(time);
        }

        assertThat(node.heard).containsExactly("silent 3.1 by 4 hops 0");
        assertThat(node.now).isLessThanOrEqualTo(6_250);
    }

    @Test
    void shouldCountAForeignEpochsHeartbeatAsSignOfLifeOnly() {
        node.passUntil(900);
        RingMessage old = node.from(3, HEARTBEAT);
        old.epoch = OneNode.EPOCH - 1;
        old.fromSlot = 8;
        node.takeSent();

        assertThat(node.receive(old)).isEqualTo(DropReason.EPOCH);

        assertThat(node.detector.state()).isEqualTo(RingState.ASKING);
        assertThat(node.passUntil(2_899).heard)
                .as("each answer may get lost: 2 δ")
                .isEmpty();
        assertThat(node.takeReceivers(NEW_OBSERVER)).isNotEmpty();
        assertThat(node.passUntil(2_900).heard).hasSize(1);
    }

    @Test
    void shouldAnswerAnAskerOfAnotherEpochWhereItAskedFrom() {
        RingMessage ask = node.from(3, NEW_OBSERVER);
        ask.epoch = OneNode.EPOCH + 1;
        ask.senderGuid = 0xFFFF;
        node.takeSent();

        node.receive(ask);

        assertThat(node.takeReceivers(HEARTBEAT)).containsExactly(-1);
        assertThat(node.detector.observer()).isEqualTo(5);
    }

    @Test
    void shouldNotActOnNewsOfAnotherEpoch() {
        RingMessage news = node.dead(8, 3, 1, 0, 2);
        news.epoch = OneNode.EPOCH + 1;

        assertThat(node.receive(news)).isEqualTo(DropReason.EPOCH);

        assertThat(node.detector.isDead(3)).isFalse();
    }

    @Test
    void shouldDropWhatCannotBeAMember() {
        RingMessage cluster = node.from(3, HEARTBEAT);
        cluster.cluster = 1;
        RingMessage guid = node.from(3, HEARTBEAT);
        guid.senderGuid = OneNode.guid(2);

        assertThat(node.receive(cluster)).isEqualTo(DropReason.CLUSTER);
        assertThat(node.receive(guid)).isEqualTo(DropReason.SLOT);
        assertThat(node.receive(node.from(4, HEARTBEAT))).as("from myself").isEqualTo(DropReason.SLOT);
        assertThat(node.receive(node.from(10, HEARTBEAT))).isEqualTo(DropReason.SLOT);
        assertThat(node.receive(node.dead(8, 10, 1, 0, 2))).isEqualTo(DropReason.SLOT);
        assertThat(node.receive(node.dead(8, 9, 1, -1, 2))).isEqualTo(DropReason.SLOT);
    }

    @Test
    void shouldTellFirstHandNewsBySenderNotByHopCount() {
        node.receive(node.dead(8, 9, 1, 8, 200));
        node.receive(node.dead(8, 0, 1, 1, 0));

        assertThat(node.heard).containsExactly("silent 9.1 by 8 hops 1", "silent 0.1 by 1 hops 2");
    }

    @Test
    void shouldSwapRecordsWhenTheHashDiffersTwice() {
        node.receive(node.dead(8, 9, 1, 0, 2));
        RingMessage ignorant = node.from(3, HEARTBEAT);
        ignorant.setHash = 0;
        node.receive(ignorant);
        node.takeSent();

        node.receive(ignorant);

        assertThat(node.takeSent()).extracting(s -> s.message().type).containsExactly(SYNC, DEAD);
    }

    @Test
    void shouldAnswerASyncOnlyIfItKnowsSomethingElse() {
        node.receive(node.dead(8, 9, 1, 0, 2));
        RingMessage sync = node.from(5, SYNC);
        node.takeSent();

        node.receive(sync);
        sync.setHash = node.takeSent().get(0).message().setHash;
        sync.recordCount = 1;
        node.receive(sync);

        assertThat(node.takeSent()).isEmpty();
    }

    @Test
    void shouldKeepWhatItKnowsInANewerMembership() {
        node.receive(node.dead(8, 9, 1, 0, 2));
        node.receive(node.dead(8, 7, 1, 0, 2));
        node.receive(node.from(3, HEARTBEAT));
        node.passUntil(300).takeSent();

        node.install(6, 4, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1);

        assertThat(node.detector.isDead(9)).isTrue();
        assertThat(node.detector.isDead(7))
                .as("the membership names a newer incarnation")
                .isFalse();
        assertThat(node.takeSent()).as("both neighbours stay").isEmpty();
        assertThat(node.passUntil(1_000).heard).endsWith("silent 3.1 by 4 hops 0");
    }

    @Test
    void shouldStartANewEdgeWithGraceInANewerMembership() {
        node.passHearing(3, 1_000).takeSent();

        node.install(6, 4, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1);

        assertThat(node.takeReceivers(NEW_OBSERVER)).containsExactly(3);
        assertThat(node.passUntil(2_999).heard).isEmpty();
        assertThat(node.passUntil(3_000).heard).containsExactly("silent 3.2 by 4 hops 0");
    }

    @Test
    void shouldIgnoreAMembershipThatIsNotNewer() {
        node.receive(node.dead(8, 9, 1, 0, 2));
        node.takeSent();

        assertThat(node.install(5, 4, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3)).isFalse();
        assertThat(node.install(4, 4, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3)).isFalse();

        assertThat(node.detector.isDead(9)).isTrue();
        assertThat(node.takeSent()).isEmpty();
    }

    @Test
    void shouldFloodItsIncarnationWhenTheMembershipIsBehind() {
        node.receive(node.dead(8, 4, 1, 5, 2));
        node.takeSent();

        node.install(6, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);

        assertThat(node.detector.ownIncarnation()).isEqualTo(2);
        assertThat(node.takeReceivers(ALIVE)).containsExactlyInAnyOrder(0, 2, 3, 5, 6, 8);
    }

    @Test
    void shouldRefuseASlotThatIsNotItsOwn() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> node.install(6, 3, 1, 1, 1, 1, 1))
                .withMessageContaining(
                        "own slot 3 holds guid 0x000000000000a003, expected this agent's 0x000000000000a004");
    }
}
