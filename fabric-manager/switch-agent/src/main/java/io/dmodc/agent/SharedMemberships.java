package io.dmodc.agent;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.dmodc.agent.AgentEvent.MembershipDecoded;
import io.dmodc.agent.AgentEvent.MembershipRefused;
import io.dmodc.southbound.ListEdit;
import io.dmodc.southbound.ManagerCheck;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.proto.Membership;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Memberships, decoded once for all agents of a process: a thousand agents are told the same thousand members, and a list
 * of their own each would be a million addresses, and a million messages to parse. They are recognised by their bytes and
 * by what a difference stands on; equal results are one object, whether told whole or as a difference. Keeps the last {@value #MAX_KEPT} of different content, usable or not. May be used from any thread.
 */
public final class SharedMemberships {
    /** More than one only while agents still move from one membership to the next, or serve several fabrics. */
    static final int MAX_KEPT = 4;

    private static final SharedMemberships PROCESS = new SharedMemberships();

    private final Deque<Known> kept = new ArrayDeque<>();

    /** @param base what the agent held; counts for a difference only */
    private record Known(
            ByteString bytes, boolean difference, @Nullable RingMembership base, AgentEvent outcome) {
        @SuppressWarnings(
                "ReferenceEquality") // agents of a process share their rings; comparing members would cost O(n)
        boolean answers(ByteString asked, @Nullable RingMembership held) {
            return (!difference || base == held) && bytes.equals(asked);
        }
    }

    /** Returns the one of this process. */
    public static SharedMemberships ofProcess() {
        return PROCESS;
    }

    /**
     * Decodes and checks a membership, or finds it decoded.
     *
     * @param bytes as received; must not change any more
     * @param held what a difference may stand on: the newest membership the agent was told, null before the first
     * @return {@code MembershipDecoded} or {@code MembershipRefused}, one and the same object for equal bytes that stand on
     *     the same
     */
    public synchronized AgentEvent decode(ByteString bytes, @Nullable RingMembership held) {
        for (Known known : kept) {
            if (known.answers(bytes, held)) {
                return known.outcome();
            }
        }
        Known decoded = decodedAnew(bytes, held);
        if (kept.size() == MAX_KEPT) {
            kept.removeLast();
        }
        kept.addFirst(decoded);
        return decoded.outcome();
    }

    private Known decodedAnew(ByteString bytes, @Nullable RingMembership held) {
        try {
            Membership received = Membership.parseFrom(bytes);
            boolean difference = received.getBaseEpoch() != 0;
            return new Known(bytes, difference, difference ? held : null, outcome(received, difference, held));
        } catch (InvalidProtocolBufferException e) {
            String why = "Membership of " + bytes.size() + " bytes: " + e.getMessage();
            return new Known(bytes, false, null, new MembershipRefused(why, false));
        }
    }

    private AgentEvent outcome(Membership received, boolean difference, @Nullable RingMembership held) {
        boolean newer = held == null || received.getEpoch() > held.slots().epoch();
        try {
            Optional<String> wrong = ManagerCheck.invalid(received);
            if (wrong.isPresent()) {
                return new MembershipRefused(wrong.get(), difference && newer);
            }
            List<RingMember> inserted =
                    received.getMembersList().stream().map(RingMember::of).toList();
            List<RingMember> members = difference ? edited(received, inserted, held) : inserted;
            return shared(RingMember.membership(received, members));
        } catch (IllegalArgumentException refusedHereOrByTheDetector) {
            return new MembershipRefused(String.valueOf(refusedHereOrByTheDetector.getMessage()), difference && newer);
        }
    }

    private static List<RingMember> edited(
            Membership received, List<RingMember> inserted, @Nullable RingMembership held) {
        if (held == null || held.slots().epoch() != received.getBaseEpoch()) {
            throw new IllegalArgumentException(
                    "membership epoch " + received.getEpoch() + ": a difference against epoch "
                            + received.getBaseEpoch() + ", this agent holds "
                            + (held == null ? "none" : held.slots().epoch()));
        }
        List<RingMember> members = new ListEdit<>(received.getEditList(), inserted)
                .apply(RingMember.allOf(held), SouthboundProtocol.MAX_MEMBERS);
        long digest = RingMember.digest(members);
        if (digest != received.getResultDigest()) {
            throw new IllegalArgumentException(String.format(
                    "membership epoch %d: digest 0x%016x after the edit, meant was 0x%016x",
                    received.getEpoch(), digest, received.getResultDigest()));
        }
        return members;
    }

    /** What was told whole to one agent and as a difference to another is kept once. */
    private AgentEvent shared(RingMembership ring) {
        for (Known known : kept) {
            if (known.outcome() instanceof MembershipDecoded same && same.ring().sameAs(ring)) {
                return same;
            }
        }
        return new MembershipDecoded(ring);
    }
}
