package io.dmodc.routing.explanation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.Parallel;
import io.dmodc.routing.dmodc.CostsAndDividers;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.dmodc.RandomFabrics;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AllPathsTest {
    private static AllPaths paths(FabricView view, int from, int node) {
        CostsAndDividers known = Dmodc.standard().costsAndDividers(view, Parallel.sequential());
        return AllPaths.of(view, known, from, node);
    }

    /** Paths that climb and then descend, of exactly so many cables: tried one by one. */
    private static long walks(FabricView view, int s, boolean descended, int home, int cables) {
        if (cables == 0) {
            return s == home ? 1 : 0;
        }
        long walks = 0;
        for (int port = 1; port <= view.portCount(s); port++) {
            int remote = view.peerSwitch(s, port);
            if (remote >= 0 && view.isDown(s, remote)) {
                walks += walks(view, remote, true, home, cables - 1);
            } else if (remote >= 0 && view.isUp(s, remote) && !descended) {
                walks += walks(view, remote, false, home, cables - 1);
            }
        }
        return walks;
    }

    private static int shortest(FabricView view, int s, int home) {
        for (int cables = 0; cables <= 2 * view.rankMax(); cables++) {
            if (walks(view, s, false, home, cables) > 0) {
                return cables;
            }
        }
        return -1;
    }

    /** Figure 1 of the paper: two switches above, two above each of these, two cables at either end. */
    @Test
    void shouldCountParallelCablesAsPathsOfTheirOwn() {
        FabricView view = PgftGenerator.generate(PgftShape.parse("3;2,2,3;1,2,2;1,2,1"))
                .build(0, new NodeIndexMap(), new GuidNumbers());

        AllPaths all = paths(view, 0, 11);

        assertThat(all.hops()).isEqualTo(4);
        assertThat(all.paths()).isEqualTo(BigInteger.valueOf(16));
        assertThat(all.steps()).hasSize(1 + 2 + 4 + 2 + 1);
        assertThat(paths(view, 0, 0).steps()).hasSize(1);
        assertThat(paths(view, 0, 0).paths()).isEqualTo(BigInteger.ONE);
    }

    @Test
    void shouldFindEveryShortestLegalPathAndNoOther() {
        int compared = 0;
        int without = 0;
        for (int seed = 0; seed < 400; seed++) {
            FabricView view = RandomFabrics.draw(seed);
            SplittableRandom random = new SplittableRandom(seed);
            for (int i = 0; i < 6; i++) {
                int s = random.nextInt(view.switchCount());
                int node = random.nextInt(view.nodeCount());
                int home = view.nodeSwitch(node);
                boolean there = home >= 0 && view.alive(home) && view.alive(s) && view.rank(s) >= 0;
                int cables = there ? shortest(view, s, home) : -1;

                AllPaths all = paths(view, s, node);

                String which = "seed " + seed + ", " + view.switchName(s) + " to node " + node;
                assertThat(all.hops()).as(which).isEqualTo(cables);
                assertThat(all.paths().longValueExact())
                        .as(which)
                        .isEqualTo(cables < 0 ? 0 : walks(view, s, false, home, cables));
                for (AllPaths.Step step : all.steps()) {
                    assertThat(step.paths().longValueExact())
                            .as(which + " at " + view.switchName(step.s()))
                            .isEqualTo(walks(view, step.s(), false, home, cables - step.hop()));
                }
                compared += cables > 0 ? 1 : 0;
                without += there && cables < 0 ? 1 : 0;
            }
        }
        assertThat(compared).isGreaterThan(1000);
        assertThat(without).isGreaterThan(50);
    }
}
