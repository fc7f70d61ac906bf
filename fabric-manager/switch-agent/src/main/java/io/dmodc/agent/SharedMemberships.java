package io.dmodc.agent;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.dmodc.agent.AgentEvent.MembershipDecoded;
import io.dmodc.agent.AgentEvent.MembershipRefused;
import io.dmodc.detector.Overlay;
import io.dmodc.detector.RingRules;
import io.dmodc.southbound.ManagerCheck;
import io.dmodc.southbound.proto.Member;
import io.dmodc.southbound.proto.Membership;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Memberships, decoded once for all agents of a process: a thousand agents are told the same thousand members, and a list
 * of their own each would be a million addresses, and a million messages to parse. They are recognised by their bytes.
 * Keeps the last {@value #MAX_KEPT} of different content, usable or not. May be used from any thread.
 */
public final class SharedMemberships {
    /** More than one only while agents still move from one membership to the next, or serve several fabrics. */
    static final int MAX_KEPT = 4;

    private static final SharedMemberships PROCESS = new SharedMemberships();

    private final Deque<Known> kept = new ArrayDeque<>();

    private record Known(ByteString bytes, AgentEvent outcome) {}

    /** Returns the one of this process. */
    public static SharedMemberships ofProcess() {
        return PROCESS;
    }

    /**
     * Decodes and checks a membership, or finds it decoded.
     *
     * @param bytes as received; must not change any more
     * @return {@code MembershipDecoded} or {@code MembershipRefused}, one and the same object for equal bytes
     */
    public synchronized AgentEvent decode(ByteString bytes) {
        for (Known known : kept) {
            if (known.bytes().equals(bytes)) {
                return known.outcome();
            }
        }
        AgentEvent outcome = outcome(bytes);
        if (kept.size() == MAX_KEPT) {
            kept.removeLast();
        }
        kept.addFirst(new Known(bytes, outcome));
        return outcome;
    }

    private static AgentEvent outcome(ByteString bytes) {
        try {
            Membership received = Membership.parseFrom(bytes);
            Optional<String> wrong = ManagerCheck.invalid(received);
            return wrong.isPresent() ? new MembershipRefused(wrong.get()) : new MembershipDecoded(decoded(received));
        } catch (InvalidProtocolBufferException e) {
            return new MembershipRefused("Membership of " + bytes.size() + " bytes: " + e.getMessage());
        } catch (IllegalArgumentException refusedByTheDetector) {
            return new MembershipRefused(String.valueOf(refusedByTheDetector.getMessage()));
        }
    }

    private static RingMembership decoded(Membership received) {
        List<Member> members = received.getMembersList();
        long[] guids = members.stream().mapToLong(Member::getGuid).toArray();
        int[] incarnations = members.stream().mapToInt(Member::getIncarnation).toArray();
        List<InetSocketAddress> addresses = new ArrayList<>(members.size());
        members.forEach(member -> addresses.add(address(member)));
        return new RingMembership(
                new io.dmodc.detector.Membership(received.getEpoch(), received.getCluster(), guids, incarnations),
                addresses,
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
