package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RestoredPortsTest {
    private final RestoredPorts ports = new RestoredPorts();

    @Test
    void shouldTrustAPortThatWasHeardForLongEnough() {
        assertThat(ports.trusts(1, false, 0)).isFalse();
        assertThat(ports.trusts(1, true, 10)).isFalse();
        assertThat(ports.trusts(1, true, 9 + RestoredPorts.TRUST_NANOS)).isFalse();
        assertThat(ports.trusts(2, true, 10 + RestoredPorts.TRUST_NANOS))
                .as("another port")
                .isFalse();
        assertThat(ports.trusts(1, true, 10 + RestoredPorts.TRUST_NANOS)).isTrue();
    }

    @Test
    void shouldBeginAnewWithAPortThatDied() {
        ports.trusts(1, true, 0);
        ports.trusts(1, false, 5);

        assertThat(ports.trusts(1, true, RestoredPorts.TRUST_NANOS)).isFalse();
    }
}
