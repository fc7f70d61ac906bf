package io.dmodc.topology.design;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * Finds the levels of switches that are new in a fabric by their place among those whose levels are known.
 *
 * <p><b>Idea.</b> Links lead one level up or down. So the neighbours of known level leave a new switch one level, or two:
 * above them or below. A switch with hosts between is a leaf. Of two levels it gets that of its predecessor, if there is
 * one, else the one on which some switch has most of the same neighbours.
 *
 * <p>Where it is like none, it may be the first above switches that had none above them, or one above others some cables of
 * which are wrong. It is, if nothing else is above two of three of its neighbours, or one switch above them has more than half of
 * them; no switch below them has more than half of them, and two of them have no leaf in common: it joins what nothing
 * below joins, which is of use only above. A switch that belonged below them would share them with those that are
 * there, and would carry nothing, without hosts and with nobody beneath. While a neighbour is unknown, this is not asked.
 *
 * <p>Nothing but hosts makes a leaf: a switch without hosts that could be one as well as the top of the fabric stays
 * unknown, as does one whose links contradict each other, unless it has hosts. What is placed counts as known for the
 * rest, so a new pod is placed from both its ends.
 *
 * <p>Deterministic: all of a round are placed by what was known before it. O(new switches · ports² · rounds).
 */
public final class LevelPlacement {
    /** Share of a switch's links to known neighbours that must fit its level, so that some cables may be wrong: two of three. */
    private static final int FIT_PARTS = 3;

    private static final int FIT_MIN = 2;

    private final FabricView view;
    private final IntUnaryOperator predecessorLevel;
    private final int[] level;

    private LevelPlacement(FabricView view, GuidNumbers known, IntUnaryOperator predecessorLevel) {
        this.view = view;
        this.predecessorLevel = predecessorLevel;
        level = new int[view.switchCount()];
        for (int s = 0; s < level.length; s++) {
            level[s] = known.getOrDefault(view.switchGuid(s), FabricView.UNRANKED);
        }
    }

    /**
     * Places all switches with live links that have no known level, as far as their levels are clear.
     *
     * @param view drawn with the known levels
     * @param predecessorLevel level of the switch that a switch index replaces, or {@link FabricView#UNRANKED}
     * @return levels of new switches by index, ascending
     */
    public static Map<Integer, Integer> place(FabricView view, GuidNumbers known, IntUnaryOperator predecessorLevel) {
        return new LevelPlacement(view, known, predecessorLevel).place();
    }

    /** How many live links lead between levels that are not adjacent; new switches count if their hosts make them leaves. */
    public static int contradictions(FabricView view, GuidNumbers levels) {
        int contradictions = 0;
        for (int s = 0; s < view.switchCount(); s++) {
            int near = levelOf(view, s, levels);
            for (int g = view.groupStart(s); near >= 0 && g < view.groupEnd(s); g++) {
                int far = levelOf(view, view.groupRemote(g), levels);
                contradictions += far >= 0 && Math.abs(far - near) != 1 ? view.groupSize(g) : 0;
            }
        }
        return contradictions / 2;
    }

    private static int levelOf(FabricView view, int s, GuidNumbers levels) {
        return levels.getOrDefault(view.switchGuid(s), view.rank(s) == 0 ? 0 : FabricView.UNRANKED);
    }

    private Map<Integer, Integer> place() {
        Map<Integer, Integer> placed = new LinkedHashMap<>();
        Map<Integer, Integer> round = new LinkedHashMap<>();
        do {
            round.clear();
            for (int s = 0; s < level.length; s++) {
                int place = level[s] < 0 && hasLinks(s) ? levelOf(s) : FabricView.UNRANKED;
                if (place >= 0) {
                    round.put(s, place);
                }
            }
            round.forEach((s, place) -> level[s] = place);
            placed.putAll(round);
        } while (!round.isEmpty());
        return placed;
    }

    private boolean hasLinks(int s) {
        return view.groupStart(s) < view.groupEnd(s);
    }

    private int levelOf(int s) {
        int[] fits = fits(s);
        int known = fits[fits.length - 1];
        boolean leaf = view.rank(s) == 0;
        if (known == 0) {
            return leaf ? 0 : FabricView.UNRANKED;
        }
        int best = Arrays.stream(fits, 0, fits.length - 1).max().orElse(0);
        if (FIT_PARTS * best < FIT_MIN * known) {
            return leaf && fits[0] > 0 ? 0 : FabricView.UNRANKED;
        }
        int first = 0;
        while (fits[first] < best) {
            first++;
        }
        int second = first + 1;
        while (second < fits.length - 1 && fits[second] < best) {
            second++;
        }
        if (second == fits.length - 1) {
            return first > 0 || leaf ? first : FabricView.UNRANKED;
        }
        return leaf && first == 0 ? 0 : either(s, first, second);
    }

    /** By level, how many links fit it; behind them, how many links to known neighbours there are. */
    private int[] fits(int s) {
        int[] fits = new int[GuidNumbers.LEVEL_MAX + 2];
        for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
            int far = level[view.groupRemote(g)];
            if (far >= 0) {
                fits[fits.length - 1] += view.groupSize(g);
                fits[Math.min(far + 1, GuidNumbers.LEVEL_MAX)] += view.groupSize(g);
                if (far > 0) {
                    fits[far - 1] += view.groupSize(g);
                }
            }
        }
        return fits;
    }

    private int either(int s, int low, int high) {
        int before = predecessorLevel.applyAsInt(s);
        if (before == low || before == high) {
            return before;
        }
        double below = likeness(s, low, low + 1);
        double above = likeness(s, high, high - 1);
        if (above > below && above > 0.5) {
            return high;
        }
        if (below > above && below > 0.5) {
            return low > 0 ? low : FabricView.UNRANKED;
        }
        return isAbove(s, low + 1) ? high : FabricView.UNRANKED;
    }

    /**
     * True if its neighbours are all on one level, are not joined by those below, and most have nobody else above, or somebody who
     * has most of them.
     */
    private boolean isAbove(int s, int neighbourLevel) {
        int own = neighboursOn(s, neighbourLevel);
        return view.rank(s) != 0
                && own == view.groupEnd(s) - view.groupStart(s)
                && (FIT_PARTS * (own - haveAbove(s, neighbourLevel)) >= FIT_MIN * own
                        || hasMostOfThem(s, neighbourLevel + 1, neighbourLevel))
                && !hasMostOfThem(s, neighbourLevel - 1, neighbourLevel)
                && new LeavesBelow(view, level).anyApart(s);
    }

    /** True if some switch on a level has more than half of this one's neighbours on another one. */
    private boolean hasMostOfThem(int s, int at, int neighbourLevel) {
        int own = neighboursOn(s, neighbourLevel);
        return common(s, at, neighbourLevel).values().stream().anyMatch(count -> 2 * count > own);
    }

    /** How many of a switch's neighbours on a level have another one above them. */
    private int haveAbove(int s, int neighbourLevel) {
        int count = 0;
        for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
            int neighbour = view.groupRemote(g);
            count += level[neighbour] == neighbourLevel && neighboursOn(neighbour, neighbourLevel + 1) > 0 ? 1 : 0;
        }
        return count;
    }

    /** Of the switches on a level, how like the most alike one is: common neighbours on a level over all of both. */
    private double likeness(int s, int at, int neighbourLevel) {
        int own = neighboursOn(s, neighbourLevel);
        double best = 0;
        for (Map.Entry<Integer, Integer> other : common(s, at, neighbourLevel).entrySet()) {
            int all = own + neighboursOn(other.getKey(), neighbourLevel) - other.getValue();
            best = Math.max(best, (double) other.getValue() / all);
        }
        return best;
    }

    /** By switch on a level, how many neighbours on another one it has in common with this switch; without zeros. */
    private Map<Integer, Integer> common(int s, int at, int neighbourLevel) {
        Map<Integer, Integer> common = new HashMap<>();
        for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
            int neighbour = view.groupRemote(g);
            for (int h = view.groupStart(neighbour);
                    level[neighbour] == neighbourLevel && h < view.groupEnd(neighbour);
                    h++) {
                if (level[view.groupRemote(h)] == at) {
                    common.merge(view.groupRemote(h), 1, Integer::sum);
                }
            }
        }
        return common;
    }

    private int neighboursOn(int s, int neighbourLevel) {
        int count = 0;
        for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
            count += level[view.groupRemote(g)] == neighbourLevel ? 1 : 0;
        }
        return count;
    }
}
