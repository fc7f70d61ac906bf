package io.dmodc.manager.opensm;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.routing.check.TableWatch;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.dmodc.SwitchRerouter;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.BitSet;
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

    /** @param tables null where there are none that pass the check */
    private record Made(FabricView of, @Nullable LftSet tables) {}

    private final SwitchRerouter rerouter = Dmodc.standard().switchRerouter();
    private final TableWatch watch = TableWatch.ofSwitchTables();

    /** Those that were asked for last: what is in force. */
    private @Nullable Made before;

    /** Those that were made last. */
    private @Nullable Made last;

    /** Of this view; null where there are none that pass the check, or Dmodc takes no such ranks. */
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
        if (view.rankMax() > Dmodc.RANK_MAX) { // Another engine may route it.
            LOG.warn("epoch {}: no tables to switches: ranks above {}", view.epoch(), Dmodc.RANK_MAX);
            return new Made(view, null);
        }
        LftSet fresh = rerouter.route(view, Parallel.sequential());
        Made inForce = before;
        LftSet held = inForce == null || !sameSwitches(inForce.of, view) ? null : inForce.tables;
        LftSet mixed = inForce == null || held == null ? null : keeping(view, fresh, inForce.of, held);
        if (mixed != null && isValid(view, mixed)) {
            return new Made(view, mixed);
        }
        LftSet all = held == null ? fresh : sharing(fresh, held);
        boolean valid = isValid(view, all);
        if (!valid) {
            LOG.warn("epoch {}: tables to switches do not pass the check and are left out", view.epoch());
        }
        return new Made(view, valid ? all : null);
    }

    private boolean isValid(FabricView view, LftSet tables) {
        return watch.check(view, tables, SurplusEntryRule.FORBIDDEN, Parallel.sequential())
                .valid();
    }

    /** The fresh tables with all entries of those before that still lead to their end; null if none of them is broken. */
    private static @Nullable LftSet keeping(FabricView view, LftSet fresh, FabricView viewBefore, LftSet before) {
        byte[][] held = entries(before);
        @Nullable Way[] ways = new Way[held.length];
        suspectColumns(view, viewBefore, held).stream().forEach(to -> ways[to] = new Way(view, held, to));
        byte[][] mixed = entries(fresh);
        boolean broken = false;
        for (int s = 0; s < mixed.length; s++) {
            for (int to = 0; to < mixed.length; to++) {
                Way way = ways[to];
                if (held[s][to] != (byte) LftSet.NO_ROUTE) {
                    boolean whole = way == null || way.leadsFrom(s);
                    mixed[s][to] = whole ? held[s][to] : mixed[s][to];
                    broken |= !whole && s != to;
                }
            }
        }
        LftRow[] rows = new LftRow[mixed.length];
        Arrays.setAll(rows, s -> Arrays.equals(mixed[s], held[s]) ? before.row(s) : LftRow.of(mixed[s]));
        return broken ? new LftSet(fresh.epoch(), fresh.entryCount(), rows) : null;
    }

    private static byte[][] entries(LftSet tables) {
        byte[][] entries = new byte[tables.switchCount()][];
        Arrays.setAll(entries, s -> tables.row(s).toBytes());
        return entries;
    }

    /** Switches to which some entry leads by a cable that is gone, as that of a dead switch is, or goes elsewhere: ways to all others are whole, as they were. */
    private static BitSet suspectColumns(FabricView view, FabricView before, byte[][] held) {
        BitSet columns = new BitSet();
        for (int s = 0; s < held.length; s++) {
            BitSet ports = new BitSet();
            for (int port = 1; port <= before.portCount(s); port++) {
                int peer = before.peerSwitch(s, port);
                ports.set(port, peer >= 0 && peer != peer(view, s, port));
            }
            for (int to = 0; to < held.length && !ports.isEmpty(); to++) {
                columns.set(to, columns.get(to) || (to != s && ports.get(held[s][to] & 0xff)));
            }
        }
        return columns;
    }

    private static int peer(FabricView view, int s, int port) {
        return port <= view.portCount(s) ? view.peerSwitch(s, port) : -1;
    }

    private static boolean sameSwitches(FabricView one, FabricView other) {
        boolean same = one.switchCount() == other.switchCount();
        for (int s = 0; same && s < one.switchCount(); s++) {
            same = one.switchGuid(s) == other.switchGuid(s);
        }
        return same;
    }

    /** Whether the way to one switch by some entries is whole; remembered of each switch on it. It has no circle, or is not whole. */
    private static final class Way {
        private final FabricView view;
        private final byte[][] held;
        private final int to;
        private final BitSet walked = new BitSet();
        private final BitSet whole = new BitSet();

        Way(FabricView view, byte[][] held, int to) {
            this.view = view;
            this.held = held;
            this.to = to;
            walked.set(to);
            whole.set(to, view.alive(to));
        }

        boolean leadsFrom(int s) {
            if (!walked.get(s)) {
                walked.set(s); // Who comes back here meanwhile goes round.
                int port = held[s][to] & 0xff;
                int next = port == LftSet.NO_ROUTE || port == 0 ? -1 : peer(view, s, port);
                whole.set(s, next >= 0 && leadsFrom(next));
            }
            return whole.get(s);
        }
    }

    /** Rows that did not change stay the same objects, so that what is made of them need not be made again. */
    private static LftSet sharing(LftSet fresh, LftSet before) {
        LftRow[] rows = new LftRow[fresh.switchCount()];
        Arrays.setAll(rows, s -> before.row(s).sameEntries(fresh.row(s)) ? before.row(s) : fresh.row(s));
        return new LftSet(fresh.epoch(), fresh.entryCount(), rows);
    }
}
