package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static io.dmodc.manager.core.SimulatedFabric.RULES;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.rates.SlowLinkUse;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldDoWhatScanningAllPortsDoes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ScannedHoldDown twin = new ScannedHoldDown(RULES);
        for (int step = 0; step < 1_000; step++) {
            long guid = random.nextBoolean() ? 1 : -1;
            PortSeen seen = new PortSeen(guid, 1 + random.nextInt(4), random.nextBoolean(), new ToSwitch(2, 7));
            boolean wasUp = random.nextBoolean();
            String as = "seed " + seed + " step " + step;
            switch (random.nextInt(40)) {
                case 0 -> {
                    holdDown.forget(guid);
                    twin.forget(guid);
                }
                case 1 -> {
                    FabricRules rules = random.nextBoolean() ? RULES : shortMemory();
                    holdDown.follow(rules);
                    twin.follow(rules);
                }
                default ->
                    assertThat(holdDown.filter(now, seen, wasUp)).as(as).isEqualTo(twin.filter(now, seen, wasUp));
            }
            assertThat(holdDown.nextDeadline()).as(as).isEqualTo(twin.nextDeadline());
            now += random.nextInt(50) == 0 ? RULES.flapMemoryNanos() : random.nextLong(2 * SECOND);
            assertThat(holdDown.release(now)).as(as).isEqualTo(twin.release(now));
            assertThat(holdDown.nextDeadline()).as(as).isEqualTo(twin.nextDeadline());
            assertThat(holdDown.heldCount()).as(as).isEqualTo(twin.heldCount());
            assertThat(holdDown.flapCount(guid, seen.port())).as(as).isEqualTo(twin.flapCount(guid, seen.port()));
        }
    }

    private static FabricRules shortMemory() {
        return new FabricRules(
                RULES.ackTimeoutNanos(),
                RULES.pushTries(),
                RULES.drainNanos(),
                RULES.holdDownNanos() / 3,
                RULES.holdDownMaxNanos() / 4,
                5 * SECOND,
                RULES.settleNanos(),
                RULES.discoveryQuietNanos(),
                RULES.discoveryTimeoutNanos(),
                RULES.connectedPercent(),
                RULES.membershipQuietNanos(),
                RULES.ringSeed(),
                RULES.domains(),
                RULES.groupOrder(),
                RULES.nodeTypes(),
                RULES.design(),
                RebalanceRule.STANDARD,
                SlowLinkUse.IGNORE);
    }

    private static PortSeen at(long guid, int port, boolean up) {
        return new PortSeen(guid, port, up, new ToSwitch(2, 7));
    }

    private void flap(long guid, int port) {
        holdDown.filter(now, at(guid, port, false), true);
        holdDown.filter(now, at(guid, port, true), false);
    }

    @Test
    void shouldReleaseInTheOrderOfTimeThenOfPorts() {
        flap(-1, 1);
        flap(3, 9);
        flap(3, 2);
        now -= 1;
        flap(7, 1);

        assertThat(holdDown.heldCount()).isEqualTo(4);
        assertThat(holdDown.release(now + SECOND + 1))
                .containsExactly(at(7, 1, true), at(3, 2, true), at(3, 9, true), at(-1, 1, true));
        assertThat(holdDown.heldCount()).isZero();
        assertThat(holdDown.release(now + 60 * SECOND)).as("once").isEmpty();
    }

    @Test
    void shouldForgetThePortsOfOneSwitchOnly() {
        flap(3, 2);
        flap(7, 1);

        holdDown.forget(3);

        assertThat(holdDown.flapCount(3, 2)).isZero();
        assertThat(holdDown.holds(3, 2)).isFalse();
        assertThat(holdDown.holds(7, 1)).isTrue();
        assertThat(holdDown.heldCount()).isEqualTo(1);
    }

    @Test
    void shouldRememberAFlapForAsLongAsTheMemoryAndNoLonger() {
        holdDown.filter(now, port(false), true);
        long memory = RULES.flapMemoryNanos();

        holdDown.release(now + memory);
        assertThat(holdDown.flapCount(1, 5)).isEqualTo(1);
        holdDown.filter(now + memory, port(false), true);
        assertThat(holdDown.flapCount(1, 5)).isEqualTo(2);

        holdDown.filter(now + 2 * memory + 1, port(false), true);
        assertThat(holdDown.flapCount(1, 5)).isEqualTo(1);
    }
}
