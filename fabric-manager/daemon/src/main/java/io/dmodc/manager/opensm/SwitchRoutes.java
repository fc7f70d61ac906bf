package io.dmodc.manager.opensm;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.TableCheck;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tables that lead to the switches themselves, by which tools and the subnet manager's agents are reached: Dmodc's, of the view
 * that is in force, checked like all others. They are in no epoch: all at once, without rounds. For one thread.
 *
 * <p>When cables are lost, an entry stays whose way by the tables before is whole still, and only the others become Dmodc's: packets
 * of management need no balance, and Dmodc's formula would have every switch of the fabric lead to the one that lost a cable by another port, a block
 * each. A mix of old and new entries climbs, then descends, as both do (docs/algorithms/change.md, theorem 1), and is checked; if the check refuses it,
 * all are Dmodc's. So they are when nothing is lost: what was moved goes back when cables come back, and nothing adds up. O(switches²).
 */
final class SwitchRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(SwitchRoutes.class);

    /** @param tables null where the check refuses them */
    private record Made(FabricView of, @Nullable LftSet tables) {}

    /** Those that were asked for last: what is in force. */
    private @Nullable Made before;

    /** Those that were made last. */
    private @Nullable Made last;

    /** Of this view; null where the check refuses them. */
    @Nullable
    LftSet of(FabricView view) {
        before = made(view);
        return before.tables;
    }

    /** Makes them, as they are asked for soon; what is in force stays what it is. */
    void prepare(FabricView view) {
        made(view);
    }

    @SuppressWarnings("ReferenceEquality") // a view is a moment
    private Made made(FabricView view) {
        Made made = last;
        if (made == null || made.of != view) {
            made = make(view);
            last = made;
        }
        return made;
    }

    private Made make(FabricView view) {
        Made inForce = before;
        LftSet tables = inForce == null ? null : inForce.tables;
        LftSet made = Dmodc.standard().routeSwitches(view, Parallel.sequential());
        boolean comparable = inForce != null && sameSwitches(inForce.of, view);
        LftSet kept = tables == null || !comparable ? null : keeping(view, made, tables);
        if (kept == null || !isValid(view, kept)) {
            kept = isValid(view, made) ? made : null;
        }
        if (kept == null) {
            LOG.warn("epoch {}: tables to switches do not pass the check and are left out", view.epoch());
        }
        return new Made(view, kept == null ? null : sharing(kept, tables));
    }

    private static boolean isValid(FabricView view, LftSet tables) {
        return TableCheck.checkSwitchTables(view, tables, Parallel.sequential()).valid();
    }

    /** The new tables with all entries of those before that still lead to their end; null if none of them is broken. */
    private static @Nullable LftSet keeping(FabricView view, LftSet made, LftSet before) {
        int count = made.switchCount();
        byte[][] rows = new byte[count][];
        for (int s = 0; s < count; s++) {
            rows[s] = made.row(s).toBytes();
        }
        boolean broken = false;
        boolean[] whole = new boolean[count];
        boolean[] walked = new boolean[count];
        for (int to = 0; to < count; to++) {
            Arrays.fill(walked, false);
            walked[to] = true;
            whole[to] = view.alive(to);
            for (int s = 0; s < count; s++) {
                int port = before.port(s, to);
                if (s == to || port == LftSet.NO_ROUTE) {
                    continue;
                }
                if (leads(view, before, s, to, walked, whole)) {
                    rows[s][to] = (byte) port;
                } else {
                    broken = true;
                }
            }
        }
        return broken ? new LftSet(made.epoch(), made.entryCount(), rows(rows)) : null;
    }

    private static LftRow[] rows(byte[][] entries) {
        return Arrays.stream(entries).map(LftRow::of).toArray(LftRow[]::new);
    }

    private static boolean sameSwitches(FabricView one, FabricView other) {
        boolean same = one.switchCount() == other.switchCount();
        for (int s = 0; same && s < one.switchCount(); s++) {
            same = one.switchGuid(s) == other.switchGuid(s);
        }
        return same;
    }

    /** True if the way by these entries is whole; remembered of each switch on it. It has no circle, or is not whole. */
    private static boolean leads(FabricView view, LftSet by, int s, int to, boolean[] walked, boolean[] whole) {
        if (!walked[s]) {
            walked[s] = true;
            whole[s] = false; // Who comes back here meanwhile goes round.
            int port = by.port(s, to);
            int next = port == LftSet.NO_ROUTE || port == 0 ? -1 : view.peerSwitch(s, port);
            whole[s] = next >= 0 && view.alive(s) && leads(view, by, next, to, walked, whole);
        }
        return whole[s];
    }

    /** Rows that did not change stay the same objects, so that what is made of them need not be made again. */
    private static LftSet sharing(LftSet made, @Nullable LftSet before) {
        if (before == null || before.switchCount() != made.switchCount() || before.entryCount() != made.entryCount()) {
            return made;
        }
        LftRow[] rows = new LftRow[made.switchCount()];
        for (int s = 0; s < rows.length; s++) {
            rows[s] = before.row(s).sameEntries(made.row(s)) ? before.row(s) : made.row(s);
        }
        return new LftSet(made.epoch(), made.entryCount(), rows);
    }
}
