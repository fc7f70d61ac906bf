package io.dmodc.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.dmodc.agent.AgentEvent.MembershipDecoded;
import io.dmodc.agent.AgentEvent.MembershipRefused;
import io.dmodc.southbound.MembershipDigest;
import io.dmodc.southbound.proto.Endpoint;
import io.dmodc.southbound.proto.Member;
import io.dmodc.southbound.proto.Membership;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A ring of three, and what becomes of it by differences. */
class MembershipDifferenceTest {
    private final SharedMemberships shared = new SharedMemberships();
    private final RingMembership three = ring(decode(whole(5, member(1, 1), member(2, 1), member(3, 1)), null));

    private static Member member(long guid, int incarnation) {
        return Member.newBuilder()
                .setGuid(guid)
                .setIncarnation(incarnation)
                .setDetector(Endpoint.newBuilder()
                        .setAddress(ByteString.copyFrom(new byte[] {127, 0, 0, (byte) guid}))
                        .setPort(9))
                .build();
    }

    private static Membership.Builder whole(long epoch, Member... members) {
        return Membership.newBuilder()
                .setEpoch(epoch)
                .setCluster(3)
                .setHeartbeatNanos(1)
                .setSuspicionNanos(2)
                .addAllMembers(List.of(members));
    }

    private static long digest(Member... members) {
        MembershipDigest digest = new MembershipDigest(members.length);
        for (Member member : members) {
            digest.add(
                    member.getGuid(),
                    member.getIncarnation(),
                    member.getDetector().getAddress().toByteArray(),
                    member.getDetector().getPort());
        }
        return digest.value();
    }

    private AgentEvent decode(Membership.Builder membership, @Nullable RingMembership held) {
        return shared.decode(membership.build().toByteString(), held);
    }

    private static RingMembership ring(AgentEvent outcome) {
        assertThat(outcome).isInstanceOf(MembershipDecoded.class);
        return ((MembershipDecoded) outcome).ring();
    }

    /** The second one started anew, and a fourth came before the third. */
    private static Membership.Builder change() {
        return whole(6, member(2, 2), member(4, 1))
                .setBaseEpoch(5)
                .addAllEdit(List.of(1, 1, 2))
                .setResultDigest(digest(member(1, 1), member(2, 2), member(4, 1), member(3, 1)));
    }

    @Test
    void shouldEditTheRingItHolds() {
        RingMembership four = ring(decode(change(), three));

        RingMembership told = ring(new SharedMemberships()
                .decode(
                        whole(6, member(1, 1), member(2, 2), member(4, 1), member(3, 1))
                                .build()
                                .toByteString(),
                        null));
        assertThat(four.sameAs(told)).isTrue();
        assertThat(three.slots().slotCount()).isEqualTo(3);
    }

    @Test
    void shouldKeepOnceWhatIsToldWholeToSomeAndAsADifferenceToOthers() {
        AgentEvent edited = decode(change(), three);

        assertThat(decode(change(), three)).isSameAs(edited);
        assertThat(decode(whole(6, member(1, 1), member(2, 2), member(4, 1), member(3, 1)), null))
                .isSameAs(edited);
        assertThat(decode(whole(6, member(1, 1), member(2, 2), member(4, 1), member(3, 2)), null))
                .isNotSameAs(edited);
    }

    private void assertOutOfStep(Membership.Builder difference, @Nullable RingMembership held, String why) {
        assertThat(decode(difference, held)).isEqualTo(new MembershipRefused(why, true));
    }

    @Test
    void shouldSayInOneLineWhyADifferenceDoesNotFit() {
        assertOutOfStep(change(), null, "membership epoch 6: a difference against epoch 5, this agent holds none");
        assertOutOfStep(
                change().setBaseEpoch(4),
                three,
                "membership epoch 6: a difference against epoch 4, this agent holds 5");
        assertOutOfStep(
                change().setResultDigest(1),
                three,
                String.format(
                        "membership epoch 6: digest 0x%016x after the edit, meant was 0x%016x",
                        change().getResultDigest(), 1));
        assertOutOfStep(change().addEdit(1), three, "edit of 4 numbers; expected threes");
        assertOutOfStep(change().setEdit(0, 4), three, "edit, number 0: 4 members to keep, more than the 3 left");
        assertOutOfStep(
                change().setSuspicionNanos(1),
                three,
                "Membership with heartbeat 1 ns and suspicion 1 ns; expected 0 < heartbeat < suspicion");
        Membership.Builder twice = whole(6, member(3, 1))
                .setBaseEpoch(5)
                .addAllEdit(List.of(0, 0, 1))
                .setResultDigest(digest(member(3, 1), member(1, 1), member(2, 1), member(3, 1)));
        assertOutOfStep(
                twice, three, "membership epoch 6: guid 0x0000000000000003 in more than one slot, expected one each");
    }

    /** What one agent of the process cannot use because it holds nothing, another one can. */
    @Test
    void shouldNotAnswerOneAgentWithTheRefusalOfAnother() {
        assertThat(decode(change(), null)).isInstanceOf(MembershipRefused.class);

        assertThat(decode(change(), three)).isInstanceOf(MembershipDecoded.class);
    }

    @Test
    void shouldStayInStepAfterADifferenceThatIsNotNewer() {
        RingMembership four = ring(decode(change(), three));

        assertThat(decode(change().setResultDigest(1), four))
                .isInstanceOfSatisfying(
                        MembershipRefused.class,
                        refused -> assertThat(refused.outOfStep()).isFalse());
    }
}
