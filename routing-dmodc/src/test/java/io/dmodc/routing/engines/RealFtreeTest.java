package io.dmodc.routing.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.ftree.Ftree;
import io.dmodc.routing.updown.RootGuids;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.Guid;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every entry of {@code ftree} against a real {@code opensm} run on {@code ibsim}, and whether it takes the fabric for a
 * tree at all. Skipped, and said so, where these are not installed. {@code -Dftree=N} compares N fabrics and not 10;
 * {@code -Dftree.write=FILE} writes what {@link FtreeTest} compares with, of tables of OpenSM.
 */
class RealFtreeTest {
    private static final int FABRICS = Integer.getInteger("ftree", TreeFabrics.Kind.values().length);

    @TempDir
    private Path directory = Path.of("");

    private final Map<TreeFabrics.Kind, Tally> tallies = new TreeMap<>();
    private final List<String> recorded = new ArrayList<>();

    /** What came of the fabrics of a kind. */
    private static final class Tally {
        private int routed;
        private int refused;
        private int leftOut;
        private long entries;
    }

    @BeforeAll
    static void needOpenSm() {
        assumeTrue(
                RealOpenSm.isInstalled(), "opensm and ibsim-utils are not installed: nothing to compare with, skipped");
    }

    @Test
    void shouldAgreeWithOpenSmInEveryEntryOfDrawnFabrics() throws IOException {
        for (long seed = 0; seed < FABRICS; seed++) {
            TreeFabrics.Drawn drawn = TreeFabrics.draw(seed);
            Tally tally = tallies.computeIfAbsent(drawn.kind(), kind -> new Tally());
            if (hasCabledSwitches(drawn.view()) && !drawn.joinsLeafSideways()) {
                compare("seed " + seed + " " + drawn.kind(), seed, drawn.view(), drawn.roots(), tally);
            } else {
                tally.leftOut++;
            }
        }

        tallies.forEach((kind, tally) -> System.out.printf(
                "%s: %d routed, %d entries equal; %d refused by both; %d left out%n",
                kind, tally.routed, tally.entries, tally.refused, tally.leftOut));
        int routed = tallies.values().stream().mapToInt(tally -> tally.routed).sum();
        assertThat(routed).isGreaterThan(FABRICS / 2);
        String file = System.getProperty("ftree.write");
        if (file != null) {
            Files.write(Path.of(file), recorded);
        }
    }

    @Test
    void shouldAgreeOnAShuffledFabricOf648Nodes() throws IOException {
        compareDamaged("2;18,36;1,18;1,1", 2, 20);
    }

    @Test
    @EnabledIfSystemProperty(named = "ftree", matches = "\\d+")
    void shouldAgreeOnAShuffledFabricOf1024Nodes() throws IOException {
        compareDamaged("3;8,8,16;1,8,8;1,1,1", 9, 60);
    }

    private void compareDamaged(String shape, int switches, int cables) throws IOException {
        TreeFabrics.Drawn drawn = TreeFabrics.damaged(PgftShape.parse(shape), switches, cables, 1);
        FabricView view = drawn.view();
        Tally tally = new Tally();

        compare(shape, -1, view, drawn.roots(), tally);

        long live = TableSum.liveSwitches(view).length;
        assertThat(tally.entries).isEqualTo(live * (view.nodeCount() + view.switchCount()));
    }

    /** Real fabrics have one in each switch; hosts alone are named as compute nodes then, as ours takes them. */
    @Test
    void shouldAgreeOnAggregationNodes() throws IOException {
        PgftShape shape = PgftShape.parse("3;3,2,4;1,2,3;1,1,1");
        for (long seed = 0; seed < 3; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            FabricViewBuilder fabric = PgftGenerator.generateShuffled(shape, random);
            Fabrics.addAggregation(fabric);
            NodeIndexMap nodes = new NodeIndexMap();
            List<String> roots = TreeFabrics.tops(fabric.build(0, nodes, new GuidNumbers()));
            Degradation.apply(fabric, 1, (int) seed, random);
            FabricView view = fabric.build(1, nodes, new GuidNumbers());
            List<String> hosts = IntStream.range(0, view.nodeCount())
                    .filter(view::isHost)
                    .mapToObj(node -> Guid.format(view.nodeGuid(node)))
                    .toList();
            Path file = Files.write(directory.resolve("hosts" + seed), hosts);
            Tally tally = new Tally();

            compare("aggregation " + seed, -2 - seed, view, roots, tally, "-u", file.toString());

            assertThat(tally.routed).isEqualTo(1);
        }
    }

    /** Without any cable ibsim does not start. */
    private static boolean hasCabledSwitches(FabricView view) {
        return view.linkCount() > 0
                && IntStream.range(0, view.nodeCount())
                        .anyMatch(node -> view.nodeSwitch(node) >= 0 && view.alive(view.nodeSwitch(node)));
    }

    private void compare(
            String what, long seed, FabricView view, @Nullable List<String> roots, Tally tally, String... more)
            throws IOException {
        Path run = Files.createDirectory(directory.resolve("run" + seed));
        List<String> options = new ArrayList<>(List.of("-R", "ftree"));
        options.addAll(List.of(more));
        if (roots != null) {
            options.add("-a");
            options.add(Files.write(run.resolve("roots"), roots).toString());
        }
        RealOpenSm real = RealOpenSm.route(view, run, options.toArray(String[]::new));
        IntPredicate sees = s -> real.hops().containsKey(view.switchGuid(s));
        if (!seesMost(view, sees)) {
            tally.leftOut++;
            return;
        }
        // Only ftree itself leaves this file; refused, OpenSM routes with minhop.
        boolean taken = Files.exists(run.resolve("opensm-ftree-ca-order.dump"));
        Ftree engine = new Ftree(roots == null ? null : RootGuids.parse("roots", roots));
        RoutingResult ours = engine.route(view, Parallel.sequential());
        LftSet tables = ours.tables();
        assertThat(tables != null).as("%s: taken for a tree; %s", what, ours).isEqualTo(taken);
        if (tables == null) {
            tally.refused++;
            record(seed, view, sees, "refused");
            return;
        }
        LftSet switchTables = engine.routeSwitches(view, Parallel.sequential());
        LftSet realTables = real.tables().nodeTables();
        LftSet realSwitchTables = real.tables().switchTables();
        assertThat(TableSum.differing(view, sees, tables, realTables, switchTables, realSwitchTables))
                .as("%s: entries that differ", what)
                .isZero();
        tally.routed++;
        tally.entries += TableSum.entries(view, sees);
        record(seed, view, sees, Long.toHexString(TableSum.of(view, realTables, realSwitchTables)));
    }

    /** Ours judges by the part with most nodes, OpenSM by the one it sits in. */
    private static boolean seesMost(FabricView view, IntPredicate sees) {
        int[] homes = IntStream.range(0, view.nodeCount())
                .map(view::nodeSwitch)
                .filter(s -> s >= 0 && view.alive(s))
                .toArray();
        return 2 * IntStream.of(homes).filter(sees).count() > homes.length;
    }

    private void record(long seed, FabricView view, IntPredicate sees, String outcome) {
        if (IntStream.of(TableSum.liveSwitches(view)).allMatch(sees)) {
            recorded.add(seed + "\t" + outcome);
        }
    }
}
