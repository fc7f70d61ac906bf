package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Effect.TableUpdate;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.Persisted;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.FabricEvent.RefusalReason;
import io.dmodc.manager.core.FabricEvent.TableAcked;
import io.dmodc.manager.core.FabricEvent.TableRefused;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.routing.LftRow;
import io.dmodc.southbound.TableDigest;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.Host;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A switch whose forwarding plane does not take a table, or takes it late, holds what its agent says, and no more is believed. */
class RefusedTableTest {
    private static final long MILLI = SimulatedFabric.MILLI;

    /** One spine, joined to each leaf by two cables. */
    private final SimulatedFabric fabric = new SimulatedFabric("2;2,3;1,1;1,2").start();

    private final long spine = fabric.guid("l2s0");
    private final byte[] before = Objects.requireNonNull(fabric.tablesHeld().get(spine));
    private final Cable cable = fabric.cableAt(spine);

    private SwitchRecord record() {
        return Objects.requireNonNull(fabric.state.findSwitch(spine));
    }

    private TableUpdate lastPush() {
        return fabric.log.stream()
                .filter(Effect.Push.class::isInstance)
                .map(effect -> ((Effect.Push) effect).update())
                .filter(update -> update.guid() == spine)
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    private void refuse() {
        TableUpdate update = Objects.requireNonNull(record().inFlight).update();
        byte[] held = Objects.requireNonNull(fabric.held.get(spine));
        fabric.send(new TableRefused(
                fabric.now,
                fabric.session(spine),
                spine,
                update.fabricEpoch(),
                RefusalReason.OTHER,
                "plane failed",
                new HeldTable(1, record().ackedEpoch(), held.length, TableDigest.of(held))));
        fabric.work();
    }

    private void pushWithoutAnAnswer() {
        fabric.deaf.add(spine);
        fabric.setCable(cable, false, true);
        fabric.work();
    }

    private void assertForwardsAsBefore() {
        assertThat(record().condition()).isEqualTo(Condition.HEADLESS);
        assertThat(record().possibleRows()).extracting(LftRow::toBytes).containsExactly(before);
        assertThat(fabric.state.cabling().alive(spine)).isTrue();
        assertThat(fabric.state.cutOff()).isEmpty();
    }

    @Test
    void shouldStillKnowTheTableOfASwitchThatRefusedAnother() {
        pushWithoutAnAnswer();
        refuse();

        fabric.leave(spine);
        fabric.pass(3_000 * MILLI);

        assertForwardsAsBefore();
    }

    @Test
    void shouldStillKnowTheTableOfASwitchThatRefusedAllTries() {
        pushWithoutAnAnswer();
        for (int tries = 1; tries <= SimulatedFabric.RULES.pushTries(); tries++) {
            while (Objects.requireNonNull(record().inFlight).refused()) {
                fabric.pass(10 * MILLI);
            }
            refuse();
        }
        fabric.calm();

        assertThat(record().agentConnected()).as("dismissed").isFalse();
        assertThat(record().flagged()).isTrue();
        assertForwardsAsBefore();
    }

    @Test
    void shouldSendTheWholeTableAfterADifferenceWasRefused() {
        pushWithoutAnAnswer();
        assertThat(lastPush().complete()).isFalse();

        refuse();
        fabric.deaf.clear();
        fabric.calm();

        assertThat(lastPush().complete()).isTrue();
        assertThat(record().upToDate()).isTrue();
        fabric.setCable(cable, true, true);
        fabric.pass(60_000 * MILLI);
        assertThat(lastPush().complete()).as("it takes tables again").isFalse();
    }

    /** The table wanted by now has a host whose index is not on the disk. */
    @Test
    void shouldNotSendAgainWhatIsNotKeptYet() {
        pushWithoutAnAnswer();
        refuse();
        fabric.deaf.clear();
        fabric.diskTakes = false;
        long leaf = fabric.guid("leaf0");
        PortSeen claim = new PortSeen(leaf, 1, true, new ToHost(new Host(0x99, 0x98, 1, "newcomer")));
        fabric.metal.apply(claim);
        fabric.send(new PortsReported(fabric.now, fabric.session(leaf), leaf, false, List.of(claim)));

        fabric.pass(5_000 * MILLI);
        int index = fabric.state.nodeIndex(0x99);
        assertThat(fabric.disk.all(NodeIndex.class)).noneMatch(node -> node.index() == index);
        assertThat(fabric.held.get(spine)).hasSizeLessThanOrEqualTo(index);

        fabric.send(new Persisted(fabric.now, fabric.state.records.lastNumber()));
        fabric.calm();
        assertThat(fabric.held.get(spine)).hasSizeGreaterThan(index);
    }

    /** The plane took its time, the session broke, and the tables of before are wanted again when the other one is in force. */
    @Test
    void shouldAskAnAgentAgainThatAcknowledgesWhatItsLastSessionWasSent() {
        pushWithoutAnAnswer();
        TableUpdate late = lastPush();
        fabric.leave(spine);
        fabric.work();
        fabric.deaf.clear();
        fabric.setCable(cable, true, true);
        fabric.pass(60_000 * MILLI);
        fabric.join(spine);
        fabric.calm();
        assertThat(record().upToDate()).isTrue();

        fabric.held.put(spine, late.row().toBytes());
        fabric.send(new TableAcked(fabric.now, fabric.session(spine), spine, late.fabricEpoch(), late.resultDigest()));
        fabric.work();

        assertThat(record().upToDate()).isFalse();
        assertThat(fabric.log)
                .filteredOn(Effect.Dismiss.class::isInstance)
                .singleElement()
                .satisfies(
                        dismiss -> assertThat(((Effect.Dismiss) dismiss).text()).startsWith("greet again: "));
        fabric.join(spine);
        fabric.calm();
        assertThat(record().upToDate()).isTrue();
        assertThat(fabric.held.get(spine)).isEqualTo(before);
    }

    /** The same answer twice, as after a push that was repeated. */
    @Test
    void shouldTakeAnAnswerThatComesTwice() {
        pushWithoutAnAnswer();
        TableUpdate update = lastPush();
        fabric.held.put(spine, update.row().toBytes());
        for (int i = 0; i < 2; i++) {
            fabric.send(new TableAcked(
                    fabric.now, fabric.session(spine), spine, update.fabricEpoch(), update.resultDigest()));
            fabric.work();
        }

        assertThat(record().upToDate()).isTrue();
        assertThat(fabric.count(Effect.Dismiss.class)).isZero();
    }
}
