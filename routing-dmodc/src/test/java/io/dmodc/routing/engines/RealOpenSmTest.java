package io.dmodc.routing.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.minhop.MinHop;
import io.dmodc.routing.minhop.MinHopEngine;
import io.dmodc.routing.minhop.MinHopTables;
import io.dmodc.routing.minhop.TargetChoice;
import io.dmodc.routing.updown.RootGuids;
import io.dmodc.routing.updown.UpDown;
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
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Hops, roots and every single port against a real {@code opensm} run on {@code ibsim}. Skipped, and said so, where
 * these are not installed.
 */
class RealOpenSmTest {
    private static final int[] NO_PATH = {MinHopTables.NO_PATH};

    @TempDir
    private Path directory = Path.of("");

    @BeforeAll
    static void needOpenSm() {
        assumeTrue(
                RealOpenSm.isInstalled(), "opensm and ibsim-utils are not installed: nothing to compare with, skipped");
    }

    @ParameterizedTest(name = "{0} without {1} switches and {2} cables, shuffled by {3}")
    @CsvSource(
            delimiter = '|',
            value = {
                "3;2,2,3;1,2,2;1,2,1 | 0 | 0 | 0",
                "3;2,2,3;1,2,2;1,2,1 | 1 | 2 | 1",
                "2;3,4;1,3;1,1 | 0 | 1 | 2",
                "3;4,4,4;1,4,4;1,1,1 | 0 | 0 | 3",
                "3;4,4,4;1,4,4;1,1,1 | 2 | 5 | 4",
                "3;4,4,4;1,4,4;1,1,1 | 4 | 12 | 0",
                "3;3,4,3;1,2,4;1,2,2 | 1 | 6 | 5",
                "4;2,2,2,2;1,2,2,1;1,1,2,3 | 1 | 3 | 6",
                "2;18,36;1,18;1,1 | 2 | 20 | 7",
            })
    void shouldAgreeWithOpenSmInEveryHopAndPort(String shape, int switches, int cables, long seed) throws IOException {
        FabricView view = fabric(PgftShape.parse(shape.strip()), switches, cables, seed);

        RealOpenSm minhop = RealOpenSm.route(view, sub("minhop"), "-R", "minhop");
        RealOpenSm updn = RealOpenSm.route(view, sub("updn"), "-R", "updn");

        assertSame(view, new MinHop(), minhop);
        BitSet roots = new UpDown(null).roots(view, Parallel.sequential());
        assertThat(updn.roots()).isEqualTo(guids(view, roots));
        // Without a root opensm falls back to minhop; our engine refuses.
        assertSame(view, roots.isEmpty() ? new MinHop() : new UpDown(null), updn);
    }

    /** The largest of them without damage, in which fewer things can differ. */
    @Test
    @EnabledIfSystemProperty(named = "trials", matches = "|true")
    void shouldAgreeWithOpenSmInEveryHopAndPortOfAWholeLargeFabric() throws IOException {
        shouldAgreeWithOpenSmInEveryHopAndPort("2;18,36;1,18;1,1", 0, 0, 0);
    }

    @Test
    void shouldAgreeWithOpenSmWhenTheRootsAreNamed() throws IOException {
        FabricView view = fabric(PgftShape.parse("3;4,4,4;1,4,4;1,1,1"), 3, 9, 11);
        List<String> roots = IntStream.range(0, view.switchCount())
                .filter(s -> view.rank(s) == view.rankMax())
                .mapToObj(s -> Guid.format(view.switchGuid(s)))
                .toList();
        Path file = Files.write(directory.resolve("roots"), roots);

        RealOpenSm real = RealOpenSm.route(view, sub("updn"), "-R", "updn", "-a", file.toString());

        assertSame(view, new UpDown(RootGuids.parse("roots", roots)), real);
    }

    private static FabricView fabric(PgftShape shape, int switches, int cables, long seed) {
        FabricViewBuilder fabric = seed == 0
                ? PgftGenerator.generate(shape)
                : PgftGenerator.generateShuffled(shape, new SplittableRandom(seed));
        NodeIndexMap nodes = new NodeIndexMap();
        fabric.build(0, nodes, new GuidNumbers());
        Degradation.apply(fabric, switches, cables, new SplittableRandom(seed));
        return fabric.build(1, nodes, new GuidNumbers());
    }

    private Path sub(String name) throws IOException {
        return Files.createDirectory(directory.resolve(name));
    }

    private static List<Long> guids(FabricView view, BitSet switches) {
        return switches.stream().mapToObj(view::switchGuid).toList();
    }

    private static void assertSame(FabricView view, MinHopEngine engine, RealOpenSm real) {
        Parallel here = Parallel.sequential();
        MinHopTables minHops = engine.minHops(view, engine.roots(view, here), TargetChoice.ALL, here);
        int compared = 0;
        for (int s = 0; s < view.switchCount(); s++) {
            Map<Long, int[]> row = real.hops().getOrDefault(view.switchGuid(s), Map.of());
            assertThat(view.alive(s)).isEqualTo(!row.isEmpty());
            for (int t = 0; t < view.switchCount() && view.alive(s); t++) {
                compared += compareHops(view, minHops, s, t, row.getOrDefault(view.switchGuid(t), NO_PATH));
            }
        }
        assertThat(compared).isPositive();
        String name = engine.name();
        assertSame(
                view,
                name + " to nodes",
                Objects.requireNonNull(engine.route(view, here).tables()),
                real.tables().nodeTables());
        assertSame(
                view,
                name + " to switches",
                engine.routeSwitches(view, here),
                real.tables().switchTables());
    }

    private static int compareHops(FabricView view, MinHopTables minHops, int s, int t, int[] real) {
        String what = "switch " + view.switchName(s) + " to " + view.switchName(t);
        int fewest = real[0];
        assertThat(minHops.hops(s, t)).as(what).isEqualTo(fewest);
        if (s != t && fewest != MinHopTables.NO_PATH) {
            int[] ports = new int[view.portCount(s)];
            int count = minHops.ports(s, t, ports);
            assertThat(Arrays.copyOf(ports, count))
                    .as(what)
                    .isEqualTo(IntStream.range(1, real.length)
                            .filter(port -> real[port] == fewest)
                            .toArray());
        }
        return 1;
    }

    /** OpenSM does not see dead switches. */
    private static void assertSame(FabricView view, String what, LftSet ours, LftSet theirs) {
        for (int s = 0; s < ours.switchCount(); s++) {
            if (!view.alive(s)) {
                continue;
            }
            byte[] ourRow = new byte[ours.entryCount()];
            byte[] theirRow = new byte[ours.entryCount()];
            ours.copyRow(s, ourRow);
            theirs.copyRow(s, theirRow);
            assertThat(ourRow).as("%s at switch %d", what, s).isEqualTo(theirRow);
        }
    }
}
