package io.dmodc.routing.vtftr.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.cycles.PacketRouting;
import io.dmodc.routing.throughput.Fraction;
import io.dmodc.routing.throughput.Throughput;
import io.dmodc.routing.traffic.Endpoints;
import io.dmodc.routing.traffic.TrafficPattern;
import io.dmodc.routing.vtftr.GridFabric;
import io.dmodc.routing.vtftr.SpareMode;
import io.dmodc.routing.vtftr.TurnTables;
import io.dmodc.routing.vtftr.traffic.LiteralTurns.Step;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Flows and packets beside {@link LiteralTurns}, in grids that lost leaves, roots and cables, known and not yet known. */
class TurnTrafficTwinTest {
    private static final String[] SHAPES = {
        "4x4;hosts=2;roots=2,2", "3x6;hosts=3;roots=1,2", "5x4;hosts=1;roots=3,2", "6x6;hosts=1;roots=1,1"
    };

    private static final VcClasses CLASSES = new VcClasses(5, 2);
    private static final String[] PATTERNS = {"uniform", "permutation", "shift:3"};

    private long lost;
    private long drawn;

    private static GridFabric damaged(int seed, SplittableRandom random) {
        GridFabric fabric = GridFabric.grid(SHAPES[seed % SHAPES.length]);
        fabric.killRandom(random.nextInt(4), random);
        for (int i = random.nextInt(2); i > 0; i--) {
            fabric.setSwitch(random.nextInt(fabric.view().switchCount()), false);
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            List<Cable> cables = Degradation.cables(fabric.view());
            fabric.cut(cables.get(random.nextInt(cables.size())));
        }
        return fabric;
    }

    @Test
    void shouldSplitFlowsAndSendPacketsAsThePathsSay() {
        for (int seed = 0; seed < 120; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            GridFabric fabric = damaged(seed, random);
            TurnTables tables = fabric.tables(seed % 3 == 0 ? SpareMode.PAPER : SpareMode.PAIRWISE);
            for (int i = seed % 2 * random.nextInt(3); i > 0; i--) {
                fabric.setSwitch(random.nextInt(fabric.view().switchCount()), false);
            }
            FabricView view = fabric.view();
            LiteralTurns literal = new LiteralTurns(view, tables);
            TurnForwarding switches = new TurnForwarding(view, tables, DetourChoice.RANDOM);

            flows("seed " + seed, view, literal, new TurnRoutes(switches), PATTERNS[seed % PATTERNS.length]);
            packets("seed " + seed, view, literal, new TurnRouting(switches, CLASSES));
        }
        assertThat(lost).isGreaterThan(100);
        assertThat(drawn).isGreaterThan(500);
    }

    private void flows(String seed, FabricView view, LiteralTurns literal, TurnRoutes fast, String pattern) {
        Endpoints nodes = new Endpoints(view);
        TrafficPattern traffic = TrafficPattern.named(pattern, nodes.count(), 1);

        Throughput expected = Throughput.of(nodes, traffic, literal, Fraction.ONE);

        assertThat(Throughput.of(nodes, traffic, fast, Fraction.ONE)).as(seed).isEqualTo(expected);
        lost += expected.unroutedFlows();
    }

    private void packets(String seed, FabricView view, LiteralTurns literal, TurnRouting fast) {
        Endpoints nodes = new Endpoints(view);
        for (int i = 0; i < nodes.count(); i++) {
            for (int from = 0; from < nodes.count(); from += 3) {
                int s = nodes.home(from);
                packet(seed, view, literal, fast, s, view.nodePort(nodes.node(from)), 0, nodes.node(i));
            }
        }
    }

    /** Draws spread evenly over all there are: each port comes equally often. */
    private void packet(
            String seed,
            FabricView view,
            LiteralTurns literal,
            TurnRouting fast,
            int s,
            int inputPort,
            int vcClass,
            int node) {
        Step step = literal.step(s, inputPort, vcClass, node);
        int count = Math.max(1, step.ports().size());
        drawn += count > 1 ? 1 : 0;
        for (int i = 0; i < 2 * count; i++) {
            int random = (int) ((2 * i + 1) * (1L << 32) / (4L * count));
            int answer = fast.route(s, inputPort, vcClass == 0 ? 2 : 4, node, random);
            if (step.ports().isEmpty()) {
                assertThat(answer).as(seed).isEqualTo(PacketRouting.DROP);
                return;
            }
            int port = step.ports().get(i / 2);
            boolean toNode = view.peerSwitch(s, port) < 0;
            int vcs = toNode ? 0b11111 : step.vcClass() == 0 ? 0b00111 : 0b11000;
            assertThat(answer).as(seed).isEqualTo(PacketRouting.answer(port, vcs));
            if (!toNode && i % 2 == 0) {
                int next = view.peerSwitch(s, port);
                packet(seed, view, literal, fast, next, view.peerPort(s, port), step.vcClass(), node);
            }
        }
    }
}
