package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.SwitchHeard;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.SwitchClaims;
import io.dmodc.topology.SwitchClaims.PortClaim;
import io.dmodc.topology.design.DesignCheck;
import io.dmodc.topology.design.SwitchLevels;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A manager with a design, and what {@code fabricctl --design} makes of the same fabric, seen damaged at first. */
class DesignedLevelsTest {
    private static final PgftShape DESIGN = PgftShape.parse("3;4,4,4;1,4,4;1,1,1");

    /** GUIDs of the second rail less those of the first. */
    private static final long SECOND = 1L << 32;

    private static FabricViewBuilder damaged(int seed) {
        FabricViewBuilder metal = PgftGenerator.generate(DESIGN);
        FabricView whole = metal.build(0, new NodeIndexMap(), new GuidNumbers());
        int middle = 16 + seed;
        Degradation.cables(whole).stream()
                .filter(cable -> whole.switchOf(cable.farGuid()) == middle)
                .forEach(cable -> Degradation.cut(metal, cable));
        Degradation.apply(metal, 0, 5 * seed, new SplittableRandom(seed));
        return metal;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void shouldRouteAsTheCommandLineDoes(int seed) {
        FabricViewBuilder metal = damaged(seed);
        NodeIndexMap nodes = new NodeIndexMap();
        FabricView hops = metal.build(0, nodes, new GuidNumbers());
        GuidNumbers levels =
                SwitchLevels.of(hops, DesignCheck.verify(hops, DESIGN).levels());
        FabricView view = metal.build(0, nodes, levels);
        LftSet expected = Objects.requireNonNull(
                Dmodc.standard().route(view, Parallel.sequential()).tables());

        SimulatedFabric fabric = new SimulatedFabric(metal, DESIGN).start();

        FabricView managed = Objects.requireNonNull(fabric.state.view());
        LftSet tables = (LftSet) Objects.requireNonNull(fabric.state.tables());
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.alive(s)) {
                int at = managed.switchOf(view.switchGuid(s));
                assertThat(managed.rank(at)).as(view.switchName(s)).isEqualTo(view.rank(s));
                for (int node = 0; node < view.nodeCount(); node++) {
                    assertThat(managed.nodeGuid(node)).isEqualTo(view.nodeGuid(node));
                    assertThat(tables.port(at, node))
                            .as(view.switchName(s) + " to node " + node)
                            .isEqualTo(expected.port(s, node));
                }
            }
        }
        assertThat(hops.rank(16 + seed)).as("by hops").isNotEqualTo(1);
    }

    /** Two rails built alike, one of them damaged: the shape is that of each. */
    @Test
    void shouldGiveEachPartTheLevelsOfTheDesign() {
        FabricViewBuilder rails = PgftGenerator.generate(DESIGN);
        FabricView whole = rails.build(0, new NodeIndexMap(), new GuidNumbers());
        FabricViewBuilder second = damaged(2);
        for (int s = 0; s < whole.switchCount(); s++) {
            SwitchClaims claims = second.claims(whole.switchGuid(s));
            List<PortClaim> ports = claims.ports().stream()
                    .map(port -> new PortClaim(port.port(), port.up(), moved(port.neighbour()), port.lastUpOwner()))
                    .toList();
            long guid = claims.guid() + SECOND;
            rails.restore(new SwitchClaims(guid, "b-" + claims.name(), claims.portCount(), ports));
            rails.apply(new SwitchHeard(guid, true));
        }

        SimulatedFabric fabric = new SimulatedFabric(rails, DESIGN).start();

        FabricView managed = Objects.requireNonNull(fabric.state.view());
        assertThat(managed.partCount()).isEqualTo(2);
        for (int s = 0; s < whole.switchCount(); s++) {
            for (long guid : new long[] {whole.switchGuid(s), whole.switchGuid(s) + SECOND}) {
                assertThat(managed.rank(managed.switchOf(guid)))
                        .as(whole.switchName(s))
                        .isEqualTo(whole.rank(s));
            }
        }
    }

    private static @Nullable Neighbour moved(@Nullable Neighbour neighbour) {
        if (neighbour instanceof ToSwitch to) {
            return new ToSwitch(to.guid() + SECOND, to.port());
        }
        if (neighbour instanceof ToHost to) {
            Host host = to.host();
            return new ToHost(
                    new Host(host.portGuid() + SECOND, host.hostGuid() + SECOND, host.hostPort(), "b-" + host.name()));
        }
        return null;
    }
}
