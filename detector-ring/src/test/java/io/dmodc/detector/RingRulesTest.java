package io.dmodc.detector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RingRulesTest {
    @Test
    void shouldDifferByEachOfTheirParts() {
        RingRules rules = new RingRules(50, 500, 3, 2, Overlay.Kind.BINOMIAL);
        List<RingRules> others = List.of(
                new RingRules(51, 500, 3, 2, Overlay.Kind.BINOMIAL),
                new RingRules(50, 501, 3, 2, Overlay.Kind.BINOMIAL),
                new RingRules(50, 500, 4, 2, Overlay.Kind.BINOMIAL),
                new RingRules(50, 500, 3, 1, Overlay.Kind.BINOMIAL),
                new RingRules(50, 500, 3, 2, Overlay.Kind.HYPERCUBE));
        RingRules same = new RingRules(50, 500, 3, 2, Overlay.Kind.BINOMIAL);

        assertThat(others).doesNotContain(rules);
        assertThat(rules).isEqualTo(same).hasSameHashCodeAs(same);
    }
}
