package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.Doubt;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two ends of a cable, one event. */
class LinkTrackerTest {
    private final SimulatedFabric fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1").start();
    private final Cable cable = Degradation.cables(fabric.whole()).get(0);

    private boolean isLive() {
        return fabric.state.cabling().isLive(cable.guid(), cable.port());
    }

    private void near(boolean up) {
        fabric.setPort(cable.guid(), cable.port(), up, true);
        fabric.work();
    }

    private void far(boolean up) {
        fabric.setPort(cable.farGuid(), cable.farPort(), up, true);
        fabric.work();
    }

    /** An end has carrier, and this is what it makes of the hellos. */
    private void says(long guid, int port, @Nullable Doubt doubt) {
        PortSeen seen = new PortSeen(guid, port, true, fabric.metal.neighbour(guid, port));
        Map<Integer, Doubt> doubts = doubt == null ? Map.of() : Map.of(port, doubt);
        fabric.send(new PortsReported(fabric.now, fabric.session(guid), guid, false, List.of(seen), doubts));
        fabric.work();
    }

    private void nearSays(@Nullable Doubt doubt) {
        says(cable.guid(), cable.port(), doubt);
    }

    private void farSays(@Nullable Doubt doubt) {
        says(cable.farGuid(), cable.farPort(), doubt);
    }

    @Test
    void shouldMakeOneEventOfTwoEndsThatSpeakApart() {
        long epochs = fabric.state.epoch();

        near(false);
        fabric.pass(400 * MILLI);
        far(false);
        fabric.pass(400 * MILLI);

        assertThat(fabric.state.epoch()).isEqualTo(epochs + 1);
        assertThat(fabric.notes(Kind.LINK_DOWN)).hasSize(1);
        assertThat(fabric.state.linkFlaps()).isEqualTo(1);
    }

    @Test
    void shouldSayWhichCableBesideTheText() {
        near(false);

        LoggedEvent note = fabric.notes(Kind.LINK_DOWN).get(0);
        assertThat(note.guid()).isEqualTo(cable.guid());
        assertThat(note.name()).isEqualTo(fabric.metal.name(cable.guid()));
        assertThat(note.cable())
                .isEqualTo(new LoggedEvent.Cable(
                        cable.port(), cable.farGuid(), fabric.metal.name(cable.farGuid()), cable.farPort()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTakeEitherEndsWordForDownAndBothForUp(boolean nearFirst) {
        setEnd(nearFirst, false);
        assertThat(isLive()).as("one end down").isFalse();
        setEnd(!nearFirst, false);

        setEnd(nearFirst, true);
        fabric.pass(10_000 * MILLI);
        assertThat(isLive()).as("one end up").isFalse();
        setEnd(!nearFirst, true);
        fabric.pass(10_000 * MILLI);

        assertThat(isLive()).as("both ends up, and the hold is over").isTrue();
    }

    /** A port beyond the last one is held down, and then the agent says the switch has fewer. */
    @Test
    void shouldDropTheHoldsOfPortsThatAreNotThereAnyMore() {
        near(false);
        near(true);
        assertThat(fabric.state.heldDown(cable.guid(), cable.port())).isTrue();

        fabric.leave(cable.guid());
        fabric.metal.apply(new SwitchSeen(cable.guid(), fabric.metal.name(cable.guid()), cable.port() - 1));
        fabric.join(cable.guid());
        fabric.pass(120_000 * MILLI);

        assertThat(fabric.state.heldDownCount()).isZero();
        assertThat(fabric.state.cabling().portCount(cable.guid())).isEqualTo(cable.port() - 1);
        assertThat(fabric.state.calm()).isTrue();
    }

    private void setEnd(boolean near, boolean up) {
        if (near) {
            near(up);
        } else {
            far(up);
        }
    }

    /** Ten flaps a second for a minute, at both ends; then it stays up, or down. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldSpendTwoEpochsOnATrainOfFlapsAndEndInTheLastState(boolean lastState) {
        long epochs = fabric.state.epoch();
        for (int i = 0; i < 600; i++) {
            fabric.setCable(cable, false, true);
            fabric.pass(50 * MILLI);
            fabric.setCable(cable, true, true);
            fabric.pass(50 * MILLI);
        }
        fabric.setCable(cable, lastState, true);

        fabric.pass(SimulatedFabric.RULES.holdDownMaxNanos() + MILLI);

        assertThat(isLive()).isEqualTo(lastState);
        assertThat(fabric.state.epoch() - epochs).isEqualTo(lastState ? 2 : 1);
        assertThat(fabric.state.linkFlaps()).isEqualTo(lastState ? 600 : 601);
        assertThat(fabric.notes(Kind.LINK_HELD_DOWN))
                .as("after 1, 2, 4, … 512 flaps")
                .hasSize(10);
        assertThat(fabric.notes(Kind.LINK_DOWN)).hasSize(1);
    }

    @Test
    void shouldTakeACableThatNeitherEndHearsForDead() {
        long epochs = fabric.state.epoch();

        nearSays(Doubt.UNHEARD);
        assertThat(isLive()).as("one end alone proves nothing").isTrue();
        assertThat(fabric.state.epoch()).isEqualTo(epochs);
        farSays(Doubt.UNHEARD);

        assertThat(isLive()).isFalse();
        assertThat(fabric.state.epoch()).isEqualTo(epochs + 1);
        assertThat(fabric.state.linkFlaps()).isEqualTo(1);
        assertThat(fabric.notes(Kind.LINK_DOWN))
                .singleElement()
                .satisfies(note -> assertThat(note.text()).endsWith("down, unheard at both ends"));
    }

    @Test
    void shouldUseACableAgainOnlyWhenBothEndsHearAndTheHoldIsOver() {
        nearSays(Doubt.UNHEARD);
        farSays(Doubt.UNHEARD);

        nearSays(null);
        fabric.pass(5000 * MILLI);
        assertThat(isLive()).as("one end hears").isFalse();
        farSays(null);
        assertThat(isLive()).as("held down").isFalse();
        fabric.pass(1000 * MILLI);

        assertThat(isLive()).isTrue();
    }

    @Test
    void shouldKeepASwitchWhoseDeadAgentNobodyHears() {
        long hung = cable.farGuid();
        long epochs = fabric.state.epoch();

        for (int port = 1; port <= fabric.metal.portCount(hung); port++) {
            if (fabric.metal.neighbour(hung, port) instanceof ToSwitch to) {
                says(to.guid(), to.port(), Doubt.UNHEARD);
            }
        }
        fabric.leave(hung);
        fabric.pass(10_000 * MILLI);

        assertThat(Objects.requireNonNull(fabric.state.findSwitch(hung)).condition())
                .isEqualTo(Condition.HEADLESS);
        assertThat(fabric.state.epoch()).as("nothing was computed anew").isEqualTo(epochs);
    }

    @Test
    void shouldNotFlapAPortWhoseHandshakeBeginsAnew() {
        long epochs = fabric.state.epoch();

        nearSays(Doubt.UNDECIDED);
        farSays(Doubt.UNDECIDED);
        fabric.pass(1000 * MILLI);
        nearSays(null);
        farSays(null);
        fabric.pass(1000 * MILLI);

        assertThat(isLive()).isTrue();
        assertThat(fabric.state.epoch()).isEqualTo(epochs);
        assertThat(fabric.state.linkFlaps()).isZero();
    }

    @Test
    void shouldWaitForTheHellosOfACableThatComesBack() {
        near(false);
        far(false);

        nearSays(Doubt.UNDECIDED);
        farSays(Doubt.UNDECIDED);
        fabric.pass(100_000 * MILLI);
        assertThat(isLive()).as("carrier alone").isFalse();
        nearSays(null);
        farSays(null);
        fabric.pass(1000 * MILLI);

        assertThat(isLive()).isTrue();
    }

    @Test
    void shouldEndAHoldWhenTheHellosGo() {
        near(false);
        far(false);
        near(true);
        far(true);

        nearSays(Doubt.UNHEARD);
        fabric.pass(100_000 * MILLI);

        assertThat(isLive()).isFalse();
        assertThat(fabric.state.heldDown(cable.guid(), cable.port())).isFalse();
    }

    /** Any order of words: what is believed in the end is what the two last words say. */
    @Test
    void shouldBelieveTheLastWordsWhateverWasSaidBefore() {
        for (int seed = 0; seed < 25 * Integer.getInteger("more", 1); seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<String> said = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                boolean near = random.nextBoolean();
                int word = random.nextInt(4);
                said.add((near ? "near " : "far ") + word);
                say(near, word);
                fabric.pass(random.nextInt(500) * MILLI);
            }
            boolean up = random.nextBoolean();
            say(true, up ? 0 : 3);
            say(false, up ? 0 : 3);
            fabric.pass(SimulatedFabric.RULES.holdDownMaxNanos() + MILLI);

            assertThat(isLive()).as("seed %d: %s", seed, said).isEqualTo(up);
        }
    }

    private void say(boolean near, int word) {
        long guid = near ? cable.guid() : cable.farGuid();
        int port = near ? cable.port() : cable.farPort();
        switch (word) {
            case 0 -> says(guid, port, null);
            case 1 -> says(guid, port, Doubt.UNDECIDED);
            case 2 -> says(guid, port, Doubt.UNHEARD);
            default -> fabric.setPort(guid, port, false, true);
        }
        fabric.work();
    }
}
