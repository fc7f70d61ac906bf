package io.dmodc.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.dmodc.agent.AgentEvent.MembershipDecoded;
import io.dmodc.agent.AgentEvent.MembershipRefused;
import io.dmodc.southbound.proto.Endpoint;
import io.dmodc.southbound.proto.Member;
import io.dmodc.southbound.proto.Membership;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class SharedMembershipsTest {
    private static final Membership ONE = Membership.newBuilder()
            .setEpoch(5)
            .setCluster(3)
            .setHeartbeatNanos(1)
            .setSuspicionNanos(2)
            .addMembers(Member.newBuilder()
                    .setGuid(0x10)
                    .setIncarnation(7)
                    .setDetector(Endpoint.newBuilder()
                            .setAddress(ByteString.copyFrom(new byte[] {127, 0, 0, 1}))
                            .setPort(9)))
            .build();

    private final SharedMemberships shared = new SharedMemberships();

    private AgentEvent decode(Membership.Builder membership) {
        return shared.decode(membership.build().toByteString(), null);
    }

    private String refusal(ByteString bytes) {
        assertThat(shared.decode(bytes, null)).isInstanceOf(MembershipRefused.class);
        return ((MembershipRefused) shared.decode(bytes, null)).why();
    }

    private String refusal(Membership.Builder membership) {
        return refusal(membership.build().toByteString());
    }

    @Test
    void shouldDecode() throws Exception {
        RingMembership ring = ((MembershipDecoded) decode(ONE.toBuilder())).ring();

        assertThat(ring.slots().epoch()).isEqualTo(5);
        assertThat(ring.slots().cluster()).isEqualTo(3);
        assertThat(ring.slots().slotOf(0x10)).isZero();
        assertThat(ring.slots().incarnation(0)).isEqualTo(7);
        assertThat(ring.rules().suspicionNanos()).isEqualTo(2);
        assertThat(ring.addresses())
                .containsExactly(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 9));
    }

    @Test
    void shouldDecodeEqualBytesOnce() {
        AgentEvent first = decode(ONE.toBuilder());

        assertThat(decode(ONE.toBuilder())).isSameAs(first);
        assertThat(decode(ONE.toBuilder().setSuspicionNanos(3))).isNotSameAs(first);
        AgentEvent refused = decode(ONE.toBuilder().setSuspicionNanos(1));
        assertThat(decode(ONE.toBuilder().setSuspicionNanos(1))).isSameAs(refused);
    }

    @Test
    void shouldForgetTheOldestAtTheBound() {
        AgentEvent first = decode(ONE.toBuilder());
        AgentEvent second = decode(ONE.toBuilder().setEpoch(6));
        for (int i = 2; i <= SharedMemberships.MAX_KEPT; i++) {
            decode(ONE.toBuilder().setEpoch(5 + i));
        }

        assertThat(decode(ONE.toBuilder().setEpoch(6))).isSameAs(second);
        assertThat(decode(ONE.toBuilder())).isNotSameAs(first).isInstanceOf(MembershipDecoded.class);
    }

    @Test
    void shouldSayWhatCannotBeUsed() {
        assertThat(refusal(ByteString.copyFrom(new byte[] {0x32, 0x7f, 1})))
                .startsWith("Membership of 3 bytes: ")
                .hasLineCount(1);
        assertThat(refusal(ONE.toBuilder().setSuspicionNanos(1))).contains("expected 0 < heartbeat < suspicion");
        assertThat(refusal(ONE.toBuilder().addMembers(ONE.getMembers(0)))).contains("0x0000000000000010");
        assertThat(refusal(ONE.toBuilder().setEpoch(-1))).contains("epoch -1, expected above 0");
        assertThat(refusal(ONE.toBuilder().clearMembers())).contains("0 slots");
    }
}
