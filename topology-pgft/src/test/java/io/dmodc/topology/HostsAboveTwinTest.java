package io.dmodc.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Ranks of random PGFTs with hosts on upper switches, or few on some leaves, against hops from the switches that were
 * built as leaves, known by their names.
 */
class HostsAboveTwinTest {
    private static final int FABRICS = 500 * Integer.getInteger("more", 1);

    @Test
    void shouldRankWholeFabricsAsBuilt() {
        for (int seed = 0; seed < FABRICS; seed++) {
            assertAsBuilt(seed, new HostsAbove(seed).drained().withHosts().view());
        }
    }

    @Test
    void shouldRankDamagedFabricsAsBuilt() {
        assertThat(told(seed -> new HostsAbove(seed).drained().withHosts().damaged(10)))
                .isGreaterThan(FABRICS * 8 / 10);
    }

    /** A wrong cable makes no leaf an upper switch, however few hosts it has, where it is one of three or more. */
    @Test
    void shouldKeepLeavesWithAWrongCable() {
        int checked = 0;
        for (int seed = 0; seed < FABRICS; seed++) {
            HostsAbove fabric = new HostsAbove(seed);
            if (fabric.shape().m(2) >= 3 && fabric.shape().w(2) >= 3) {
                assertAsBuilt(seed, fabric.drained().swapped().view());
                checked++;
            }
        }

        assertThat(checked).isGreaterThan(FABRICS / 4);
    }

    /** No leaf near by is sure then: all of the subtree are found over the top. */
    @Test
    void shouldKeepTheLeavesOfASubtreeWithFewHosts() {
        for (int seed = 0; seed < FABRICS; seed++) {
            assertAsBuilt(seed, new HostsAbove(seed).drainedSubtree().view());
        }
    }

    /** @return how many of the fabrics can be told from their cables, each of which was ranked as built */
    private static int told(LongFunction<HostsAbove> make) {
        int told = 0;
        for (int seed = 0; seed < FABRICS; seed++) {
            HostsAbove fabric = make.apply(seed);
            if (canBeTold(fabric)) {
                told++;
                assertAsBuilt(seed, fabric.view());
            }
        }
        return told;
    }

    private static void assertAsBuilt(int seed, FabricView view) {
        int[] ranks = IntStream.range(0, view.switchCount()).map(view::rank).toArray();

        assertThat(ranks).as("seed %d", seed).isEqualTo(HostsAbove.hopsFromLeavesAsBuilt(view));
    }

    /**
     * True if each upper switch with hosts is where it was built, with two neighbours below unless it is a spine, and
     * beside each leaf that has lost hosts there is one that has not, at more than half of its neighbours.
     */
    private static boolean canBeTold(HostsAbove fabric) {
        FabricView view = fabric.view();
        int[] hops = HostsAbove.hopsFromLeavesAsBuilt(view);
        boolean[] full = new boolean[view.switchCount()];
        int[] hosts = new int[view.switchCount()];
        for (int node = 0; node < view.nodeCount(); node++) {
            full[view.nodeSwitch(node)] =
                    ++hosts[view.nodeSwitch(node)] == fabric.shape().m(1);
        }
        for (int s = 0; s < hops.length; s++) {
            int[] remotes = HostsAbove.remotes(view, s);
            if (hosts[s] > 0 && !HostsAbove.isBuiltAsLeaf(view, s)) {
                int built = view.switchName(s).charAt(1) - '1';
                long below =
                        Arrays.stream(remotes).filter(r -> hops[r] == built - 1).count();
                if (hops[s] != built || (built > 1 && below < 2)) {
                    return false;
                }
            } else if (hosts[s] > 0 && !full[s] && !hasFullLeafBeside(view, s, full)) {
                return false;
            }
        }
        return true;
    }

    private static boolean hasFullLeafBeside(FabricView view, int s, boolean[] full) {
        int[] common = new int[view.switchCount()];
        int[] remotes = HostsAbove.remotes(view, s);
        for (int remote : remotes) {
            for (int beside : HostsAbove.remotes(view, remote)) {
                common[beside]++;
            }
        }
        for (int t = 0; t < common.length; t++) {
            if (t != s && full[t] && HostsAbove.isBuiltAsLeaf(view, t) && 2 * common[t] > remotes.length) {
                return true;
            }
        }
        return false;
    }
}
