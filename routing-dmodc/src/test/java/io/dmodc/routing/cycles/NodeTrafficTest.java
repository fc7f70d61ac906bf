package io.dmodc.routing.cycles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.traffic.Endpoints;
import io.dmodc.routing.traffic.TrafficPattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeTrafficTest {
    private static final int CYCLES = 200_000;
    private final Endpoints nodes = new Endpoints(Fabrics.pgft("1;5;1;1"));

    private NodeTraffic uniform(double load, long seed) {
        return new NodeTraffic(nodes, TrafficPattern.named("uniform", 5, 1), load, seed);
    }

    /** A coin for each cycle: so many packets, and as many in the cycle after one as in any other. */
    @ParameterizedTest
    @ValueSource(doubles = {0.02, 0.5, 0.9, 1})
    void shouldMakePacketsAsACoinFalls(double load) {
        NodeTraffic traffic = uniform(load, 7);
        int made = 0;
        int followed = 0;
        int last = -2;
        while (traffic.birth(3) < CYCLES) {
            followed += traffic.birth(3) == last + 1 ? 1 : 0;
            assertThat(traffic.birth(3)).isGreaterThan(last);
            last = traffic.birth(3);
            made++;
            traffic.next(3);
        }

        assertThat((double) made / CYCLES).isCloseTo(load, within(0.005));
        assertThat((double) followed / made).isCloseTo(load, within(0.01));
    }

    @Test
    void shouldSendToAllOthersAlike() {
        NodeTraffic traffic = uniform(0.5, 7);
        int[] sent = new int[5];
        for (int i = 0; i < 40_000; i++) {
            sent[traffic.destination(3)]++;
            traffic.next(3);
        }

        assertThat(sent[3]).isZero();
        for (int d : new int[] {0, 1, 2, 4}) {
            assertThat(sent[d]).isBetween(9_600, 10_400);
        }
    }

    @Test
    void shouldDrawTheSameForASeedAndNotForAnother() {
        int births = 0;
        for (int i = 0; i < 5; i++) {
            assertThat(uniform(0.01, 7).birth(i)).isEqualTo(uniform(0.01, 7).birth(i));
            births += uniform(0.01, 7).birth(i) == uniform(0.01, 8).birth(i) ? 1 : 0;
        }
        assertThat(births).isLessThan(3);
    }
}
