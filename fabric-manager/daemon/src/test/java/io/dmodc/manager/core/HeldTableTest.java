package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Effect.DismissReason;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.FabricEvent.RefusalReason;
import io.dmodc.manager.core.FabricEvent.TableRefused;
import io.dmodc.manager.core.FabricEvent.TimePassed;
import io.dmodc.manager.core.Forgettable.SwitchGuid;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.state.KeptRow;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.FabricEpoch;
import io.dmodc.manager.state.StateRecord.HeldTable;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.southbound.TableDigest;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is known of the table a switch holds: from acknowledgements, from what its agent says, over a restart. */
class HeldTableTest {
    private SimulatedFabric fabric = new SimulatedFabric("2;2,4;1,2;1,1").start();
    private final long leaf = fabric.guid("leaf0");
    private final long spine = fabric.guid("l2s0");
    private final Cable uplink = fabric.cable(leaf, spine);
    private final Cable other = Degradation.cables(fabric.whole()).stream()
            .filter(cable -> cable.guid() != leaf && cable.farGuid() == spine)
            .findFirst()
            .orElseThrow();

    private SwitchRecord record(long guid) {
        return Objects.requireNonNull(fabric.state.findSwitch(guid));
    }

    private @Nullable HeldTable kept(long guid) {
        return (HeldTable) fabric.disk.find(new StateRecord.Key(StateRecord.Kind.HELD_TABLE, guid, 0, ""));
    }

    private List<Effect.Push> pushes(int from, long guid) {
        return fabric.log.subList(from, fabric.log.size()).stream()
                .filter(effect ->
                        effect instanceof Effect.Push push && push.update().guid() == guid)
                .map(Effect.Push.class::cast)
                .toList();
    }

    private void cut(Cable cable) {
        fabric.setCable(cable, false, true);
        fabric.calm();
    }

    private void refuses(long guid, RefusalReason reason, FabricEvent.HeldTable held) {
        fabric.send(new TableRefused(
                fabric.now, fabric.session(guid), guid, fabric.state.epoch(), reason, "it says no", held));
        fabric.work();
    }

    /** Deaf, so that its push is under way. */
    private void leavePushUnderWay(long guid, Cable cable) {
        fabric.deaf.add(guid);
        fabric.setCable(cable, false, true);
        fabric.work();
        assertThat(record(guid).pushInFlight()).isTrue();
    }

    @Test
    void shouldKeepWhatWasAcknowledged() {
        byte[] held = Objects.requireNonNull(fabric.held.get(leaf));

        assertThat(kept(leaf))
                .isEqualTo(new HeldTable(
                        leaf, 1, fabric.state.epoch(), held.length, TableDigest.of(held), false, List.of()));

        cut(uplink);
        byte[] next = Objects.requireNonNull(fabric.held.get(leaf));
        assertThat(kept(leaf))
                .isEqualTo(new HeldTable(
                        leaf, 1, fabric.state.epoch(), next.length, TableDigest.of(next), false, List.of()));
    }

    @Test
    void shouldKeepWhatAnAgentSaysItsSwitchHolds() {
        fabric.leave(leaf);
        fabric.held.remove(leaf);
        fabric.deaf.add(leaf);
        fabric.join(leaf);
        fabric.work();

        assertThat(kept(leaf)).isEqualTo(new HeldTable(leaf, 1, 0, 0, 0, false, List.of()));
    }

    @Test
    void shouldKeepThatADeadSwitchMayHoldNothing() {
        fabric.leave(spine);
        fabric.setLinks(spine, false, true);
        fabric.calm();

        assertThat(Objects.requireNonNull(kept(spine)).entryCount()).isZero();
    }

    /** Its table cannot be computed again once the fabric has changed. */
    @Test
    void shouldKeepTheEntriesOfAHeadlessSwitchWithAnOlderTable() {
        byte[] held = Objects.requireNonNull(fabric.held.get(leaf));
        fabric.leave(leaf);
        fabric.calm();
        assertThat(Objects.requireNonNull(kept(leaf)).rows())
                .as("it holds what it should")
                .isEmpty();

        cut(other);

        assertThat(Objects.requireNonNull(kept(leaf)).rows())
                .singleElement()
                .extracting(KeptRow::entries)
                .isEqualTo(held);
        assertThat(Objects.requireNonNull(kept(spine)).rows())
                .as("its agent is here")
                .isEmpty();
    }

    @Test
    void shouldKeepNothingOfTheTableOfAForgottenSwitch() {
        fabric.leave(spine);
        fabric.setLinks(spine, false, true);
        fabric.calm();

        fabric.send(new ActAsked(fabric.now, Act.forget(List.of(new SwitchGuid(spine))), 0, "ada", ""));
        fabric.calm();

        assertThat(kept(spine)).isNull();
        assertThat(fabric.state.calm()).isTrue();
    }

    /** A manager without records: what an agent says it holds is what was computed for it, so its content is known. */
    @Test
    void shouldSendOnlyTheDifferenceAgainstATableRecognisedByItsDigest() {
        fabric.disk.apply(new Removed(new FabricEpoch(0).key()));
        fabric = fabric.restarted().start();
        assertThat(pushes(0, leaf)).isEmpty();
        long digest = record(leaf).ackedDigest();

        cut(other);

        assertThat(pushes(0, leaf)).singleElement().satisfies(push -> {
            assertThat(push.update().complete()).isFalse();
            assertThat(push.update().baseDigest()).isEqualTo(digest);
        });
    }

    @Test
    void shouldSendTheWholeTableWhereNothingIsKnown() {
        fabric.leave(leaf);
        fabric.held.remove(leaf);
        int before = fabric.log.size();
        fabric.join(leaf);
        fabric.calm();

        assertThat(pushes(before, leaf)).singleElement().satisfies(push -> {
            assertThat(push.update().complete()).isTrue();
            assertThat(push.update().baseDigest()).isZero();
        });
    }

    /** The acknowledgement was lost, and the repetition is refused: it has that table already. */
    @Test
    void shouldRecogniseTheTableAnAgentSaysItHoldsWhenItRefuses() {
        leavePushUnderWay(leaf, other);
        SwitchRecord record = record(leaf);
        int entries = Objects.requireNonNull(record.desiredRow()).entryCount();

        refuses(leaf, RefusalReason.OTHER, new FabricEvent.HeldTable(1, 2, entries, record.desiredDigest()));

        assertThat(record.heldRow()).isSameAs(record.desiredRow());
        assertThat(record.pushInFlight()).isFalse();
        assertThat(fabric.state.outstanding()).isZero();
    }

    @Test
    void shouldWaitForTheAnswerToAPushThoughTheTableBeforeIsWantedAgain() {
        leavePushUnderWay(leaf, other);
        fabric.setCable(other, true, true);
        fabric.pass(1_000 * MILLI);
        SwitchRecord record = record(leaf);
        assertThat(record.upToDate()).as("as far as is known").isTrue();

        assertThat(fabric.state.outstanding()).isEqualTo(1);
        assertThat(fabric.state.calm()).isFalse();

        fabric.deaf.clear();
        fabric.calm();
        assertThat(fabric.state.outstanding()).isZero();
        assertThat(record.upToDate()).isTrue();
        assertThat(TableDigest.of(Objects.requireNonNull(fabric.held.get(leaf))))
                .isEqualTo(record.desiredDigest());
    }

    @Test
    void shouldHaveNothingUnderWayToAnAgentThatWent() {
        leavePushUnderWay(leaf, other);

        fabric.leave(leaf);
        fabric.work();

        assertThat(record(leaf).pushInFlight()).isFalse();
        assertThat(record(leaf).possibleRows())
                .as("the old one, and the one that was sent")
                .hasSize(2);
    }

    @Test
    void shouldWantNothingOfADeadSwitch() {
        long lowest = Objects.requireNonNull(fabric.state.view()).switchGuid(0);
        fabric.leave(lowest);
        fabric.setLinks(lowest, false, true);
        fabric.calm();

        assertThat(record(lowest).desiredRow()).isNull();
    }

    /** Another manager seems to lead: what the agent obeys comes with its next Hello. */
    @Test
    void shouldAskWhoRefusesAnOldLeaderToGreetAgain() {
        leavePushUnderWay(leaf, other);
        int before = fabric.log.size();
        long session = fabric.session(leaf);
        long epoch = fabric.state.epoch();

        refuses(leaf, RefusalReason.OLD_LEADER, new FabricEvent.HeldTable(6, 1, 0, 0));

        assertThat(fabric.log.subList(before, fabric.log.size()))
                .contains(new Effect.Dismiss(session, DismissReason.SILENT, "greet again: it says no"));
        assertThat(fabric.notes(Kind.LEADER_CONFLICT))
                .extracting(note -> note.severity() + " " + note.text())
                .containsExactly(
                        "WARNING leaf0: refused the table of epoch " + epoch + ": it says no; it is to greet again");
        assertThat(fabric.notes(Kind.AGENT_REFUSED)).isEmpty();
        assertThat(record(leaf).pushInFlight()).isFalse();
        assertThat(record(leaf).heldEntries()).as("what it says").isZero();
    }

    /** All in the moment it is flagged, before its session has ended. */
    @Test
    void shouldGoOnWithoutWhoDoesNotAnswer() {
        leavePushUnderWay(leaf, other);
        fabric.pass(SimulatedFabric.RULES.ackTimeoutNanos() * 3);
        List<Effect> effects = new ArrayList<>();
        fabric.now = fabric.step.nextDeadline();

        fabric.step.accept(new TimePassed(fabric.now), effects);
        fabric.step.settle(fabric.now, effects);

        assertThat(effects)
                .contains(new Effect.Dismiss(
                        fabric.session(leaf), DismissReason.NOT_ACKNOWLEDGING, "table not acknowledged in 3 tries"))
                .anyMatch(effect ->
                        effect instanceof Effect.Tell tell && tell.note().kind() == Kind.EPOCH_COMPLETE);
        assertThat(record(leaf).pushInFlight()).isFalse();
        assertThat(fabric.state.outstanding()).isZero();
        assertThat(fabric.state.alarmCount(Alarm.Kind.AGENT_FLAGGED)).isEqualTo(1);
        assertThat(fabric.step.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    }

    /** Nothing was dealt: healing waits for a slow disk for 20 ms and not longer. */
    @Test
    void shouldNotWaitLongForASlowDisk() {
        fabric.diskTakes = false;
        int before = fabric.log.size();
        fabric.setCable(other, false, true);
        fabric.work();
        assertThat(fabric.step.nextDeadline()).isEqualTo(fabric.now + 20 * MILLI);
        fabric.pass(19 * MILLI);
        assertThat(pushes(before, leaf)).isEmpty();

        fabric.pass(MILLI);

        assertThat(pushes(before, leaf)).hasSize(1);
        assertThat(fabric.state.outstanding()).isZero();
    }
}
