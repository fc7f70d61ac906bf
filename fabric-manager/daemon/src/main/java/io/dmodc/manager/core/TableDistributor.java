package io.dmodc.manager.core;

import static io.dmodc.manager.core.LoggedEvent.Severity.ALARM;
import static io.dmodc.manager.core.LoggedEvent.Severity.INFO;

import io.dmodc.manager.core.Effect.DismissReason;
import io.dmodc.manager.core.Effect.TableUpdate;
import io.dmodc.manager.core.EpochRecord.Stage;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.SwitchRecord.InFlight;
import io.dmodc.manager.state.StateRecord.FabricEpoch;
import io.dmodc.routing.LftDelta;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.Tables;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.topology.FabricView;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Subtracts what each switch holds from what it should hold, and sends the difference.
 *
 * <p>Per switch, at most one push is under way; when it is acknowledged the next difference is taken against the
 * newest tables, so a slow agent never queues more than one. A push that stays unanswered, or is refused, is repeated a
 * bounded number of times, each time after twice the wait, so that a switch which installs for long is left to it; then
 * the agent is flagged and dismissed. One that refuses single entries is kept ({@link EntryRefusals}). The others are not affected.
 */
final class TableDistributor {
    private static final LftRow EMPTY = LftRow.noRoutes(0);

    private final FabricState state;

    /** What leaves of a pod have in common changes for all of them, one behind the other. */
    private final LftDelta delta = new LftDelta();

    private final HeldTableRecords held;

    private final AlternativeNews alternatives;

    private final PushRounds rounds;

    private final PushGate gate;

    final PushesUnderWay underWay;

    final EntryRefusals entries;

    final UnplannedTables unplanned;

    final NextTables nextTables;

    /** Of the tables that are wanted. */
    private FabricEpoch onRecord = new FabricEpoch(0);

    /** Switches that mend what is broken and have not acknowledged yet, by index in the view that is served. */
    private BitSet restoring = new BitSet();

    TableDistributor(FabricState state) {
        this.state = state;
        held = new HeldTableRecords(state, HeldTableRecords.KEPT_MAX);
        alternatives = new AlternativeNews(state);
        rounds = new PushRounds(state);
        gate = new PushGate(state);
        underWay = new PushesUnderWay(state, alternatives);
        entries = new EntryRefusals(state, underWay);
        unplanned = new UnplannedTables(state, gate);
        nextTables = new NextTables(state, rounds, gate, unplanned);
    }

    /**
     * Makes these the tables every switch should hold, and this the order in which they get them. What they are computed from again, and what
     * switches hold instead, is kept first.
     *
     * @param epoch what is kept of theirs
     */
    void desire(
            FabricEpoch epoch,
            FabricView view,
            Tables tables,
            long[] digests,
            PlannedChange change,
            long nowNanos,
            List<Effect> effects) {
        onRecord = epoch;
        state.tables = tables;
        state.change = change;
        state.changeView = view;
        gate.planHolds();
        rounds.begin(view, change);
        for (SwitchRecord record : state.switches.values()) {
            int s = view.switchOf(record.guid);
            if (s >= 0 && !view.alive(s)) {
                // Its next table comes with the epoch that sees it alive.
                record.desiredRow = null;
                record.due = List.of();
                record.drops = false;
                state.snapshots.switchChanged(record.guid);
            } else if (s >= 0) {
                int before = record.nextRound();
                record.due = change.tables(s, tables.row(s), digests[s]);
                record.drops = change.quiesces(s);
                record.dueSinceMillis = state.wallMillis(nowNanos);
                desire(record, tables.row(s), digests[s]);
                goesOn(record);
                if (record.lostSince(view.epoch())) {
                    // Others wait for it, as it was planned; the next plan has it as it is.
                    record.due = List.of();
                }
                if (record.nextRound() != before || before > 1) {
                    state.snapshots.switchChanged(record.guid);
                }
            }
            held.wantedChanged(record);
        }
        state.restored.replaced();
        keep(nowNanos, effects);
        restoring = mending(view, change);
        pumpAll(nowNanos, effects);
        alternatives.desired(view, tables, digests);
        completeIfAllAcked(nowNanos, effects);
    }

    /** What is wanted, whether it may leave, and what switches may hold then; tables wait for that. */
    private void keep(long nowNanos, List<Effect> effects) {
        state.tablesHeldBack = gate.standsStill();
        state.records.observed(onRecord.heldBack(state.tablesHeldBack));
        held.write();
        state.records.flush(effects);
        gate.waitForRecords(nowNanos);
    }

    /** What readers are shown is the same as long as content and size are. */
    private void desire(SwitchRecord record, LftRow row, long digest) {
        LftRow before = record.desiredRow;
        boolean heldBefore = record.ackedRow != null;
        boolean another = before == null || before.entryCount() != row.entryCount() || record.desiredDigest != digest;
        record.desiredRow = row;
        record.desiredDigest = digest;
        recogniseHeldRow(record);
        if (record.reachable() && record.upToDate()) {
            takesItsTable(record);
        }
        if (heldBefore != (record.ackedRow != null)) {
            // Alarms say what it holds.
            state.touchSwitch(record.guid);
        } else if (another) {
            state.snapshots.switchChanged(record.guid);
        }
    }

    /** Switches that mend what is broken and can be told so, by index. */
    private BitSet mending(FabricView view, PlannedChange change) {
        BitSet mending = new BitSet();
        change.restoring().stream().forEach(s -> {
            SwitchRecord record = state.switches.get(view.switchGuid(s));
            mending.set(s, record != null && record.reachable() && !record.surelyUpToDate());
        });
        return mending;
    }

    /** What it is given next may be another. */
    private void goesOn(SwitchRecord record) {
        if (record.surelyUpToDate()) {
            record.due = List.of();
            rounds.follows(record.guid, PushRounds.DONE);
        } else if (!record.due.isEmpty()) {
            rounds.follows(record.guid, record.due.get(0).round());
        }
    }

    /** The plan holds again, for want of another one. */
    void goOnAsPlanned() {
        gate.planHoldsAgain();
    }

    /** It forwards by a table that nobody planned with. */
    void surprised(SwitchRecord record, long nowNanos) {
        surprised(record, "holds another table than was known", nowNanos);
    }

    void surprised(SwitchRecord record, String how, long nowNanos) {
        if (record.desiredRow != null) {
            unplanned.surprised(record, how, nowNanos);
        }
    }

    /** The order within a round is free: what mends goes first, and of that the switches above the leaves, each for many. */
    private void pumpAll(long nowNanos, List<Effect> effects) {
        pumpRestoring(false, nowNanos, effects);
        pumpRestoring(true, nowNanos, effects);
        for (SwitchRecord record : state.switches.values()) {
            pump(record, nowNanos, effects);
        }
    }

    private void pumpRestoring(boolean leaves, long nowNanos, List<Effect> effects) {
        FabricView view = state.changeView;
        for (int s = restoring.nextSetBit(0); s >= 0 && view != null; s = restoring.nextSetBit(s + 1)) {
            SwitchRecord record = state.switches.get(view.switchGuid(s));
            if (record != null && view.isLeaf(s) == leaves) {
                pump(record, nowNanos, effects);
            }
        }
    }

    /** Writes the records of held tables that changed since the last call. */
    void recordChanges() {
        held.write();
    }

    /** Notes what an agent says its switch holds. */
    void holds(SwitchRecord record, HeldTable told, long nowNanos) {
        if (!record.mayHave(told.entryCount(), told.digest())) {
            surprised(record, nowNanos);
        }
        record.holds(told.entryCount(), told.digest());
        record.ackedEpoch = told.fabricEpoch();
        recogniseHeldRow(record);
        if (entries.holdsAnother(record)) {
            surprised(record, "holds entries that it refused, or others", nowNanos);
        }
        goesOn(record);
        booksChanged(record);
        if (record.upToDate()) {
            takesItsTable(record);
        }
        state.snapshots.switchChanged(record.guid);
    }

    void takesItsTable(SwitchRecord record) {
        if (record.flagged) {
            record.flagged = false;
            state.touchSwitch(record.guid);
        }
    }

    /** The switch lost power, for all that is known: it may come back without a table. */
    void lost(SwitchRecord record) {
        if (record.ackedEntries > 0) {
            booksChanged(record);
        }
        if (!record.possibleRows().isEmpty() || record.ackedEntries > 0) {
            // Alarms say what it holds.
            state.touchSwitch(record.guid);
        }
        record.loses(state.epoch);
        entries.lost(record);
        state.snapshots.switchChanged(record.guid);
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
        if (!record.outstanding || state.deposed() || record.inFlight != null || record.desiredRow == null) {
            return;
        }
        PlannedTable next = nextTables.next(record, nowNanos);
        if (next == null) {
            return;
        }
        TableUpdate update = send(record, next, nowNanos, effects);
        EpochRecord epoch = state.serving;
        if (epoch != null) {
            epoch.switchesPushed++;
            epoch.blocksPushed += update.blocks().length;
        }
    }

    private TableUpdate send(SwitchRecord record, PlannedTable next, long nowNanos, List<Effect> effects) {
        TableUpdate update = difference(record, next);
        record.countedOn |= !record.servesNobody();
        underWay.await(record, new InFlight(update, nowNanos + underWay.waitNanos(1), 1, false, nowNanos, 0, 0, 0));
        effects.add(new Effect.Push(record.session, update));
        return update;
    }

    private TableUpdate difference(SwitchRecord record, PlannedTable table) {
        LftRow row = table.row();
        LftRow held = record.ackedRow;
        boolean complete =
                record.sendWhole || held == null || held.entryCount() == 0 || held.entryCount() > row.entryCount();
        return new TableUpdate(
                record.guid,
                state.leaderEpoch(),
                tablesEpoch(),
                complete,
                complete ? 0 : record.ackedDigest,
                table.digest(),
                delta.blocks(complete ? EMPTY : Objects.requireNonNull(held), row),
                row,
                state.tables instanceof TurnTableSet);
    }

    long tablesEpoch() {
        Tables tables = state.tables;
        return tables == null ? state.epoch : tables.epoch();
    }

    /** The switch holds the table of a push, or nearly. */
    void answered(SwitchRecord record, TableUpdate update, long nowNanos, List<Effect> effects) {
        record.sendWhole = false;
        record.leaderTold = Math.max(record.leaderTold, update.leaderEpoch());
        if (!record.due.isEmpty() && record.due.get(0).digest() == update.resultDigest()) {
            record.due = record.due.subList(1, record.due.size());
            record.dueSinceMillis = state.wallMillis(nowNanos);
        }
        goesOn(record);
        booksChanged(record);
        takesItsTable(record);
        restored(record, nowNanos);
        pump(record, nowNanos, effects);
        completeIfAllAcked(nowNanos, effects);
    }

    private void restored(SwitchRecord record, long nowNanos) {
        EpochRecord epoch = state.serving;
        int s = rounds.index(record.guid);
        boolean first = record.due.isEmpty() || record.due.get(0).round() > 1;
        if (s >= 0 && first && restoring.get(s)) {
            restoring.clear(s);
            if (restoring.isEmpty() && epoch != null) {
                epoch.restoredNanos = nowNanos;
            }
        }
    }

    /** At once; a switch that loses each table waits for the next as after refusals, so that it keeps nobody busy. */
    void pumpAfterLoss(SwitchRecord record, long nowNanos, List<Effect> effects) {
        boolean soon = record.losses > 0 && nowNanos - record.lostNanos <= 2 * underWay.longestWaitNanos();
        record.losses = soon ? record.losses + 1 : 1;
        record.lostNanos = nowNanos;
        recount(record);
        LftRow row = record.desiredRow;
        if (!soon || !record.outstanding || row == null) {
            pump(record, nowNanos, effects);
            return;
        }
        long again = nowNanos + underWay.waitNanos(record.losses - 1);
        underWay.await(
                record, new InFlight(difference(record, NextTables.wanted(record)), again, 0, true, nowNanos, 0, 0, 0));
    }

    /** Tells all agents of a higher leader epoch: those that hold what they should get a push that changes nothing. */
    void leaderRaised(long nowNanos, List<Effect> effects) {
        pumpAll(nowNanos, effects);
    }

    /** True while tables wait for the store, which they do not for long. */
    boolean waitsForStore() {
        return gate.nextDeadline() != Long.MAX_VALUE;
    }

    /** Nothing is waited for any more: another manager leads. */
    void steppedDown() {
        state.switches.values().forEach(this::recount);
    }

    /** Its agent is gone. What the switch holds is what it last acknowledged, until an agent says otherwise. */
    void gone(SwitchRecord record, long nowNanos, List<Effect> effects) {
        record.loseInFlight();
        alternatives.changed(record);
        silent(record, nowNanos, effects);
    }

    /** Nobody waits for a silent agent; a push under way is neither repeated nor forgotten. */
    void silent(SwitchRecord record, long nowNanos, List<Effect> effects) {
        recount(record);
        completeIfAllAcked(nowNanos, effects);
    }

    void timePassed(long nowNanos, List<Effect> effects) {
        if (state.deposed()) {
            return;
        }
        unplanned.timePassed(nowNanos).forEach(record -> pump(record, nowNanos, effects));
        if (gate.letsGo()) {
            state.switches.values().forEach(held::wantedChanged);
            keep(nowNanos, effects);
        }
        if (gate.reopens(nowNanos)) {
            pumpAll(nowNanos, effects);
        }
        for (long[] ready = rounds.takeReady(nowNanos); ready.length > 0; ready = rounds.takeReady(nowNanos)) {
            for (long guid : ready) {
                SwitchRecord record = state.switches.get(guid);
                if (record != null) {
                    pump(record, nowNanos, effects);
                }
            }
        }
        List<Long> unanswered = underWay.due(nowNanos);
        unanswered.sort(Long::compareUnsigned);
        for (long guid : unanswered) {
            SwitchRecord record = Objects.requireNonNull(state.switches.get(guid));
            InFlight push = Objects.requireNonNull(record.inFlight);
            if (state.intent.pause() != null || (record.isBatched() && state.subnetManagerStopped)) {
                // It may be answered yet, and is neither sent again nor held against its agent before the pause is
                // over, or against the switch before the subnet manager takes tables.
                underWay.await(record, push.putOff(nowNanos + underWay.waitNanos(1)));
            } else if (push.tries() >= state.rules.pushTries()) {
                flag(record, nowNanos, effects);
            } else {
                sendAgain(record, push, nowNanos, effects);
            }
        }
        entries.due(nowNanos).forEach(guid -> offer(state.switches.get(guid), nowNanos, effects));
        alternatives.timePassed(nowNanos, gate.isOpen(nowNanos), effects);
    }

    /** What it refused, while nothing else is under way: what comes then is reckoned with. */
    private void offer(@Nullable SwitchRecord record, long nowNanos, List<Effect> effects) {
        EpochRecord epoch = state.serving;
        boolean calm = epoch != null
                && epoch.stage == Stage.COMPLETE
                && state.computing == 0
                && !state.news.pending()
                && gate.isOpen(nowNanos);
        PlannedTable offered = entries.offer(record, calm, nowNanos);
        if (record != null && offered != null) {
            send(record, offered, nowNanos, effects);
        }
    }

    private void sendAgain(SwitchRecord record, InFlight push, long nowNanos, List<Effect> effects) {
        recount(record);
        boolean anew = push.refused();
        PlannedTable next =
                anew && record.desiredRow != null && record.outstanding ? nextTables.next(record, nowNanos) : null;
        if (anew && next == null) {
            // Nothing is wanted any more, or another table than the one refused, which waits like any other; after its
            // plan, if that is on its way.
            boolean planned =
                    record.outstanding && (gate.isPlanVoid() || state.computing != 0 || unplanned.waits(record));
            underWay.await(record, planned ? push.putOff(nowNanos + underWay.waitNanos(1)) : null);
            return;
        }
        TableUpdate update = next == null ? push.update() : difference(record, next);
        int tries = push.tries() + 1;
        long since = push.refused() ? nowNanos : push.sinceNanos();
        long deadline = nowNanos + underWay.waitNanos(tries);
        underWay.await(
                record,
                new InFlight(update, deadline, tries, false, since, push.writing(), push.written(), push.refusals()));
        effects.add(new Effect.Push(record.session, update));
    }

    void flag(SwitchRecord record, long nowNanos, List<Effect> effects) {
        record.loseInFlight();
        record.flagged = true;
        record.gaveUp = true;
        state.touchSwitch(record.guid);
        recount(record);
        tell(
                effects,
                nowNanos,
                ALARM,
                LoggedEvent.Kind.AGENT_FLAGGED,
                record,
                "flagged: did not take its table in " + state.rules.pushTries() + " tries");
        effects.add(new Effect.Dismiss(
                record.session,
                DismissReason.NOT_ACKNOWLEDGING,
                "table not acknowledged in " + state.rules.pushTries() + " tries"));
        completeIfAllAcked(nowNanos, effects);
    }

    /** The switch will not come back. Its agent is gone, so nothing is under way or waited for. */
    void forgotten(SwitchRecord record) {
        unplanned.forgotten(record.guid);
        booksChanged(record);
    }

    /** What the switch holds, or may hold. */
    void booksChanged(SwitchRecord record) {
        held.changed(record);
        alternatives.changed(record);
    }

    /** Its agent may be another, or reachable or not, or what it should hold. */
    void recount(SwitchRecord record) {
        underWay.scheduleRepeat(record);
        boolean outstanding = record.reachable()
                && !record.gaveUp
                && !state.deposed()
                && record.desiredRow != null
                && !(record.upToDate() && record.leaderTold >= state.leaderEpoch() && !otherUnderWay(record))
                && !isHeld(record);
        if (outstanding != record.outstanding) {
            record.outstanding = outstanding;
            state.outstanding += outstanding ? 1 : -1;
        }
    }

    /** It waits for one that nobody can tell anything. */
    private boolean isHeld(SwitchRecord record) {
        return record.inFlight == null
                && !record.due.isEmpty()
                && rounds.isHeld(record.guid, record.due.get(0).round());
    }

    /** A push of another table than the one wanted by now may change what the switch holds; one that was refused does not. */
    private static boolean otherUnderWay(SwitchRecord record) {
        return record.inFlight != null
                && !record.inFlight.refused()
                && record.inFlight.update().resultDigest() != record.desiredDigest;
    }

    void completeIfAllAcked(long nowNanos, List<Effect> effects) {
        EpochRecord epoch = state.serving;
        if (epoch == null || epoch.stage != Stage.PUSHING || state.outstanding > 0 || state.deposed()) {
            return;
        }
        epoch.stage = Stage.COMPLETE;
        epoch.completeNanos = nowNanos;
        long waiting = state.switches.values().stream().filter(this::isHeld).count();
        String rest = waiting == 0
                ? ""
                : "; " + waiting
                        + " switches keep what works until it is known what others hold that cannot be told anything";
        effects.add(new Effect.Tell(new LoggedEvent(
                nowNanos,
                epoch.epoch,
                INFO,
                LoggedEvent.Kind.EPOCH_COMPLETE,
                0,
                "epoch " + epoch.epoch + " complete: " + epoch.switchesPushed + " tables, " + epoch.blocksPushed
                        + " blocks, " + ElapsedText.text(nowNanos - epoch.noticedNanos) + " after the first news"
                        + rest)));
    }

    long nextDeadline() {
        if (state.deposed()) {
            return Long.MAX_VALUE;
        }
        long next = Math.min(gate.nextDeadline(), rounds.nextDeadline());
        next = Math.min(next, Math.min(entries.nextDeadline(), unplanned.nextDeadline()));
        return Math.min(next, Math.min(underWay.next(), alternatives.nextDeadline()));
    }

    void tell(
            List<Effect> effects,
            long nowNanos,
            LoggedEvent.Severity severity,
            LoggedEvent.Kind kind,
            SwitchRecord record,
            String text) {
        effects.add(new Effect.Tell(new LoggedEvent(
                nowNanos, state.epoch, severity, kind, record.guid, record.name, null, record.name + ": " + text)));
    }
}
