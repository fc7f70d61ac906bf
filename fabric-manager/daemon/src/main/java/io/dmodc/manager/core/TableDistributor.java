package io.dmodc.manager.core;

import static io.dmodc.manager.core.LoggedEvent.Severity.ALARM;
import static io.dmodc.manager.core.LoggedEvent.Severity.INFO;
import static io.dmodc.manager.core.LoggedEvent.Severity.WARNING;

import io.dmodc.manager.core.Effect.DismissReason;
import io.dmodc.manager.core.Effect.TableUpdate;
import io.dmodc.manager.core.EpochRecord.Stage;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.RefusalReason;
import io.dmodc.manager.core.FabricEvent.TableAcked;
import io.dmodc.manager.core.FabricEvent.TableRefused;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.SwitchRecord.InFlight;
import io.dmodc.routing.LftDelta;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.util.List;
import java.util.Objects;

/**
 * Subtracts what each switch holds from what it should hold, and sends the difference.
 *
 * <p>Per switch, at most one push is under way; when it is acknowledged the next difference is taken against the
 * newest tables, so a slow agent never queues more than one. A push that stays unanswered, or is refused, is repeated a
 * bounded number of times, each time after twice the wait, so that a switch which installs for long is left to it; then
 * the agent is flagged and dismissed. The others are not affected.
 */
final class TableDistributor {
    /** Longest wait between two tries, unless the first is longer. */
    static final long RETRY_MAX_NANOS = 60_000_000_000L;

    /** Doublings after which any wait that is allowed has reached the longest. */
    private static final int DOUBLINGS_MAX = 13;

    private static final LftRow EMPTY = LftRow.noRoutes(0);

    private final FabricState state;

    TableDistributor(FabricState state) {
        this.state = state;
    }

    /** Makes these the tables every switch should hold. */
    void desire(FabricView view, LftSet tables, long[] digests, long nowNanos, List<Effect> effects) {
        state.tables = tables;
        for (SwitchRecord record : state.switches.values()) {
            int s = view.switchOf(record.guid);
            if (s >= 0 && !view.alive(s)) {
                // Its next table comes with the epoch that sees it alive.
                record.desiredRow = null;
            } else if (s >= 0) {
                record.desiredRow = tables.row(s);
                record.desiredDigest = digests[s];
                recogniseHeldRow(record);
            }
        }
        for (SwitchRecord record : state.switches.values()) {
            pump(record, nowNanos, effects);
        }
        completeIfAllAcked(nowNanos, effects);
    }

    /** Notes what an agent says its switch holds. */
    void holds(SwitchRecord record, HeldTable held) {
        if (record.ackedDigest != held.digest() || record.ackedEntries != held.entryCount()) {
            record.ackedRow = held.entryCount() == 0 ? EMPTY : null;
        }
        record.ackedDigest = held.digest();
        record.ackedEntries = held.entryCount();
        record.ackedEpoch = held.fabricEpoch();
        recogniseHeldRow(record);
    }

    /** A digest equal to the desired one tells the content, too. */
    private static void recogniseHeldRow(SwitchRecord record) {
        if (record.ackedRow == null && record.upToDate()) {
            record.ackedRow = record.desiredRow;
        }
    }

    /** Sends the next difference if there is one and nothing is under way. */
    void pump(SwitchRecord record, long nowNanos, List<Effect> effects) {
        recount(record);
        LftRow row = record.desiredRow;
        if (!record.outstanding || record.inFlight != null || row == null) {
            return;
        }
        TableUpdate update = difference(record, row);
        record.inFlight = sent(update, nowNanos, 1);
        state.pushedAnything = true;
        effects.add(new Effect.Push(record.session, update));
        EpochRecord epoch = state.serving;
        if (epoch != null) {
            epoch.switchesPushed++;
            epoch.blocksPushed += update.blocks().length;
        }
    }

    /** The n-th try is waited for 2^(n-1) times as long as the first. */
    private InFlight sent(TableUpdate update, long nowNanos, int tries) {
        return new InFlight(update, nowNanos + waitNanos(tries), tries, false);
    }

    private long waitNanos(int tries) {
        long first = state.rules.ackTimeoutNanos();
        long doubled = first << Math.min(tries - 1, DOUBLINGS_MAX);
        return Math.min(doubled, Math.max(first, RETRY_MAX_NANOS));
    }

    private TableUpdate difference(SwitchRecord record, LftRow row) {
        LftRow held = record.ackedRow;
        boolean complete = held == null || held.entryCount() == 0 || held.entryCount() > row.entryCount();
        return new TableUpdate(
                record.guid,
                state.leaderEpoch,
                tablesEpoch(),
                complete,
                complete ? 0 : record.ackedDigest,
                record.desiredDigest,
                LftDelta.changedBlocks(complete ? EMPTY : Objects.requireNonNull(held), row),
                row);
    }

    private long tablesEpoch() {
        LftSet tables = state.tables;
        return tables == null ? state.epoch : tables.epoch();
    }

    void acked(TableAcked acked, List<Effect> effects) {
        SwitchRecord record = state.switches.get(acked.guid());
        if (record == null || record.session != acked.session() || record.inFlight == null) {
            return;
        }
        TableUpdate update = record.inFlight.update();
        if (update.fabricEpoch() != acked.fabricEpoch() || update.resultDigest() != acked.digest()) {
            return;
        }
        record.inFlight = null;
        unflag(record);
        record.ackedRow = update.row();
        record.ackedEntries = update.row().entryCount();
        record.ackedDigest = update.resultDigest();
        record.ackedEpoch = update.fabricEpoch();
        pump(record, acked.nowNanos(), effects);
        completeIfAllAcked(acked.nowNanos(), effects);
    }

    void refused(TableRefused refused, List<Effect> effects) {
        SwitchRecord record = state.switches.get(refused.guid());
        if (record == null
                || record.session != refused.session()
                || record.inFlight == null
                || record.inFlight.refused()
                || record.inFlight.update().fabricEpoch() != refused.fabricEpoch()) {
            return;
        }
        InFlight refusedPush = record.inFlight;
        boolean leaderConflict = refused.reason() == RefusalReason.OLD_LEADER;
        tell(
                effects,
                refused.nowNanos(),
                leaderConflict ? ALARM : WARNING,
                leaderConflict ? Kind.LEADER_CONFLICT : Kind.AGENT_REFUSED,
                record,
                "refused the table of epoch " + refused.fabricEpoch() + ": " + refused.text());
        if (leaderConflict || refusedPush.tries() >= state.rules.pushTries()) {
            flag(record, refused.nowNanos(), effects);
            return;
        }
        record.ackedRow = null;
        holds(record, refused.held());
        recount(record);
        int tries = refusedPush.tries();
        record.inFlight = record.outstanding
                ? new InFlight(refusedPush.update(), refused.nowNanos() + waitNanos(tries), tries, true)
                : null;
        completeIfAllAcked(refused.nowNanos(), effects);
    }

    /** Its agent is gone. What the switch holds is what it last acknowledged, until an agent says otherwise. */
    void gone(SwitchRecord record, long nowNanos, List<Effect> effects) {
        record.inFlight = null;
        silent(record, nowNanos, effects);
    }

    /** Nobody waits for a silent agent; a push under way is neither repeated nor forgotten. */
    void silent(SwitchRecord record, long nowNanos, List<Effect> effects) {
        recount(record);
        completeIfAllAcked(nowNanos, effects);
    }

    void timePassed(long nowNanos, List<Effect> effects) {
        for (SwitchRecord record : state.switches.values()) {
            InFlight push = record.inFlight;
            if (push != null && record.reachable() && push.deadlineNanos() <= nowNanos) {
                if (push.tries() >= state.rules.pushTries()) {
                    flag(record, nowNanos, effects);
                } else {
                    sendAgain(record, push, nowNanos, effects);
                }
            }
        }
    }

    private void sendAgain(SwitchRecord record, InFlight push, long nowNanos, List<Effect> effects) {
        recount(record);
        LftRow row = record.desiredRow;
        if (push.refused() && (row == null || !record.outstanding)) {
            record.inFlight = null;
            return;
        }
        TableUpdate update = push.refused() ? difference(record, Objects.requireNonNull(row)) : push.update();
        record.inFlight = sent(update, nowNanos, push.tries() + 1);
        effects.add(new Effect.Push(record.session, update));
    }

    private void flag(SwitchRecord record, long nowNanos, List<Effect> effects) {
        record.inFlight = null;
        record.flagged = true;
        state.alarms.touchSwitch(record.guid);
        recount(record);
        tell(
                effects,
                nowNanos,
                ALARM,
                Kind.AGENT_FLAGGED,
                record,
                "flagged: did not take its table in " + state.rules.pushTries() + " tries");
        effects.add(new Effect.Dismiss(
                record.session,
                DismissReason.NOT_ACKNOWLEDGING,
                "table not acknowledged in " + state.rules.pushTries() + " tries"));
        completeIfAllAcked(nowNanos, effects);
    }

    private void unflag(SwitchRecord record) {
        if (record.flagged) {
            record.flagged = false;
            state.alarms.touchSwitch(record.guid);
        }
    }

    /** The switch will not come back: nothing is waited for. */
    void forgotten(SwitchRecord record, long nowNanos, List<Effect> effects) {
        record.inFlight = null;
        record.desiredRow = null;
        silent(record, nowNanos, effects);
    }

    private void recount(SwitchRecord record) {
        boolean outstanding = record.reachable() && !record.flagged && record.desiredRow != null && !record.upToDate();
        if (outstanding != record.outstanding) {
            record.outstanding = outstanding;
            state.outstanding += outstanding ? 1 : -1;
        }
    }

    private void completeIfAllAcked(long nowNanos, List<Effect> effects) {
        EpochRecord epoch = state.serving;
        if (epoch == null || epoch.stage != Stage.PUSHING || state.outstanding > 0) {
            return;
        }
        epoch.stage = Stage.COMPLETE;
        epoch.completeNanos = nowNanos;
        effects.add(new Effect.Tell(new LoggedEvent(
                nowNanos,
                epoch.epoch,
                INFO,
                Kind.EPOCH_COMPLETE,
                0,
                "epoch " + epoch.epoch + " complete: " + epoch.switchesPushed + " switches, " + epoch.blocksPushed
                        + " blocks, " + ElapsedText.text(nowNanos - epoch.noticedNanos) + " after the first news")));
    }

    long nextDeadline() {
        long next = Long.MAX_VALUE;
        for (SwitchRecord record : state.switches.values()) {
            if (record.inFlight != null && record.reachable()) {
                next = Math.min(next, record.inFlight.deadlineNanos());
            }
        }
        return next;
    }

    private void tell(
            List<Effect> effects,
            long nowNanos,
            LoggedEvent.Severity severity,
            Kind kind,
            SwitchRecord record,
            String text) {
        effects.add(new Effect.Tell(new LoggedEvent(
                nowNanos, state.epoch, severity, kind, record.guid, record.name, null, record.name + ": " + text)));
    }
}
