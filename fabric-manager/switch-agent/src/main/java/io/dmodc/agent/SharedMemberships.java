package io.dmodc.agent;

import io.dmodc.detector.Membership;
import io.dmodc.southbound.proto.Member;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Decoded memberships, shared by all agents of a process: a thousand agents are told the same thousand members, and a
 * list of their own each would be a million addresses. Keeps the last {@value #MAX_KEPT} of different content.
 */
final class SharedMemberships {
    /** More than one only while agents still move from one membership to the next, or serve several fabrics. */
    static final int MAX_KEPT = 4;

    private static final SharedMemberships PROCESS = new SharedMemberships();

    private final Deque<Decoded> kept = new ArrayDeque<>();

    /**
     * One membership in the detector's form.
     *
     * @param members as received, to recognise it by
     * @param addresses where each slot's detector receives, in slot order, immutable
     */
    record Decoded(List<Member> members, Membership membership, List<InetSocketAddress> addresses) {}

    /** Returns the one of this process. */
    static SharedMemberships ofProcess() {
        return PROCESS;
    }

    /**
     * Decodes a checked membership, or finds it decoded.
     *
     * @throws IllegalArgumentException when the detector refuses it
     */
    synchronized Decoded decode(io.dmodc.southbound.proto.Membership received) {
        for (Decoded decoded : kept) {
            if (decoded.membership().epoch() == received.getEpoch()
                    && decoded.membership().cluster() == received.getCluster()
                    && decoded.members().equals(received.getMembersList())) {
                return decoded;
            }
        }
        Decoded decoded = create(received);
        if (kept.size() == MAX_KEPT) {
            kept.removeLast();
        }
        kept.addFirst(decoded);
        return decoded;
    }

    private static Decoded create(io.dmodc.southbound.proto.Membership received) {
        List<Member> members = received.getMembersList();
        long[] guids = members.stream().mapToLong(Member::getGuid).toArray();
        int[] incarnations = members.stream().mapToInt(Member::getIncarnation).toArray();
        List<InetSocketAddress> addresses = new ArrayList<>(members.size());
        members.forEach(member -> addresses.add(address(member)));
        Membership membership = new Membership(received.getEpoch(), received.getCluster(), guids, incarnations);
        return new Decoded(members, membership, List.copyOf(addresses));
    }

    private static InetSocketAddress address(Member member) {
        try {
            byte[] bytes = member.getDetector().getAddress().toByteArray();
            return new InetSocketAddress(
                    InetAddress.getByAddress(bytes), member.getDetector().getPort());
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("membership: " + e.getMessage(), e);
        }
    }
}
