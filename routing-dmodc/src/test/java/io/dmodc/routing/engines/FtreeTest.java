package io.dmodc.routing.engines;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.RoutingResult.Partial;
import io.dmodc.routing.RoutingResult.Unroutable;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.check.TableCheck;
import io.dmodc.routing.ftree.Ftree;
import io.dmodc.routing.quality.CongestionRisk;
import io.dmodc.routing.quality.Progress;
import io.dmodc.routing.updown.RootGuids;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.Guid;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code ftree} takes for a tree, and tables that OpenSM made, without an OpenSM. */
class FtreeTest {
    private static final Parallel HERE = Parallel.sequential();

    /** Written by {@link RealFtreeTest} from OpenSM's tables: seed, and their checksum or that there are none. */
    @Test
    void shouldMakeTheTablesThatOpenSmMade() throws IOException {
        List<String> lines;
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(FtreeTest.class.getResourceAsStream("opensm-ftree.tsv")),
                StandardCharsets.UTF_8))) {
            lines = in.lines().toList();
        }

        assertThat(lines).hasSizeGreaterThan(80).allSatisfy(line -> {
            String[] words = line.split("\t");
            TreeFabrics.Drawn drawn = TreeFabrics.draw(Long.parseLong(words[0]));
            assertThat(outcome(drawn)).as("seed %s %s", words[0], drawn.kind()).isEqualTo(words[1]);
        });
    }

    private static String outcome(TreeFabrics.Drawn drawn) {
        Ftree engine = new Ftree(drawn.roots() == null ? null : RootGuids.parse("roots", drawn.roots()));
        LftSet tables = engine.route(drawn.view(), HERE).tables();
        return tables == null
                ? "refused"
                : Long.toHexString(TableSum.of(drawn.view(), tables, engine.routeSwitches(drawn.view(), HERE)));
    }

    /** Zahavi et al. 2010: on a whole tree of full bisection no two flows of a shift share a cable. */
    @ParameterizedTest
    @ValueSource(strings = {"3;4,4,4;1,4,4;1,1,1", "3;2,2,3;1,2,2;1,1,1", "2;6,8;1,6;1,1", "4;2,2,2,3;1,2,2,2;1,1,1,1"})
    void shouldCarryShiftsWithoutContention(String shape) {
        FabricView view = fabric(shape, 0);
        LftSet tables = Objects.requireNonNull(new Ftree(null).route(view, HERE).tables());

        assertThat(CongestionRisk.of(view, tables, HERE, Progress.NONE)
                        .shifts(Progress.NONE)
                        .whole()
                        .max())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2;2,3;1,2;1,1 | 1 | switch leaf\\d has 1 neighbours above, and leaf\\d of the same level has 2;"
                        + " a tree that is not regular needs its roots named",
                "2;2,3;1,2;1,2 | 1 | switch .* has . cables to a neighbour above, and leaf\\d of the same level has .;"
                        + " a tree that is not regular needs its roots named",
                "1;4;1;1 | 0 | there is one switch only; a fat-tree has two or more",
            })
    void shouldSayWhyItIsNoTree(String shape, int cables, String reason) {
        RoutingResult result = new Ftree(null).route(fabric(shape, cables), HERE);

        Unroutable no = (Unroutable) result;
        assertThat(no.reason()).matches(reason);
        assertThat(no.rootsWanted()).isEqualTo(reason.endsWith("needs its roots named"));
    }

    @Test
    void shouldNeedAllLeavesAsFarFromTheRoots() {
        FabricView view = fabric("3;2,2,2;1,2,2;1,1,1", 0);
        int leaf = view.targetSwitch(0);
        RootGuids oneBesideALeaf = RootGuids.parse(
                "roots", List.of(Guid.format(view.switchGuid(view.groupRemote(view.groupStart(leaf))))));

        RoutingResult result = new Ftree(oneBesideALeaf).route(view, HERE);

        assertThat(((Unroutable) result).reason())
                .matches(
                        "switch leaf\\d has hosts and is 3 hops from the nearest root; expected 1 as for switch leaf0");
    }

    @Test
    void shouldRouteADamagedTreeWithNamedRootsAndNameTheLeafThatIsCutOff() {
        PgftShape shape = PgftShape.parse("2;2,4;1,2;1,1");
        FabricViewBuilder builder = PgftGenerator.generate(shape);
        FabricView whole = builder.build(0, new NodeIndexMap(), new GuidNumbers());
        Degradation.cables(whole).stream()
                .filter(cable -> cable.guid() == whole.switchGuid(1) || cable.farGuid() == whole.switchGuid(1))
                .forEach(cable -> Degradation.cut(builder, cable));
        FabricView view = builder.build(1, new NodeIndexMap(), new GuidNumbers());
        List<String> roots = IntStream.range(0, view.switchCount())
                .filter(s -> view.rank(s) == view.rankMax())
                .mapToObj(s -> Guid.format(view.switchGuid(s)))
                .toList();

        RoutingResult result = new Ftree(RootGuids.parse("roots", roots)).route(view, HERE);

        Partial partial = (Partial) result;
        assertThat(partial.cutOffLeaves()).containsExactly(1);
        assertThat(partial.unreachableLeafPairs()).isEqualTo(6);
        LftSet tables = Objects.requireNonNull(partial.tables());
        for (int node = 0; node < view.nodeCount(); node++) {
            assertThat(tables.port(1, node))
                    .isEqualTo(view.nodeSwitch(node) == 1 ? view.nodePort(node) : LftSet.NO_ROUTE);
        }
    }

    /** They make no leaf, so switches with nothing else are no reason to refuse a tree; they are routed to as their switch is. */
    @Test
    void shouldRouteToAggregationNodesAndTakeThemForNoHosts() {
        FabricViewBuilder builder = PgftGenerator.generate(PgftShape.parse("3;2,3,3;1,2,2;1,2,1"));
        FabricView bare = builder.build(0, new NodeIndexMap(), new GuidNumbers());
        Fabrics.addAggregation(builder);
        FabricView view = builder.build(1, new NodeIndexMap(), new GuidNumbers());

        LftSet before = Objects.requireNonNull(new Ftree(null).route(bare, HERE).tables());
        RoutingResult result = new Ftree(null).route(view, HERE);

        LftSet tables = Objects.requireNonNull(result.tables());
        LftSet switches = new Ftree(null).routeSwitches(view, HERE);
        for (int s = 0; s < view.switchCount(); s++) {
            for (int node = 0; node < view.nodeCount(); node++) {
                if (view.isHost(node)) {
                    assertThat(tables.port(s, node)).isEqualTo(before.port(s, node));
                } else {
                    int home = view.nodeSwitch(node);
                    assertThat(tables.port(s, node) == LftSet.NO_ROUTE)
                            .isEqualTo(switches.port(s, home) == LftSet.NO_ROUTE);
                    assertThat(s != home || tables.port(s, node) == view.nodePort(node))
                            .isTrue();
                }
            }
        }
        assertThat(TableCheck.check(view, tables, HERE).valid()).isTrue();
    }

    /** A switch of the lowest level whose hosts are gone has nobody who could be out of reach. */
    @Test
    void shouldNotTakeALeafWithoutHostsForCutOff() {
        FabricViewBuilder builder = PgftGenerator.generate(PgftShape.parse("2;1,4;1,2;1,1"));
        NodeIndexMap nodes = new NodeIndexMap();
        GuidNumbers levels = new GuidNumbers();
        FabricView whole = builder.build(0, nodes, levels);
        IntStream.range(0, whole.switchCount()).forEach(s -> levels.put(whole.switchGuid(s), whole.rank(s)));
        builder.apply(new PortSeen(whole.switchGuid(3), 1, false, null));
        Degradation.cables(whole).stream()
                .filter(cable -> cable.guid() == whole.switchGuid(0) || cable.farGuid() == whole.switchGuid(0))
                .forEach(cable -> Degradation.cut(builder, cable));
        FabricView view = builder.build(1, nodes, levels);
        RootGuids roots =
                RootGuids.parse("roots", List.of(Guid.format(whole.switchGuid(4)), Guid.format(whole.switchGuid(5))));

        Partial partial = (Partial) new Ftree(roots).route(view, HERE);

        assertThat(partial.cutOffLeaves()).containsExactly(0);
    }

    /** The n-th host of every leaf goes over the same root, whoever is missing. */
    @Test
    void shouldKeepThePlaceOfAMissingHost() {
        PgftShape shape = PgftShape.parse("2;3,4;1,3;1,1");
        FabricViewBuilder builder = PgftGenerator.generate(shape);
        NodeIndexMap nodes = new NodeIndexMap();
        FabricView whole = builder.build(0, nodes, new GuidNumbers());
        int leaf = whole.targetSwitch(0);
        builder.apply(new PortSeen(whole.switchGuid(leaf), 3, false, null));
        FabricView view = builder.build(1, nodes, new GuidNumbers());

        LftSet before =
                Objects.requireNonNull(new Ftree(null).route(whole, HERE).tables());
        LftSet after = Objects.requireNonNull(new Ftree(null).route(view, HERE).tables());

        for (int s = 0; s < view.switchCount(); s++) {
            for (int node = 0; node < view.nodeCount(); node++) {
                if (view.nodeSwitch(node) >= 0) {
                    assertThat(after.port(s, node)).isEqualTo(before.port(s, node));
                }
            }
        }
    }

    private static FabricView fabric(String shape, int cables) {
        FabricViewBuilder fabric = PgftGenerator.generate(PgftShape.parse(shape));
        Degradation.apply(fabric, 0, cables, new SplittableRandom(1));
        return fabric.build(0, new NodeIndexMap(), new GuidNumbers());
    }
}
