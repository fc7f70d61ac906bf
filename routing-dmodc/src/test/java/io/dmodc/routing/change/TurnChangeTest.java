package io.dmodc.routing.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowBuilder;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.routing.change.ChangePlan.Step;
import io.dmodc.routing.change.ChangePlan.Verdict;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.vtftr.GridFabric;
import io.dmodc.routing.vtftr.SpareMode;
import io.dmodc.routing.vtftr.VtftrEngine;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tables of grids that replace each other, switch by switch in every kind of order, and packets that are sent meanwhile. */
class TurnChangeTest {
    private static final String[] SHAPES = {"4x4;hosts=1;roots=2,2", "5x3;hosts=2;roots=1,2", "3x3;hosts=1;roots=2,1"};

    /** One change: the tables before and after it, and the cabling it is for. */
    private record Change(FabricView view, TurnTableSet before, TurnTableSet after) {
        RowsInForce inForce() {
            List<List<LftRow>> rows = new ArrayList<>();
            for (int s = 0; s < before.switchCount(); s++) {
                rows.add(List.of(before.row(s)));
            }
            return RowsInForce.of(after.entryCount(), rows);
        }

        ChangePlan plan() {
            return TurnChange.plan(view, inForce(), after);
        }
    }

    private static Change change(int seed) {
        Random random = new Random(seed);
        GridFabric fabric = GridFabric.grid(SHAPES[seed % SHAPES.length]);
        int leaves = fabric.grid().rows() * fabric.grid().columns();
        Rerouter rerouter = new VtftrEngine(seed % 2 == 0 ? SpareMode.PAPER : SpareMode.PAIRWISE).rerouter();
        tables(rerouter, fabric.view());
        BitSet dead = new BitSet();
        for (int i = random.nextInt(3); i > 0; i--) {
            dead.set(random.nextInt(leaves));
        }
        dead.stream().forEach(fabric::kill);
        TurnTableSet before = tables(rerouter, fabric.view());
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
            int leaf = random.nextInt(leaves);
            dead.flip(leaf);
            fabric.set(leaf, !dead.get(leaf));
        }
        FabricView view = fabric.view();
        return new Change(view, before, tables(rerouter, view));
    }

    private static TurnTableSet tables(Rerouter rerouter, FabricView view) {
        return (TurnTableSet) Objects.requireNonNull(
                rerouter.route(view, Parallel.sequential()).made());
    }

    /** By source leaf and destination. */
    private static BitSet delivered(Change change, LftRow[] rows) {
        FabricView view = change.view;
        BitSet delivered = new BitSet();
        for (int target = 0; target < view.leafCount(); target++) {
            for (int d = 0; d < view.nodeCount() && view.alive(view.targetSwitch(target)); d++) {
                delivered.set(target * view.nodeCount() + d, walk(view, rows, view.targetSwitch(target), d));
            }
        }
        return delivered;
    }

    private static boolean walk(FabricView view, LftRow[] rows, int from, int d) {
        int s = from;
        int inputClass = 0;
        int channel = 0;
        for (int links = 0; links < 20; links++) {
            int port = rows[s].port(320 + 3 * d + inputClass);
            if (port == 255 || port < 1 || !view.alive(s)) {
                return false;
            }
            if (view.peerNode(s, port) >= 0) {
                return view.peerNode(s, port) == d;
            }
            int next = view.peerSwitch(s, port);
            channel = rows[s].port(256 + 2 * inputClass + channel);
            inputClass = next < 0 ? 255 : rows[next].port(view.peerPort(s, port));
            if (next < 0 || channel == 255 || inputClass == 255) {
                return false;
            }
            s = next;
        }
        throw new AssertionError("a packet to node " + d + " runs in circles");
    }

    private static LftRow[] rows(TurnTableSet tables) {
        LftRow[] rows = new LftRow[tables.switchCount()];
        for (int s = 0; s < rows.length; s++) {
            rows[s] = tables.row(s);
        }
        return rows;
    }

    @Test
    void shouldLoseNoWorkingPairInAnyOrderThatThePlanAllows() {
        int planned = 0;
        int rounds = 0;
        for (int seed = 0; seed < 300; seed++) {
            Change change = change(seed);
            ChangePlan plan = change.plan();
            if (plan.verdict() != Verdict.NOT_PROVABLE) {
                planned++;
                rounds += plan.rounds() > 1 ? 1 : 0;
                for (int order = 0; order < 4; order++) {
                    assertThat(lost(change, plan, new Random(order), true))
                            .as("seed " + seed)
                            .isZero();
                }
            }
        }
        assertThat(planned).isGreaterThan(250);
        assertThat(rounds).isGreaterThan(50);
    }

    /** What the order is good for: a leaf that comes back is sent to before it can forward, otherwise. */
    @Test
    void shouldLosePairsWhenSwitchesDoNotWait() {
        long lost = 0;
        for (int seed = 0; seed < 300; seed++) {
            Change change = change(seed);
            lost += lost(change, change.plan(), new Random(seed), false);
        }
        assertThat(lost).isPositive();
    }

    @Test
    void shouldSayOfWhichChangesPairsMayBeLost() {
        long unprovable = 0;
        long found = 0;
        for (int seed = 0; seed < 500; seed++) {
            Change change = change(seed);
            ChangePlan plan = change.plan();
            if (plan.verdict() == Verdict.NOT_PROVABLE) {
                unprovable++;
                assertThat(plan.problem()).contains("may be lost");
                for (int order = 0; order < 40; order++) {
                    found += lost(change, plan, new Random(order), true) > 0 ? 1 : 0;
                }
            }
        }
        assertThat(unprovable).isPositive();
        assertThat(found).as("orders in which they are lost").isPositive();
    }

    /** Gives switches their tables one by one, and counts pairs that worked before and do not at some moment. */
    private static long lost(Change change, ChangePlan plan, Random random, boolean waits) {
        LftRow[] rows = rows(change.before);
        BitSet working = delivered(change, rows);
        BitSet lost = new BitSet();
        for (int round = 1; round <= plan.rounds(); round++) {
            List<Runnable> given = new ArrayList<>();
            for (int s = 0; s < rows.length; s++) {
                int at = s;
                LftRow last = change.after.row(s);
                if (!waits && round == 1 && change.view.alive(s)) {
                    given.add(() -> rows[at] = last);
                }
                for (Step step : waits ? plan.steps(s, new LftRowBuilder()) : List.<Step>of()) {
                    if (step.round() == round) {
                        given.add(() -> rows[at] = step.row());
                    }
                }
            }
            Collections.shuffle(given, random);
            for (Runnable next : given) {
                next.run();
                BitSet now = (BitSet) working.clone();
                now.andNot(delivered(change, rows));
                lost.or(now);
            }
        }
        if (waits) {
            assertThat(delivered(change, rows)).isEqualTo(delivered(change, rows(change.after)));
        }
        return lost.cardinality();
    }

    /** Leaf (1, 2) was the corner from (1, 0) to (0, 2): what leads around it does not wait for entries that serve as they are. */
    @Test
    void shouldRestoreAtOnceWhatALeafThatDiedCarried() {
        GridFabric fabric = GridFabric.square(4);
        Rerouter rerouter = new VtftrEngine(SpareMode.PAPER).rerouter();
        TurnTableSet before = tables(rerouter, fabric.view());
        FabricView view = fabric.without("12").view();
        TurnTableSet after = tables(rerouter, view);
        int source = fabric.grid().leaf(1, 0);
        int entry = TurnTableSet.entry(
                TurnTableSet.CLASS_HOST, nodeAt(view, fabric.grid().leaf(0, 2)));
        assertThat(after.row(source).port(entry))
                .isNotEqualTo(before.row(source).port(entry));

        ChangePlan plan = new Change(view, before, after).plan();

        assertThat(plan.text()).startsWith("transient-safe: ");
        assertThat(plan.restoring().get(source)).isTrue();
        assertThat(plan.steps(source, new LftRowBuilder()).get(0).row().port(entry))
                .isEqualTo(after.row(source).port(entry));
    }

    private static int nodeAt(FabricView view, int s) {
        int d = 0;
        while (view.nodeSwitch(d) != s) {
            d++;
        }
        return d;
    }

    @Test
    void shouldNotVouchForTablesOfAnotherKind() {
        GridFabric fabric = GridFabric.square(4);
        FabricView view = fabric.view();
        LftSet linear = Objects.requireNonNull(
                Dmodc.standard().route(view, Parallel.sequential()).tables());
        List<List<LftRow>> rows = new ArrayList<>();
        for (int s = 0; s < linear.switchCount(); s++) {
            rows.add(List.of(linear.row(s)));
        }
        TurnTableSet turns = tables(new VtftrEngine(SpareMode.PAPER).rerouter(), view);

        ChangePlan plan = TurnChange.plan(view, RowsInForce.of(turns.entryCount(), rows), turns);

        assertThat(plan.problem()).startsWith("switches hold tables of another kind");
    }

    @Test
    void shouldNotVouchForRowsThatBecomeColumns() {
        GridFabric fabric = GridFabric.square(4);
        FabricView view = fabric.view();
        TurnTableSet turns = tables(new VtftrEngine(SpareMode.PAPER).rerouter(), view);
        List<List<LftRow>> rows = new ArrayList<>();
        for (int s = 0; s < turns.switchCount(); s++) {
            byte[] other = turns.row(s).toBytes();
            for (int port = 1; port < 255; port++) {
                other[port] = other[port] == 1 ? 2 : other[port] == 2 ? 1 : other[port];
            }
            rows.add(List.of(LftRow.of(other)));
        }

        ChangePlan plan = TurnChange.plan(view, RowsInForce.of(turns.entryCount(), rows), turns);

        assertThat(plan.problem())
                .isEqualTo(
                        "64 ports or channels mean something else than before: packets may wait for each other in a circle");
    }
}
