package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.Doubt;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.pgft.Degradation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is thought of a switch without an agent, and whether routes may lead through it: by its neighbours and its table. */
class HeadlessSwitchTest {
    private SimulatedFabric fabric = new SimulatedFabric("2;2,4;1,2;1,1").start();
    private final long leaf = fabric.guid("leaf0");
    private final long first = fabric.guid("l2s0");
    private final long second = fabric.guid("l2s1");

    private SwitchRecord record(long guid) {
        return Objects.requireNonNull(fabric.state.findSwitch(guid));
    }

    private boolean isUsed(long guid) {
        return fabric.state.cabling().alive(guid);
    }

    private String lastCause() {
        return List.copyOf(fabric.state.epochs())
                .get(fabric.state.epochs().size() - 1)
                .cause();
    }

    /** It lost power: its agent came in with an empty table, was sent one, and went without an answer. */
    private void comesBackEmptyAndGoes(long guid) {
        fabric.leave(guid);
        fabric.held.remove(guid);
        fabric.deaf.add(guid);
        fabric.join(guid);
        fabric.work();
        fabric.leave(guid);
        fabric.calm();
    }

    @Test
    void shouldAskAboutTheLastPortOfANeighbour() {
        assertThat(fabric.cable(leaf, second).port()).isEqualTo(fabric.metal.portCount(leaf));
        fabric.setLinks(second, false, false);

        fabric.leave(second);
        fabric.work();

        assertThat(record(second).condition()).isEqualTo(Condition.DEAD);
    }

    @Test
    void shouldHoldForHeadlessAtOnceWhomNobodyCanSpeakOf() {
        List.copyOf(fabric.state.switches.keySet()).forEach(fabric::leave);

        fabric.work();

        long last = fabric.state.switches.keySet().stream()
                .reduce((one, next) -> next)
                .orElseThrow();
        assertThat(record(last).condition()).isEqualTo(Condition.HEADLESS);
    }

    @Test
    void shouldNotWaitForTheAnswerOfANeighbourWhoseAgentWent() {
        long silent = fabric.guid("leaf1");
        fabric.mute.add(silent);
        fabric.leave(first);
        fabric.work();
        assertThat(record(first).condition()).as("leaf1 may know better").isEqualTo(Condition.CONNECTED);

        fabric.leave(silent);
        fabric.setPort(leaf, fabric.cable(leaf, first).port(), true, true);
        fabric.work();

        assertThat(record(first).condition()).isEqualTo(Condition.HEADLESS);
    }

    /** One neighbour sees its link down; the other one cannot be asked and its link was up. */
    @Test
    void shouldNotTakeForDeadWhomAHeadlessNeighbourMaySee() {
        fabric.leave(second);
        fabric.calm();
        fabric.leave(leaf);
        fabric.setCable(fabric.cable(leaf, first), false, true);
        fabric.calm();

        assertThat(record(second).condition()).isEqualTo(Condition.HEADLESS);
        assertThat(record(leaf).condition()).isEqualTo(Condition.HEADLESS);

        fabric.join(second);
        fabric.setCable(fabric.cable(leaf, second), false, true);
        fabric.calm();
        assertThat(record(leaf).condition()).isEqualTo(Condition.DEAD);
    }

    /** Two cables that died while its agent lived to tell say nothing of the third, at whose other end nobody can tell. */
    @Test
    void shouldNotTakeForDeadWhoToldOfTheCablesThatAreDown() {
        fabric = new SimulatedFabric("2;2,4;1,3;1,1").start();
        long lone = fabric.guid("leaf0");
        fabric.setCable(fabric.cable(lone, fabric.guid("l2s0")), false, true);
        fabric.setCable(fabric.cable(lone, fabric.guid("l2s1")), false, true);
        fabric.leave(fabric.guid("l2s2"));
        fabric.calm();

        fabric.leave(lone);
        fabric.calm();

        assertThat(record(lone).condition()).isEqualTo(Condition.HEADLESS);
    }

    /** All cables but that of a leaf that says nothing went down and came back: it may have lost its table with its power. */
    @Test
    void shouldNotUseASpineThatAllButASilentNeighbourSawDown() {
        fabric.mute.addAll(List.of(first, leaf));
        fabric.ringSays(true, first);
        fabric.setLinks(first, false, true);
        fabric.work();
        fabric.setLinks(first, true, true);

        fabric.calm();

        assertThat(record(first).condition()).isEqualTo(Condition.HEADLESS);
        assertThat(isUsed(first)).isFalse();
    }

    /** One that sees its link up in time speaks for it. */
    @Test
    void shouldUseASilentSpineThatOneNeighbourStillSees() {
        fabric.mute.addAll(List.of(first, leaf));
        fabric.ringSays(true, first);
        fabric.setLinks(first, false, true);
        fabric.work();
        fabric.setLinks(first, true, true);
        fabric.mute.remove(leaf);
        fabric.setPort(leaf, fabric.cable(leaf, first).port(), true, true);

        fabric.calm();

        assertThat(isUsed(first)).isTrue();
    }

    /** Nobody knows what it forwards by, and what leads through it might end there. */
    @Test
    void shouldNotUseAHeadlessSpineThatHoldsNoTable() {
        comesBackEmptyAndGoes(first);

        assertThat(record(first).condition()).isEqualTo(Condition.HEADLESS);
        assertThat(isUsed(first)).isFalse();
        assertThat(lastCause()).startsWith("l2s0 does not forward");

        fabric.deaf.clear();
        fabric.join(first);
        fabric.calm();
        assertThat(isUsed(first)).isTrue();
        assertThat(lastCause()).startsWith("l2s0 forwards again");
    }

    @Test
    void shouldNotUseAHeadlessSpineOfWhoseTableOnlyTheDigestIsKnown() {
        fabric.leave(first);
        Objects.requireNonNull(fabric.held.get(first))[0] = 42;
        fabric.deaf.add(first);
        fabric.join(first);
        fabric.work();
        fabric.leave(first);
        fabric.calm();

        assertThat(record(first).heldEntries()).isPositive();
        assertThat(isUsed(first)).isFalse();
    }

    /** No path leads through it: its own hosts have what they can have. */
    @Test
    void shouldGoOnUsingAHeadlessLeafWhateverItHolds() {
        comesBackEmptyAndGoes(leaf);

        assertThat(record(leaf).condition()).isEqualTo(Condition.HEADLESS);
        assertThat(isUsed(leaf)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"leaf0", "l2s0"})
    void shouldNotUseASwitchThatCameBackFromTheDeadBeforeItsAgent(String name) {
        long guid = fabric.guid(name);
        fabric.leave(guid);
        fabric.setLinks(guid, false, true);
        fabric.calm();
        assertThat(record(guid).condition()).isEqualTo(Condition.DEAD);

        fabric.setLinks(guid, true, true);
        fabric.calm();

        assertThat(record(guid).condition()).isEqualTo(Condition.HEADLESS);
        assertThat(isUsed(guid)).isFalse();
        assertThat(fabric.notes(Kind.SWITCH_HEADLESS))
                .extracting(LoggedEvent::text)
                .containsExactly(name + ": its links come up again; not used before its agent is back");
    }

    /** It was dead when the manager ended, and its links came up before the next one started: without a table, for all that is known. */
    @Test
    void shouldNotUseASpineThatWasDeadAtTheEndOfTheLastRun() {
        fabric.leave(first);
        fabric.setLinks(first, false, true);
        fabric.calm();
        fabric = fabric.restarted();
        fabric.setLinks(first, true, false);
        fabric.state.switches.keySet().stream().filter(guid -> guid != first).forEach(fabric::join);
        fabric.calm();

        assertThat(record(first).condition()).isEqualTo(Condition.HEADLESS);
        assertThat(isUsed(first)).isFalse();
    }

    @Test
    void shouldUseAgainAtOnceWhoAnswersAgain() {
        fabric.mute.add(first);
        fabric.ringSays(true, first);
        fabric.calm();
        assertThat(record(first).condition()).isEqualTo(Condition.HEADLESS);

        fabric.ringSays(false, first);
        fabric.work();

        assertThat(record(first).condition()).isEqualTo(Condition.CONNECTED);
        assertThat(fabric.notes(Kind.SWITCH_BACK)).extracting(LoggedEvent::text).containsExactly("l2s0: back");
    }

    /** As soon as it is planned with the others. */
    @Test
    void shouldSendWhatItMissedToWhoAnswersAgain() {
        fabric.mute.add(leaf);
        fabric.ringSays(true, leaf);
        fabric.calm();
        fabric.setCable(fabric.cable(fabric.guid("leaf1"), first), false, true);
        fabric.calm();
        assertThat(record(leaf).upToDate()).isFalse();
        int before = fabric.log.size();
        fabric.mute.clear();

        fabric.ringSays(false, leaf);
        fabric.work();

        assertThat(fabric.log.subList(before, fabric.log.size()))
                .anyMatch(effect ->
                        effect instanceof Effect.Push push && push.update().guid() == leaf);
        assertThat(record(leaf).upToDate()).isTrue();
    }

    @Test
    void shouldEndTheWayAroundASwitchThatAnswersAgain() {
        fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1").start();
        long spine = fabric.guid("l2s0");
        fabric.mute.add(spine);
        fabric.ringSays(true, spine);
        fabric.calm();
        fabric.setCable(
                Degradation.cables(fabric.whole()).stream()
                        .filter(cable -> cable.farGuid() == spine)
                        .findFirst()
                        .orElseThrow(),
                false,
                true);
        fabric.calm();
        assertThat(record(spine).bypassed()).isTrue();

        fabric.mute.clear();
        fabric.ringSays(false, spine);
        fabric.calm();

        assertThat(record(spine).bypassed()).isFalse();
        assertThat(lastCause()).startsWith("l2s0 can be told its table again");
    }

    /** The machine behind the GUID is another one: nothing that was said of its ports holds. */
    @Test
    void shouldForgetThatPortsOfAnotherMachineWereUnheard() {
        long other = fabric.guid("leaf1");
        int port = fabric.cable(leaf, second).port();
        for (long guid : new long[] {leaf, other}) {
            PortSeen seen = new PortSeen(guid, port, true, fabric.metal.claim(guid, port));
            fabric.send(new PortsReported(
                    fabric.now, fabric.session(guid), guid, false, List.of(seen), Map.of(port, Doubt.UNHEARD)));
        }
        fabric.work();
        assertThat(fabric.state.unheard(leaf, port)).isTrue();

        fabric.leave(leaf);
        fabric.metal.apply(new SwitchSeen(leaf, "leaf0", port + 1));
        fabric.mute.add(leaf);
        fabric.join(leaf);
        fabric.work();

        assertThat(fabric.state.unheard(leaf, port)).isFalse();
        assertThat(fabric.state.unheard(other, port)).isTrue();
    }

    @Test
    void shouldTellTheWaitOfTwoSwitchesApart() {
        fabric.mute.add(leaf);
        fabric.leave(second);
        fabric.pass(400 * MILLI);
        fabric.leave(first);
        fabric.pass(600 * MILLI);
        assertThat(record(second).condition()).isEqualTo(Condition.HEADLESS);
        assertThat(record(first).condition()).isEqualTo(Condition.CONNECTED);

        fabric.pass(400 * MILLI);
        assertThat(record(first).condition()).isEqualTo(Condition.HEADLESS);
    }

    /** Before anybody answered what was asked about it. */
    @Test
    void shouldCountAtOnceWhoIsNotThere() {
        fabric.mute.add(leaf);
        fabric.leave(second);
        fabric.work();
        assertThat(record(second).condition()).isEqualTo(Condition.CONNECTED);
        assertThat(fabric.state.share.allTold()).isFalse();
        fabric.join(second);
        fabric.work();
        assertThat(fabric.state.share.allTold()).isTrue();

        fabric.mute.add(first);
        fabric.ringSays(true, first);
        fabric.work();
        assertThat(record(first).condition()).isEqualTo(Condition.CONNECTED);
        assertThat(fabric.state.share.allTold()).isFalse();
        fabric.ringSays(false, first);
        fabric.work();
        assertThat(fabric.state.share.allTold()).isTrue();
    }

    @Test
    void shouldNotWaitForThePushToAnAgentThatFellSilent() {
        fabric.deaf.add(leaf);
        fabric.setCable(fabric.cable(fabric.guid("leaf1"), first), false, true);
        fabric.work();
        assertThat(fabric.state.outstanding()).isEqualTo(1);
        List<Effect> effects = new ArrayList<>();

        fabric.step.accept(
                new FabricEvent.RingReported(fabric.now, 1, true, leaf, 1, first, 1_000 * MILLI, 0), effects);

        assertThat(fabric.state.outstanding()).isZero();
        assertThat(effects)
                .anyMatch(effect ->
                        effect instanceof Effect.Tell tell && tell.note().kind() == Kind.EPOCH_COMPLETE);
        assertThat(record(leaf).pushInFlight()).as("it may still take it").isTrue();
    }
}
