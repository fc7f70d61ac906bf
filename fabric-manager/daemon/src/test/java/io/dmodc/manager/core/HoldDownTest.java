package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static io.dmodc.manager.core.SimulatedFabric.RULES;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToSwitch;
import org.junit.jupiter.api.Test;

class HoldDownTest {
    private static final long SECOND = 1000 * MILLI;

    private final HoldDown holdDown = new HoldDown(RULES);
    private long now = SECOND;

    private static PortSeen port(boolean up) {
        return new PortSeen(1, 5, up, new ToSwitch(2, 7));
    }

    private void flap() {
        holdDown.filter(now, port(false), true);
        holdDown.filter(now, port(true), false);
    }

    @Test
    void shouldBelieveAPortThatComesUpForTheFirstTime() {
        assertThat(holdDown.filter(now, port(true), false)).isEqualTo(port(true));
        assertThat(holdDown.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldBelieveDownAtOnceAndUpAfterTheHold() {
        assertThat(holdDown.filter(now, port(false), true)).isEqualTo(port(false));
        assertThat(holdDown.filter(now, port(true), false))
                .isEqualTo(new PortSeen(1, 5, false, new ToSwitch(2, 7), true));

        assertThat(holdDown.release(now + SECOND - 1)).isEmpty();
        assertThat(holdDown.release(now + SECOND)).containsExactly(port(true));
        assertThat(holdDown.holds(1, 5)).isFalse();
    }

    @Test
    void shouldDoubleTheHoldWithEachFlapUpToTheMaximum() {
        long[] expected = {1, 2, 4, 8, 16, 32, 60, 60};
        for (long seconds : expected) {
            flap();
            assertThat(holdDown.nextDeadline() - now).isEqualTo(seconds * SECOND);
            now = holdDown.nextDeadline();
            assertThat(holdDown.release(now)).hasSize(1);
        }
    }

    @Test
    void shouldCountAFlapWhileThePortIsHeld() {
        flap();
        holdDown.filter(now, port(false), false);

        assertThat(holdDown.flapCount(1, 5)).isEqualTo(2);
        assertThat(holdDown.holds(1, 5)).isFalse();
    }

    @Test
    void shouldNotStartTheHoldAnewWhenAnUpIsReportedAgain() {
        flap();
        long deadline = holdDown.nextDeadline();

        holdDown.filter(now + SECOND / 2, port(true), false);

        assertThat(holdDown.nextDeadline()).isEqualTo(deadline);
    }

    @Test
    void shouldHalveTheHoldAgainAsQuietTimePasses() {
        for (int i = 0; i < 6; i++) {
            flap();
        }
        assertThat(holdDown.nextDeadline() - now).isEqualTo(32 * SECOND);
        now = holdDown.nextDeadline();
        holdDown.release(now);

        now += RULES.flapMemoryNanos() / 2;
        flap();

        assertThat(holdDown.nextDeadline() - now)
                .as("6 doublings, 3 decayed, 1 more")
                .isEqualTo(8 * SECOND);
        assertThat(holdDown.flapCount(1, 5)).isEqualTo(7);
    }

    @Test
    void shouldDecayFromTheMaximumHoweverLongTheTrainWas() {
        for (int i = 0; i < 10_000; i++) {
            flap();
        }
        assertThat(holdDown.nextDeadline() - now).isEqualTo(RULES.holdDownMaxNanos());
        now = holdDown.nextDeadline();
        holdDown.release(now);

        now += RULES.flapMemoryNanos() * 3 / 4;
        flap();

        assertThat(holdDown.nextDeadline() - now).isEqualTo(4 * SECOND);
    }

    @Test
    void shouldForgetFlapsAfterAQuietTime() {
        flap();
        now = holdDown.nextDeadline();
        holdDown.release(now);

        holdDown.release(now + RULES.flapMemoryNanos() + 1);

        assertThat(holdDown.flapCount(1, 5)).isZero();
    }
}
