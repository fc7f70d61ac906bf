package io.dmodc.manager.opensm;

import io.dmodc.manager.core.Effect.Push;
import io.dmodc.manager.core.Effect.TableUpdate;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.RefusalReason;
import io.dmodc.manager.core.FabricEvent.TableAcked;
import io.dmodc.manager.core.FabricEvent.TableProgressed;
import io.dmodc.manager.core.FabricEvent.TableRefused;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.manager.loop.RowDigests;
import io.dmodc.manager.opensm.ReadBack.Held;
import io.dmodc.routing.LftRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** Tables that the core waits to hear of, at most one a switch, and what it is told of them. For one thread. */
final class PendingTables {
    private static final int PROGRESS_TOTAL = 1 << 20;

    private final FabricLoop loop;
    private final Map<Long, Push> pending = new TreeMap<>(Long::compareUnsigned);
    private final List<TableAcked> acknowledged = new ArrayList<>();
    private int progress;

    /** The last acknowledgement that was told. */
    private CompletableFuture<?> answered = CompletableFuture.completedFuture("");

    PendingTables(FabricLoop loop) {
        this.loop = loop;
    }

    boolean isEmpty() {
        return pending.isEmpty();
    }

    boolean contains(long guid) {
        return pending.containsKey(guid);
    }

    /** Switches they are for, by unsigned GUID; read only. */
    Set<Long> switches() {
        return pending.keySet();
    }

    /** Of the newest of them; 0 when there is none. */
    long epoch() {
        return pending.values().stream()
                .mapToLong(push -> push.update().fabricEpoch())
                .max()
                .orElse(0);
    }

    void add(Push push) {
        pending.put(push.update().guid(), push);
    }

    /** Nobody waits for what is not there. */
    void keepOnly(Discovery now) {
        pending.keySet().removeIf(guid -> !now.switches().containsKey(guid));
    }

    /** A table that cannot be written for OpenSM at all. */
    void refuse(Push push, String why) {
        TableUpdate update = push.update();
        tell(new TableRefused(
                loop.nowNanos(),
                push.session(),
                update.guid(),
                update.fabricEpoch(),
                RefusalReason.OTHER,
                why,
                new HeldTable(0, 0, 0, 0)));
    }

    /** This switch holds what is written; the core hears of it with the next {@link #tell()}. */
    @SuppressWarnings("ReferenceEquality") // the very row that was pushed went into the dump
    void acknowledge(SwitchTable table) {
        Push push = pending.get(table.guid());
        if (push != null && push.update().row() == table.row()) {
            pending.remove(table.guid());
            TableUpdate update = push.update();
            acknowledged.add(new TableAcked(
                    loop.nowNanos(), push.session(), update.guid(), update.fabricEpoch(), update.resultDigest()));
        }
    }

    /** This switch holds something else, and that will stay so for now. */
    void refuse(Held held) {
        Push push = pending.remove(held.table().guid());
        if (push != null) {
            LftRow row = held.table().rowOf(held.lft());
            tell(new TableRefused(
                    loop.nowNanos(),
                    push.session(),
                    held.table().guid(),
                    push.update().fabricEpoch(),
                    RefusalReason.OTHER,
                    held.table().difference(held.lft()),
                    new HeldTable(
                            push.update().leaderEpoch(),
                            push.update().fabricEpoch(),
                            row.entryCount(),
                            RowDigests.RULE.of(row))));
        }
    }

    /** True if the core has heard of all that was acknowledged, and has handed over what it sends in answer. */
    boolean answersTaken() {
        return answered.isDone();
    }

    /**
     * Tells what was acknowledged since the last time, all of it so close together that the core takes it in with one step or a few, each of which makes
     * the disk write; and that the rest is being worked on, which the core does not repeat then.
     */
    void tell() {
        acknowledged.forEach(each -> answered = loop.tell(each));
        acknowledged.clear();
        progress++;
        for (Push push : pending.values()) {
            TableUpdate update = push.update();
            tell(new TableProgressed(
                    loop.nowNanos(), push.session(), update.guid(), update.fabricEpoch(), progress, PROGRESS_TOTAL));
        }
    }

    /** What finds no room is said again: the core repeats its question. */
    private void tell(FabricEvent event) {
        loop.offer(event);
    }
}
