package io.dmodc.manager.core;

import static io.dmodc.manager.core.LoggedEvent.Severity.WARNING;

import io.dmodc.manager.core.Effect.DismissReason;
import io.dmodc.manager.core.Effect.TableUpdate;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.RefusalReason;
import io.dmodc.manager.core.FabricEvent.TableAcked;
import io.dmodc.manager.core.FabricEvent.TableLost;
import io.dmodc.manager.core.FabricEvent.TableRefused;
import io.dmodc.manager.core.SwitchRecord.InFlight;
import java.util.List;
import java.util.Objects;

/** What agents answer to pushes, or say of their tables unasked: what their switches hold then, and what is sent next or not at all. */
final class PushAnswers {
    private final FabricState state;
    private final TableDistributor distributor;
    private final PushesUnderWay underWay;
    private final EntryRefusals entries;

    PushAnswers(FabricState state, TableDistributor distributor) {
        this.state = state;
        this.distributor = distributor;
        underWay = distributor.underWay;
        entries = distributor.entries;
    }

    void acked(TableAcked acked, List<Effect> effects) {
        SwitchRecord record = state.switches.get(acked.guid());
        if (record == null || record.session != acked.session()) {
            return;
        }
        TableUpdate update = record.inFlight == null ? null : record.inFlight.update();
        if (update == null || update.fabricEpoch() != acked.fabricEpoch() || update.resultDigest() != acked.digest()) {
            if (acked.digest() != record.ackedDigest && !record.gaveUp) {
                tookAnother(record, acked, effects);
            }
            return;
        }
        underWay.await(record, null);
        record.holds(update.row(), update.resultDigest());
        record.ackedEpoch = update.fabricEpoch();
        if (entries.took(record, acked.nowNanos(), effects)) {
            distributor.surprised(record, "takes entries that it refused", acked.nowNanos());
        }
        distributor.answered(record, update, acked.nowNanos(), effects);
    }

    /**
     * Others lead around it before anybody leads to it by these. A table of a round that it did not take all of proves nothing for the next
     * one; where nothing is new, and another table is wanted all the same, it waits as after any refusal.
     */
    private void tookAllBut(RefusedEntries left, SwitchRecord record, TableRefused refused, List<Effect> effects) {
        TableUpdate update = Objects.requireNonNull(record.inFlight).update();
        underWay.await(record, null);
        record.forgetUnanswered();
        record.holds(left.in(update.row()), refused.held().digest());
        record.ackedEpoch = refused.held().fabricEpoch();
        boolean others = entries.refused(record, left, refused.text(), refused.nowNanos(), effects);
        if (others || isOfARound(record, update)) {
            distributor.surprised(record, "does not take some entries", refused.nowNanos());
        } else if (!record.upToDate()) {
            long again = refused.nowNanos() + entries.waitNanos(record);
            underWay.await(record, new InFlight(update, again, 1, true, refused.nowNanos(), 0, 0, 0));
        }
        distributor.answered(record, update, refused.nowNanos(), effects);
    }

    private boolean isOfARound(SwitchRecord record, TableUpdate update) {
        PlannedTable offered = record.asWanted;
        return update.fabricEpoch() == distributor.tablesEpoch()
                && update.resultDigest() != record.desiredDigest
                && (offered == null || update.resultDigest() != offered.digest());
    }

    /**
     * A table of an earlier session came into force after its agent had said what it holds. Nothing tells which one but
     * another Hello.
     */
    private void tookAnother(SwitchRecord record, TableAcked acked, List<Effect> effects) {
        distributor.surprised(record, acked.nowNanos());
        record.loseInFlight();
        record.ackedRow = null;
        record.ackedDigest = acked.digest();
        record.gaveUp = true;
        distributor.booksChanged(record);
        distributor.recount(record);
        state.snapshots.switchChanged(record.guid);
        String text = "acknowledged a table of epoch " + acked.fabricEpoch() + " that was not asked for";
        distributor.tell(
                effects,
                acked.nowNanos(),
                WARNING,
                LoggedEvent.Kind.AGENT_REFUSED,
                record,
                text + "; it is to greet again");
        effects.add(new Effect.Dismiss(record.session, DismissReason.SILENT, "greet again: " + text));
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
        if (refused.reason() == RefusalReason.OLD_LEADER || state.deposed()) {
            leaderRefused(record, refused, effects);
            return;
        }
        RefusedEntries left = entries.after(record, refusedPush.update(), refused);
        if (!left.isEmpty()) {
            tookAllBut(left, record, refused, effects);
            return;
        }
        distributor.tell(
                effects,
                refused.nowNanos(),
                WARNING,
                LoggedEvent.Kind.AGENT_REFUSED,
                record,
                "refused the table of epoch " + refused.fabricEpoch() + ": " + refused.text());
        record.loseInFlight();
        record.sendWhole = true;
        distributor.holds(record, refused.held(), refused.nowNanos());
        int refusals = refusedPush.refusals() + 1;
        int tries = Math.max(refusedPush.tries(), refusals);
        if (tries >= state.rules.pushTries()) {
            distributor.flag(record, refused.nowNanos(), effects);
            return;
        }
        distributor.recount(record);
        long again = refused.nowNanos() + underWay.waitNanos(tries);
        underWay.await(
                record,
                record.outstanding
                        ? new InFlight(
                                refusedPush.update(), again, tries, true, refusedPush.sinceNanos(), 0, 0, refusals)
                        : null);
        distributor.completeIfAllAcked(refused.nowNanos(), effects);
    }

    /**
     * What is under way is answered by the agent as if nothing had happened: it knows what it stands on. Told, and answered with
     * another push, is the loss of a table that was taken, so whatever an agent says costs as much as it acknowledges.
     */
    void tableLost(TableLost lost, List<Effect> effects) {
        SwitchRecord record = state.switches.get(lost.guid());
        HeldTable now = lost.held();
        if (record == null
                || record.session != lost.session()
                || record.gaveUp
                || record.isHeld(now.entryCount(), now.digest())) {
            return;
        }
        distributor.holds(record, now, lost.nowNanos());
        if (record.inFlight == null) {
            distributor.tell(
                    effects,
                    lost.nowNanos(),
                    WARNING,
                    LoggedEvent.Kind.TABLE_LOST,
                    record,
                    "forwards with another table than it was given, of " + now.entryCount() + " entries");
            distributor.pumpAfterLoss(record, lost.nowNanos(), effects);
        }
        distributor.completeIfAllAcked(lost.nowNanos(), effects);
    }

    /**
     * The agent obeys a higher leader epoch than the push had. If that is not ours, risen meanwhile, its next Hello will
     * say whose it is: it is asked to greet again, and not flagged.
     */
    private void leaderRefused(SwitchRecord record, TableRefused refused, List<Effect> effects) {
        boolean overtaken = Objects.requireNonNull(record.inFlight).update().leaderEpoch() < state.leaderEpoch();
        record.loseInFlight();
        underWay.await(record, null);
        distributor.holds(record, refused.held(), refused.nowNanos());
        if (overtaken || state.deposed()) {
            distributor.pump(record, refused.nowNanos(), effects);
            return;
        }
        String text = "refused the table of epoch " + refused.fabricEpoch() + ": " + refused.text();
        distributor.tell(
                effects,
                refused.nowNanos(),
                WARNING,
                LoggedEvent.Kind.LEADER_CONFLICT,
                record,
                text + "; it is to greet again");
        effects.add(new Effect.Dismiss(record.session, DismissReason.SILENT, "greet again: " + refused.text()));
    }
}
