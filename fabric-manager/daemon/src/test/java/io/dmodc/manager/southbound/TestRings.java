package io.dmodc.manager.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.dmodc.detector.FailureDomains;
import io.dmodc.detector.RingOrder;
import io.dmodc.detector.RingRules;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.southbound.MembershipFrames.Ring;
import io.dmodc.southbound.ListEdit;
import io.dmodc.southbound.MembershipDigest;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.Member;
import io.dmodc.southbound.proto.Membership;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rings as the manager draws them, and what an agent makes of their frames. */
final class TestRings {
    static final RingRules RULES = RingRules.published(500_000_000L, 2_000_000_000L);

    /** Incarnations begin with the second of a start, so they are numbers of ten digits. */
    private static final int STARTED = 1_767_225_600;

    private TestRings() {}

    /** A switch's agent on a management network of its own address. */
    static Effect.Member agent(int number, int incarnation) {
        String host = "10." + (number >> 16) + "." + (number >> 8 & 255) + "." + (number & 255);
        return new Effect.Member(0x2c90_0000_0000_0000L + number, STARTED + incarnation, new RingAddress(host, 7471));
    }

    /** The manager itself, where each agent's session leads. */
    static Effect.Member manager() {
        return new Effect.Member(SouthboundProtocol.managerGuid(0), STARTED, new RingAddress("", 7472));
    }

    static List<Effect.Member> agents(int count) {
        List<Effect.Member> agents = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            agents.add(agent(i, 1));
        }
        return agents;
    }

    static Ring ring(long epoch, List<Effect.Member> members) {
        return new Ring(new Effect.Membership(epoch, members), 7, RULES);
    }

    /** In the order the core would draw: scattered, no two neighbours of the same 64 agents' pod. */
    static Ring drawn(long epoch, List<Effect.Member> members) {
        long[] guids = members.stream().mapToLong(Effect.Member::guid).toArray();
        FailureDomains domains = new FailureDomains(guids.length);
        for (int i = 0; i < guids.length; i++) {
            if (!SouthboundProtocol.isManagerGuid(guids[i])) {
                domains.put(i, "pod", "pod" + (guids[i] & 0xffff) / 64);
            }
        }
        RingOrder order = RingOrder.of(1, guids, domains);
        List<Effect.Member> ordered = new ArrayList<>();
        for (int slot = 0; slot < guids.length; slot++) {
            ordered.add(members.get(order.member(slot)));
        }
        return ring(epoch, ordered);
    }

    static Membership membership(ByteBuf frame) {
        try {
            byte[] bytes = ByteBufUtil.getBytes(frame);
            assertThat(frame.getInt(0)).as("its length").isEqualTo(bytes.length - 4);
            ManagerFrame parsed = ManagerFrame.parseFrom(Arrays.copyOfRange(bytes, 4, bytes.length));
            return Membership.parseFrom(parsed.getMembership());
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    /** What an agent that holds {@code held} has afterwards, as the protocol's document says. */
    static List<Member> after(List<Member> held, Membership told) {
        if (told.getBaseEpoch() == 0) {
            return told.getMembersList();
        }
        List<Member> members =
                new ListEdit<>(told.getEditList(), told.getMembersList()).apply(held, SouthboundProtocol.MAX_MEMBERS);
        MembershipDigest digest = new MembershipDigest(members.size());
        members.forEach(member -> digest.add(
                member.getGuid(),
                member.getIncarnation(),
                member.getDetector().getAddress().toByteArray(),
                member.getDetector().getPort()));
        assertThat(digest.value()).isEqualTo(told.getResultDigest());
        return members;
    }
}
