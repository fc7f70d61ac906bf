package io.dmodc.routing.vtftr;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowEdit;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.routing.check.CheckReport;
import io.dmodc.routing.check.TableProperty;
import io.dmodc.routing.check.TurnTableCheck;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.grid.GridPlace;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rows of ports beside the turns they are made of, made anew and from the last ones, and what their check says of them. */
class TurnRowsTest {
    private static final String[] SHAPES = {
        "4x4;hosts=2;roots=2,2", "5x3;hosts=1;roots=2,1", "3x6;hosts=3;roots=1,3", "2x2;hosts=2;roots=3,2"
    };

    @Test
    void shouldEqualFreshRowsAndPassTheCheckAfterEachLeafFaultAndRepair() {
        for (int seed = 0; seed < 400; seed++) {
            BitSet dead = new BitSet();
            goThrough(seed, 5, (fabric, random) -> {
                int leaf = random.nextInt(fabric.grid().rows() * fabric.grid().columns());
                dead.set(leaf, !dead.get(leaf) && random.nextInt(3) > 0);
                fabric.set(leaf, !dead.get(leaf));
            });
        }
    }

    @Test
    void shouldEqualFreshRowsAndPassTheCheckAfterEachLostRootAndCable() {
        for (int seed = 0; seed < 300; seed++) {
            goThrough(seed, 5, GridFabric::loseRootOrCable);
        }
    }

    private static void goThrough(int seed, int steps, BiConsumer<GridFabric, SplittableRandom> change) {
        SplittableRandom random = new SplittableRandom(seed);
        SpareMode mode = seed % 2 == 0 ? SpareMode.PAPER : SpareMode.PAIRWISE;
        GridFabric fabric = GridFabric.grid(SHAPES[seed / 2 % SHAPES.length]);
        GridState state = fabric.state();
        TurnRows rows = new TurnRows();
        TurnTableSet before = rows.rows(fabric.view(), Vtftr.compute(state, mode), Parallel.sequential());
        for (int step = 0; step < steps; step++) {
            String what = "seed " + seed + ", step " + step;
            change.accept(fabric, random);
            FabricView view = fabric.view();
            state = GridState.of(view, state);
            TurnTables tables = Vtftr.compute(state, mode);

            TurnTableSet after = rows.rows(view, tables, Parallel.sequential());

            TurnTableSet fresh = new TurnRows().rows(view, tables, Parallel.sequential());
            for (int s = 0; s < view.switchCount(); s++) {
                assertThat(Arrays.mismatch(after.row(s).toBytes(), fresh.row(s).toBytes()))
                        .as(what + ", switch " + s)
                        .isEqualTo(-1);
                assertThat(after.row(s) == before.row(s))
                        .as(what + ", switch %d keeps its row exactly while it is the same", s)
                        .isEqualTo(after.row(s).sameEntries(before.row(s)));
            }
            assertTurns(what, view, tables, after);
            assertThat(TurnTableCheck.check(view, after, Parallel.sequential())
                            .lines(view)
                            .get(0))
                    .as(what)
                    .startsWith("valid");
            before = after;
        }
    }

    /** Every entry of a leaf leads to a root of the line that the tables turn to, or to the host. */
    private static void assertTurns(String what, FabricView view, TurnTables tables, TurnTableSet rows) {
        int columns = tables.state().columns();
        for (int leaf = 0; leaf < tables.state().rows() * columns; leaf++) {
            int s = tables.state().grid().leaf(leaf / columns, leaf % columns);
            for (int d = 0; d < view.nodeCount() && tables.state().alive(leaf / columns, leaf % columns); d++) {
                int destination = HostsOfLeaves.leafOf(view, tables.state().grid(), d);
                for (InputClass from : InputClass.values()) {
                    int port = rows.port(s, inputClass(from), d);
                    Turn turn = tables.turn(from, leaf, destination);
                    boolean somewhere = tables.state().alive(destination / columns, destination % columns)
                            && (turn == Turn.DELIVER
                                    || (turn != Turn.NONE
                                            && !Bits.isEmpty(tables.rootsOnward(leaf, turn, destination))));
                    assertThat(turned(view, tables, s, port, d))
                            .as("%s: leaf %d, %s, node %d", what, leaf, from, d)
                            .isEqualTo(somewhere ? turn : Turn.NONE);
                }
            }
        }
    }

    static int inputClass(InputClass from) {
        return switch (from) {
            case HOST -> TurnTableSet.CLASS_HOST;
            case ROW -> TurnTableSet.CLASS_ROW;
            case COLUMN -> TurnTableSet.CLASS_COLUMN;
        };
    }

    private static Turn turned(FabricView view, TurnTables tables, int s, int port, int d) {
        if (port == TurnTableSet.NONE) {
            return Turn.NONE;
        }
        if (view.peerNode(s, port) == d) {
            return Turn.DELIVER;
        }
        GridPlace far = tables.state().grid().place(view.peerSwitch(s, port));
        return far.kind() == GridPlace.Kind.ROW_ROOT ? Turn.ROW : Turn.COLUMN;
    }

    @Test
    void shouldSpreadTheHostsOfALeafOverAllRoots() {
        GridFabric fabric = GridFabric.grid("4x4;hosts=4;roots=4,2");
        FabricView view = fabric.view();
        TurnTableSet rows = new TurnRows().rows(view, fabric.tables(SpareMode.PAPER), Parallel.sequential());

        int s = fabric.grid().leaf(0, 0);
        assertThat(IntStream.range(0, view.nodeCount())
                        .filter(d -> HostsOfLeaves.leafOf(view, fabric.grid(), d) == 5)
                        .map(d -> rows.port(s, TurnTableSet.CLASS_HOST, d)))
                .hasSize(4)
                .doesNotHaveDuplicates();
    }

    /** Each entry and each class of a whole small grid, put wrong in turn: the check notices, or it makes no difference to any packet. */
    @Test
    void shouldNoticeEveryEntryThatLosesOrTurnsPackets() {
        GridFabric fabric = GridFabric.grid("3x3;hosts=1;roots=1,1");
        FabricView view = fabric.view();
        TurnTableSet right = new TurnRows().rows(view, fabric.tables(SpareMode.PAPER), Parallel.sequential());
        assertThat(TurnTableCheck.check(view, right, Parallel.sequential()).failures())
                .isEmpty();
        int noticed = 0;
        for (int s = 0; s < view.switchCount(); s++) {
            for (int index = 1; index < right.entryCount(); index++) {
                int entry = right.row(s).port(index);
                for (int wrong = 0; wrong <= view.portCount(s) + 1 && entry != TurnTableSet.NONE; wrong++) {
                    boolean carries = index < TurnTableSet.HEADER || isUsed(view, s, index);
                    if (wrong != entry
                            && carries
                            && index != TurnTableSet.CHANNEL_MAP - 1
                            && !harmless(view, s, index, wrong)) {
                        noticed++;
                        assertThat(TurnTableCheck.check(view, with(right, s, index, wrong), Parallel.sequential())
                                        .valid())
                                .as("switch %d, entry %d: %d for %d", s, index, wrong, entry)
                                .isFalse();
                    }
                }
            }
        }
        assertThat(noticed).isGreaterThan(500);
    }

    /** Entries for what nobody sends there are not looked at by walking packets. */
    private static boolean isUsed(FabricView view, int s, int index) {
        return view.isLeaf(s) && (index - TurnTableSet.HEADER) % TurnTableSet.CLASSES == TurnTableSet.CLASS_HOST;
    }

    /** By row or by column first both deliver, where no other class is asked; a channel too high is none of a packet's own. */
    private static boolean harmless(FabricView view, int s, int index, int wrong) {
        if (index >= TurnTableSet.HEADER) {
            return wrong >= 1 && wrong <= view.portCount(s) && view.peerSwitch(s, wrong) >= 0;
        }
        return index >= TurnTableSet.CHANNEL_MAP && wrong < TurnTableSet.CHANNELS;
    }

    private static TurnTableSet with(TurnTableSet right, int s, int index, int port) {
        LftRow[] rows = new LftRow[right.switchCount()];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = right.row(i);
        }
        LftRowEdit edit = new LftRowEdit(rows[s]);
        edit.put(index, port);
        rows[s] = edit.build();
        return new TurnTableSet(right.epoch(), right.nodeCount(), rows);
    }

    /** Without the change of channel a packet by column first and one by row first can wait for each other. */
    @Test
    void shouldNoticeAChannelThatIsNotChanged() {
        GridFabric fabric = GridFabric.grid("3x3;hosts=1;roots=1,1");
        FabricView view = fabric.view();
        TurnTableSet right = new TurnRows().rows(view, fabric.tables(SpareMode.PAPER), Parallel.sequential());
        int map = TurnTableSet.CHANNEL_MAP + TurnTableSet.CHANNELS * TurnTableSet.CLASS_COLUMN;

        CheckReport report =
                TurnTableCheck.check(view, with(right, fabric.grid().leaf(1, 1), map, 0), Parallel.sequential());

        assertThat(report.failures()).hasSize(1);
        assertThat(report.failures().get(0).property()).isEqualTo(TableProperty.ACYCLIC_CHANNELS);
        assertThat(report.failures().get(0).examples().get(0)).endsWith("class 2 on channel 0 goes on on channel 0");
    }

    @Test
    void shouldRouteAsAnEngineAndKeepRowsRowsWhenLeavesDieAndComeBack() {
        for (int seed = 0; seed < 100; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            GridFabric fabric = GridFabric.grid(SHAPES[seed % SHAPES.length]);
            Rerouter rerouter = new VtftrEngine(SpareMode.PAPER).rerouter();
            fabric.killRandom(1, random);
            for (int step = 0; step < 4; step++) {
                FabricView view = fabric.view();
                RoutingResult result = rerouter.route(view, Parallel.sequential());
                if (result.made() instanceof TurnTableSet tables) {
                    CheckReport report = TurnTableCheck.check(view, tables, Parallel.sequential());
                    assertThat(report.failures())
                            .as("seed " + seed + ", step " + step)
                            .isEmpty();
                    if (result instanceof RoutingResult.Partial partial) {
                        assertThat(partial.unreachableLeafPairs()).isEqualTo(report.unreachableLeafPairs());
                    }
                    assertRowsAreRows(fabric, view, tables);
                } else {
                    assertThat(fabric.grid().rows())
                            .as("nothing is recognised of a small rest only")
                            .isEqualTo(2);
                }
                fabric.set(random.nextInt(fabric.grid().rows() * fabric.grid().columns()), random.nextBoolean());
            }
        }
    }

    private static void assertRowsAreRows(GridFabric fabric, FabricView view, TurnTableSet tables) {
        for (int s = 0; s < view.switchCount(); s++) {
            for (int port = 1; view.isLeaf(s) && view.alive(s) && port <= view.portCount(s); port++) {
                int far = view.peerSwitch(s, port);
                int inputClass = tables.inputClass(s, port);
                if (far >= 0 && inputClass != TurnTableSet.NONE) {
                    assertThat(Objects.requireNonNull(fabric.grid().place(far)).kind())
                            .isEqualTo(
                                    inputClass == TurnTableSet.CLASS_ROW
                                            ? GridPlace.Kind.ROW_ROOT
                                            : GridPlace.Kind.COLUMN_ROOT);
                }
            }
        }
    }
}
