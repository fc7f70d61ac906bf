package io.dmodc.routing.vtftr;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.grid.RecognisedGrid;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tables beside the cables of the view itself, with leaves, roots and cables lost: packets are walked from switch to switch,
 * on every choice among spares, and a pair without a route has none of at most three routings.
 */
class LinePartsTwinTest {
    private static final String[] SHAPES = {
        "4x4;hosts=3;roots=2,2", "3x5;hosts=2;roots=1,2", "5x4;hosts=2;roots=3,1", "4x4;hosts=1;roots=1,1"
    };

    private FabricView view = GridFabric.square(2).view();
    private RecognisedGrid grid = GridFabric.square(2).grid();
    private TurnTables tables = GridFabric.square(2).tables(SpareMode.PAPER);

    private void damage(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        GridFabric fabric = GridFabric.grid(SHAPES[(int) seed % SHAPES.length]);
        fabric.killRandom(random.nextInt(4), random);
        for (int i = random.nextInt(3); i > 0; i--) {
            fabric.setSwitch(random.nextInt(fabric.view().switchCount()), false);
        }
        for (int i = random.nextInt(6); i > 0; i--) {
            List<Cable> cables = Degradation.cables(fabric.view());
            fabric.cut(cables.get(random.nextInt(cables.size())));
        }
        view = fabric.view();
        grid = fabric.grid();
        tables = fabric.tables(seed / SHAPES.length % 2 == 0 ? SpareMode.PAIRWISE : SpareMode.PAPER);
    }

    @Test
    void shouldDeliverOverTheCablesThereAreOrSayThatThereIsNoWay() {
        int lost = 0;
        int routed = 0;
        for (int seed = 0; seed < 1_000; seed++) {
            damage(seed);
            int leaves = grid.rows() * grid.columns();
            for (int source = 0; source < leaves; source++) {
                for (int destination = 0; destination < leaves; destination++) {
                    Turn turn = tables.injection(source, destination);
                    boolean both = alive(source) && alive(destination) && source != destination;
                    if (both && turn != Turn.NONE) {
                        routed++;
                        walk(seed, source, destination, InputClass.HOST, 0, 0);
                    } else if (both && tables.mode() == SpareMode.PAIRWISE) {
                        lost++;
                        assertThat(way(source, destination))
                                .as("seed %d: %d to %d", seed, source, destination)
                                .isFalse();
                    } else if (!both) {
                        assertThat(turn).isIn(Turn.NONE, Turn.DELIVER);
                    }
                }
            }
        }
        assertThat(lost).isGreaterThan(100);
        assertThat(routed).isGreaterThan(100_000);
    }

    private boolean alive(int leaf) {
        int s = grid.leaf(leaf / grid.columns(), leaf % grid.columns());
        return s >= 0 && view.alive(s);
    }

    /** Every host of the destination, every spare with a cable. */
    private void walk(int seed, int leaf, int destination, InputClass from, int vc, int routings) {
        assertThat(routings).as("seed %d: to %d", seed, destination).isLessThanOrEqualTo(3);
        Turn turn = tables.turn(from, leaf, destination);
        if (turn == Turn.DELIVER) {
            assertThat(leaf).isEqualTo(destination);
            return;
        }
        int next = VcMap.next(from, vc, turn);
        assertThat(next).as("seed %d: at %d to %d", seed, leaf, destination).isNotEqualTo(VcMap.DROP);
        for (int host = 0; host < 3; host++) {
            int k = tables.root(leaf, turn, destination, host);
            assertThat(k)
                    .as("seed %d: at %d to %d by %s", seed, leaf, destination, turn)
                    .isNotNegative();
            boolean byRow = turn == Turn.ROW;
            int r = leaf / grid.columns();
            int c = leaf % grid.columns();
            int root = byRow ? grid.rowRoot(r, k) : grid.columnRoot(c, k);
            assertThat(cabled(leaf, root)).isTrue();
            for (int at : down(byRow, byRow ? r : c, byRow ? c : r, root, destination)) {
                int to = byRow ? r * grid.columns() + at : at * grid.columns() + c;
                walk(seed, to, destination, byRow ? InputClass.ROW : InputClass.COLUMN, next, routings + 1);
            }
        }
    }

    /** Places a root may send to: the primary one while it has a cable there, else spares it has a cable to. */
    private int[] down(boolean row, int line, int came, int root, int destination) {
        int primary = row ? tables.rowPrimary(line, destination) : tables.columnPrimary(line, destination);
        if (primary >= 0 && cabled(leaf(row, line, primary), root)) {
            return new int[] {primary};
        }
        BitSet spares = row ? tables.rowSpares(line, destination) : tables.columnSpares(line, destination);
        int[] places = spares.stream()
                .filter(place -> place != came && cabled(leaf(row, line, place), root))
                .toArray();
        assertThat(places).isNotEmpty();
        return places;
    }

    private int leaf(boolean row, int line, int place) {
        return row ? line * grid.columns() + place : place * grid.columns() + line;
    }

    private boolean cabled(int leaf, int root) {
        int s = grid.leaf(leaf / grid.columns(), leaf % grid.columns());
        return IntStream.range(view.groupStart(s), view.groupEnd(s)).anyMatch(g -> view.groupRemote(g) == root);
    }

    /** By a root that both have a cable to. */
    private boolean row(int r, int a, int b) {
        return IntStream.range(0, grid.rowRootCount(r))
                .anyMatch(k ->
                        cabled(leaf(true, r, a), grid.rowRoot(r, k)) && cabled(leaf(true, r, b), grid.rowRoot(r, k)));
    }

    private boolean column(int c, int a, int b) {
        return IntStream.range(0, grid.columnRootCount(c))
                .anyMatch(k -> cabled(leaf(false, c, a), grid.columnRoot(c, k))
                        && cabled(leaf(false, c, b), grid.columnRoot(c, k)));
    }

    private boolean way(int source, int destination) {
        int rs = source / grid.columns();
        int cs = source % grid.columns();
        int rd = destination / grid.columns();
        int cd = destination % grid.columns();
        boolean way = (rs == rd && row(rs, cs, cd)) || (cs == cd && column(cs, rs, rd));
        for (int c = 0; rs != rd && c < grid.columns(); c++) {
            way |= (c == cs || row(rs, cs, c)) && column(c, rs, rd) && (c == cd || row(rd, c, cd));
        }
        for (int r = 0; cs != cd && r < grid.rows(); r++) {
            way |= (r == rs || column(cs, rs, r)) && row(r, cs, cd) && (r == rd || column(cd, r, rd));
        }
        return way;
    }
}
