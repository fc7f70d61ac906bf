package io.dmodc.routing.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.UpperPairs;
import io.dmodc.routing.UpperPairs.Pair;
import io.dmodc.routing.check.CheckReport.Failure;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

/**
 * Each property broken by hand in the smallest fabric that can break it.
 *
 * <pre>
 *        l2s0      l2s1          ports 1..4 to leaf0..leaf3
 *       / | | \   / | | \
 *   leaf0 leaf1 leaf2 leaf3      ports 1, 2 to nodes 2i, 2i + 1; port 3 to l2s0, port 4 to l2s1
 * </pre>
 */
class TableCheckTest {
    private static final int L2S0 = 4;

    private final FabricViewBuilder fabric = PgftGenerator.generate(PgftShape.parse("2;2,4;1,2;1,1"));
    private final FabricView view = Fabrics.view(fabric);
    private final byte[][] rows = NaiveTables.minimal(view, new SplittableRandom(1));

    private static CheckReport check(FabricView view, byte[][] rows) {
        return TableCheck.check(view, NaiveTables.set(view, rows), Parallel.sequential());
    }

    private static Failure failure(CheckReport report, TableProperty property) {
        return report.failures().stream()
                .filter(failure -> failure.property() == property)
                .findFirst()
                .orElseThrow(() -> new AssertionError(property + " not in " + report));
    }

    private static List<TableProperty> failed(CheckReport report) {
        return report.failures().stream().map(Failure::property).toList();
    }

    @Test
    void shouldPassGoodTables() {
        CheckReport report = check(view, rows);

        assertThat(report.valid()).isTrue();
        assertThat(report.entries()).isEqualTo(6 * 8);
        assertThat(report.pairs()).isEqualTo(4 * 8);
        assertThat(report.lines(view)).containsExactly("valid: epoch 1, 48 entries, 32 pairs with a legal path");
    }

    @Test
    void shouldNameALoop() {
        rows[0][7] = 3;
        rows[L2S0][7] = 1;

        CheckReport report = check(view, rows);

        assertThat(failed(report)).contains(TableProperty.NO_LOOP, TableProperty.MINIMAL_DELIVERY);
        assertThat(failure(report, TableProperty.NO_LOOP).count()).isEqualTo(1);
        assertThat(failure(report, TableProperty.NO_LOOP).examples())
                .containsExactly("leaf0 → node 7: loop leaf0 port 3 → l2s0 port 1 → leaf0");
    }

    @Test
    void shouldNameAnEntryToADeadPort() {
        Cable cable = Degradation.cables(view).get(0);
        Degradation.cut(fabric, cable);
        FabricView damaged = Fabrics.view(fabric);
        byte[][] stale = NaiveTables.minimal(damaged, new SplittableRandom(1));
        stale[0][6] = 3;

        CheckReport report = check(damaged, stale);

        assertThat(failed(report)).containsExactly(TableProperty.LIVE_ENTRIES, TableProperty.MINIMAL_DELIVERY);
        assertThat(failure(report, TableProperty.LIVE_ENTRIES).examples())
                .containsExactly("leaf0 → node 6: port 3 has no live link");
    }

    @Test
    void shouldNameAPortTheSwitchDoesNotHave() {
        rows[0][6] = (byte) 200;

        assertThat(failure(check(view, rows), TableProperty.LIVE_ENTRIES).examples())
                .containsExactly("leaf0 → node 6: port 200 is outside 1..4");
    }

    @Test
    void shouldNameABlackHole() {
        rows[L2S0][5] = (byte) LftSet.NO_ROUTE;
        rows[0][5] = 3;

        CheckReport report = check(view, rows);

        assertThat(failure(report, TableProperty.LIVE_ENTRIES).examples())
                .containsExactly("l2s0 → node 5: no entry, though a legal path exists");
        assertThat(failure(report, TableProperty.MINIMAL_DELIVERY).examples())
                .contains("leaf0 → node 5: leaf0 port 3 → l2s0, dropped there");
    }

    @Test
    void shouldNameAWrongNodePort() {
        rows[1][2] = 2;
        rows[2][3] = 1;

        CheckReport report = check(view, rows);

        assertThat(failure(report, TableProperty.LIVE_ENTRIES).examples())
                .containsExactly("leaf1 → node 2: port 2 leads to node 3", "leaf2 → node 3: port 1 leads to node 4");
        assertThat(failure(report, TableProperty.MINIMAL_DELIVERY).count()).isGreaterThanOrEqualTo(4);
    }

    @Test
    void shouldRefusePort0ForANode() {
        rows[1][2] = 0;

        assertThat(failure(check(view, rows), TableProperty.LIVE_ENTRIES).examples())
                .containsExactly("leaf1 → node 2: port 0 is the switch itself");
    }

    @Test
    void shouldNameADownUpTurn() {
        rows[0][7] = 3;
        rows[L2S0][7] = 2;
        rows[1][7] = 4;

        CheckReport report = check(view, rows);

        assertThat(failed(report)).containsExactly(TableProperty.MINIMAL_DELIVERY, TableProperty.NO_DOWN_UP_TURN);
        assertThat(failure(report, TableProperty.NO_DOWN_UP_TURN).examples())
                .containsExactly("leaf0 → node 7: leaf0 port 3 → l2s0 port 2 → (turns up) leaf1 port 4 → l2s1 port 4"
                        + " → leaf3 port 2, arrived");
    }

    @Test
    void shouldNameALegalPathThatIsTooLong() {
        FabricViewBuilder diamond = new FabricViewBuilder();
        List<String> names = List.of("a", "b", "m0", "m1", "top");
        names.forEach(name -> Fabrics.addSwitch(diamond, names.indexOf(name), name, 3));
        Fabrics.addHost(diamond, 0, 1, 10);
        Fabrics.addHost(diamond, 1, 1, 11);
        Fabrics.connect(diamond, 0, 2, 2, 1);
        Fabrics.connect(diamond, 1, 2, 2, 2);
        Fabrics.connect(diamond, 1, 3, 3, 1);
        Fabrics.connect(diamond, 2, 3, 4, 1);
        Fabrics.connect(diamond, 3, 3, 4, 2);
        FabricView tall = Fabrics.view(diamond);
        byte[][] detour = NaiveTables.minimal(tall, new SplittableRandom(1));
        detour[2][1] = 3;
        detour[4][1] = 2;

        CheckReport report = check(tall, detour);

        assertThat(failed(report)).containsExactly(TableProperty.MINIMAL_DELIVERY);
        assertThat(failure(report, TableProperty.MINIMAL_DELIVERY).examples())
                .containsExactly("a → node 1: a port 2 → m0 port 3 → top port 2 → m1 port 1 → b port 1, arrived");
    }

    @Test
    void shouldNameACircleOfChannelsThoughEachRouteIsFreeOfLoops() {
        FabricView ring = ring();
        byte[][] rows = NaiveTables.empty(ring, 4);
        for (int s = 0; s < 4; s++) {
            for (int node = 0; node < 4; node++) {
                rows[s][node] = (byte) (s == node ? 1 : 2);
            }
        }

        CheckReport report =
                TableCheck.check(ring, NaiveTables.set(ring, rows), SurplusEntryRule.NOTED, Parallel.sequential());

        assertThat(failed(report)).contains(TableProperty.ACYCLIC_CHANNELS).doesNotContain(TableProperty.NO_LOOP);
        assertThat(failure(report, TableProperty.ACYCLIC_CHANNELS).count()).isEqualTo(1);
        assertThat(failure(report, TableProperty.ACYCLIC_CHANNELS).examples())
                .containsExactly("4 channels wait for each other: s0 port 2 → s1 port 2 → s2 port 2 → s3 port 2"
                        + " → s0 port 2");
    }

    /** Four switches with a host each, all sending clockwise by port 2. */
    private static FabricView ring() {
        FabricViewBuilder fabric = new FabricViewBuilder();
        for (int s = 0; s < 4; s++) {
            Fabrics.addSwitch(fabric, 100 + s, "s" + s, 3);
            Fabrics.addHost(fabric, 100 + s, 1, 1 + s);
        }
        for (int s = 0; s < 4; s++) {
            Fabrics.connect(fabric, 100 + s, 2, 100 + (s + 1) % 4, 3);
        }
        return Fabrics.view(fabric);
    }

    @Test
    void shouldForbidOrNoteEntriesWithoutLegalPath() {
        FabricView ring = ring();
        byte[][] rows = NaiveTables.minimal(ring, new SplittableRandom(1));
        rows[0][2] = 2;
        LftSet tables = NaiveTables.set(ring, rows);

        CheckReport strict = TableCheck.check(ring, tables, Parallel.sequential());
        CheckReport lenient = TableCheck.check(ring, tables, SurplusEntryRule.NOTED, Parallel.sequential());

        assertThat(failure(strict, TableProperty.LIVE_ENTRIES).examples())
                .containsExactly("s0 → node 2: port 2, though no legal path exists");
        assertThat(lenient.surplusEntries()).isEqualTo(1);
        assertThat(failed(lenient)).containsExactly(TableProperty.NO_DOWN_UP_TURN);
        assertThat(lenient.lines(ring)).contains("1 entries where no legal path exists");
    }

    @Test
    void shouldNameCutOffAndDeadLeavesWithoutFailing() {
        Degradation.cables(view).stream()
                .filter(cable -> cable.guid() == view.switchGuid(2))
                .forEach(cable -> Degradation.cut(fabric, cable));
        fabric.apply(new SwitchState(view.switchGuid(0), false));
        FabricView damaged = Fabrics.view(fabric);

        CheckReport report = check(damaged, NaiveTables.minimal(damaged, new SplittableRandom(1)));

        assertThat(report.valid()).isTrue();
        assertThat(report.deadLeaves()).containsExactly(0);
        assertThat(report.cutOffLeaves()).containsExactly(2);
        assertThat(report.unreachableLeafPairs()).isEqualTo(4);
        assertThat(report.lines(damaged))
                .contains("dead leaves: leaf0", "cut-off leaves: leaf2 (4 ordered leaf pairs have no legal path)");
    }

    /** Each in place of a cable to a leaf, which now would have to climb twice. */
    @Test
    void shouldNameHostsOnTwoSpinesWithoutFailing() {
        FabricViewBuilder spines = PgftGenerator.generate(PgftShape.parse("2;2,4;1,3;1,1"));
        FabricView whole = Fabrics.view(spines);
        for (int spine = 0; spine < 2; spine++) {
            Fabrics.addHost(spines, whole.switchGuid(4 + spine), 1 + spine, 0x700 + spine);
        }
        FabricView damaged = Fabrics.view(spines);

        CheckReport report = check(damaged, NaiveTables.minimal(damaged, new SplittableRandom(1)));

        assertThat(report.valid()).isTrue();
        assertThat(report.cutOffLeaves()).isEmpty();
        assertThat(report.upperPairs())
                .isEqualTo(new UpperPairs(6, List.of(new Pair(4, 0), new Pair(4, 5), new Pair(5, 1)), 0));
        assertThat(report.lines(damaged))
                .contains("6 ordered pairs of switches with hosts, one or both above the leaves, have no legal path:"
                        + " l2s0 – leaf0, l2s0 – l2s1, l2s1 – leaf1");
    }

    @Test
    void shouldKeepTenExamplesAndCountAll() {
        for (int d = 2; d < 8; d++) {
            rows[0][d] = (byte) LftSet.NO_ROUTE;
            rows[1][d] = (byte) LftSet.NO_ROUTE;
        }

        Failure failure = failure(check(view, rows), TableProperty.LIVE_ENTRIES);

        assertThat(failure.count()).isEqualTo(12);
        assertThat(failure.examples()).hasSize(CheckReport.EXAMPLES_MAX);
    }

    @Test
    void shouldNotLookAtRowsOfDeadSwitches() {
        fabric.apply(new SwitchState(view.switchGuid(L2S0), false));
        FabricView damaged = Fabrics.view(fabric);
        byte[][] mixed = NaiveTables.minimal(damaged, new SplittableRandom(1));
        mixed[L2S0] = rows[L2S0];

        assertThat(check(damaged, mixed).valid()).isTrue();
    }

    @Test
    void shouldAcceptRowsOfDifferentOriginTogether() {
        byte[][] others = NaiveTables.minimal(view, new SplittableRandom(2));
        assertThat(others[0]).isNotEqualTo(rows[0]);
        rows[0] = others[0];

        assertThat(check(view, rows).valid()).isTrue();
    }

    @Test
    void shouldCheckTablesThatRouteToSwitches() {
        byte[][] toSwitches = NaiveTables.minimalToSwitches(view, new SplittableRandom(1));
        LftSet good = NaiveTables.set(view, toSwitches);
        assertThat(TableCheck.checkSwitchTables(view, good, Parallel.sequential())
                        .valid())
                .isTrue();
        toSwitches[1][1] = 3;
        LftSet bad = NaiveTables.set(view, toSwitches);

        CheckReport report = TableCheck.checkSwitchTables(view, bad, Parallel.sequential());

        assertThat(failure(report, TableProperty.NO_LOOP).count()).isEqualTo(1);
        assertThat(failure(report, TableProperty.MINIMAL_DELIVERY).examples().get(0))
                .contains("→ switch leaf1: ");
    }

    @Test
    void shouldSayTheSameOnAnyNumberOfThreads() {
        FabricView bigger = Fabrics.pgft("3;8,8,16;1,4,4;1,1,1");
        byte[][] spoilt = NaiveTables.minimal(bigger, new SplittableRandom(1));
        NaiveTables.spoil(bigger, spoilt, 200, new SplittableRandom(2));
        LftSet tables = NaiveTables.set(bigger, spoilt);
        ForkJoinPool pool = new ForkJoinPool(3);
        try {
            CheckReport parallel = TableCheck.check(bigger, tables, Parallel.on(pool));

            assertThat(parallel).isEqualTo(check(bigger, spoilt));
            Map<TableProperty, Long> literally = new LiteralCheck(bigger, tables, false).failures();
            assertThat(literally).containsKeys(TableProperty.LIVE_ENTRIES, TableProperty.MINIMAL_DELIVERY);
            assertThat(failure(parallel, TableProperty.LIVE_ENTRIES).count())
                    .isEqualTo(literally.get(TableProperty.LIVE_ENTRIES));
            assertThat(failure(parallel, TableProperty.MINIMAL_DELIVERY).count())
                    .isEqualTo(literally.get(TableProperty.MINIMAL_DELIVERY));
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void shouldRefuseTablesOfAnotherSize() {
        LftSet small = new LftSet(1, 7, new byte[6][7]);

        assertThatThrownBy(() -> TableCheck.check(view, small, Parallel.sequential()))
                .hasMessage("tables of 6 rows and 7 columns; expected 6, one per switch, and 8, one per node");
    }
}
