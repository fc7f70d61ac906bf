package io.dmodc.routing.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.change.ChangePlan.Verdict;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What docs/algorithms/change.md says of PGFTs, however degraded. */
class SafeChangeTheoremsTest {
    private static final String[] SHAPES = {
        "2;3,4;1,3;1,2", "3;2,3,3;1,2,2;1,2,1", "3;4,4,4;1,4,4;1,1,1", "4;2,2,2,3;1,2,2,2;1,1,1,2"
    };
    private static final int EPOCHS = 5;

    /** Theorem 1: 10,000 mixes, over the cables of all epochs, whether they work or not: packets of old tables may be anywhere. */
    @Test
    void shouldTurnAndLoopInNoMixOfFiveEpochs() {
        int mixed = 0;
        for (int run = 0; run < 100; run++) {
            SplittableRandom random = new SplittableRandom(run);
            ChangedFabric fabric = new ChangedFabric(shape(run), Dmodc.standard(), random);
            FabricView whole = fabric.works;
            List<LftSet> epochs = new ArrayList<>();
            for (int e = 0; e < EPOCHS; e++) {
                happen(fabric, random);
                fabric.draw();
                epochs.add(fabric.tables);
            }
            for (int mix = 0; mix < 100; mix++) {
                byte[][] held = mix(epochs, random);
                assertThat(firstWrong(whole, held))
                        .as("seed %d, mix %d", run, mix)
                        .isEmpty();
                mixed++;
            }
        }
        System.out.println(mixed + " mixes of " + EPOCHS + " epochs");
    }

    private static byte[][] mix(List<LftSet> epochs, SplittableRandom random) {
        byte[][] held = new byte[epochs.get(0).switchCount()][];
        for (int at = 0; at < held.length; at++) {
            int s = at;
            byte[][] rows =
                    epochs.stream().map(tables -> tables.row(s).toBytes()).toArray(byte[][]::new);
            held[s] = rows[0];
            for (int d = 0; d < held[s].length; d++) {
                held[s][d] = rows[random.nextInt(rows.length)][d];
            }
        }
        return held;
    }

    /** Of all pairs, one whose packets turn or loop; empty: none. */
    private static String firstWrong(FabricView view, byte[][] held) {
        for (int target = 0; target < view.targetCount(); target++) {
            int from = view.targetSwitch(target);
            for (int d = 0; d < view.nodeCount(); d++) {
                if (turnsOrLoops(view, held, from, d)) {
                    return view.switchName(from) + " to node " + d;
                }
            }
        }
        return "";
    }

    /** A way longer than up and down again, or one that leaves upward after it has descended. */
    private static boolean turnsOrLoops(FabricView view, byte[][] held, int from, int d) {
        boolean descended = false;
        int at = from;
        for (int hops = 0; hops <= 2 * view.rankMax(); hops++) {
            int port = Byte.toUnsignedInt(held[at][d]);
            boolean onward = port >= 1 && port <= view.portCount(at) && view.peerSwitch(at, port) >= 0;
            if (!onward) {
                return false;
            }
            int next = view.peerSwitch(at, port);
            boolean down = view.isDown(at, next);
            if (descended && !down) {
                return true;
            }
            descended |= down;
            at = next;
        }
        return true;
    }

    /** Theorem 2, its best case. */
    @Test
    void shouldWaitForNothingWhenOneLinkOrOneSwitchIsLost() {
        int changes = 0;
        for (int run = 0; run < 400; run++) {
            SplittableRandom random = new SplittableRandom(run);
            ChangedFabric fabric = degraded(run, random);
            if (random.nextBoolean()) {
                fabric.cutCables(1);
            } else {
                fabric.killSwitches(1);
            }
            fabric.draw();

            ChangePlan plan = fabric.plan();

            assertThat(plan.verdict()).as("seed %d: %s", run, plan.text()).isEqualTo(Verdict.ANY_ORDER);
            changes += plan.rounds();
        }
        assertThat(changes).isGreaterThan(300);
    }

    /** Theorem 2: whatever goes and comes back at once. */
    @Test
    void shouldNeedTwoRoundsAtMost() {
        int waited = 0;
        for (int run = 0; run < 400; run++) {
            SplittableRandom random = new SplittableRandom(run);
            ChangedFabric fabric = degraded(run, random);
            happen(fabric, random);
            fabric.draw();

            ChangePlan plan = fabric.plan();

            assertThat(plan.rounds()).as("seed %d: %s", run, plan.text()).isLessThanOrEqualTo(2);
            assertThat(plan.drains().isEmpty()).isTrue();
            waited += plan.rounds() == 2 ? 1 : 0;
        }
        assertThat(waited).isGreaterThan(200);
    }

    /** Equation (1) as printed also fills entries off its ways; after a fault old tables lead there, and some mix turns. */
    @Test
    void shouldTurnInSomeMixOfPlainTablesWhenALinkIsLost() {
        int turning = 0;
        for (int run = 0; run < 20; run++) {
            SplittableRandom random = new SplittableRandom(run);
            ChangedFabric fabric = new ChangedFabric(PgftShape.parse("3;4,4,4;1,4,4;1,1,1"), Dmodc.plain(), random);
            List<LftSet> both = new ArrayList<>(List.of(fabric.tables));
            fabric.cutCables(1);
            fabric.draw();
            both.add(fabric.tables);
            boolean turns = false;
            for (int mix = 0; mix < 200 && !turns; mix++) {
                turns = !firstWrong(fabric.works, mix(both, random)).isEmpty();
            }
            turning += turns ? 1 : 0;
        }
        System.out.println("plain tables: " + turning + " of 20 changes have a mix that turns");
        assertThat(turning).isPositive();
    }

    private static PgftShape shape(int run) {
        return PgftShape.parse(SHAPES[run % SHAPES.length]);
    }

    private static ChangedFabric degraded(int run, SplittableRandom random) {
        ChangedFabric fabric = new ChangedFabric(shape(run), Dmodc.standard(), random);
        fabric.cutCables(random.nextInt(8));
        fabric.killSwitches(random.nextInt(3));
        fabric.draw();
        fabric.settle();
        return fabric;
    }

    private static void happen(ChangedFabric fabric, SplittableRandom random) {
        fabric.mendCables(random.nextInt(8));
        fabric.wakeSwitches(random.nextInt(3));
        fabric.cutCables(random.nextInt(8));
        fabric.killSwitches(random.nextInt(3));
    }
}
