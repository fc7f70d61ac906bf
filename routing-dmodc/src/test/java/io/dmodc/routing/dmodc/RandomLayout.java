package io.dmodc.routing.dmodc;

import io.dmodc.topology.NeighbourReader;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** A layout drawn at random, beside the lists of ports it is made of; ports of groups lie anywhere among 1..254. */
final class RandomLayout {
    final List<List<Integer>> groups = new ArrayList<>();
    final int divider;
    final int dividerOfMany;
    final int formulaOffset;
    final PortLayout layout;

    /** @param parallelMax most ports of a group */
    RandomLayout(SplittableRandom random, int groupCount, int parallelMax) {
        List<Integer> free = new ArrayList<>();
        for (int port = 1; port <= 254; port++) {
            free.add(port);
        }
        for (int i = 0; i < groupCount; i++) {
            List<Integer> ports = new ArrayList<>();
            int spare = free.size() - (groupCount - i);
            for (int more = random.nextInt(Math.min(parallelMax, spare + 1)); more >= 0; more--) {
                ports.add(free.remove(random.nextInt(free.size())));
            }
            groups.add(ports);
        }
        divider = divider(random);
        dividerOfMany = random.nextBoolean() ? divider : divider(random);
        formulaOffset = random.nextBoolean() ? 0 : random.nextInt(10_000);
        layout = new PortLayout(key(), formulaOffset, true);
    }

    private RandomLayout(RandomLayout whole, List<List<Integer>> some) {
        groups.addAll(some);
        divider = whole.divider;
        dividerOfMany = whole.dividerOfMany;
        formulaOffset = whole.formulaOffset;
        layout = new PortLayout(key(), formulaOffset, true);
    }

    private static int divider(SplittableRandom random) {
        return random.nextInt(4) == 0 ? 1 << random.nextInt(31) : random.nextInt(1, 40);
    }

    /** Some of the groups, by their places, close together. */
    RandomLayout only(long places) {
        return new RandomLayout(
                this,
                IntStream.range(0, groups.size())
                        .filter(i -> (places >>> i & 1) != 0)
                        .mapToObj(groups::get)
                        .toList());
    }

    private IntKey key() {
        IntKey key = new IntKey(256);
        key.values[key.count++] = divider;
        key.values[key.count++] = dividerOfMany;
        for (List<Integer> ports : groups) {
            for (int i = 0; i < ports.size(); i++) {
                key.values[key.count++] = (i == 0 ? 0 : NeighbourReader.SAME_GROUP) | ports.get(i);
            }
        }
        return key.copy();
    }

    /** Equations (3) and (4); 255 without a candidate. */
    int port(BitSet candidates, int column) {
        List<List<Integer>> c = candidates.stream().mapToObj(groups::get).toList();
        if (c.isEmpty()) {
            return 255;
        }
        long d = (long) column + formulaOffset;
        int by = c.size() > 1 ? dividerOfMany : divider;
        List<Integer> group = c.get((int) (d / by % c.size()));
        return group.get((int) (d / ((long) by * c.size()) % group.size()));
    }

    /** How many choices until they come again: #C · lcm(#g), found by counting up. */
    long period(BitSet candidates) {
        List<List<Integer>> c = candidates.stream().mapToObj(groups::get).toList();
        long rounds = 1;
        while (!dividesAll(c, rounds)) {
            rounds++;
        }
        return rounds * c.size();
    }

    private static boolean dividesAll(List<List<Integer>> groups, long rounds) {
        return groups.stream().allMatch(ports -> rounds % ports.size() == 0);
    }
}
