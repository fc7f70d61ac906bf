package io.dmodc.manager.core;

import io.dmodc.manager.core.Effect.Member;
import io.dmodc.manager.core.Effect.Membership;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Who takes part in the heartbeat ring, in which order, under which epoch.
 *
 * <p>The order is a seeded permutation of the GUIDs: switches next to each other in the fabric are not next to each
 * other in the ring, so the loss of a pod does not cut many neighbours out of the ring at once. A switch that joins is
 * inserted; the others keep their order. An agent stays a member while it is silent: the ring itself tells its return.
 */
final class RingPlan {
    private final FabricRules rules;
    private long epoch;
    private Membership current = new Membership(0, List.of());
    private long dueNanos = Long.MAX_VALUE;

    RingPlan(FabricRules rules) {
        this.rules = rules;
    }

    Membership current() {
        return current;
    }

    /** Takes note that members changed; agents are told once joins have been quiet for a while. */
    void changed(long nowNanos) {
        dueNanos = nowNanos + rules.membershipQuietNanos();
    }

    long nextDeadline() {
        return dueNanos;
    }

    /** Draws the ring anew if that is due. */
    boolean renew(long nowNanos, Iterable<SwitchRecord> switches) {
        if (nowNanos < dueNanos) {
            return false;
        }
        dueNanos = Long.MAX_VALUE;
        List<Member> members = new ArrayList<>();
        for (SwitchRecord record : switches) {
            if (record.ringAddress.port() != 0) {
                members.add(new Member(record.guid, record.incarnation, record.ringAddress));
            }
        }
        members.sort(Comparator.comparingLong((Member member) -> place(member.guid()))
                .thenComparing(Member::guid, Long::compareUnsigned));
        if (members.equals(current.members())) {
            return false;
        }
        current = new Membership(++epoch, members);
        return true;
    }

    /** The epoch must never go back for an agent that outlived this manager's predecessor. */
    void startAt(long firstEpoch) {
        epoch = firstEpoch;
    }

    /** A bijection on 64 bits (the finaliser of SplitMix64), so that GUIDs never share a place. */
    private long place(long guid) {
        long z = guid + rules.ringSeed() * 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
