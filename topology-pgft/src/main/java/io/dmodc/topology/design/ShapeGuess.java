package io.dmodc.topology.design;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Likely shapes of a fabric, whole or damaged: at each level the number that most switches agree on, of hosts, children,
 * parents and parallel cables. Of two that are as frequent the larger, because damage mostly takes away. Where damage
 * has touched most switches no number is right any more; then shapes near by fit better.
 */
final class ShapeGuess {
    private final FabricView view;
    private final int[] level;
    private final List<Integer> m = new ArrayList<>();
    private final List<Integer> w = new ArrayList<>();
    private final List<Integer> p = new ArrayList<>();

    private ShapeGuess(FabricView view) {
        this.view = view;
        level = IntStream.range(0, view.switchCount())
                .map(s -> view.isLeaf(s) ? 1 : 0)
                .toArray();
    }

    /** @throws IllegalArgumentException in one line if there is no leaf or the numbers make no PGFT */
    static PgftShape of(FabricView view) {
        ShapeGuess guess = new ShapeGuess(view);
        guess.climb();
        return PgftShape.parse(guess.m.size() + ";" + list(guess.m) + ";" + list(guess.w) + ";" + list(guess.p));
    }

    /** Shapes with one child or one parent more or less on one level above the leaves. */
    static List<PgftShape> near(PgftShape shape) {
        List<PgftShape> near = new ArrayList<>();
        for (int l = 2; l <= shape.levels(); l++) {
            for (int step = 1; step >= -1; step -= 2) {
                addIfPossible(near, shape, l, step, 0);
                addIfPossible(near, shape, l, 0, step);
            }
        }
        return near;
    }

    private static void addIfPossible(List<PgftShape> near, PgftShape shape, int level, int children, int parents) {
        List<Integer> m = new ArrayList<>();
        List<Integer> w = new ArrayList<>();
        List<Integer> p = new ArrayList<>();
        for (int l = 1; l <= shape.levels(); l++) {
            m.add(shape.m(l) + (l == level ? children : 0));
            w.add(shape.w(l) + (l == level ? parents : 0));
            p.add(shape.p(l));
        }
        try {
            near.add(PgftShape.parse(shape.levels() + ";" + list(m) + ";" + list(w) + ";" + list(p)));
        } catch (IllegalArgumentException e) {
            return;
        }
    }

    private static String list(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private void climb() {
        if (view.leafCount() == 0) {
            throw new IllegalArgumentException("no switch has hosts; expected leaves to recognise a fabric by");
        }
        int[] hosts = view.hostsOfSwitches();
        m.add(mode(on(1).map(s -> hosts[s])));
        w.add(1);
        p.add(1);
        while (m.size() < PgftShape.LEVEL_MAX && climbOne(m.size())) {
            // Each step has added one level.
        }
    }

    /** There is a next level if most switches of this one have neighbours that may stand on it. */
    private boolean climbOne(int l) {
        int[] candidates =
                on(0).filter(s -> neighbours(s, l) > 0 && isAbove(s, l)).toArray();
        int children = mode(IntStream.of(candidates).map(s -> neighbours(s, l)));
        int[] next = IntStream.of(candidates)
                .filter(s -> 2 * neighbours(s, l) >= children)
                .toArray();
        for (int s : next) {
            level[s] = l + 1;
        }
        int parents = mode(on(l).map(s -> neighbours(s, l + 1)));
        if (parents == 0) {
            return false;
        }
        m.add(children);
        w.add(parents);
        p.add(mode(on(l + 1).flatMap(s -> bundles(s, l))));
        return true;
    }

    /** False if more than a tenth of its neighbours are below level l: then it lacks cables and stands lower itself. */
    private boolean isAbove(int s, int l) {
        long lower = IntStream.range(view.groupStart(s), view.groupEnd(s))
                .filter(group -> level[view.groupRemote(group)] > 0 && level[view.groupRemote(group)] < l)
                .count();
        return 10 * lower <= view.groupEnd(s) - view.groupStart(s);
    }

    private IntStream on(int l) {
        return IntStream.range(0, level.length).filter(s -> level[s] == l);
    }

    private int neighbours(int s, int l) {
        return (int) bundles(s, l).count();
    }

    private IntStream bundles(int s, int l) {
        return IntStream.range(view.groupStart(s), view.groupEnd(s))
                .filter(group -> level[view.groupRemote(group)] == l)
                .map(view::groupSize);
    }

    private static int mode(IntStream numbers) {
        Map<Integer, Integer> times = new TreeMap<>();
        numbers.forEach(number -> times.merge(number, 1, Integer::sum));
        int best = 0;
        int most = 0;
        for (Map.Entry<Integer, Integer> entry : times.entrySet()) {
            if (entry.getValue() >= most) {
                best = entry.getKey();
                most = entry.getValue();
            }
        }
        return best;
    }
}
