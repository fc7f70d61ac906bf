package io.dmodc.topology.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchForgotten;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GeneratedGuids;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.grid.GridFinding.Kind;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GridRecognitionTest {
    private final NodeIndexMap nodes = new NodeIndexMap();
    private FabricViewBuilder fabric = GridGenerator.generate(GridShape.parse("4x5;hosts=1;roots=2,2"));

    private FabricView view() {
        return fabric.build(1, nodes, new GuidNumbers());
    }

    private int index(String name) {
        FabricView view = view();
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.switchName(s).equals(name)) {
                return s;
            }
        }
        throw new AssertionError("no switch " + name);
    }

    private long guid(String name) {
        return view().switchGuid(index(name));
    }

    private void cut(String name, int port) {
        FabricView view = view();
        int s = index(name);
        Degradation.cut(
                fabric,
                new Cable(view.switchGuid(s), port, view.switchGuid(view.peerSwitch(s, port)), view.peerPort(s, port)));
    }

    private void connect(String name, int port, String other, int otherPort) {
        fabric.apply(new PortSeen(guid(name), port, true, new ToSwitch(guid(other), otherPort)));
        fabric.apply(new PortSeen(guid(other), otherPort, true, new ToSwitch(guid(name), port)));
    }

    private static void assertPlacedAsNamed(FabricView view, RecognisedGrid grid) {
        for (int s = 0; s < view.switchCount(); s++) {
            GridPlace place = grid.place(s);
            if (place.kind() != GridPlace.Kind.UNPLACED) {
                String name = switch (place.kind()) {
                    case LEAF -> "leaf" + place.row() + "-" + place.column();
                    case ROW_ROOT -> "row" + place.row() + "-";
                    case COLUMN_ROOT -> "column" + place.column() + "-";
                    case UNPLACED -> throw new AssertionError();
                };
                assertThat(view.switchName(s)).startsWith(name);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2x2;hosts=1;roots=1,1",
                "2x3;hosts=2;roots=1,2",
                "3x3;hosts=1;roots=3,1",
                "5x2;hosts=1;roots=2,2",
                "8x8;hosts=8;roots=8,8"
            })
    void shouldRecogniseWholeGridsWhateverTheirGuids(String text) {
        GridShape shape = GridShape.parse(text);
        fabric = GridGenerator.generate(shape);

        RecognisedGrid grid = GridRecognition.recognise(view());

        assertThat(grid.findings()).isEmpty();
        assertThat(grid.rows()).isEqualTo(shape.rows());
        assertThat(grid.columns()).isEqualTo(shape.columns());
        assertPlacedAsNamed(view(), grid);
        for (int seed = 0; seed < 20; seed++) {
            FabricView view = GridGenerator.generateShuffled(shape, new SplittableRandom(seed))
                    .build(1, new NodeIndexMap(), new GuidNumbers());
            RecognisedGrid shuffled = GridRecognition.recognise(view);
            assertThat(shuffled.findings()).isEmpty();
            assertSameLines(view, shuffled);
        }
    }

    /** A manager that starts while roots are dead must not take for columns what switches hold tables for as rows. */
    @Test
    void shouldCallTheSameLinesRowsWhicheverRootsAreDead() {
        int recognised = 0;
        for (int seed = 0; seed < 500; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            fabric = GridGenerator.generate(GridShape.parse(random.nextInt(3, 6) + "x4;hosts=1;roots=1,1"));
            FabricView whole = view();
            for (int i = random.nextInt(5); i >= 0; i--) {
                fabric.apply(new SwitchState(whole.switchGuid(random.nextInt(whole.switchCount())), false));
            }
            FabricView view = view();

            RecognisedGrid grid = GridRecognition.recognise(view);

            recognised += grid.rows() > 0 ? 1 : 0;
            for (int s = 0; s < view.switchCount(); s++) {
                GridPlace.Kind kind = grid.place(s).kind();
                if (kind == GridPlace.Kind.ROW_ROOT || kind == GridPlace.Kind.COLUMN_ROOT) {
                    assertThat(view.switchName(s))
                            .as("seed " + seed)
                            .startsWith(kind == GridPlace.Kind.ROW_ROOT ? "row" : "column");
                }
            }
        }
        assertThat(recognised).isGreaterThan(450);
    }

    /** Two leaves that lost their one cable to a line each must not be put in the same place, of which one would be cut off. */
    @Test
    void shouldPlaceLeavesOfOneLineWhereNoOtherIs() {
        fabric = GridGenerator.generate(GridShape.parse("8x8;hosts=1;roots=1,1"));
        cut("leaf7-0", 2);
        cut("leaf2-0", 3);

        RecognisedGrid grid = GridRecognition.recognise(view());

        assertThat(grid.findings().stream().map(GridFinding::kind)).containsOnly(Kind.CABLE_MISSING);
        assertThat(grid.place(index("leaf7-0")).column()).isZero();
        assertThat(grid.place(index("leaf2-0")).row()).isEqualTo(2);
    }

    /** Alone in its column, it still has a row. */
    @Test
    void shouldPlaceTheLastLeafOfAColumn() {
        for (int row = 0; row < 3; row++) {
            fabric.apply(new SwitchState(guid("leaf" + row + "-2"), false));
        }

        RecognisedGrid grid = GridRecognition.recognise(view());

        GridPlace place = grid.place(index("leaf3-2"));
        assertThat(place.kind()).isEqualTo(GridPlace.Kind.LEAF);
        assertThat(place.row()).isEqualTo(grid.place(index("leaf3-0")).row());
        assertThat(grid.columns()).isEqualTo(5);
    }

    /** One of two cables leads into another row, where somebody stands who has both. */
    @Test
    void shouldLeaveALeafInItsRowWhoseOtherCableIsInAnother() {
        for (int row = 0; row < 4; row++) {
            for (int other = 0; other < 4; other++) {
                fabric = GridGenerator.generate(GridShape.parse("4x5;hosts=1;roots=2,2"));
                if (row != other) {
                    cut("leaf" + row + "-0", 2);
                    cut("row" + other + "-0", 5);
                    connect("leaf" + row + "-0", 2, "row" + other + "-0", 5);

                    RecognisedGrid grid = GridRecognition.recognise(view());

                    assertThat(grid.place(index("leaf" + row + "-0")).row()).isEqualTo(row);
                    assertThat(grid.place(index("leaf" + other + "-0")).row()).isEqualTo(other);
                    assertThat(grid.findingsOfCabling(view()).stream().map(GridFinding::text))
                            .containsExactly("leaf" + row + "-0 is cabled to row" + other + "-0 of row " + other
                                    + ", expected row " + row);
                }
            }
        }
    }

    /** Who manages a fabric is often cabled to a root. */
    @Test
    void shouldKeepARootThatGetsAHost() {
        GuidNumbers levels = new GuidNumbers();
        FabricView bare = view();
        for (int s = 0; s < bare.switchCount(); s++) {
            levels.put(bare.switchGuid(s), bare.rank(s));
        }
        cut("column1-0", 4);
        fabric.apply(new PortSeen(guid("column1-0"), 4, true, new ToHost(GeneratedGuids.host(99))));
        FabricView view = fabric.build(2, nodes, levels);

        RecognisedGrid grid = GridRecognition.recognise(view);

        assertThat(grid.place(index("column1-0")).kind()).isEqualTo(GridPlace.Kind.COLUMN_ROOT);
        assertThat(grid.findings().stream().map(GridFinding::text))
                .contains("column1-0 has hosts: as the root of a row or column, it is led through only");
    }

    /** Rows and columns may be called by other numbers, or each other's names, but who is in line with whom is the same. */
    private static void assertSameLines(FabricView view, RecognisedGrid grid) {
        int[] rowNumber = new int[2];
        for (int a = 0; a < view.leafCount(); a++) {
            for (int b = 0; b < view.leafCount(); b++) {
                GridPlace one = grid.place(view.targetSwitch(a));
                GridPlace other = grid.place(view.targetSwitch(b));
                int[] named = numbers(view.switchName(view.targetSwitch(a)));
                int[] otherNamed = numbers(view.switchName(view.targetSwitch(b)));
                boolean sameRow = one.row() == other.row();
                boolean sameColumn = one.column() == other.column();
                boolean inLine = named[0] == otherNamed[0] || named[1] == otherNamed[1];
                assertThat(sameRow || sameColumn).isEqualTo(inLine);
                rowNumber[sameRow && a != b && named[0] == otherNamed[0] ? 0 : 1]++;
            }
        }
        assertThat(rowNumber[0] + rowNumber[1]).isEqualTo(view.leafCount() * view.leafCount());
    }

    private static int[] numbers(String leaf) {
        String[] parts = leaf.substring("leaf".length()).split("-");
        return new int[] {Integer.parseInt(parts[0]), Integer.parseInt(parts[1])};
    }

    @Test
    void shouldPlaceAllThatIsLeftOfDegradedGrids() {
        for (int seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            fabric = GridGenerator.generate(GridShape.parse("6x6;hosts=1;roots=3,3"));
            Degradation.apply(fabric, seed % 5, seed % 12, random);
            int deadLeaf = random.nextInt(36);
            fabric.apply(new SwitchState(view().switchGuid(deadLeaf), false));
            FabricView view = view();

            RecognisedGrid grid = GridRecognition.recognise(view);

            assertPlacedAsNamed(view, grid);
            assertThat(grid.place(deadLeaf).kind()).as("seed %d", seed).isEqualTo(GridPlace.Kind.LEAF);
            for (int s = 0; s < view.switchCount(); s++) {
                boolean linked = view.groupStart(s) < view.groupEnd(s);
                assertThat(!linked || grid.place(s).kind() != GridPlace.Kind.UNPLACED)
                        .as("seed %d: %s", seed, view.switchName(s))
                        .isTrue();
            }
            assertThat(grid.findings())
                    .extracting(GridFinding::kind)
                    .isSubsetOf(Kind.LEAF_MISSING, Kind.ROOTS_MISSING, Kind.CABLE_MISSING);
        }
    }

    @Test
    void shouldNameEmptyPlacesOfARaggedGrid() {
        fabric.apply(new SwitchForgotten(guid("leaf3-4")));
        fabric.apply(new SwitchForgotten(guid("leaf1-2")));

        RecognisedGrid grid = GridRecognition.recognise(view());

        assertThat(grid.rows()).isEqualTo(4);
        assertThat(grid.columns()).isEqualTo(5);
        assertPlacedAsNamed(view(), grid);
        assertThat(grid.leaf(1, 2)).isEqualTo(-1);
        assertThat(grid.findings())
                .extracting(GridFinding::text)
                .containsExactly("no leaf in row 1 and column 2", "no leaf in row 3 and column 4");
    }

    @Test
    void shouldNameALeafCabledIntoTheWrongRow() {
        fabric = GridGenerator.generate(GridShape.parse("4x5;hosts=1;roots=3,1"));
        cut("leaf1-2", 2);
        cut("leaf3-2", 2);
        connect("leaf1-2", 2, "row3-0", 3);
        connect("leaf3-2", 2, "row1-0", 3);

        RecognisedGrid grid = GridRecognition.recognise(view());

        assertPlacedAsNamed(view(), grid);
        assertThat(grid.findings())
                .extracting(GridFinding::text)
                .containsExactlyInAnyOrder(
                        "leaf1-2 is cabled to row3-0 of row 3, expected row 1",
                        "leaf3-2 is cabled to row1-0 of row 1, expected row 3",
                        "no live cable between leaf1-2 and row1-0",
                        "no live cable between leaf3-2 and row3-0");
    }

    /** With one root a line nothing tells which of the two is wrong. */
    @Test
    void shouldNameBothLeavesWhenAWholeLeafIsInTheWrongRow() {
        fabric = GridGenerator.generate(GridShape.parse("4x4;hosts=1;roots=1,1"));
        FabricView whole = view();
        long wide = whole.switchGuid(index("row3-0"));
        cut("leaf1-2", 2);
        cut("leaf3-0", 2);
        connect("leaf1-2", 2, "row3-0", 1);
        assertThat(wide).isEqualTo(guid("row3-0"));

        RecognisedGrid grid = GridRecognition.recognise(view());

        assertThat(grid.findings())
                .extracting(GridFinding::text)
                .startsWith(
                        "leaf1-2 and leaf3-2 are both in row 3 and column 2: one of them is cabled into the wrong row or"
                                + " column",
                        "no leaf in row 1 and column 2");
        assertThat(grid.place(index("leaf0-3"))).isEqualTo(new GridPlace(GridPlace.Kind.LEAF, 0, 3, -1));
    }

    @Test
    void shouldNameARootThatJoinsTwoLines() {
        fabric = GridGenerator.generate(GridShape.parse("4x6;hosts=1;roots=2,2"));
        fabric.apply(new SwitchState(guid("row2-1"), false));
        for (int column = 0; column < 3; column++) {
            cut("row0-1", 1 + column);
            connect("leaf2-" + column, 3, "row0-1", 1 + column);
        }

        RecognisedGrid grid = GridRecognition.recognise(view());

        assertPlacedAsNamed(view(), grid);
        assertThat(grid.place(index("row0-1")).kind()).isEqualTo(GridPlace.Kind.UNPLACED);
        assertThat(grid.findings())
                .extracting(GridFinding::text)
                .contains(
                        "row0-1 joins rows [0, 2]: its leaves belong to more than one line",
                        "row 0 has 1 roots, expected 2");
    }

    /** R = 1: the leaves of a row without roots are a row all the same, each in its column. */
    @Test
    void shouldKeepALineWhoseOnlyRootIsDead() {
        fabric = GridGenerator.generate(GridShape.parse("4x4;hosts=1;roots=1,1"));
        fabric.apply(new SwitchState(guid("row2-0"), false));

        RecognisedGrid grid = GridRecognition.recognise(view());

        assertPlacedAsNamed(view(), grid);
        assertThat(grid.rowRootCount(2)).isZero();
        assertThat(grid.leaf(2, 3)).isEqualTo(index("leaf2-3"));
        assertThat(grid.findings()).extracting(GridFinding::text).containsExactly("row 2 has 0 roots, expected 1");
    }

    @Test
    void shouldSayThatATreeIsNoGrid() {
        fabric = PgftGenerator.generate(PgftShape.parse("3;2,4,3;1,2,2;1,2,1"));

        RecognisedGrid grid = GridRecognition.recognise(view());

        assertThat(grid.rows()).isZero();
        assertThat(grid.findings()).extracting(GridFinding::kind).isEqualTo(List.of(Kind.NO_GRID));
        assertThat(grid.place(0)).isEqualTo(GridPlace.NONE);
    }
}
