package io.dmodc.routing.engines;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.RoutingResult.Partial;
import io.dmodc.routing.SlowUpperPairs;
import io.dmodc.routing.UpperPairs;
import io.dmodc.routing.check.CheckReport;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.routing.check.TableCheck;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.dmodc.RandomFabrics;
import io.dmodc.routing.minhop.MinHop;
import io.dmodc.topology.FabricView;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;

/** What engines and check say of pairs with an upper switch, against every pair asked for, on fabrics with hosts on such. */
class UpperPairsTwinTest {
    private static final int FABRICS = 750 * Integer.getInteger("more", 1);

    @Test
    void shouldCountAndNameEveryPairWithoutAPath() {
        int with = 0;
        int beyondCutOffLeaves = 0;
        int more = 0;
        int withoutCutOffLeaf = 0;
        for (int seed = 0; seed < FABRICS; seed++) {
            FabricView view = seed % 6 == 0 ? RandomFabrics.drawTwo(seed) : RandomFabrics.drawWithHostsAbove(seed);
            RoutingResult strict = compare(seed, view, Dmodc.strict(), legal(view));
            compare(seed, view, Dmodc.plain(), legal(view));
            compare(seed, view, new MinHop(), connected(view));

            LftSet tables = strict.tables();
            if (tables != null) {
                CheckReport report = TableCheck.check(view, tables, SurplusEntryRule.FORBIDDEN, Parallel.sequential());
                UpperPairs found = upperPairs(strict);
                assertThat(report.valid()).as("seed %d", seed).isTrue();
                assertThat(report.upperPairs())
                        .as("seed %d", seed)
                        .isEqualTo(SlowUpperPairs.of(view, legal(view), report.cutOffLeaves()));
                assertThat(report.upperPairs().count()).as("seed %d", seed).isEqualTo(found.count());
                assertThat(report.unreachableLeafPairs())
                        .as("seed %d", seed)
                        .isEqualTo(leafPairs(view))
                        .isEqualTo(strict instanceof Partial partial ? partial.unreachableLeafPairs() : 0);
                with += found.isEmpty() ? 0 : 1;
                beyondCutOffLeaves += found.examples().isEmpty() ? 0 : 1;
                more += found.more() > 0 ? 1 : 0;
                withoutCutOffLeaf += strict instanceof Partial partial
                                && partial.cutOffLeaves().isEmpty()
                        ? 1
                        : 0;
            }
        }
        System.out.println(FABRICS + " fabrics, " + with + " with pairs, " + beyondCutOffLeaves + " with named ones, "
                + more + " with more than are named, " + withoutCutOffLeaf + " partial for nothing else");
        assertThat(List.of(with, beyondCutOffLeaves, withoutCutOffLeaf)).allMatch(count -> count > FABRICS / 20);
        assertThat(more).isPositive();
    }

    private static long leafPairs(FabricView view) {
        BiPredicate<Integer, Integer> legal = legal(view);
        long pairs = 0;
        for (int a = 0; a < view.switchCount(); a++) {
            for (int b = 0; b < view.switchCount(); b++) {
                boolean live = view.isLeaf(a) && view.isLeaf(b) && view.alive(a) && view.alive(b);
                pairs += live && view.belongTogether(a, b) && !legal.test(a, b) ? 1 : 0;
            }
        }
        return pairs;
    }

    private static RoutingResult compare(
            int seed, FabricView view, RoutingEngine engine, BiPredicate<Integer, Integer> reaches) {
        RoutingResult result = engine.route(view, Parallel.sequential());
        if (result.tables() != null) {
            List<Integer> cutOff = result instanceof Partial partial ? partial.cutOffLeaves() : List.of();
            assertThat(upperPairs(result))
                    .as("seed %d %s", seed, engine.name())
                    .isEqualTo(SlowUpperPairs.of(view, reaches, cutOff));
        }
        return result;
    }

    private static UpperPairs upperPairs(RoutingResult result) {
        return result instanceof Partial partial ? partial.upperPairs() : UpperPairs.NONE;
    }

    /** A switch that both can climb to, or that is one of both: found by climbing alone. */
    private static BiPredicate<Integer, Integer> legal(FabricView view) {
        BitSet[] climbed = new BitSet[view.switchCount()];
        for (int s = 0; s < climbed.length; s++) {
            climbed[s] = walk(view, s, true);
        }
        return (a, b) -> climbed[a].intersects(climbed[b]);
    }

    private static BiPredicate<Integer, Integer> connected(FabricView view) {
        return (a, b) -> walk(view, a, false).get(b);
    }

    /** Switches that a packet can get to; none from a switch without a rank if it may only climb. */
    private static BitSet walk(FabricView view, int from, boolean climbing) {
        BitSet seen = new BitSet();
        Deque<Integer> queue = new ArrayDeque<>(List.of(from));
        seen.set(from);
        while (!queue.isEmpty()) {
            int s = queue.remove();
            for (int port = 1; port <= view.portCount(s); port++) {
                int remote = view.peerSwitch(s, port);
                if (remote >= 0 && !seen.get(remote) && (!climbing || view.isUp(s, remote))) {
                    seen.set(remote);
                    queue.add(remote);
                }
            }
        }
        return seen;
    }
}
