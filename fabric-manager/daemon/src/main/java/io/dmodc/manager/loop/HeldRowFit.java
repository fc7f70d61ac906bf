package io.dmodc.manager.loop;

import io.dmodc.manager.core.Detours;
import io.dmodc.manager.core.LostPairs;
import io.dmodc.manager.core.RefusedEntries;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Tables;
import io.dmodc.routing.check.ConcernedSwitches;
import io.dmodc.routing.check.HeldRowWalk;
import io.dmodc.routing.check.HeldRowWays;
import io.dmodc.routing.check.HeldRows;
import io.dmodc.routing.check.TableCheck;
import io.dmodc.routing.check.TableColumn;
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
 * <p>One that can be told, and does not take single entries, may keep them or take what it is told: so are destinations of these
 * looked at. It is told what fits the others, as any is; the table that it is given has what it keeps there, so that it is one it takes, and it is offered the other.
 *
 * <p>O(held rows × columns / 64) to find where they differ, then for each destination what the switches {@linkplain ConcernedSwitches concerned} cost: one walk, and
 * where it finds something two or three more and a look for ways. Memory: some 50 bytes a switch, and
 * a map entry for each table entry that is not as wanted. For one thread.
 */
final class HeldRowFit {
    /**
     * Tables and what became of them.
     *
     * @param changed columns that are not as wanted
     * @param asWanted by switch index, rows of those that refuse entries without regard to that, fitted to what others hold; of those alone where it differs
     */
    record Fitted(Tables tables, Detours detours, BitSet changed, Map<Integer, LftRow> asWanted) {}

    private final FabricView view;

    /** With the links that carry packets and are not to be used. */
    private final FabricView works;

    private final LftSet wanted;

    /** Of what is wanted, the destination looked at. */
    private final TableColumn column;

    private final BitSet notRight;

    /** Switches that cannot be told anything. */
    private final Set<Integer> untold;

    private final Map<Integer, RefusedEntries> refused;
    private final BitSet misfits = new BitSet();
    private final HeldRows rows;

    /** And of those that no route leads through, and that carry packets. */
    private final HeldRows carried;

    private final ConcernedSwitches concernedSwitches;
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

    /** Switches to which packets of lost pairs may come, with all above each. */
    private final BitSet reached = new BitSet();

    /** Those of them whose entries were looked at. */
    private final BitSet followed = new BitSet();

    private HeldRowFit(
            FabricView view,
            FabricView works,
            LftSet wanted,
            BitSet notRight,
            Set<Integer> untold,
            Map<Integer, RefusedEntries> refused,
            HeldRows rows,
            HeldRows carried) {
        this.view = view;
        this.works = works;
        this.wanted = wanted;
        this.notRight = notRight;
        this.untold = untold;
        this.refused = refused;
        this.rows = rows;
        this.carried = carried;
        column = new TableColumn(view, wanted);
        concernedSwitches = new ConcernedSwitches(view, works, column, carried, notRight);
        walk = new HeldRowWalk(view, works, rows);
        carriedWalk = new HeldRowWalk(works, works, carried);
        ways = new HeldRowWays(view, works, column, rows);
    }

    /**
     * @param works the same fabric with links that carry packets and are not to be used
     * @param wanted tables that are right where every switch holds its own
     * @param notRight columns of these with an entry that is not right, as {@link TableCheck#notRight} says
     * @param held by switch index: what those may hold that cannot be told anything
     * @param refused by switch index: entries that others do not take
     * @param drained by switch index: what those go on forwarding by that no route leads through
     */
    static Fitted fit(
            FabricView view,
            FabricView works,
            LftSet wanted,
            BitSet notRight,
            Map<Integer, List<LftRow>> held,
            Map<Integer, RefusedEntries> refused,
            Map<Integer, List<LftRow>> drained) {
        Map<Integer, List<LftRow>> all = new TreeMap<>(held);
        Map<Integer, BitSet> kept = new TreeMap<>();
        refused.forEach((s, entries) -> {
            all.put(s, List.of(entries.in(wanted.row(s))));
            BitSet destinations = new BitSet();
            entries.ports().keySet().forEach(destinations::set);
            kept.put(s, destinations);
        });
        HeldRows rows = new HeldRows(view, all, kept, wanted.entryCount());
        drained.forEach(all::putIfAbsent);
        HeldRows carried = drained.isEmpty() ? rows : new HeldRows(view, all, kept, wanted.entryCount());
        HeldRowFit fit = new HeldRowFit(view, works, wanted, notRight, held.keySet(), refused, rows, carried);
        rows.differing(wanted, fit.misfits).stream().filter(fit::isSomewhere).forEach(fit::fit);
        return fit.fitted();
    }

    private boolean isSomewhere(int d) {
        return view.nodeSwitch(d) >= 0 && view.alive(view.nodeSwitch(d));
    }

    private void fit(int d) {
        column.turnTo(d);
        BitSet concerned = concernedSwitches.find();
        walk.walk(column, concerned, column::port, s -> false);
        int turned = walk.turned();
        int astray = walk.astray();
        if (turned == 0 && astray == 0) {
            countLost(concerned, column::port);
            return;
        }
        ways.find(concerned);
        walk.walk(column, concerned, ways::port, s -> false);
        int turnedAtLeast = walk.turned();
        countLost(concerned, ways::port);
        if (turned == turnedAtLeast && astray == walk.astray()) {
            return;
        }
        walk.walk(column, concerned, this::portOrWanted, s -> ways.port(s) == LftSet.NO_ROUTE);
        for (int s = concerned.nextSetBit(0); s >= 0; s = concerned.nextSetBit(s + 1)) {
            int port = walk.stopped(s) ? LftSet.NO_ROUTE : portOrWanted(s);
            if (view.alive(s) && view.rank(s) >= 0 && port != column.port(s)) {
                changed.computeIfAbsent(s, unused -> new TreeMap<>()).put(d, port);
            }
        }
        changedColumns.set(d);
        misfits.stream().filter(s -> untold.contains(s) && isAvoided(s)).forEach(avoided::set);
    }

    /** What goes over a link that no route should use, as it is drained, and carries packets all the same, is not lost. */
    private void countLost(BitSet concerned, IntUnaryOperator ports) {
        if (walk.lost() == 0) {
            return;
        }
        carriedWalk.walk(column, concerned, ports, s -> false);
        if (carriedWalk.lost() == 0) {
            return;
        }
        lostCount += carriedWalk.lost();
        carriedWalk
                .lostFrom()
                .limit(LostPairs.NAMED - lostFirst.size())
                .forEach(s -> lostFirst.add(new LostPairs.Pair(s, column.destination())));
        findWhoLoses();
    }

    /**
     * Who may send packets of the lost pairs otherwise than he should, and would help by doing as he should: of all to whom they may come, by what is
     * wanted, by what is held, or by another way up and down. Who is known already is not looked for again. Right entries lead up, or to a switch above the destination, and
     * need no look: O(links above the sources and the destination + held rows) for each destination then.
     */
    private void findWhoLoses() {
        int d = column.destination();
        BitSet missing = new BitSet();
        misfits.stream()
                .filter(s -> !lostBecause.get(s) && rows.differs(s, d, column.port(s)))
                .forEach(missing::set);
        if (missing.isEmpty()) {
            return;
        }
        reached.clear();
        followed.clear();
        carriedWalk.lostFrom().forEach(this::reach);
        reach(works.nodeSwitch(d));
        while (followReached(d)) {}
        missing.and(reached);
        lostBecause.or(missing);
    }

    /** True if there were entries to look at. */
    private boolean followReached(int d) {
        boolean any = false;
        for (int s = reached.nextSetBit(0); s >= 0; s = reached.nextSetBit(s + 1)) {
            LftRow[] held = carried.of(s, d);
            if (!followed.get(s) && (held.length > 0 || notRight.get(d))) {
                any = true;
                followed.set(s);
                reachBy(s, column.port(s));
                for (LftRow row : held) {
                    reachBy(s, row.port(d));
                }
            }
        }
        return any;
    }

    private void reachBy(int s, int port) {
        if (port >= 1 && port <= works.portCount(s) && works.peerSwitch(s, port) >= 0) {
            reach(works.peerSwitch(s, port));
        }
    }

    private void reach(int s) {
        if (reached.get(s)) {
            return;
        }
        reached.set(s);
        for (int group = works.groupStart(s); group < works.groupEnd(s); group++) {
            if (works.isUp(s, works.groupRemote(group))) {
                reach(works.groupRemote(group));
            }
        }
    }

    private int portOrWanted(int s) {
        return ways.port(s) == LftSet.NO_ROUTE ? column.port(s) : ways.port(s);
    }

    /** It should serve the packets that come to it, and may not. To a leaf come those to its hosts alone. */
    private boolean isAvoided(int s) {
        if (view.rank(s) == 0 && s != view.nodeSwitch(column.destination())) {
            return false;
        }
        int port = column.port(s);
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
