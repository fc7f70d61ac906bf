package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** How long a manager that knows nothing waits for agents before it makes tables. */
class FirstStartTest {
    private static final long MILLI = SimulatedFabric.MILLI;
    private static final long TIMEOUT = SimulatedFabric.RULES.discoveryTimeoutNanos();

    private final SimulatedFabric fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1");
    private final List<Long> guids = new ArrayList<>();

    FirstStartTest() {
        FabricView whole = fabric.whole();
        for (int s = 0; s < whole.switchCount(); s++) {
            guids.add(whole.switchGuid(s));
        }
        fabric.state.expected.clear();
    }

    /** A switch that is cabled to nothing, of which nobody heard before. */
    private void comes(long guid) {
        RingAddress address = new RingAddress("10.9.9.9", 7471);
        List<Effect> unheeded = new ArrayList<>();
        fabric.step.accept(
                new AgentJoined(fabric.now, guid, guid, "new " + guid, 4, 1, new HeldTable(0, 0, 0, 0), address),
                unheeded);
        fabric.step.settle(fabric.now, unheeded);
    }

    @Test
    void shouldMakeTablesOnceHoweverLongNewAgentsCome() {
        for (long guid : guids) {
            fabric.join(guid);
            fabric.pass(1_900 * MILLI);
        }
        assertThat(fabric.now).isGreaterThan(TIMEOUT);
        assertThat(fabric.count(Effect.Compute.class)).isZero();

        fabric.calm();

        assertThat(fabric.count(Effect.Compute.class)).isEqualTo(1);
        FabricView view = Objects.requireNonNull(fabric.state.view());
        assertThat(view.switchCount()).isEqualTo(guids.size());
        assertThat(fabric.held).hasSize(guids.size());
    }

    /** They come in pieces: the manager is busy, or their network is. Those who are in name those who are to come. */
    @Test
    void shouldMakeTablesOnceWhereAgentsComeInPieces() {
        for (long guid : guids) {
            fabric.join(guid);
            fabric.pass(TIMEOUT / 3);
            assertThat(fabric.state.discovering()).isEqualTo(guid != guids.get(guids.size() - 1));
        }
        fabric.calm();

        assertThat(fabric.count(Effect.Compute.class)).isEqualTo(1);
        assertThat(fabric.held).hasSize(guids.size());
    }

    /** It may have no agent at all. */
    @Test
    void shouldWaitForTheTimeoutWhereASwitchIsNamedThatNeverComes() {
        guids.subList(1, guids.size()).forEach(fabric::join);
        fabric.pass(TIMEOUT - 1);
        assertThat(fabric.state.discovering()).isTrue();

        fabric.pass(1);

        assertThat(fabric.state.discovering()).isFalse();
        assertThat(fabric.count(Effect.Compute.class)).isEqualTo(1);
    }

    @Test
    void shouldNotWaitForASwitchToWhichNoCableLeadsAnyMore() {
        guids.subList(1, guids.size()).forEach(fabric::join);
        fabric.pass(TIMEOUT - 1_000 * MILLI);
        assertThat(fabric.state.discovering()).isTrue();

        fabric.setLinks(guids.get(0), false, true);
        fabric.pass(0);

        assertThat(fabric.state.discovering()).isFalse();
    }

    @Test
    void shouldNotWaitLongerForAnAgentThatComesAndGoes() {
        guids.forEach(fabric::join);
        for (int i = 0; i < 9; i++) {
            fabric.pass(1_500 * MILLI);
            fabric.leave(guids.get(0));
            fabric.join(guids.get(0));
        }
        fabric.pass(1_400 * MILLI);
        assertThat(fabric.state.discovering()).isTrue();

        fabric.pass(100 * MILLI);

        assertThat(fabric.now).isEqualTo(TIMEOUT);
        assertThat(fabric.state.discovering()).isFalse();
        assertThat(fabric.count(Effect.Compute.class)).isEqualTo(1);
    }

    @Test
    void shouldStartAfterEightTimeoutsThoughNewAgentsStillCome() {
        guids.forEach(fabric::join);
        long guid = 0x5000;
        while (fabric.now + 1_500 * MILLI < 8 * TIMEOUT) {
            fabric.pass(1_500 * MILLI);
            comes(guid++);
        }
        fabric.pass(8 * TIMEOUT - 1 - fabric.now);
        assertThat(fabric.state.discovering()).isTrue();

        fabric.pass(1);

        assertThat(fabric.state.discovering()).isFalse();
        assertThat(fabric.count(Effect.Compute.class)).isEqualTo(1);
    }

    /** Of these it is known how many they are. */
    @Test
    void shouldWaitForTheTimeoutAloneWhereSomeAreExpected() {
        fabric.state.expected.addAll(guids);
        for (long guid : guids.subList(1, guids.size())) {
            fabric.join(guid);
            fabric.pass(TIMEOUT / guids.size());
        }
        fabric.pass(TIMEOUT - 1 - fabric.now);
        assertThat(fabric.state.discovering()).isTrue();

        fabric.pass(1);

        assertThat(fabric.state.discovering()).isFalse();
    }
}
