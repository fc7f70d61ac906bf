package io.dmodc.topology.design;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.PgftShape;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Says which level of the design each switch is cabled like, 1 for leaves, 0 where its cables do not say.
 *
 * <p>Leaves are those of the view. A switch stands on level l if it reaches more than half of the m_l subtrees that one
 * of this level should join: a single wrong cable lifts or sinks nobody. A switch whose neighbours below are mostly in
 * one and the same subtree stands below them instead (a leaf without hosts, a spine without leaf links). Those left
 * over are judged at the end by their neighbours on both sides.
 */
final class LevelFinder {
    private final FabricView view;
    private final PgftShape shape;
    private final int[] level;

    /** Item of each switch in the tree from below, as of its own level. */
    private final PgftTree below;

    /** Levels found before, 0 for those with too few children anywhere; empty at first. */
    private final int[] firstGuess;

    private LevelFinder(FabricView view, PgftShape shape, int[] firstGuess) {
        this.view = view;
        this.shape = shape;
        this.firstGuess = firstGuess;
        level = IntStream.range(0, view.switchCount())
                .map(s -> view.isLeaf(s) ? 1 : 0)
                .toArray();
        below = new PgftTree(view, on(level, 1));
    }

    static int[] of(FabricView view, PgftShape shape) {
        LevelFinder first = new LevelFinder(view, shape, new int[0]);
        first.climb();
        LevelFinder levels = new LevelFinder(view, shape, first.level);
        levels.climb();
        levels.judgeTheRest();
        return levels.level;
    }

    /** The switches of one level. */
    static int[] on(int[] level, int wanted) {
        return IntStream.range(0, level.length).filter(s -> level[s] == wanted).toArray();
    }

    private void climb() {
        for (int l = 2; l <= shape.levels(); l++) {
            int[] candidates = on(level, 0);
            CableCounts cableCounts = below.cableCounts(candidates);
            boolean[] hasChildren = new boolean[level.length];
            for (int c = 0; c < candidates.length; c++) {
                int reached = cableCounts.base[c + 1] - cableCounts.base[c];
                hasChildren[candidates[c]] = reached > 0;
                boolean enough = shape.m(l) == 1 ? reached == 1 : 2 * reached > shape.m(l);
                if (enough && !standsBelow(candidates[c], l - 1)) {
                    level[candidates[c]] = l;
                }
            }
            takeBereft(l, IntStream.of(candidates).filter(s -> hasChildren[s]).toArray());
            below.grow(on(level, l), shape.m(l), shape.subtreeCount(l));
        }
    }

    /**
     * While a level lacks switches, those with too few children anywhere stand on it too, if few of their neighbours
     * do: a higher switch with a wrong cable has most of its neighbours there.
     */
    private void takeBereft(int l, int[] candidates) {
        int[] judged = level.clone();
        int lacking = shape.switchCount(l) - on(level, l).length;
        for (int s : candidates) {
            boolean bereft = firstGuess.length > 0 && firstGuess[s] == 0;
            if (bereft
                    && lacking > 0
                    && level[s] == 0
                    && 4 * neighbours(s, l) < neighbours(s)
                    && !standsBelow(s, l - 1)) {
                judged[s] = l;
                lacking--;
            }
        }
        System.arraycopy(judged, 0, level, 0, level.length);
    }

    private int neighbours(int s) {
        return view.groupEnd(s) - view.groupStart(s);
    }

    private int neighbours(int s, int l) {
        return (int) IntStream.range(view.groupStart(s), view.groupEnd(s))
                .filter(group -> level[view.groupRemote(group)] == l)
                .count();
    }

    private boolean standsBelow(int s, int parentLevel) {
        int together = together(s, parentLevel);
        return together >= 2 && 2 * together > neighbours(s, parentLevel);
    }

    /** Most neighbours on that level that are in one subtree. */
    private int together(int s, int parentLevel) {
        int[] items = neighbourItems(s, parentLevel);
        int most = 0;
        int run = 0;
        for (int i = 0; i < items.length; i++) {
            run = i > 0 && items[i] == items[i - 1] ? run + 1 : 1;
            most = Math.max(most, run);
        }
        return most;
    }

    private int[] neighbourItems(int s, int neighbourLevel) {
        return IntStream.range(view.groupStart(s), view.groupEnd(s))
                .map(view::groupRemote)
                .filter(r -> level[r] == neighbourLevel && below.itemOf(r) >= 0)
                .map(below::itemOf)
                .sorted()
                .toArray();
    }

    private void judgeTheRest() {
        int[] present = new int[shape.levels() + 1];
        Arrays.stream(level).forEach(l -> present[l]++);
        int[] judged = level.clone();
        for (int s : on(level, 0)) {
            judged[s] = judge(s, present);
        }
        System.arraycopy(judged, 0, level, 0, level.length);
    }

    /**
     * The level with most neighbours where they should be; at a tie one that lacks switches, then the lower one. No
     * leaf without hosts while all leaves by design have hosts.
     */
    private int judge(int s, int[] present) {
        int best = 0;
        long bestSupport = 0;
        int lowest = present[1] < shape.switchCount(1) ? 1 : 2;
        for (int l = lowest; l <= shape.levels(); l++) {
            int down = l == 1
                    ? 0
                    : (int) Arrays.stream(neighbourItems(s, l - 1)).distinct().count();
            int up = l == shape.levels() ? 0 : together(s, l + 1);
            int neighbours = Math.min(down, shape.m(l)) + (up == 0 ? 0 : Math.min(up, shape.w(l + 1)));
            long support = 2L * neighbours + (neighbours > 0 && present[l] < shape.switchCount(l) ? 1 : 0);
            if (support > bestSupport) {
                best = l;
                bestSupport = support;
            }
        }
        return best;
    }
}
