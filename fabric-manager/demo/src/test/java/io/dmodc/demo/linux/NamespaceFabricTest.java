package io.dmodc.demo.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.demo.linux.FabricPlan.Cable;
import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Namespaces, cables, faults and probes, with routes that nobody changes. Skipped where namespaces are refused. */
class NamespaceFabricTest {
    private static final long WHILE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final FabricView view =
            PgftGenerator.generate(PgftShape.parse("2;2,2;1,2;1,1")).build(0, new NodeIndexMap(), new GuidNumbers());
    private final FabricPlan plan = FabricPlan.of(view);

    @BeforeEach
    void shouldBePermitted() {
        try {
            Surroundings.check();
        } catch (LinuxFailure e) {
            Assumptions.abort(e.getMessage());
        }
    }

    @Test
    void shouldCarryPacketsBetweenAllPairsAndNoticeEachThatIsLost() throws Exception {
        try (NamespaceFabric fabric = NamespaceFabric.build(plan);
                FaultInjector faults = new FaultInjector(fabric)) {
            StaticRoutes.write(view, plan);
            try (Probes probes = Probes.start(plan)) {
                probes.awaitWhole("static routes", WHILE_NANOS, PATIENCE_NANOS);

                for (Cable cable : plan.links()) {
                    assertThat(hitBy(cable, faults, probes)).as(cable.text()).isEqualTo(pairsOver(cable, true));
                }
                Cable first = plan.links().get(0);
                faults.silenceOneWay(first);
                assertThat(settled(probes, pairsOver(first, false))).isEqualTo(pairsOver(first, false));
                faults.unsilence(first);
                probes.awaitWhole("it carries again", WHILE_NANOS, PATIENCE_NANOS);
            }
        }

        assertThat(Surroundings.namespaces()).isEmpty();
    }

    /** Pairs that lose packets while a cable is deaf; afterwards all is as before. */
    private Set<List<Integer>> hitBy(Cable cable, FaultInjector faults, Probes probes) throws Exception {
        faults.silence(cable);
        Set<List<Integer>> hit = settled(probes, pairsOver(cable, true));
        faults.unsilence(cable);
        probes.awaitWhole("it carries again", WHILE_NANOS, PATIENCE_NANOS);
        return hit;
    }

    /** Pairs that nothing comes through any more: those expected if it becomes so within the patience. */
    private static Set<List<Integer>> settled(Probes probes, Set<List<Integer>> expected) throws Exception {
        long end = System.nanoTime() + PATIENCE_NANOS;
        Set<List<Integer>> open = new HashSet<>();
        while (!open.equals(expected) && System.nanoTime() < end) {
            long now = System.nanoTime();
            Probes.pause(WHILE_NANOS);
            open.clear();
            probes.between(now, now + WHILE_NANOS).hit().forEach(pair -> open.add(List.of(pair.from(), pair.to())));
        }
        return open;
    }

    /** By the tables: pairs whose way leads over a cable, up from its first end or, if both ways count, down to it. */
    private Set<List<Integer>> pairsOver(Cable cable, boolean bothWays) {
        LftSet tables = StaticRoutes.tables(view);
        Set<List<Integer>> pairs = new HashSet<>();
        for (int from = 0; from < view.nodeCount(); from++) {
            for (int to = 0; to < view.nodeCount(); to++) {
                int s = view.nodeSwitch(from);
                while (from != to && s != view.nodeSwitch(to)) {
                    int port = tables.port(s, to);
                    String here = plan.switches().get(s).namespace();
                    boolean up = here.equals(cable.first().namespace())
                            && port == cable.first().port();
                    boolean down = here.equals(cable.second().namespace())
                            && port == cable.second().port();
                    if (up || (bothWays && down)) {
                        pairs.add(List.of(from, to));
                    }
                    s = view.peerSwitch(s, port);
                }
            }
        }
        return pairs;
    }

    @Test
    void shouldLoseOnlyWhatACutCableCarried() throws Exception {
        Cable cable = plan.links().get(1);
        try (NamespaceFabric fabric = NamespaceFabric.build(plan);
                FaultInjector faults = new FaultInjector(fabric)) {
            StaticRoutes.write(view, plan);
            try (Probes probes = Probes.start(plan)) {
                probes.awaitWhole("static routes", WHILE_NANOS, PATIENCE_NANOS);

                faults.cut(cable);

                assertThat(settled(probes, pairsOver(cable, true))).isEqualTo(pairsOver(cable, true));
            }
        }
    }

    @Test
    void shouldRefuseInOneLineWhileAnotherIsThereAndBeRemovedByCleaning() throws Exception {
        try (NamespaceFabric fabric = NamespaceFabric.build(plan)) {
            assertThatThrownBy(() -> NamespaceFabric.build(fabric.plan()))
                    .isInstanceOf(LinuxFailure.class)
                    .hasMessageContaining("fm-leaf0")
                    .hasMessageContaining("ip netns delete")
                    .hasMessageNotContaining("\n");
            Process left = stay();

            assertThat(NamespaceFabric.clean()).contains("fm-mgmt", "fm-leaf0", "fm-node3");

            assertThat(left.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(Surroundings.namespaces()).isEmpty();
        }
    }

    private static Process stay() throws IOException {
        Process process = new ProcessBuilder(Commands.inside("fm-leaf0", "cat")).start();
        assertThat(process.isAlive()).isTrue();
        return process;
    }
}
