package io.dmodc.topology.design;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Who stands where in the design.
 *
 * <p>A place of level l is a pair: a, one of the subtrees of height l (there are m_{l+1} … m_h), and b, one of the sets
 * of top switches that a switch of this level reaches (there are w_1 … w_l). Two places of adjacent levels are
 * neighbours when the lower subtree is part of the upper one and the upper set part of the lower one: {@code a / m_l}
 * and {@code b / w_l} of one are those of the other. Each pair has exactly one place, so the two trees
 * ({@link PgftTree}) say all. Where two switches claim one place, the one with more cables to its neighbours has it;
 * the other goes to the empty place of its level that it has most cables for, failing that to such a place of any
 * level, or nowhere.
 */
final class PlaceAssignment {
    /** Beyond so many pairs of a switch without a place and an empty place, none of these gets one. */
    private static final long PAIRS_MAX = 1_000_000;

    final PgftShape shape;

    /** Level each switch is cabled like, 0 unknown. */
    final int[] level;

    /** Place of each switch and switch of each place, −1 for none. */
    final int[] placeOf;

    final int[] switchAt;

    private final FabricView view;
    private final int[] base;

    private PlaceAssignment(FabricView view, PgftShape shape) {
        this.view = view;
        this.shape = shape;
        level = LevelFinder.of(view, shape);
        base = new int[shape.levels() + 1];
        for (int l = 1; l <= shape.levels(); l++) {
            base[l] = base[l - 1] + shape.switchCount(l);
        }
        placeOf = new int[level.length];
        switchAt = new int[base[shape.levels()]];
        Arrays.fill(switchAt, SiblingFinder.NONE);
    }

    static PlaceAssignment assign(FabricView view, PgftShape shape) {
        PlaceAssignment places = new PlaceAssignment(view, shape);
        int[] claimed = places.claims();
        places.settle(claimed);
        for (int l = 1; l <= shape.levels(); l++) {
            places.fillEmpty(l, l);
        }
        places.fillEmpty(1, shape.levels());
        return places;
    }

    /**
     * Measures how badly the design fits: empty places, cables of switches without a place, cables between switches
     * that are no neighbours or too many, and cables that lack between two that are present.
     */
    long faults() {
        CableDifferences cables = new CableDifferences(view, this);
        long faults = cables.surplus.size() + cables.lackingCount();
        for (int s = 0; s < placeOf.length; s++) {
            for (int group = view.groupStart(s); placeOf[s] < 0 && group < view.groupEnd(s); group++) {
                faults += view.groupSize(group);
            }
        }
        return faults + Arrays.stream(switchAt).filter(s -> s < 0).count();
    }

    int levelOf(int place) {
        int l = 1;
        while (place >= base[l]) {
            l++;
        }
        return l;
    }

    /** Place of the k-th child, 0..m_l−1, of a place above the leaves. */
    int child(int place, int k) {
        int l = levelOf(place);
        int at = place - base[l - 1];
        int a = at / shape.positionCount(l);
        int b = at % shape.positionCount(l);
        return base[l - 2] + (a * shape.m(l) + k) * shape.positionCount(l - 1) + b / shape.w(l);
    }

    /** Place of the k-th parent, 0..w_{l+1}−1, of a place below the top. */
    int parent(int place, int k) {
        int l = levelOf(place);
        int at = place - base[l - 1];
        int a = at / shape.positionCount(l) / shape.m(l + 1);
        int b = at % shape.positionCount(l);
        return base[l] + a * shape.positionCount(l + 1) + b * shape.w(l + 1) + k;
    }

    boolean neighbours(int place, int other) {
        int low = Math.min(place, other);
        int high = Math.max(place, other);
        int l = levelOf(low);
        if (levelOf(high) != l + 1) {
            return false;
        }
        int lowAt = low - base[l - 1];
        int highAt = high - base[l];
        return lowAt / shape.positionCount(l) / shape.m(l + 1) == highAt / shape.positionCount(l + 1)
                && highAt % shape.positionCount(l + 1) / shape.w(l + 1) == lowAt % shape.positionCount(l);
    }

    private int[] claims() {
        PgftTree subtrees = new PgftTree(view, LevelFinder.on(level, 1));
        for (int l = 2; l <= shape.levels(); l++) {
            subtrees.grow(LevelFinder.on(level, l), shape.m(l), shape.subtreeCount(l));
        }
        PgftTree positions = new PgftTree(view, LevelFinder.on(level, shape.levels()));
        for (int l = shape.levels() - 1; l >= 1; l--) {
            positions.grow(LevelFinder.on(level, l), shape.w(l + 1), shape.positionCount(l));
        }
        List<int[]> aNumbers = subtrees.numbers();
        List<int[]> bNumbers = positions.numbers();
        int[] claimed = new int[level.length];
        Arrays.fill(claimed, SiblingFinder.NONE);
        for (int s = 0; s < level.length; s++) {
            int l = level[s];
            if (l > 0 && subtrees.itemOf(s) >= 0 && positions.itemOf(s) >= 0) {
                int a = aNumbers.get(l - 1)[subtrees.itemOf(s)];
                int b = bNumbers.get(shape.levels() - l)[positions.itemOf(s)];
                boolean inside = a >= 0 && b >= 0 && a < shape.subtreeCount(l) && b < shape.positionCount(l);
                claimed[s] = inside ? base[l - 1] + a * shape.positionCount(l) + b : SiblingFinder.NONE;
            }
        }
        return claimed;
    }

    private void settle(int[] claimed) {
        int[] support = new int[claimed.length];
        for (int s = 0; s < claimed.length; s++) {
            support[s] = claimed[s] < 0 ? 0 : support(s, claimed[s], claimed);
            if (claimed[s] >= 0) {
                int holder = switchAt[claimed[s]];
                if (holder < 0 || support[s] > support[holder]) {
                    switchAt[claimed[s]] = s;
                }
            }
        }
        Arrays.fill(placeOf, SiblingFinder.NONE);
        for (int place = 0; place < switchAt.length; place++) {
            if (switchAt[place] >= 0) {
                placeOf[switchAt[place]] = place;
            }
        }
    }

    /** Cables of a switch that would be right if it stood at a place and the others where they are said to. */
    private int support(int s, int place, int[] where) {
        int support = 0;
        for (int group = view.groupStart(s); group < view.groupEnd(s); group++) {
            int remote = where[view.groupRemote(group)];
            support += remote >= 0 && neighbours(place, remote) ? view.groupSize(group) : 0;
        }
        return support;
    }

    private record Offer(int s, int place, int support) {}

    /** Gives those who are cabled like the levels {@code first .. last} the empty places there. */
    private void fillEmpty(int first, int last) {
        int[] placeless = IntStream.range(0, level.length)
                .filter(s -> placeOf[s] < 0 && level[s] >= first && level[s] <= last)
                .toArray();
        int[] empty = IntStream.range(base[first - 1], base[last])
                .filter(place -> switchAt[place] < 0)
                .toArray();
        if ((long) placeless.length * empty.length > PAIRS_MAX) {
            return;
        }
        List<Offer> offers = new ArrayList<>();
        for (int s : placeless) {
            for (int place : empty) {
                int support = support(s, place, placeOf);
                if (support > 0) {
                    offers.add(new Offer(s, place, support));
                }
            }
        }
        offers.sort(Comparator.comparing(Offer::support).reversed());
        for (Offer offer : offers) {
            if (placeOf[offer.s] < 0 && switchAt[offer.place] < 0) {
                placeOf[offer.s] = offer.place;
                switchAt[offer.place] = offer.s;
            }
        }
    }
}
