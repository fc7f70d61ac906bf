package io.dmodc.ctl.report;

import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/**
 * All live switches of one rank.
 *
 * @param switches their indices, ascending
 * @param up cables a switch has to the next rank up
 * @param down cables a switch has to the next rank down
 * @param hosts host ports a switch has
 */
record RankSummary(int rank, List<Integer> switches, Spread up, Spread down, Spread hosts) {
    /**
     * How many each switch of a level has.
     *
     * @param usual what most have; of two as frequent the larger, because damage takes away
     * @param usualCount how many switches have that
     */
    record Spread(int least, int most, long total, int usual, int usualCount) {
        static Spread of(List<Integer> switches, IntUnaryOperator count) {
            int[] times = new int[256];
            int least = Integer.MAX_VALUE;
            int most = 0;
            long total = 0;
            for (int s : switches) {
                int has = count.applyAsInt(s);
                times[Math.min(has, 255)]++;
                least = Math.min(least, has);
                most = Math.max(most, has);
                total += has;
            }
            int usual = 0;
            for (int has = 0; has < times.length; has++) {
                usual = times[has] >= times[usual] ? has : usual;
            }
            return new Spread(switches.isEmpty() ? 0 : least, most, total, usual, times[usual]);
        }

        String text() {
            return least == most ? Integer.toString(most) : least + "–" + most;
        }
    }

    /** From the leaves upwards. */
    static List<RankSummary> of(FabricView view) {
        return of(view, s -> true);
    }

    /** The same of each part by itself, one after the other: what is usual in one says nothing of another. */
    static List<RankSummary> byPart(FabricView view, List<RankSummary> whole) {
        if (view.partCount() < 2) {
            return whole;
        }
        List<RankSummary> levels = new ArrayList<>();
        for (int part = 0; part < view.partCount(); part++) {
            int wanted = part;
            levels.addAll(of(view, s -> view.part(s) == wanted));
        }
        return levels;
    }

    private static List<RankSummary> of(FabricView view, IntPredicate wanted) {
        List<RankSummary> levels = new ArrayList<>();
        for (int rank = 0; rank <= view.rankMax(); rank++) {
            List<Integer> switches = new ArrayList<>();
            for (int s = 0; s < view.switchCount(); s++) {
                if (view.rank(s) == rank && view.alive(s) && wanted.test(s)) {
                    switches.add(s);
                }
            }
            levels.add(new RankSummary(
                    rank,
                    List.copyOf(switches),
                    Spread.of(switches, s -> cables(view, s, 1)),
                    Spread.of(switches, s -> cables(view, s, -1)),
                    Spread.of(switches, s -> hosts(view, s))));
        }
        return levels;
    }

    /** Cables of a switch to the rank {@code step} above its own. */
    static int cables(FabricView view, int s, int step) {
        int cables = 0;
        for (int group = view.groupStart(s); group < view.groupEnd(s); group++) {
            cables += view.rank(view.groupRemote(group)) == view.rank(s) + step ? view.groupSize(group) : 0;
        }
        return cables;
    }

    static int hosts(FabricView view, int s) {
        int hosts = 0;
        for (int port = 1; port <= view.portCount(s); port++) {
            int node = view.peerNode(s, port);
            hosts += node >= 0 && view.isHost(node) ? 1 : 0;
        }
        return hosts;
    }
}
