package io.dmodc.routing;

import io.dmodc.routing.UpperPairs.Pair;
import io.dmodc.topology.FabricView;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;

/** The slow twin of all that finds {@link UpperPairs}: asks for every ordered pair of live switches with hosts. */
public final class SlowUpperPairs {
    private SlowUpperPairs() {}

    public static UpperPairs of(
            FabricView view, BiPredicate<Integer, Integer> reaches, Collection<Integer> cutOffLeaves) {
        List<Integer> live = IntStream.range(0, view.switchCount())
                .filter(s -> view.targetOfSwitch(s) >= 0 && view.alive(s))
                .boxed()
                .toList();
        TreeSet<Pair> pairs = new TreeSet<>(Comparator.comparing((Pair pair) -> view.targetOfSwitch(pair.upper()))
                .thenComparing(pair -> view.targetOfSwitch(pair.other())));
        long count = 0;
        for (int a : live) {
            for (int b : live) {
                boolean leaves = view.isLeaf(a) && view.isLeaf(b);
                if (a != b && !leaves && view.belongTogether(a, b) && !reaches.test(a, b)) {
                    count++;
                    boolean first =
                            view.isLeaf(b) || (!view.isLeaf(a) && view.targetOfSwitch(a) < view.targetOfSwitch(b));
                    pairs.add(first ? new Pair(a, b) : new Pair(b, a));
                }
            }
        }
        pairs.removeIf(pair -> cutOffLeaves.contains(pair.other()));
        List<Pair> examples = pairs.stream().limit(10).toList();
        return new UpperPairs(count, examples, pairs.size() - examples.size());
    }
}
