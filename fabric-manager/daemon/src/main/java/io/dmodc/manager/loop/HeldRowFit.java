package io.dmodc.manager.loop;

import io.dmodc.manager.core.Detours;
import io.dmodc.manager.core.LostPairs;
import io.dmodc.manager.core.RefusedEntries;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Tables;
import io.dmodc.routing.check.HeldRowWalk;
import io.dmodc.routing.check.HeldRowWays;
import io.dmodc.routing.check.HeldRows;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/**
 * Makes tables fit switches that cannot be told anything and hold other rows than they should.
 *
 * <p>Packets to different destinations never meet in a table, so each destination is looked at by itself. Where a held row
 * differs, its packets are followed over what the switches hold ({@link HeldRowWalk}). If some would turn or get lost, switches that can be
 * told send them another way ({@link HeldRowWays}): then every source is delivered that any tables could deliver whatever the others
 * hold, as far as the leaf of the destination does not drop it. One that cannot be helped keeps its wanted port, as it may be lucky; unless it is
 * the last that can be told before packets turn, which a missing route there would not.
 *
 * <p>One that can be told, and does not take single entries, may hold its row with or without them: so are destinations of these
 * looked at. It keeps what it holds there, so that it is given what it takes.
 */
final class HeldRowFit {
    /**
     * Tables and what became of them.
     *
     * @param changed columns that are not as wanted
     * @param asWanted by switch index, rows of those that refuse entries without regard to that; of those alone where it differs
     */
    record Fitted(Tables tables, Detours detours, BitSet changed, Map<Integer, LftRow> asWanted) {}

    private final FabricView view;

    /** With the links that carry packets and are not to be used. */
    private final FabricView works;

    private final LftSet wanted;

    /** What switches may forward by besides what is wanted of them. */
    private final Map<Integer, List<LftRow>> held;

    /** Switches that cannot be told anything. */
    private final Set<Integer> untold;

    private final Map<Integer, RefusedEntries> refused;
    private final BitSet misfits = new BitSet();
    private final HeldRows rows;
    private final HeldRowWalk walk;

    /** Over all links that carry packets. */
    private final HeldRowWalk carriedWalk;

    private final HeldRowWays ways;

    /** Entries that are not as wanted, by switch and destination. */
    private final Map<Integer, SortedMap<Integer, Integer>> changed = new TreeMap<>();

    private final BitSet avoided = new BitSet();
    private final BitSet changedColumns = new BitSet();
    private long lostCount;
    private final List<LostPairs.Pair> lostFirst = new ArrayList<>();
    private final BitSet lostBecause = new BitSet();

    /** Switches to which packets of lost pairs may come: each once, in the order in which they are looked at. */
    private final BitSet reached = new BitSet();

    private final int[] reachedInOrder;
    private int reachedCount;

    private HeldRowFit(
            FabricView view,
            FabricView works,
            LftSet wanted,
            Map<Integer, List<LftRow>> held,
            Set<Integer> untold,
            Map<Integer, RefusedEntries> refused,
            HeldRows rows,
            HeldRows carried) {
        this.view = view;
        this.works = works;
        this.wanted = wanted;
        this.held = held;
        this.untold = untold;
        this.refused = refused;
        this.rows = rows;
        walk = new HeldRowWalk(view, works, rows);
        carriedWalk = new HeldRowWalk(works, works, carried);
        ways = new HeldRowWays(view, works, rows);
        reachedInOrder = new int[view.switchCount()];
    }

    /**
     * @param works the same fabric with links that carry packets and are not to be used
     * @param wanted tables that are right where every switch holds its own
     * @param held by switch index: what those may hold that cannot be told anything
     * @param refused by switch index: entries that others do not take
     * @param drained by switch index: what those go on forwarding by that no route leads through
     */
    static Fitted fit(
            FabricView view,
            FabricView works,
            LftSet wanted,
            Map<Integer, List<LftRow>> held,
            Map<Integer, RefusedEntries> refused,
            Map<Integer, List<LftRow>> drained) {
        Map<Integer, List<LftRow>> all = new TreeMap<>(held);
        refused.forEach((s, entries) -> all.put(s, List.of(entries.in(wanted.row(s)), wanted.row(s))));
        HeldRows rows = new HeldRows(view, all, wanted.entryCount());
        drained.forEach(all::putIfAbsent);
        HeldRows carried = drained.isEmpty() ? rows : new HeldRows(view, all, wanted.entryCount());
        HeldRowFit fit = new HeldRowFit(view, works, wanted, all, held.keySet(), refused, rows, carried);
        rows.differing(wanted, fit.misfits).stream().filter(fit::isSomewhere).forEach(fit::fit);
        return fit.fitted();
    }

    private boolean isSomewhere(int d) {
        return view.nodeSwitch(d) >= 0 && view.alive(view.nodeSwitch(d));
    }

    private void fit(int d) {
        walk.walk(d, s -> wanted.port(s, d), wanted);
        int turned = walk.turned();
        int astray = walk.astray();
        if (turned == 0 && astray == 0) {
            countLost(d, s -> wanted.port(s, d));
            return;
        }
        ways.find(d, wanted);
        walk.walk(d, ways::port, wanted);
        int turnedAtLeast = walk.turned();
        countLost(d, ways::port);
        if (turned == turnedAtLeast && astray == walk.astray()) {
            return;
        }
        walk.walk(d, s -> portOrWanted(s, d), s -> ways.port(s) == LftSet.NO_ROUTE, wanted);
        for (int s = 0; s < view.switchCount(); s++) {
            int port = walk.stopped(s) ? LftSet.NO_ROUTE : portOrWanted(s, d);
            if (view.alive(s) && view.rank(s) >= 0 && port != wanted.port(s, d) && !isRefused(s, d)) {
                changed.computeIfAbsent(s, unused -> new TreeMap<>()).put(d, port);
            }
        }
        changedColumns.set(d);
        misfits.stream().filter(s -> untold.contains(s) && isAvoided(s, d)).forEach(avoided::set);
    }

    /** What goes over a link that no route should use, as it is drained, and carries packets all the same, is not lost. */
    private void countLost(int d, IntUnaryOperator ports) {
        if (walk.lost() == 0) {
            return;
        }
        carriedWalk.walk(d, ports, wanted);
        if (carriedWalk.lost() == 0) {
            return;
        }
        lostCount += carriedWalk.lost();
        carriedWalk
                .lostFrom()
                .limit(LostPairs.NAMED - lostFirst.size())
                .forEach(s -> lostFirst.add(new LostPairs.Pair(s, d)));
        findWhoLoses(d);
    }

    /**
     * Who may send packets of the lost pairs otherwise than he should, and would help by doing as he should: of all to whom they may come, by what is
     * wanted, by what is held, or by another way up and down. Who is known already is not looked for again: O(misfits) for each destination then, else
     * O(switches × possible rows + links).
     */
    private void findWhoLoses(int d) {
        BitSet missing = new BitSet();
        misfits.stream()
                .filter(s -> !lostBecause.get(s) && rows.differs(s, d, wanted.port(s, d)))
                .forEach(missing::set);
        reached.clear();
        reachedCount = 0;
        carriedWalk.lostFrom().forEach(this::reach);
        reach(works.nodeSwitch(d));
        for (int i = 0; i < reachedCount && !missing.isEmpty(); i++) {
            int s = reachedInOrder[i];
            if (missing.get(s)) {
                missing.clear(s);
                lostBecause.set(s);
            }
            reachBy(s, wanted.port(s, d));
            for (LftRow row : held.getOrDefault(s, List.of())) {
                reachBy(s, d < row.entryCount() ? row.port(d) : LftSet.NO_ROUTE);
            }
            for (int group = works.groupStart(s); group < works.groupStart(s + 1); group++) {
                if (works.isUp(s, works.groupRemote(group))) {
                    reach(works.groupRemote(group));
                }
            }
        }
    }

    private void reachBy(int s, int port) {
        if (port >= 1 && port <= works.portCount(s) && works.peerSwitch(s, port) >= 0) {
            reach(works.peerSwitch(s, port));
        }
    }

    private void reach(int s) {
        if (!reached.get(s)) {
            reached.set(s);
            reachedInOrder[reachedCount++] = s;
        }
    }

    private boolean isRefused(int s, int d) {
        RefusedEntries entries = refused.get(s);
        return entries != null && entries.ports().containsKey(d);
    }

    private int portOrWanted(int s, int d) {
        return ways.port(s) == LftSet.NO_ROUTE ? wanted.port(s, d) : ways.port(s);
    }

    /** It should serve the packets that come to it, and may not. */
    private boolean isAvoided(int s, int d) {
        int port = wanted.port(s, d);
        int next = port >= 1 && port <= view.portCount(s) ? view.peerSwitch(s, port) : -1;
        boolean down = next >= 0 && view.isDown(s, next);
        return down ? !ways.safeFromAbove(s) : !ways.safeFromBelow(s);
    }

    private Fitted fitted() {
        LftRow[] rows = new LftRow[wanted.switchCount()];
        for (int s = 0; s < rows.length; s++) {
            SortedMap<Integer, Integer> entries = changed.get(s);
            rows[s] = entries == null ? wanted.row(s) : new RefusedEntries(entries).in(wanted.row(s));
        }
        int destinations = changedColumns.cardinality();
        Map<Integer, LftRow> asWanted = new TreeMap<>();
        refused.forEach((s, entries) -> {
            LftRow row = rows[s];
            rows[s] = entries.in(row);
            if (!rows[s].sameEntries(row)) {
                asWanted.put(s, row);
                entries.ports().headMap(row.entryCount()).keySet().forEach(changedColumns::set);
            }
        });
        LftSet tables = new LftSet(wanted.epoch(), wanted.entryCount(), rows);
        LostPairs lost =
                new LostPairs(lostCount, lostFirst, lostBecause.stream().boxed().toList());
        Detours detours = new Detours(avoided.stream().boxed().toList(), destinations, lost, Map.of());
        return new Fitted(tables, detours, changedColumns, asWanted);
    }
}
