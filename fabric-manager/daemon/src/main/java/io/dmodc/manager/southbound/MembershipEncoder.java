package io.dmodc.manager.southbound;

import com.google.protobuf.ByteString;
import io.dmodc.detector.Overlay;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.southbound.MembershipFrames.Ring;
import io.dmodc.southbound.ListEdit;
import io.dmodc.southbound.MembershipDigest;
import io.dmodc.southbound.proto.Endpoint;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.Member;
import io.dmodc.southbound.proto.Membership;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Rings into frames: whole, or as the edit of an earlier ring. Pure. */
final class MembershipEncoder {
    private MembershipEncoder() {}

    /** @param manager stands where a member's address has no host */
    static ManagerFrame whole(Ring ring, InetAddress manager) {
        Membership.Builder frame = rules(ring);
        ring.membership().members().forEach(member -> frame.addMembers(wire(member, manager)));
        return frame(frame);
    }

    /**
     * A member whose address has no host is always told again: the agent may hold the base from a session that led to
     * another address.
     *
     * @param base the ring the agent holds
     */
    static ManagerFrame difference(Ring base, Ring ring, InetAddress manager) {
        List<Effect.Member> members = ring.membership().members();
        ListEdit<Effect.Member> edit = ListEdit.between(
                base.membership().members(),
                members,
                member -> member.address().host().isEmpty());
        Membership.Builder frame = rules(ring)
                .setBaseEpoch(base.epoch())
                .addAllEdit(edit.script())
                .setResultDigest(digest(members, manager));
        edit.inserted().forEach(member -> frame.addMembers(wire(member, manager)));
        return frame(frame);
    }

    /** The members serialised, however many sessions they are sent to. */
    private static ManagerFrame frame(Membership.Builder membership) {
        return ManagerFrame.newBuilder()
                .setMembership(membership.build().toByteString())
                .build();
    }

    private static Membership.Builder rules(Ring ring) {
        return Membership.newBuilder()
                .setEpoch(ring.epoch())
                .setCluster(ring.cluster())
                .setHeartbeatNanos(ring.rules().heartbeatNanos())
                .setSuspicionNanos(ring.rules().suspicionNanos())
                .setAskingWidth(ring.rules().askingWidth())
                .setOpinions(ring.rules().opinions())
                .setOverlay(overlay(ring.rules().overlay()));
    }

    private static Membership.Overlay overlay(Overlay.Kind kind) {
        return switch (kind) {
            case BINOMIAL -> Membership.Overlay.BINOMIAL;
            case HYPERCUBE -> Membership.Overlay.HYPERCUBE;
        };
    }

    private static Member wire(Effect.Member member, InetAddress manager) {
        return Member.newBuilder()
                .setGuid(member.guid())
                .setIncarnation(member.incarnation())
                .setDetector(Endpoint.newBuilder()
                        .setAddress(ByteString.copyFrom(address(member.address(), manager)))
                        .setPort(member.address().port()))
                .build();
    }

    private static long digest(List<Effect.Member> members, InetAddress manager) {
        MembershipDigest digest = new MembershipDigest(members.size());
        members.forEach(member -> digest.add(
                member.guid(),
                member.incarnation(),
                address(member.address(), manager),
                member.address().port()));
        return digest.value();
    }

    private static byte[] address(RingAddress address, InetAddress manager) {
        try {
            InetAddress host = address.host().isEmpty() ? manager : InetAddress.getByName(address.host());
            return host.getAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException("a ring address that is not numeric: " + address.host(), e);
        }
    }
}
