package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.FabricEvent.RingReported;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.topology.FabricView;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** One accusation, one consequence, however many agents tell it. */
class AccusationTest {
    private final SimulatedFabric fabric = new SimulatedFabric("2;6,42;1,6;1,1").start();
    private final FabricView whole = fabric.whole();
    private final long accused = fabric.guid("leaf0");
    private final long observer = fabric.guid("leaf1");

    private void tell(long teller, boolean silent, int incarnation, long from) {
        fabric.send(new RingReported(
                fabric.now, fabric.session(teller), silent, accused, incarnation, from, 1000 * MILLI, 3));
        fabric.work();
    }

    /** The accused says something of its ports, as it would for a host that was plugged in. */
    private void speaks() {
        fabric.send(new PortsReported(fabric.now, fabric.session(accused), accused, false, List.of()));
        fabric.work();
    }

    private int incarnation() {
        return fabric.incarnations.getOrDefault(accused, 0);
    }

    @Test
    void shouldActOnceOnWhatFortySevenAgentsTell() {
        assertThat(whole.switchCount()).isEqualTo(48);
        long asked = fabric.count(Effect.QueryPorts.class);

        for (int s = 0; s < whole.switchCount(); s++) {
            if (whole.switchGuid(s) != accused) {
                tell(whole.switchGuid(s), true, incarnation(), observer);
                speaks();
            }
        }

        assertThat(fabric.notes(Kind.AGENT_SILENT)).hasSize(1);
        assertThat(fabric.notes(Kind.AGENT_ALIVE)).hasSize(1);
        assertThat(fabric.count(Effect.QueryPorts.class) - asked)
                .as("the accused and its six neighbours, once")
                .isEqualTo(7);
    }

    @Test
    void shouldTakeASecondObserverOfTheSameMomentForAnEcho() {
        tell(observer, true, incarnation(), observer);
        speaks();

        tell(observer, true, incarnation(), fabric.guid("leaf2"));

        assertThat(fabric.notes(Kind.AGENT_SILENT)).hasSize(1);
    }

    @Test
    void shouldIgnoreTheSameAccusationAlsoMuchLater() {
        tell(observer, true, incarnation(), observer);
        speaks();
        fabric.pass(3_600_000 * MILLI);

        tell(fabric.guid("leaf5"), true, incarnation(), observer);

        assertThat(fabric.notes(Kind.AGENT_SILENT)).hasSize(1);
    }

    @Test
    void shouldIgnoreWhatWasToldBeforeTheAgentGreetedAgain() {
        tell(observer, true, incarnation(), observer);
        int before = incarnation();
        fabric.leave(accused);
        fabric.work();
        fabric.incarnations.put(accused, before - 1);
        fabric.join(accused);
        fabric.calm();

        tell(fabric.guid("leaf5"), true, before, observer);

        assertThat(Objects.requireNonNull(fabric.state.findSwitch(accused)).condition())
                .isEqualTo(Condition.CONNECTED);
        assertThat(fabric.notes(Kind.AGENT_SILENT)).hasSize(1);
    }

    @Test
    void shouldBelieveAnAccusationOfAHigherIncarnationAlone() {
        tell(observer, true, incarnation(), observer);
        speaks();
        fabric.pass(3_600_000 * MILLI);

        tell(observer, true, incarnation(), fabric.guid("leaf2"));
        assertThat(fabric.notes(Kind.AGENT_SILENT))
                .as("of another observer, later")
                .hasSize(1);

        tell(observer, true, incarnation() + 1, observer);
        assertThat(fabric.notes(Kind.AGENT_SILENT)).hasSize(2);
        speaks();
        tell(observer, true, incarnation(), observer);
        assertThat(fabric.notes(Kind.AGENT_SILENT)).as("of a lower one").hasSize(2);
    }

    /** Dead beats alive in the same incarnation, as in the ring: only a higher one contradicts. */
    @Test
    void shouldNotTakeALateReturnForAnAnswer() {
        fabric.mute.add(accused);
        tell(observer, true, incarnation(), observer);

        tell(observer, false, incarnation(), observer);
        assertThat(accused().agentSilent()).isTrue();
        tell(observer, false, incarnation() + 1, observer);
        assertThat(accused().agentSilent()).isFalse();
    }

    /** Its session ended first: what the ring says of it then is no news when it is back. */
    @Test
    void shouldIgnoreWhatWasToldWhileItHadNoSession() {
        fabric.leave(accused);
        fabric.work();
        tell(observer, true, incarnation(), observer);
        fabric.incarnations.merge(accused, -1, Integer::sum);
        fabric.join(accused);
        fabric.calm();

        tell(fabric.guid("leaf5"), true, incarnation(), observer);

        assertThat(fabric.notes(Kind.AGENT_SILENT)).isEmpty();
    }

    /** One frame of one agent says that a switch is alive under the highest incarnation there is; then it loses power. */
    @Test
    void shouldStillHearThatASwitchFellSilentAfterOneWrongReport() {
        tell(observer, false, -1, observer);
        tell(observer, true, -1, observer);
        speaks();
        tell(observer, true, -1, observer);
        assertThat(fabric.notes(Kind.AGENT_SILENT)).hasSize(1);
        fabric.mute.add(accused);
        fabric.setLinks(accused, false, false);

        fabric.ringSays(true, accused);
        fabric.pass(5_000 * MILLI);

        assertThat(accused().condition()).isEqualTo(Condition.DEAD);
    }

    @Test
    void shouldBelieveOthersAsManyRefutationsAsAreNamed() {
        int greeted = accused().incarnation();

        tell(observer, false, greeted + AgentTracker.REFUTATIONS_BELIEVED + 1, observer);
        assertThat(accused().incarnation()).isEqualTo(greeted);
        tell(observer, false, greeted + AgentTracker.REFUTATIONS_BELIEVED, observer);
        assertThat(accused().incarnation()).isEqualTo(greeted + AgentTracker.REFUTATIONS_BELIEVED);
        tell(observer, false, greeted + AgentTracker.REFUTATIONS_BELIEVED + 1, observer);
        assertThat(accused().incarnation())
                .as("counted from the Hello, not from what others said before")
                .isEqualTo(greeted + AgentTracker.REFUTATIONS_BELIEVED);
    }

    private SwitchRecord accused() {
        return Objects.requireNonNull(fabric.state.findSwitch(accused));
    }
}
