package io.dmodc.routing.cycles;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.check.NaiveTables;
import io.dmodc.routing.traffic.Endpoints;
import io.dmodc.routing.traffic.TrafficPattern;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that lead round a ring of switches: each route is right, and together they stop. */
class DeadlockTest {
    private static final int SWITCHES = 5;
    private static final int CLOCKWISE = 2;
    private static final int BACK = 3;

    /** Port 1 to the host, port 2 to the next switch, port 3 to the one before. */
    private final FabricView ring = ring();

    private static FabricView ring() {
        FabricViewBuilder fabric = new FabricViewBuilder();
        for (int s = 0; s < SWITCHES; s++) {
            Fabrics.addSwitch(fabric, 100 + s, "ring" + s, 3);
            Fabrics.addHost(fabric, 100 + s, 1, 200 + s);
        }
        for (int s = 0; s < SWITCHES; s++) {
            Fabrics.connect(fabric, 100 + s, CLOCKWISE, 100 + (s + 1) % SWITCHES, BACK);
        }
        return Fabrics.view(fabric);
    }

    /** @param over false if no route may go over the link from the last switch to the first */
    private RunResult run(boolean over, int vcs, int buffers) {
        byte[][] rows = NaiveTables.empty(ring, SWITCHES);
        for (int s = 0; s < SWITCHES; s++) {
            for (int d = 0; d < SWITCHES; d++) {
                int home = ring.nodeSwitch(d);
                int way = over || home > s ? CLOCKWISE : BACK;
                rows[s][d] = (byte) (home == s ? 1 : way);
            }
        }
        Endpoints nodes = new Endpoints(ring);
        SimulationSettings settings = new SimulationSettings(vcs, buffers, 0, 10_000);
        PacketRouting routing = new TableRouting(ring, NaiveTables.set(ring, rows), vcs);
        return new CycleSimulator(ring, nodes, TrafficPattern.named("uniform", SWITCHES, 1), routing, settings, 1, 1)
                .run(cycles -> {});
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void shouldReportTheRingThatStandsStill(int vcs) {
        RunResult stopped = run(true, vcs, 2);

        Deadlock deadlock = Objects.requireNonNull(stopped.deadlock());
        List<Deadlock.Stuck> waiting = deadlock.ring();
        System.out.println(deadlock);
        assertThat(stopped.cycles()).isLessThan(10_000);
        assertThat(deadlock.cycle()).isEqualTo(stopped.cycles());
        assertThat(deadlock.packets()).isGreaterThanOrEqualTo(2L * SWITCHES);
        assertThat(waiting).hasSizeGreaterThanOrEqualTo(SWITCHES);
        for (int i = 0; i < waiting.size(); i++) {
            assertThat(waiting.get(i).port()).isEqualTo(BACK);
            assertThat(waiting.get((i + 1) % waiting.size()).switchIndex())
                    .isEqualTo(ring.peerSwitch(waiting.get(i).switchIndex(), CLOCKWISE));
        }
    }

    @Test
    void shouldRunOnWhereNoRouteClosesTheRing() {
        RunResult run = run(false, 1, 2);

        assertThat(run.deadlock()).isNull();
        assertThat(run.cycles()).isEqualTo(10_000);
        assertThat(run.accepted()).isGreaterThan(0.1);
    }
}
