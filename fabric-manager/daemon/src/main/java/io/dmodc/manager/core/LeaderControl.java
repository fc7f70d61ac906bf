package io.dmodc.manager.core;

import static io.dmodc.manager.core.LoggedEvent.Severity.ALARM;
import static io.dmodc.manager.core.LoggedEvent.Severity.INFO;
import static io.dmodc.manager.core.LoggedEvent.Severity.WARNING;

import io.dmodc.manager.core.Effect.DismissReason;
import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.RevokeHeard;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.topology.Guid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Carries out what {@link Leadership} decides: agents that obey a higher leader epoch wait for ours to be raised, and a
 * manager that steps down falls quiet.
 *
 * <p>An agent whose Hello waits gets neither Welcome nor refusal; after the protocol's time for a Hello it gives up and
 * comes again. Agents welcomed under the leader epoch before learn the new one from the revocation in the ring and from
 * a push: those that hold what they should get one that changes nothing. At most one Hello waits for each session.
 */
final class LeaderControl {
    /** How often the same agent is named for a leader epoch out of reach. */
    private static final long NAMED_AGAIN_NANOS = 3_600_000_000_000L;

    private static final int NAMED_MAX = 256;

    private final FabricState state;
    private final TableDistributor distributor;

    /** By session. */
    private final Map<Long, AgentJoined> waiting = new TreeMap<>();

    /** When agents were last named, by GUID, the oldest first. */
    private final Map<Long, Long> named = new LinkedHashMap<>();

    /** Batch of records with the leader epoch that is being raised. */
    private long raisedIn;

    LeaderControl(FabricState state, TableDistributor distributor) {
        this.state = state;
        this.distributor = distributor;
    }

    /** True if this agent may be welcomed now. */
    boolean admits(AgentJoined joined, List<Effect> effects) {
        long held = joined.table().leaderEpoch();
        long before = state.leadership.raising();
        switch (state.leadership.hello(joined.guid(), held, joined.nowNanos(), state.discovering)) {
            case WELCOME -> {
                return true;
            }
            case OUTBID -> {
                waiting.put(joined.session(), joined);
                long raised = state.leadership.raising();
                // Tables of the leader epoch before do not wait for it.
                state.records.observed(new LeaderEpoch(raised));
                raisedIn = state.records.lastNumber() + 1;
                if (before == 0) {
                    tell(
                            effects,
                            joined,
                            WARNING,
                            "obeys leader epoch " + held + ", this manager has " + state.leaderEpoch() + ": it takes "
                                    + raised);
                }
            }
            case WAIT -> waiting.put(joined.session(), joined);
            case REFUSE -> refuse(joined, "at most " + Leadership.JUMP_MAX + " more are believed", effects);
            case REFUSE_OFTEN ->
                refuse(joined, "and had that raised " + Leadership.OUTBIDS_OF_ONE_MAX + " times", effects);
            case STEP_DOWN ->
                stepDown(
                        joined.nowNanos(),
                        "leader epoch " + held + " is obeyed by " + joined.name() + " after " + Leadership.OUTBIDS_MAX
                                + " outbids in a row",
                        effects);
            case IGNORE -> {
                // Whoever it obeys leads; it gives up by itself.
            }
        }
        return false;
    }

    private void refuse(AgentJoined joined, String why, List<Effect> effects) {
        String text = "claims to obey leader epoch "
                + Long.toUnsignedString(joined.table().leaderEpoch()) + ", this manager has " + state.leaderEpoch()
                + ", " + why;
        effects.add(new Effect.Dismiss(joined.session(), DismissReason.INVALID_HELLO, "it " + text));
        Long last = named.get(joined.guid());
        if (last == null || joined.nowNanos() - last >= NAMED_AGAIN_NANOS) {
            named.remove(joined.guid());
            if (named.size() >= NAMED_MAX) {
                named.remove(named.keySet().iterator().next());
            }
            named.put(joined.guid(), joined.nowNanos());
            tell(effects, joined, WARNING, text + ": refused");
        }
    }

    /** A session ended. */
    void left(long session) {
        waiting.remove(session);
    }

    /**
     * The store has come further: a raised leader epoch may be durable now.
     *
     * @return agents that waited, to be greeted now
     */
    List<AgentJoined> persisted(long nowNanos, List<Effect> effects) {
        long raising = state.leadership.raising();
        if (raising == 0 || !state.records.isPersisted(raisedIn) || !state.leadership.stored(raising)) {
            return List.of();
        }
        if (!state.leadership.deposed()) {
            tell(effects, nowNanos, INFO, "leader epoch is " + state.leaderEpoch() + " now");
            state.ring.startAt(state.leaderEpoch() << 32);
            state.ring.changed(nowNanos);
            distributor.leaderRaised(nowNanos, effects);
        }
        return takeWaiting(nowNanos);
    }

    /** Agents that waited until another outbid is allowed, to be greeted now. */
    List<AgentJoined> timePassed(long nowNanos) {
        return nowNanos >= nextDeadline() ? takeWaiting(nowNanos) : List.of();
    }

    private List<AgentJoined> takeWaiting(long nowNanos) {
        List<AgentJoined> taken = new ArrayList<>(waiting.size());
        waiting.values().forEach(joined -> taken.add(joined.at(nowNanos)));
        waiting.clear();
        return taken;
    }

    /** When agents that wait are looked at again; {@code Long.MAX_VALUE}: none wait, or the disk has the word. */
    long nextDeadline() {
        return waiting.isEmpty() || state.leadership.raising() != 0
                ? Long.MAX_VALUE
                : state.leadership.nextOutbidNanos();
    }

    /** A higher leader epoch in the ring is another manager that leads: this one steps down. */
    void revokeHeard(RevokeHeard heard, List<Effect> effects) {
        long leader = heard.leaderEpoch();
        if (leader < 0 || leader > Leadership.EPOCH_MAX) {
            String text = "the ring revokes tables below leader epoch " + Long.toUnsignedString(leader)
                    + ", which no manager can have: not obeyed";
            tell(effects, heard.nowNanos(), WARNING, text);
        } else if (state.leadership.revokeHeard(leader)) {
            stepDown(heard.nowNanos(), "another manager took over with leader epoch " + leader, effects);
        }
    }

    private void stepDown(long nowNanos, String why, List<Effect> effects) {
        waiting.clear();
        state.ring.stop();
        distributor.steppedDown();
        tell(
                effects,
                nowNanos,
                ALARM,
                why + ", this one has " + state.leaderEpoch()
                        + " and steps down: it pushes nothing until it is restarted");
    }

    private void tell(List<Effect> effects, long nowNanos, LoggedEvent.Severity severity, String text) {
        effects.add(new Effect.Tell(new LoggedEvent(nowNanos, state.epoch, severity, Kind.LEADER_CONFLICT, 0, text)));
    }

    private void tell(List<Effect> effects, AgentJoined joined, LoggedEvent.Severity severity, String text) {
        effects.add(new Effect.Tell(new LoggedEvent(
                joined.nowNanos(),
                state.epoch,
                severity,
                Kind.LEADER_CONFLICT,
                joined.guid(),
                joined.name(),
                null,
                joined.name() + " (" + Guid.format(joined.guid()) + ") " + text)));
    }
}
