package io.dmodc.manager.core;

import io.dmodc.routing.Tables;
import io.dmodc.topology.FabricView;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When agents are to be told by which other ports their switches reach destinations: a moment after the tables they go with,
 * never before or with these.
 *
 * <p>An alternative leads to a neighbour that forwards by these tables. One that is not known to do so (its push is under way, its agent
 * is gone and it holds another table) is told with them, for its neighbours to leave out. To destinations of which some switch does
 * not take the entry nobody has any. Cost: one look at each switch for new tables, and at those of which something changed since.
 */
final class AlternativeNews {
    /** So long more news is waited for, and so often it is told at most. */
    static final long DELAY_NANOS = 100_000_000L;

    private final FabricState state;

    private @Nullable FabricView view;
    private @Nullable Tables tables;
    private long[] digests = {};

    /** Switches of the view that are not known to forward by their tables. */
    private final BitSet unsure = new BitSet();

    /** Of these the books changed since. */
    private final DirtySet<Long> changed = new DirtySet<>();

    private boolean news;
    private long dueNanos = Long.MAX_VALUE;

    /** It is due, and may not be told before something else happens. */
    private boolean held;

    AlternativeNews(FabricState state) {
        this.state = state;
    }

    /** These are the tables all switches should hold from now on. */
    void desired(FabricView newView, Tables newTables, long[] newDigests) {
        view = newView;
        tables = newTables;
        digests = newDigests;
        news = true;
        unsure.clear();
        for (SwitchRecord record : state.switches.values()) {
            look(record);
        }
    }

    /** What a switch holds, or may hold, changed. */
    void changed(SwitchRecord record) {
        changed.add(record.guid);
    }

    private void look(SwitchRecord record) {
        int s = view == null ? -1 : view.switchOf(record.guid);
        if (s >= 0 && unsure.get(s) == record.surelyUpToDateOrOffered()) {
            unsure.flip(s);
            news = true;
        }
    }

    /** @param mayTell whether what the tables rest on is durable */
    void timePassed(long nowNanos, boolean mayTell, List<Effect> effects) {
        for (long guid : changed.all()) {
            SwitchRecord record = state.switches.get(guid);
            if (record != null) {
                look(record);
            }
        }
        changed.clear();
        if (news && dueNanos == Long.MAX_VALUE) {
            dueNanos = nowNanos + DELAY_NANOS;
        }
        if (nowNanos < dueNanos) {
            return;
        }
        held = !mayTell;
        if (mayTell && view != null && tables != null) {
            dueNanos = Long.MAX_VALUE;
            news = false;
            effects.add(new Effect.TellAlternatives(
                    view, tables, digests, (BitSet) unsure.clone(), EntryRefusals.destinations(state)));
        }
    }

    long nextDeadline() {
        return held ? Long.MAX_VALUE : dueNanos;
    }
}
