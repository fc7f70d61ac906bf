package io.dmodc.manager.loop;

import io.dmodc.manager.core.Detours;
import io.dmodc.manager.core.LostPairs;
import io.dmodc.manager.core.RefusedEntries;
import io.dmodc.manager.loop.HeldRowFit.Fitted;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * What {@link HeldRowFit} says, found by following every packet of every column at every switch, whether or not anything is amiss with it. Nothing is kept from one
 * column to the next, or from one packet to the next.
 */
final class SlowHeldRowFit {
    private enum End {
        DELIVERED,
        DROPPED_AT_HOME,
        DROPPED,
        TURNED
    }

    private final FabricView view;
    private final FabricView works;
    private final LftSet wanted;
    private final Map<Integer, List<LftRow>> rows;
    private final Map<Integer, List<LftRow>> carriedRows;
    private final Map<Integer, List<LftRow>> told;
    private final Map<Integer, RefusedEntries> refused;

    /** By switch, of the column looked at. */
    private final boolean[] safeFromAbove;

    private final boolean[] safeFromBelow;
    private final int[] port;

    private final byte[][] tables;
    private final BitSet changed = new BitSet();
    private final TreeSet<Integer> around = new TreeSet<>();
    private final TreeSet<Integer> because = new TreeSet<>();
    private final List<LostPairs.Pair> lost = new ArrayList<>();

    private SlowHeldRowFit(
            FabricView view,
            FabricView works,
            LftSet wanted,
            Map<Integer, List<LftRow>> held,
            Map<Integer, RefusedEntries> refused,
            Map<Integer, List<LftRow>> drained) {
        this.view = view;
        this.works = works;
        this.wanted = wanted;
        this.refused = refused;
        told = held;
        rows = new TreeMap<>(held);
        refused.forEach((s, entries) -> rows.put(s, List.of(entries.in(wanted.row(s)))));
        carriedRows = new TreeMap<>(rows);
        drained.forEach(carriedRows::putIfAbsent);
        safeFromAbove = new boolean[view.switchCount()];
        safeFromBelow = new boolean[view.switchCount()];
        port = new int[view.switchCount()];
        tables = new byte[view.switchCount()][];
        Arrays.setAll(tables, s -> wanted.row(s).toBytes());
    }

    static Fitted fit(
            FabricView view,
            FabricView works,
            LftSet wanted,
            Map<Integer, List<LftRow>> held,
            Map<Integer, RefusedEntries> refused,
            Map<Integer, List<LftRow>> drained) {
        SlowHeldRowFit fit = new SlowHeldRowFit(view, works, wanted, held, refused, drained);
        for (int d = 0; d < wanted.entryCount(); d++) {
            fit.look(d);
        }
        return fit.fitted();
    }

    private static int entry(LftRow row, int d) {
        return d < row.entryCount() ? row.port(d) : LftSet.NO_ROUTE;
    }

    private boolean differs(int s, int d) {
        return rows.getOrDefault(s, List.of()).stream().anyMatch(row -> entry(row, d) != wanted.port(s, d));
    }

    /** It cannot be told, or does not take what it is told there. */
    private boolean keeps(int s, int d) {
        return told.containsKey(s)
                || (refused.containsKey(s) && refused.get(s).ports().containsKey(d));
    }

    private void look(int d) {
        int home = view.nodeSwitch(d);
        if (home < 0 || !view.alive(home) || rows.keySet().stream().noneMatch(s -> differs(s, d))) {
            return;
        }
        Walk plain = new Walk(view, rows, d, s -> wanted.port(s, d), s -> false);
        if (plain.turned == 0 && plain.astray == 0) {
            count(plain, s -> wanted.port(s, d));
            return;
        }
        findWays(d);
        Walk best = new Walk(view, rows, d, s -> port[s], s -> false);
        count(best, s -> port[s]);
        if (plain.turned == best.turned && plain.astray == best.astray) {
            return;
        }
        IntUnaryOperator ports = s -> port[s] == LftSet.NO_ROUTE ? wanted.port(s, d) : port[s];
        Walk last = new Walk(view, rows, d, ports, s -> port[s] == LftSet.NO_ROUTE);
        for (int s = 0; s < tables.length; s++) {
            if (view.alive(s) && view.rank(s) >= 0) {
                tables[s][d] = (byte) (last.stopped.get(s) ? LftSet.NO_ROUTE : ports.applyAsInt(s));
            }
        }
        changed.set(d);
        told.keySet().stream().filter(s -> isMisfit(s) && isAvoided(s, d)).forEach(around::add);
    }

    private boolean isMisfit(int s) {
        return IntStream.range(0, wanted.entryCount()).anyMatch(d -> differs(s, d));
    }

    private boolean isAvoided(int s, int d) {
        int next = peer(view, s, wanted.port(s, d));
        boolean others = view.rank(s) != 0 || s == view.nodeSwitch(d);
        return others && (next >= 0 && view.isDown(s, next) ? !safeFromAbove[s] : !safeFromBelow[s]);
    }

    private static int peer(FabricView in, int s, int port) {
        return port >= 1 && port <= in.portCount(s) ? in.peerSwitch(s, port) : -1;
    }

    /** From below to above, then from above to below. */
    private void findWays(int d) {
        Arrays.fill(safeFromAbove, false);
        Arrays.fill(safeFromBelow, false);
        Arrays.fill(port, LftSet.NO_ROUTE);
        for (int rank = FabricView.UNRANKED; rank <= view.rankMax(); rank++) {
            for (int s = 0; s < port.length; s++) {
                boolean concerned = rank != FabricView.UNRANKED || s == view.nodeSwitch(d);
                if (view.alive(s) && view.rank(s) == rank && concerned) {
                    int at = s;
                    port[s] = choose(s, d, p -> delivers(at, p, d));
                    safeFromAbove[s] = isSafe(s, d, p -> delivers(at, p, d) || dropsAtHome(at, p, d));
                    safeFromBelow[s] = safeFromAbove[s];
                }
            }
        }
        for (int rank = view.rankMax(); rank >= 0; rank--) {
            for (int s = 0; s < port.length; s++) {
                if (view.alive(s) && view.rank(s) == rank && !safeFromAbove[s]) {
                    int at = s;
                    port[s] = port[s] != LftSet.NO_ROUTE ? port[s] : choose(s, d, p -> climbs(at, p));
                    safeFromBelow[s] = isSafe(s, d, p -> delivers(at, p, d) || climbs(at, p));
                }
            }
        }
    }

    private int choose(int s, int d, IntPredicate serves) {
        if (serves.test(wanted.port(s, d))) {
            return wanted.port(s, d);
        }
        int[] all = IntStream.rangeClosed(1, view.portCount(s)).filter(serves).toArray();
        return all.length == 0 ? LftSet.NO_ROUTE : all[d % all.length];
    }

    private boolean isSafe(int s, int d, IntPredicate serves) {
        return (told.containsKey(s) || port[s] != LftSet.NO_ROUTE)
                && (!keeps(s, d) || rows.get(s).stream().allMatch(row -> serves.test(entry(row, d))));
    }

    private boolean delivers(int s, int p, int d) {
        int next = peer(view, s, p);
        return s == view.nodeSwitch(d)
                ? p == view.nodePort(d)
                : next >= 0 && view.isDown(s, next) && safeFromAbove[next];
    }

    private boolean dropsAtHome(int s, int p, int d) {
        return s == view.nodeSwitch(d) && peer(works, s, p) < 0;
    }

    private boolean climbs(int s, int p) {
        int next = peer(view, s, p);
        return next >= 0 && view.isUp(s, next) && safeFromBelow[next];
    }

    private void count(Walk walk, IntUnaryOperator ports) {
        if (walk.lost.isEmpty()) {
            return;
        }
        Walk carried = new Walk(works, carriedRows, walk.d, ports, s -> false);
        carried.lost.stream().forEach(s -> lost.add(new LostPairs.Pair(s, walk.d)));
        if (!carried.lost.isEmpty()) {
            addWhoLoses(carried);
        }
    }

    private void addWhoLoses(Walk walk) {
        BitSet reached = (BitSet) walk.lost.clone();
        reached.set(works.nodeSwitch(walk.d));
        Deque<Integer> open = new ArrayDeque<>(reached.stream().boxed().toList());
        while (!open.isEmpty()) {
            int s = open.remove();
            List<Integer> next = new ArrayList<>();
            next.add(peer(works, s, wanted.port(s, walk.d)));
            carriedRows.getOrDefault(s, List.of()).forEach(row -> next.add(peer(works, s, entry(row, walk.d))));
            for (int p = 1; p <= works.portCount(s); p++) {
                int above = peer(works, s, p);
                next.add(above >= 0 && works.isUp(s, above) ? above : -1);
            }
            next.stream().filter(n -> n >= 0 && !reached.get(n)).distinct().forEach(n -> {
                reached.set(n);
                open.add(n);
            });
        }
        reached.stream().filter(s -> differs(s, walk.d)).forEach(because::add);
    }

    /** How packets of all sources to one destination may fare at worst. */
    private final class Walk {
        private final FabricView in;
        private final Map<Integer, List<LftRow>> held;
        private final int d;
        private final IntUnaryOperator ports;
        private final IntPredicate mayStop;
        private final BitSet lost = new BitSet();
        private final BitSet stopped = new BitSet();
        private int turned;
        private int astray;

        Walk(FabricView in, Map<Integer, List<LftRow>> held, int d, IntUnaryOperator ports, IntPredicate mayStop) {
            this.in = in;
            this.held = held;
            this.d = d;
            this.ports = ports;
            this.mayStop = mayStop;
            for (int target = 0; target < in.targetCount(); target++) {
                int s = in.targetSwitch(target);
                if (in.alive(s)) {
                    End end = at(s, false);
                    boolean routed = wanted.port(s, d) != LftSet.NO_ROUTE;
                    turned += end == End.TURNED ? 1 : 0;
                    astray += routed && end.compareTo(End.DROPPED) >= 0 ? 1 : 0;
                    lost.set(s, routed && end != End.DELIVERED);
                }
            }
        }

        private End at(int s, boolean descended) {
            List<End> may = new ArrayList<>();
            if (held.containsKey(s) && (keeps(s, d) || !refused.containsKey(s))) {
                held.get(s).forEach(row -> may.add(by(s, entry(row, d), descended)));
            }
            if (refused.containsKey(s) || !held.containsKey(s)) {
                End end = by(s, ports.applyAsInt(s), descended);
                stopped.set(s, stopped.get(s) || (end == End.TURNED && mayStop.test(s)));
                may.add(end == End.TURNED && mayStop.test(s) ? End.DROPPED : end);
            }
            return may.stream().max(End::compareTo).orElseThrow();
        }

        private End by(int s, int p, boolean descended) {
            if (s == in.nodeSwitch(d) && p == in.nodePort(d)) {
                return End.DELIVERED;
            }
            int next = peer(in, s, p);
            if (next >= 0) {
                return over(s, next, descended);
            }
            if (s == in.nodeSwitch(d) && peer(works, s, p) < 0) {
                return End.DROPPED_AT_HOME;
            }
            int cabled = p >= 1 && p <= in.portCount(s) ? in.cabledSwitch(s, p) : -1;
            End strayed = cabled >= 0 && in.alive(cabled) ? over(s, cabled, descended) : End.DROPPED;
            return strayed.compareTo(End.DROPPED) > 0 ? strayed : End.DROPPED;
        }

        private End over(int s, int next, boolean descended) {
            boolean climbs = in.isUp(s, next) && !descended;
            return in.isDown(s, next) || climbs ? at(next, !climbs) : End.TURNED;
        }
    }

    private Fitted fitted() {
        LftRow[] fitted = new LftRow[tables.length];
        Arrays.setAll(fitted, s -> LftRow.of(tables[s]));
        BitSet columns = (BitSet) changed.clone();
        Map<Integer, LftRow> asWanted = new TreeMap<>();
        refused.forEach((s, entries) -> {
            LftRow row = fitted[s];
            fitted[s] = entries.in(row);
            if (!fitted[s].sameEntries(row)) {
                asWanted.put(s, row);
                entries.ports().headMap(row.entryCount()).keySet().forEach(columns::set);
            }
        });
        LostPairs pairs = new LostPairs(
                lost.size(), lost.subList(0, Math.min(lost.size(), LostPairs.NAMED)), List.copyOf(because));
        return new Fitted(
                new LftSet(wanted.epoch(), wanted.entryCount(), fitted),
                new Detours(List.copyOf(around), changed.cardinality(), pairs, Map.of()),
                columns,
                asWanted);
    }
}
