package io.dmodc.agent;

import io.dmodc.detector.Overlay;
import io.dmodc.detector.RingRules;
import io.dmodc.southbound.MembershipDigest;
import io.dmodc.southbound.proto.Member;
import io.dmodc.southbound.proto.Membership;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.IntStream;

/** One slot of a ring, between the protocol's words and the detector's; memberships are edited in these. */
record RingMember(long guid, int incarnation, InetSocketAddress address) {

    /** @throws IllegalArgumentException when its address is none */
    static RingMember of(Member member) {
        try {
            byte[] bytes = member.getDetector().getAddress().toByteArray();
            InetAddress address = InetAddress.getByAddress(bytes);
            return new RingMember(
                    member.getGuid(),
                    member.getIncarnation(),
                    new InetSocketAddress(address, member.getDetector().getPort()));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("membership: " + e.getMessage(), e);
        }
    }

    static List<RingMember> allOf(RingMembership ring) {
        return IntStream.range(0, ring.slots().slotCount())
                .mapToObj(slot -> new RingMember(
                        ring.slots().guid(slot),
                        ring.slots().incarnation(slot),
                        ring.addresses().get(slot)))
                .toList();
    }

    static long digest(List<RingMember> members) {
        MembershipDigest digest = new MembershipDigest(members.size());
        for (RingMember member : members) {
            InetSocketAddress at = member.address();
            digest.add(member.guid(), member.incarnation(), at.getAddress().getAddress(), at.getPort());
        }
        return digest.value();
    }

    /**
     * Makes a ring of them.
     *
     * @param received says everything else
     * @throws IllegalArgumentException in one line when the detector cannot use it
     */
    static RingMembership membership(Membership received, List<RingMember> members) {
        long[] guids = members.stream().mapToLong(RingMember::guid).toArray();
        int[] incarnations = members.stream().mapToInt(RingMember::incarnation).toArray();
        return new RingMembership(
                new io.dmodc.detector.Membership(received.getEpoch(), received.getCluster(), guids, incarnations),
                members.stream().map(RingMember::address).toList(),
                rules(received));
    }

    private static RingRules rules(Membership received) {
        boolean hypercube = received.getOverlay() == Membership.Overlay.HYPERCUBE;
        return new RingRules(
                received.getHeartbeatNanos(),
                received.getSuspicionNanos(),
                received.getAskingWidth(),
                received.getOpinions(),
                hypercube ? Overlay.Kind.HYPERCUBE : Overlay.Kind.BINOMIAL);
    }
}
