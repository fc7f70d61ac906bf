package io.dmodc.manager.core;

import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.LoggedEvent.Severity;
import io.dmodc.manager.state.StateRecord.KeptEpoch;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.manager.state.StoredState;
import io.dmodc.routing.Tables;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the tables of the last {@value #EPOCHS_MAX} accepted epochs, over restarts, too: of the last one only a digest, as its
 * tables are computed again ({@link RestoredTables}), of each before how it differs from the next.
 *
 * <p>All differences together take {@value #BYTES_MAX} bytes at most, in memory and as records; beyond, the oldest are dropped. Where there are too many, the
 * oldest one that differs in nothing from the next goes first.
 * Where a restart does not find the last tables again, what rests on them is dropped, and people are told.
 */
final class KeptEpochs {
    static final int EPOCHS_MAX = 32;
    static final long BYTES_MAX = 24 << 20;

    private final FabricState state;
    private final long bytesMax;

    /** What the last run left, newest first, until its tables are known; then empty. */
    private List<KeptEpoch> stored;

    private EpochHistory history = EpochHistory.NONE;

    /** Tables that leave first, and are kept then. */
    private @Nullable Accepted accepted;

    /** What was to leave has left with the last batch. */
    private boolean due;

    private record Accepted(
            EpochRecord epoch, String engine, FabricView view, Tables tables, long[] digests, long nowNanos) {}

    KeptEpochs(FabricState state, StoredState stored, long bytesMax) {
        this.state = state;
        this.bytesMax = bytesMax;
        List<KeptEpoch> newestFirst = new ArrayList<>(stored.all(KeptEpoch.class));
        Collections.reverse(newestFirst);
        this.stored = newestFirst;
    }

    /** For readers. */
    EpochHistory history() {
        return history;
    }

    /**
     * It is known what the last run left.
     *
     * @param last its last tables, computed again; {@code null} if that was not possible
     */
    void restored(@Nullable ServedEpoch last, long nowNanos, List<Effect> effects) {
        List<KeptEpoch> left = stored;
        stored = List.of();
        if (left.isEmpty()) {
            return;
        }
        int fitting = last == null ? 0 : fitting(left, last);
        history = fitting == 0 ? EpochHistory.NONE : new EpochHistory(last, left.subList(0, fitting));
        if (fitting < left.size()) {
            drop(left.subList(fitting, left.size()), why(left, fitting, last), nowNanos, effects);
        }
    }

    /** How many of the newest rest on these tables, each on the next. */
    private static int fitting(List<KeptEpoch> left, ServedEpoch last) {
        KeptEpoch head = left.get(0);
        int fitting = head.epoch() == last.view().epoch() && head.digest() == last.digest() ? 1 : 0;
        while (fitting > 0
                && fitting < left.size()
                && left.get(fitting).base() == left.get(fitting - 1).digest()) {
            fitting++;
        }
        return fitting;
    }

    private static String why(List<KeptEpoch> left, int fitting, @Nullable ServedEpoch last) {
        if (fitting > 0) {
            return "the record of epoch " + left.get(fitting).epoch() + " does not lead on from that of epoch "
                    + left.get(fitting - 1).epoch();
        }
        return last == null
                ? "those of the last one could not be computed again"
                : "those computed again for epoch " + last.view().epoch() + " have digest "
                        + Guid.format(last.digest()) + ", and epoch "
                        + left.get(0).epoch() + " had "
                        + Guid.format(left.get(0).digest());
    }

    /**
     * An epoch was accepted: its tables are kept when those that are sent for it have left, or when the next one is accepted.
     *
     * @param engine that made its tables; empty for that of the settings
     */
    void accepted(
            EpochRecord epoch,
            String engine,
            FabricView view,
            Tables tables,
            long[] digests,
            long nowNanos,
            List<Effect> effects) {
        keep(effects);
        accepted = new Accepted(epoch, engine, view, tables, digests, nowNanos);
        due = false;
    }

    /**
     * Keeps what was accepted, unless that would hold up what leaves with this batch.
     *
     * @param pushesWait tables wait for the store, and not for long
     */
    void timePassed(boolean pushesWait, List<Effect> effects) {
        if (due) {
            keep(effects);
        }
        due = accepted != null && !pushesWait;
    }

    /** In the next batch, which is to follow this one, or not before something happens. */
    long nextDeadline() {
        return due ? 0 : Long.MAX_VALUE;
    }

    /** True while the tables of the last accepted epoch are not among the kept ones. */
    boolean isBehind() {
        return accepted != null;
    }

    private void keep(List<Effect> effects) {
        Accepted now = accepted;
        accepted = null;
        if (now != null) {
            restored(null, now.nowNanos(), effects);
            keep(now, effects);
        }
    }

    private void keep(Accepted now, List<Effect> effects) {
        ServedEpoch next = new ServedEpoch(now.view(), now.tables(), now.digests());
        KeptEpoch head = new KeptEpoch(
                now.epoch().epoch,
                now.epoch().cause,
                now.engine(),
                state.wallMillis(now.nowNanos()),
                now.tables().entryCount(),
                next.digest(),
                0,
                List.of(),
                List.of(),
                List.of(),
                List.of());
        ServedEpoch last = history.last();
        KeptEpoch before =
                last == null ? null : EpochDifference.of(history.epochs().get(0), last, next, bytesMax);
        List<KeptEpoch> former = history.epochs();
        history = history.with(next, head, before);
        state.records.observed(head);
        if (before != null) {
            state.records.observed(before);
            bound();
        } else if (!former.isEmpty()) {
            String why = "those of epoch " + now.epoch().epoch + " differ in too much";
            drop(former, why, now.nowNanos(), effects);
        }
    }

    /** Drops the oldest beyond the bounds, and before it what tells nothing; the newest stays. */
    private void bound() {
        if (history.epochs().size() > EPOCHS_MAX) {
            dropOneLikeItsNext();
        }
        List<KeptEpoch> all = history.epochs();
        int most = Math.min(all.size(), EPOCHS_MAX);
        int count = 1;
        long bytes = EpochDifference.bytes(all.get(0));
        while (count < most && bytes + EpochDifference.bytes(all.get(count)) <= bytesMax) {
            bytes += EpochDifference.bytes(all.get(count));
            count++;
        }
        if (count < all.size()) {
            all.subList(count, all.size()).forEach(this::remove);
            history = history.newest(count);
        }
    }

    /** The oldest epoch with the tables and the fabric of the next: what an agent says again and again of its switch costs nobody the tables of before. */
    private void dropOneLikeItsNext() {
        List<KeptEpoch> left = new ArrayList<>(history.epochs());
        for (int i = left.size() - 1; i > 0; i--) {
            if (EpochDifference.isNone(left.get(i), left.get(i - 1))) {
                remove(left.remove(i));
                history = new EpochHistory(history.last(), left);
                return;
            }
        }
    }

    private void drop(List<KeptEpoch> dropped, String why, long nowNanos, List<Effect> effects) {
        dropped.forEach(this::remove);
        long oldest = dropped.get(dropped.size() - 1).epoch();
        long newest = dropped.get(0).epoch();
        String which = oldest == newest ? "epoch " + newest : "epochs " + oldest + ".." + newest;
        effects.add(new Effect.Tell(new LoggedEvent(
                nowNanos,
                state.epoch,
                Severity.INFO,
                Kind.EPOCHS_DROPPED,
                0,
                "tables of " + which + " are not kept any more: " + why)));
    }

    private void remove(KeptEpoch kept) {
        state.records.observed(new Removed(kept.key()));
    }
}
