package io.dmodc.manager.core;

import static io.dmodc.manager.core.LoggedEvent.Severity.ALARM;
import static io.dmodc.manager.core.LoggedEvent.Severity.INFO;

import io.dmodc.manager.core.Effect.TableUpdate;
import io.dmodc.manager.core.FabricEvent.TableRefused;
import io.dmodc.routing.LftRow;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Single entries that switches do not take, of tables that they take otherwise.
 *
 * <p>What such a switch holds is known, so it is neither sent away nor waited for. From the next epoch on its table has these entries as the switch has them, others
 * lead around it where they can, and all else goes on as ever. Now and then, while nothing else is under way, it is offered the table it would have without: the
 * wait doubles with each refusal, up to that of the {@value #TRIES_MAX}th try of a push. Tables are made to be right whichever of both it holds. At most {@link RefusedEntries#MAX}
 * entries of a switch; one that refuses more is treated as one that does not take its table.
 */
final class EntryRefusals {
    /** Waits grow up to that of this try: 32 s with the usual acknowledgement timeout. */
    private static final int TRIES_MAX = 6;

    private static final int NAMES_TOLD = 3;

    private final FabricState state;
    private final PushesUnderWay underWay;

    /** When each switch is offered again what it refused. */
    private final Deadlines<Long> offers = new Deadlines<>(Long::compareUnsigned);

    EntryRefusals(FabricState state, PushesUnderWay underWay) {
        this.state = state;
        this.underWay = underWay;
    }

    /** All that a switch is known not to take once it refused this push; none if it did not say, too many, or what its digest belies. */
    RefusedEntries after(SwitchRecord record, TableUpdate update, TableRefused refused) {
        RefusedEntries said = refused.entries();
        boolean fits = !said.isEmpty()
                && !update.turns()
                && refused.held().entryCount() == update.row().entryCount()
                && said.ports().lastKey() < update.row().entryCount();
        if (!fits || !isHeld(refused.held().digest(), said.in(update.row()), update)) {
            return RefusedEntries.NONE;
        }
        RefusedEntries all = record.refusedEntries.heldBy(update.row()).with(said);
        return all.ports().size() > RefusedEntries.MAX ? RefusedEntries.NONE : all;
    }

    private boolean isHeld(long digest, LftRow row, TableUpdate update) {
        RowDigest rule = state.rowDigest;
        return rule != null && rule.exchanged(update.resultDigest(), update.row(), row) == digest;
    }

    /**
     * A switch holds a table but for these entries.
     *
     * @return whether they are others than were known
     */
    boolean refused(SwitchRecord record, RefusedEntries now, String why, long nowNanos, List<Effect> effects) {
        boolean others = !now.equals(record.refusedEntries);
        record.offers = record.refusedEntries.isEmpty() ? 1 : record.offers + 1;
        if (others || !why.equals(record.refusalText)) {
            record.refusedEntries = now;
            record.refusalText = why;
            state.touchSwitch(record.guid);
        }
        if (others) {
            tell(record, ALARM, text(state, record), nowNanos, effects);
        }
        offers.set(record.guid, nowNanos + waitNanos(record));
        return others;
    }

    /** How long nothing is tried with it after a refusal. */
    long waitNanos(SwitchRecord record) {
        return underWay.waitNanos(Math.min(record.offers, TRIES_MAX));
    }

    /**
     * What a switch is known to hold changed; where that is unknown it may have them still.
     *
     * @return whether it has taken some that it refused
     */
    boolean holdsAnother(SwitchRecord record) {
        LftRow row = record.ackedRow;
        RefusedEntries now = row == null ? record.refusedEntries : record.refusedEntries.heldBy(row);
        boolean fewer = !now.equals(record.refusedEntries);
        if (fewer) {
            forget(record, now);
        } else if (!now.isEmpty() && !offers.contains(record.guid)) {
            offers.set(record.guid, state.settledNanos + waitNanos(record));
        }
        return fewer;
    }

    /** A switch lost its table: it begins anew. */
    void lost(SwitchRecord record) {
        if (!record.refusedEntries.isEmpty()) {
            forget(record, RefusedEntries.NONE);
        }
    }

    private void forget(SwitchRecord record, RefusedEntries left) {
        record.refusedEntries = left;
        if (left.isEmpty()) {
            record.asWanted = null;
            offers.cancel(record.guid);
        }
        state.touchSwitch(record.guid);
    }

    /** A switch has acknowledged a table; says so where it takes all entries again. */
    boolean took(SwitchRecord record, long nowNanos, List<Effect> effects) {
        boolean fewer = holdsAnother(record);
        if (fewer && record.refusedEntries.isEmpty()) {
            tell(record, INFO, record.name + ": takes all entries of its table again", nowNanos, effects);
        }
        return fewer;
    }

    /** What switches refuse that can be told the others, by index in a view; the computation that is begun reckons with it. */
    Map<Integer, RefusedEntries> reckonWith(FabricView view) {
        Map<Integer, RefusedEntries> all = new TreeMap<>();
        for (SwitchRecord record : state.switches.values()) {
            int s = view.switchOf(record.guid);
            boolean reckoned = s >= 0 && view.alive(s) && record.reachable() && !record.refusedEntries.isEmpty();
            record.reckonedWith = reckoned ? record.refusedEntries : RefusedEntries.NONE;
            if (reckoned) {
                all.put(s, record.refusedEntries);
            }
        }
        return all;
    }

    /**
     * These tables are accepted. Of a switch that they do not want to lead otherwise than it does nothing is refused any more.
     *
     * @param asWanted by index in the view, what a switch would be given if it took all entries
     */
    void accepted(FabricView view, Map<Integer, PlannedTable> asWanted) {
        for (SwitchRecord record : state.switches.values()) {
            record.asWanted = asWanted.get(view.switchOf(record.guid));
            if (record.asWanted == null
                    && !record.refusedEntries.isEmpty()
                    && record.refusedEntries.equals(record.reckonedWith)) {
                forget(record, RefusedEntries.NONE);
            }
        }
    }

    /** Destinations to which some switch does not lead as it should. */
    static BitSet destinations(FabricState state) {
        BitSet all = new BitSet();
        for (SwitchRecord record : state.switches.values()) {
            record.refusedEntries.ports().keySet().forEach(all::set);
        }
        return all;
    }

    /** Switches that are to be offered what they refused, in order of their GUIDs. */
    List<Long> due(long nowNanos) {
        List<Long> due = offers.takeDue(nowNanos);
        due.sort(Long::compareUnsigned);
        return due;
    }

    /** The table to offer; {@code null}: something else goes first, or nothing is refused any more. */
    @Nullable
    PlannedTable offer(@Nullable SwitchRecord record, boolean calm, long nowNanos) {
        if (record == null || record.refusedEntries.isEmpty()) {
            return null;
        }
        boolean free = record.reachable() && !record.gaveUp && record.inFlight == null;
        if (calm && free && record.upToDate() && record.asWanted != null) {
            return record.asWanted;
        }
        offers.set(record.guid, nowNanos + (record.reachable() ? underWay.waitNanos(1) : waitNanos(record)));
        return null;
    }

    long nextDeadline() {
        return offers.next();
    }

    /** One line for people. */
    static String text(FabricState state, SwitchRecord record) {
        FabricView view = state.view;
        List<Integer> indices = List.copyOf(record.refusedEntries.ports().keySet());
        String names = indices.stream()
                .limit(NAMES_TOLD)
                .map(index -> name(view, index))
                .collect(Collectors.joining(", "));
        int more = indices.size() - NAMES_TOLD;
        return record.name + ": does not take its " + (indices.size() == 1 ? "entry" : "entries") + " for " + names
                + (more > 0 ? " and " + more + " more" : "") + ": " + record.refusalText;
    }

    /** Of a host, for people; its index while none has it. */
    static String name(@Nullable FabricView view, int index) {
        Host host = view == null || index >= view.nodeCount() ? null : view.host(index);
        return host == null ? "index " + index : host.name();
    }

    private void tell(
            SwitchRecord record, LoggedEvent.Severity severity, String text, long nowNanos, List<Effect> effects) {
        effects.add(new Effect.Tell(new LoggedEvent(
                nowNanos,
                state.epoch,
                severity,
                LoggedEvent.Kind.ENTRIES_REFUSED,
                record.guid,
                record.name,
                null,
                text)));
    }
}
