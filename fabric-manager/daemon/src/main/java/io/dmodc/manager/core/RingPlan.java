package io.dmodc.manager.core;

import io.dmodc.detector.FailureDomains;
import io.dmodc.detector.RingOrder;
import io.dmodc.manager.core.Effect.Member;
import io.dmodc.manager.core.Effect.Membership;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who takes part in the heartbeat ring, in which order, under which epoch.
 *
 * <p>The order is {@link RingOrder}'s: neighbours in the ring share no pod, rack or power feed where that is possible, so
 * the loss of one does not cut many neighbours out of the ring at once. A switch that joins is inserted; nearly all
 * others keep their neighbours. An agent stays a member while it is silent: the ring itself tells its return. One whose session
 * ended stays for {@link FabricRules#RING_GONE_NANOS}, long enough for a restart. Pods are
 * those of the fullest fabric seen; when they are first known, or known better, the ring is drawn anew.
 *
 * <p>A higher incarnation alone needs no new ring: the members tell it each other, and take it over what the membership
 * says. Changes are collected until they have been quiet for a while, but not longer than
 * {@link FabricRules#RING_WAIT_MAX_NANOS} after the first (or than the quiet time, where that is longer): agents that
 * come and go without end keep nobody unwatched.
 */
final class RingPlan {
    private FabricRules rules;
    private @Nullable Member own;
    private Map<Long, String> pods = Map.of();
    private int podLinks;
    private long epoch;
    private Membership current = new Membership(0, List.of());
    private List<RingOrder.Violation> violations = List.of();
    private List<RingOrder.Run> worstRuns = List.of();
    private Map<Long, RingAddress> places = Map.of();
    private int leftOut;
    private long firstChangeNanos;
    private long dueNanos = Long.MAX_VALUE;
    private long goneDueNanos = Long.MAX_VALUE;

    /** Another manager draws the rings. */
    private boolean stopped;

    /** The epoch must rise with the next ring, whoever is in it. */
    private boolean renumber;

    RingPlan(FabricRules rules) {
        this.rules = rules;
    }

    /** The ring is drawn by these rules soon; nobody is told when that changes nothing. */
    void follow(FabricRules newRules, long nowNanos) {
        rules = newRules;
        changed(nowNanos);
    }

    Membership current() {
        return current;
    }

    /** Neighbours in the current ring that share a domain although they should not. */
    List<RingOrder.Violation> violations() {
        return violations;
    }

    /** For each kind of domain, the longest row of members in one. */
    List<RingOrder.Run> worstRuns() {
        return worstRuns;
    }

    /** How many agents the current ring has no place for; none of them has a session unless there are too many sessions. */
    int leftOut() {
        return leftOut;
    }

    /** Takes note that members changed; agents are told once joins have been quiet for a while. */
    void changed(long nowNanos) {
        long quiet = rules.membershipQuietNanos();
        firstChangeNanos = dueNanos == Long.MAX_VALUE ? nowNanos : firstChangeNanos;
        dueNanos = Math.min(nowNanos + quiet, firstChangeNanos + Math.max(quiet, FabricRules.RING_WAIT_MAX_NANOS));
    }

    /** True if the present ring has this agent where it is, or rightly does not have one that takes no part. */
    boolean holds(long guid, RingAddress address) {
        RingAddress place = places.get(guid);
        return address.port() == 0 ? place == null : address.equals(place);
    }

    /** Gives the manager a place of its own, once, in every ring from the next on. */
    void takePlace(Member manager) {
        own = manager;
    }

    boolean hasPlace() {
        return own != null;
    }

    boolean isOwn(long guid) {
        return own != null && own.guid() == guid;
    }

    /** Where the manager's place receives heartbeats, 0 when it has none. */
    int ownPort() {
        return own == null ? 0 : own.address().port();
    }

    /** The manager's incarnation, as it must say from now on to be believed alive. */
    void raised(int incarnation) {
        if (own != null) {
            own = new Member(own.guid(), incarnation, own.address());
        }
    }

    /** Looks for pods in a view that is fuller than all before it. */
    void looksAt(FabricView view, long nowNanos) {
        if (view.linkCount() > podLinks) {
            podLinks = view.linkCount();
            Map<Long, String> seen = Pods.of(view);
            if (!seen.equals(pods)) {
                pods = seen;
                changed(nowNanos);
            }
        }
    }

    /** An agent is gone; if it stays away, the next ring is one without it. */
    void departed(long nowNanos) {
        goneDueNanos = Math.min(goneDueNanos, nowNanos + FabricRules.RING_GONE_NANOS);
    }

    /** Draws no ring any more. */
    void stop() {
        stopped = true;
    }

    long nextDeadline() {
        return stopped ? Long.MAX_VALUE : Math.min(dueNanos, goneDueNanos);
    }

    /** Draws the ring anew if that is due; false if it stays as it is. */
    boolean renew(long nowNanos, Iterable<SwitchRecord> switches) {
        if (nowNanos < nextDeadline()) {
            return false;
        }
        // Due until it is drawn: a drawing that fails is tried again.
        dueNanos = nowNanos;
        goneDueNanos = Long.MAX_VALUE;
        List<Member> members = members(nowNanos, switches);
        if (own != null && !members.isEmpty()) {
            members.add(own);
        }
        boolean another = adopt(members);
        dueNanos = Long.MAX_VALUE;
        return another;
    }

    /** Agents refuse a ring of more members than there may be: those without a session have no place then, as far as need be. */
    private List<Member> members(long nowNanos, Iterable<SwitchRecord> switches) {
        List<Member> members = new ArrayList<>();
        List<Member> gone = new ArrayList<>();
        for (SwitchRecord record : switches) {
            if (record.ringAddress.port() != 0 && belongs(record, nowNanos)) {
                (record.session == 0 ? gone : members)
                        .add(new Member(record.guid, record.incarnation, record.ringAddress));
            }
        }
        members.addAll(gone);
        int places = FabricRules.RING_MEMBERS_MAX - (own == null ? 0 : 1);
        leftOut = Math.max(0, members.size() - places);
        return new ArrayList<>(members.subList(0, members.size() - leftOut));
    }

    /** An agent that restarts keeps its place; one that is away for longer must not be counted as a member. */
    private boolean belongs(SwitchRecord record, long nowNanos) {
        if (record.session != 0) {
            return true;
        }
        long until = record.goneSinceNanos + FabricRules.RING_GONE_NANOS;
        if (nowNanos < until) {
            goneDueNanos = Math.min(goneDueNanos, until);
        }
        return nowNanos < until;
    }

    private boolean adopt(List<Member> members) {
        long[] guids = members.stream().mapToLong(Member::guid).toArray();
        RingOrder order = RingOrder.of(rules.ringSeed(), guids, domains(members));
        List<Member> ordered = new ArrayList<>(guids.length);
        for (int slot = 0; slot < guids.length; slot++) {
            ordered.add(members.get(order.member(slot)));
        }
        violations = order.violations();
        worstRuns = order.worstRuns();
        if (!renumber && sameRing(ordered)) {
            return false;
        }
        renumber = false;
        current = new Membership(++epoch, ordered);
        Map<Long, RingAddress> drawn = new HashMap<>();
        ordered.forEach(member -> drawn.put(member.guid(), member.address()));
        places = drawn;
        return true;
    }

    /** The same members at the same addresses in the same order, in whatever incarnation. */
    private boolean sameRing(List<Member> ordered) {
        List<Member> before = current.members();
        boolean same = ordered.size() == before.size();
        for (int slot = 0; same && slot < ordered.size(); slot++) {
            same = ordered.get(slot).guid() == before.get(slot).guid()
                    && ordered.get(slot).address().equals(before.get(slot).address());
        }
        return same;
    }

    private FailureDomains domains(List<Member> members) {
        FailureDomains domains = new FailureDomains(members.size());
        for (int i = 0; i < members.size(); i++) {
            int member = i;
            long guid = members.get(i).guid();
            if (isOwn(guid)) {
                rules.domains().forManager((kind, domain) -> domains.put(member, kind, domain));
                continue;
            }
            String pod = pods.get(guid);
            if (pod != null && !rules.domains().namesPodOf(guid)) {
                domains.put(member, SwitchDomains.POD, pod);
            }
            rules.domains().forSwitch(guid, (kind, domain) -> domains.put(member, kind, domain));
        }
        return domains;
    }

    /**
     * The epoch must never go back for an agent that outlived this manager's predecessor; the next ring has a higher one
     * than this, also if its members are the same.
     */
    void startAt(long firstEpoch) {
        epoch = firstEpoch;
        renumber = !current.members().isEmpty();
    }
}
