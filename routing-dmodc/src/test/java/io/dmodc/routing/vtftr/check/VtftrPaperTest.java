package io.dmodc.routing.vtftr.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dmodc.routing.vtftr.CoverageProbability;
import io.dmodc.routing.vtftr.GridFabric;
import io.dmodc.routing.vtftr.SpareMode;
import io.dmodc.routing.vtftr.check.TurnCheck.Bursts;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Claims of the VTFTR paper (Liu et al., Computer Engineering 48(12), 2022), quoted in our words, and what the tables do.
 * Leaves are called by row and column, as in its figures.
 */
class VtftrPaperTest {
    private static TurnDump dump(int size, SpareMode mode, String known, String unannounced) {
        TurnDump dump = Dumps.of(GridFabric.square(size).without(words(known)), mode);
        for (String leaf : words(unannounced)) {
            dump.bursts.set(leaf(size, leaf));
        }
        return dump;
    }

    private static String[] words(String list) {
        return list.isBlank() ? new String[0] : list.strip().split(" ");
    }

    private static int leaf(int columns, String name) {
        return (name.charAt(0) - '0') * columns + name.charAt(1) - '0';
    }

    private static List<String> paths(TurnDump dump, String from, String to) {
        PathList list = new PathList(dump, leaf(dump.columns, from), leaf(dump.columns, to));
        assertThat(list.dropped || list.loops).isFalse();
        return list.paths;
    }

    /** Section 2.1, the cases of routing with no, one and several faults: the path, its routings and its channels. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            no fault                      | ''       | ''    | 00 -row-0-> 02 -column-0-> 22
            known, at the xy corner       | 02       | ''    | 00 -column-0-> 20 -row-1-> 22
            not known, at the xy corner   | ''       | 02    | 00 -row-0-> 01 -column-0-> 21 -row-1-> 22
            both known                    | 02 20    | ''    | 00 -row-0-> 01 -column-0-> 21 -row-1-> 22
            both known, no column whole   | 02 20 21 23 | '' | 00 -column-0-> 10 -row-1-> 12 -column-1-> 22
            not known, at the yx corner   | 02       | 20    | 00 -column-0-> 10 -row-1-> 12 -column-1-> 22
            misrouted, then not known     | 02 20    | 21    | 00 -row-0-> 01 -column-0-> 11 -row-1-> 12 -column-1-> 22
            """)
    void shouldTakeThePathOfEachCase(String what, String known, String unannounced, String path) {
        assertThat(paths(dump(4, SpareMode.PAPER, known, unannounced), "00", "22"))
                .as(what)
                .contains(path);
    }

    /** Without a fault routing is row first: one routing in a row or column, two else. */
    @Test
    void shouldRouteByDimensionsInOrderWithoutFaults() {
        TurnDump dump = dump(4, SpareMode.PAPER, "", "");

        assertThat(paths(dump, "00", "03")).containsExactly("00 -row-0-> 03");
        assertThat(paths(dump, "00", "30")).containsExactly("00 -column-0-> 30");
        assertThat(paths(dump, "30", "01")).containsExactly("30 -row-0-> 31 -column-0-> 01");
        assertThat(TurnCheck.check(dump, List.of(), Bursts.NONE, true).pairsByRoutings())
                .isEqualTo(Map.of(1, 16 * 6, 2, 16 * 9));
    }

    /**
     * Algorithm 1: a packet whose leaf in the row is dead is sent to any other leaf of the row, from there by column to the
     * destination's row, and by row to the destination. Each permitted column serves, and no other.
     */
    @Test
    void shouldGoRoundAnUnannouncedFaultOverEveryOtherColumn() {
        for (int size = 3; size <= 6; size++) {
            int last = size - 1;
            TurnDump dump = dump(size, SpareMode.PAPER, "", "0" + last);

            List<String> paths = paths(dump, "00", "" + last + last);

            assertThat(paths).hasSize(size - 2);
            for (int c = 1; c < last; c++) {
                assertThat(paths)
                        .contains("00 -row-0-> 0" + c + " -column-0-> " + last + c + " -row-1-> " + last + last);
            }
        }
    }

    /** Section 2.1: a fault takes its column out of all row switches' spares and its row out of all column switches'. */
    @Test
    void shouldMaskTheColumnAndTheRowOfAFaultEverywhere() {
        TurnDump dump = dump(4, SpareMode.PAPER, "12", "");

        for (int line = 0; line < 4; line++) {
            for (int own = 0; own < 4; own++) {
                RootEntry row = Dumps.entry(dump, Axis.X, line, 3, own);
                RootEntry column = Dumps.entry(dump, Axis.Y, line, own, 3);
                assertThat(row.spares()).isEqualTo(allBut(4, own, 2));
                assertThat(column.spares()).isEqualTo(allBut(4, own, 1));
            }
        }
    }

    private static BitSet allBut(int count, int... without) {
        BitSet set = new BitSet();
        set.set(0, count);
        for (int one : without) {
            set.clear(one);
        }
        return set;
    }

    /** Section 2.2: at most row–column–row in the steady state; with a new fault also column–row–column and one more. */
    @Test
    void shouldTakeAtMostThreeRoutingsAndFourWithANewFault() {
        TurnCheckReport steady =
                TurnCheck.check(dump(6, SpareMode.PAPER, "02 13 20 31", ""), List.of(), Bursts.NONE, true);
        TurnCheckReport burst =
                TurnCheck.check(dump(6, SpareMode.PAPER, "02 13 20 31", ""), List.of(), Bursts.SINGLE, true);

        assertThat(steady.pairsByRoutings().keySet()).containsExactly(1, 2, 3);
        assertThat(steady.valid()).isTrue();
        assertThat(burst.valid()).isTrue();
    }

    /**
     * Section 2.3: on each virtual channel links are taken in the order row up, row down, column up, column down. Every
     * path, of every case with one unannounced fault, ascends strictly.
     */
    @Test
    void shouldTakeLinksInAscendingOrder() {
        for (int unannounced = 0; unannounced < 16; unannounced++) {
            TurnDump dump = dump(4, SpareMode.PAPER, "02 20", "");
            dump.bursts.set(unannounced);
            for (int pair = 0; pair < 256; pair++) {
                boolean live = !dump.faults.get(pair / 16) && !dump.bursts.get(pair / 16);
                PathList list = live && pair / 16 != pair % 16 ? new PathList(dump, pair / 16, pair % 16) : null;
                if (list != null) {
                    assertThat(list.dependencies).allMatch(dependency -> {
                        String[] ends = dependency.split(" > ");
                        return order(ends[0]) < order(ends[1]);
                    });
                }
            }
        }
    }

    /** Of text like "X2 up from 1 on 0". */
    private static int order(String channel) {
        int vc = channel.charAt(channel.length() - 1) - '0';
        return 4 * vc + (channel.charAt(0) == 'Y' ? 2 : 0) + (channel.contains("down") ? 1 : 0);
    }

    /** Section 2.2, claim 3: with 15 faults or fewer in a 16x16 grid every live pair has a route. */
    @Test
    void shouldServeAllLivePairsWithFifteenFaults() {
        for (int seed = 0; seed < 3; seed++) {
            TurnDump dump = Dumps.of(GridFabric.square(16).killRandom(15, new SplittableRandom(seed)), SpareMode.PAPER);

            TurnCheckReport report = TurnCheck.check(dump, List.of(), Bursts.NONE, true);

            assertThat(report.valid()).isTrue();
            assertThat(report.declared()).isZero();
        }
        assertThat(CoverageProbability.coverings(16, 16, 15)).isZero();
    }

    /** Section 2.2: any number of faults inside n − 1 rows, or inside n − 1 columns, is served. */
    @Test
    void shouldServeAnyNumberOfFaultsThatSpareARow() {
        for (int seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            GridFabric fabric = GridFabric.square(5);
            IntPredicate spared = leaf -> random.nextBoolean() || leaf / 5 == 3;
            IntStream.range(0, 25).filter(leaf -> !spared.test(leaf)).forEach(fabric::kill);
            TurnCheckReport report = TurnCheck.check(Dumps.of(fabric, SpareMode.PAPER), List.of(), Bursts.NONE, true);

            assertThat(report.valid()).as("seed %d", seed).isTrue();
            assertThat(report.declared()).as("seed %d", seed).isZero();
        }
    }

    /**
     * Every placement of k faults, by how many of them some live pair has no route. The paper's masks first fail at n faults,
     * pairwise spares at 2n − 2, where a leaf can lose all others.
     */
    @ParameterizedTest
    @CsvSource({
        "3, 2, 36, 0, 0",
        "3, 3, 84, 6, 0",
        "4, 3, 560, 0, 0",
        "4, 4, 1820, 24, 0",
        "4, 5, 4368, 432, 0",
        "4, 6, 8008, 2248, 736",
    })
    void shouldFailOnSoManyPlacements(int size, int faults, int placements, int paper, int pairwise) {
        int[] count = new int[3];
        for (int set = 0; set < 1 << (size * size); set++) {
            if (Integer.bitCount(set) == faults) {
                count[0]++;
                GridFabric fabric = GridFabric.square(size);
                for (int leaf = 0; leaf < size * size; leaf++) {
                    fabric.set(leaf, (set & (1 << leaf)) == 0);
                }
                count[1] += losesSome(fabric, SpareMode.PAPER) ? 1 : 0;
                count[2] += losesSome(fabric, SpareMode.PAIRWISE) ? 1 : 0;
            }
        }
        assertThat(count).containsExactly(placements, paper, pairwise);
    }

    private static boolean losesSome(GridFabric fabric, SpareMode mode) {
        var tables = fabric.tables(mode);
        int columns = tables.state().columns();
        int leaves = tables.state().rows() * columns;
        for (int source = 0; source < leaves; source++) {
            for (int destination = 0; destination < leaves; destination++) {
                boolean live = tables.state().alive(source / columns, source % columns)
                        && tables.state().alive(destination / columns, destination % columns);
                if (live && tables.injection(source, destination).letter() == '-') {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Section 2.2: "4.807e-22" for 20 faults of 16x16. The number is that of faults on one given diagonal, C(240, 4) of
     * C(256, 20); all ways to hit every row and every column are 6e14 times as many.
     */
    @Test
    void shouldHitAllRowsAndColumnsMoreOftenThanThePaperSays() {
        double paper = new BigDecimal(choose(16 * 16 - 16, 20 - 16))
                .divide(new BigDecimal(choose(16 * 16, 20)), MathContext.DECIMAL64)
                .doubleValue();

        assertThat(paper).isCloseTo(4.807e-22, within(0.0005e-22));
        assertThat(CoverageProbability.coverings(16, 16, 20)).isEqualTo(new BigInteger("80688512364809584435200"));
        assertThat(choose(256, 20)).isEqualTo(new BigInteger("280437550101996454288136030400"));
        assertThat(CoverageProbability.of(16, 16, 20)).isCloseTo(2.8772e-7, within(0.0001e-7));
    }

    @ParameterizedTest
    @CsvSource({"15, 0", "16, 2.076e-12", "17, 1.588e-10", "18, 3.514e-9", "24, 6.15e-5", "32, 0.0109", "60, 0.671"})
    void shouldHitAllRowsAndColumnsWithThatProbability(int faults, double probability) {
        assertThat(CoverageProbability.of(16, 16, faults)).isCloseTo(probability, within(0.002 * probability));
    }

    /** Beside counting all placements. */
    @Test
    void shouldCountCoveringsAsGoingThroughThemDoes() {
        for (int size = 2; size <= 4; size++) {
            int[] coverings = new int[size * size + 1];
            for (int set = 0; set < 1 << (size * size); set++) {
                coverings[Integer.bitCount(set)] += covers(set, size) ? 1 : 0;
            }
            for (int faults = 0; faults <= size * size; faults++) {
                assertThat(CoverageProbability.coverings(size, size, faults)).isEqualTo(coverings[faults]);
            }
        }
    }

    private static boolean covers(int set, int size) {
        int rows = 0;
        int columns = 0;
        for (int leaf = 0; leaf < size * size; leaf++) {
            if ((set & (1 << leaf)) != 0) {
                rows |= 1 << (leaf / size);
                columns |= 1 << (leaf % size);
            }
        }
        return rows == (1 << size) - 1 && columns == rows;
    }

    private static BigInteger choose(int from, int count) {
        BigInteger ways = BigInteger.ONE;
        for (int i = 1; i <= count; i++) {
            ways = ways.multiply(BigInteger.valueOf(from - count + i)).divide(BigInteger.valueOf(i));
        }
        return ways;
    }

    /** Section 3.2: 237 ns by two routings, also column first; 307 ns with a detour, 377 ns with four routings. */
    @Test
    void shouldTakeAsLongAsThePaperMeasured() {
        assertThat(nanos(dump(8, SpareMode.PAPER, "", ""))).isEqualTo(237);
        assertThat(nanos(dump(8, SpareMode.PAPER, "02", ""))).isEqualTo(237);
        assertThat(nanos(dump(8, SpareMode.PAPER, "", "02"))).isEqualTo(307);
        assertThat(nanos(dump(8, SpareMode.PAPER, "02 20", ""))).isEqualTo(307);
        assertThat(nanos(dump(8, SpareMode.PAPER, "02 20", "21"))).isEqualTo(377);
    }

    private static int nanos(TurnDump dump) {
        return ZeroLoadLatency.nanos(new PathList(dump, leaf(8, "00"), leaf(8, "22")).routings);
    }
}
