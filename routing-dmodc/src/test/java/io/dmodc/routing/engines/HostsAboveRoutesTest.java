package io.dmodc.routing.engines;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.RoutingResult.Partial;
import io.dmodc.routing.check.CheckReport;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.routing.check.TableCheck;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.SwitchClaims;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Where ranks were found from the cables alone, hosts on upper switches are reached as from known levels. */
class HostsAboveRoutesTest {
    private static final int FABRICS = 500;
    private static final List<String> SHAPES = List.of(
            "2;4,4;1,3;1,2",
            "3;4,4,4;1,4,4;1,1,1",
            "3;3,3,2;1,2,3;1,2,1",
            "3;2,4,3;1,3,2;1,1,2",
            "4;3,2,2,3;1,2,2,2;1,1,2,1",
            "4;2,3,3,2;1,3,2,3;1,1,1,1");

    private static FabricViewBuilder withHosts(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        PgftShape shape = PgftShape.parse(SHAPES.get(random.nextInt(SHAPES.size())));
        FabricViewBuilder fabric = PgftGenerator.generateShuffled(shape, random.split());
        FabricView whole = draw(fabric);
        int upper = 1 + random.nextInt(4);
        for (int i = 0; i < upper; i++) {
            int s = random.nextInt(whole.switchCount());
            long guid = whole.switchGuid(s);
            if (!isBuiltAsLeaf(whole, s) && fabric.portCount(guid) == whole.portCount(s)) {
                SwitchClaims claims = fabric.claims(guid);
                int port = claims.portCount() + 1;
                fabric.apply(new SwitchSeen(guid, claims.name(), port));
                claims.ports()
                        .forEach(
                                claim -> fabric.apply(new PortSeen(guid, claim.port(), claim.up(), claim.neighbour())));
                fabric.apply(new PortSeen(guid, port, true, new ToHost(new Host(0xdd00 + s, 0xdd00 + s, 1, "above"))));
            }
        }
        return fabric;
    }

    private static FabricView draw(FabricViewBuilder fabric) {
        return fabric.build(0, new NodeIndexMap(), new GuidNumbers());
    }

    private static boolean isBuiltAsLeaf(FabricView view, int s) {
        return view.switchName(s).startsWith("leaf");
    }

    @Test
    void shouldReachHostsOnUpperSwitchesFromAllLeaves() {
        int above = 0;
        for (int seed = 0; seed < FABRICS; seed++) {
            FabricView view = draw(withHosts(seed));
            RoutingResult result = Dmodc.standard().route(view, Parallel.sequential());

            CheckReport report = assertValid(seed, view, result);
            assertThat(report.cutOffLeaves()).as("seed %d", seed).isEmpty();
            if (result instanceof Partial partial) {
                assertThat(partial.upperPairs().examples())
                        .as("seed %d", seed)
                        .noneMatch(pair -> isBuiltAsLeaf(view, pair.other()));
            }
            above += view.targetCount() - view.leafCount();
        }
        assertThat(above).isGreaterThan(FABRICS / 2);
    }

    @Test
    void shouldProveTablesOfDamagedFabrics() {
        for (int seed = 0; seed < FABRICS; seed++) {
            FabricViewBuilder fabric = withHosts(seed);
            int cables = Degradation.cables(draw(fabric)).size();
            Degradation.apply(fabric, 0, cables / 10, new SplittableRandom(seed));
            FabricView view = draw(fabric);

            assertValid(seed, view, Dmodc.standard().route(view, Parallel.sequential()));
        }
    }

    /** Every entry delivers, none turns from down to up, and no channels wait for each other. */
    private static CheckReport assertValid(int seed, FabricView view, RoutingResult result) {
        LftSet tables = Objects.requireNonNull(result.tables());
        CheckReport report = TableCheck.check(view, tables, SurplusEntryRule.FORBIDDEN, Parallel.sequential());

        assertThat(report.failures()).as("seed %d", seed).isEmpty();
        return report;
    }
}
