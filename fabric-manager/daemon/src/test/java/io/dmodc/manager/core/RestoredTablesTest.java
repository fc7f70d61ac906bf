package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.state.StateRecord.HeldTable;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.routing.LftRow;
import io.dmodc.southbound.TableDigest;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a manager knows of tables right after its start, before any agent has come in. */
class RestoredTablesTest {
    private final SimulatedFabric fabric = new SimulatedFabric("2;2,4;1,2;1,1").start();
    private final long leaf = fabric.guid("leaf0");
    private final long spine = fabric.guid("l2s0");
    private final Cable cable = Degradation.cables(fabric.whole()).stream()
            .filter(it -> it.guid() != leaf && it.farGuid() == spine)
            .findFirst()
            .orElseThrow();

    private static SwitchRecord record(SimulatedFabric site, long guid) {
        return Objects.requireNonNull(site.state.findSwitch(guid));
    }

    private static List<byte[]> possible(SimulatedFabric site, long guid) {
        return record(site, guid).possibleRows().stream().map(LftRow::toBytes).toList();
    }

    private HeldTable kept(long guid) {
        return fabric.disk.all(HeldTable.class).stream()
                .filter(held -> held.guid() == guid)
                .findFirst()
                .orElseThrow();
    }

    private SimulatedFabric startedAlone() {
        SimulatedFabric next = fabric.restarted();
        next.work();
        return next;
    }

    @Test
    void shouldKnowTheRowsThatWereAcknowledged() {
        SimulatedFabric next = startedAlone();

        fabric.held.forEach((guid, row) -> {
            assertThat(possible(next, guid)).singleElement().isEqualTo(row);
            assertThat(record(next, guid).upToDate())
                    .as("nothing is wanted yet")
                    .isFalse();
        });
        assertThat(next.count(Effect.Compute.class)).isEqualTo(1);
        assertThat(next.state.epochs()).isEmpty();
    }

    /** Its answer to its first table was not written down; if the table never came there, it forwards nothing. */
    @Test
    void shouldTakeTheFirstTableForHeldThatNobodyWroteDown() {
        fabric.disk.apply(new Removed(kept(spine).key()));

        SimulatedFabric next = startedAlone();

        byte[] row = Objects.requireNonNull(fabric.held.get(spine));
        assertThat(possible(next, spine)).singleElement().isEqualTo(row);
        assertThat(record(next, spine).heldEntries()).isEqualTo(row.length);
        assertThat(record(next, spine).ackedDigest()).isEqualTo(TableDigest.of(row));
    }

    /** The answer to the one before was: it holds that one, whose content nobody knows, or the last. */
    @Test
    void shouldNotKnowWhichOfTwoTablesIsHeldWhenTheLastAnswerWasNotWrittenDown() {
        HeldTable before = kept(spine);
        fabric.setCable(cable, false, true);
        fabric.calm();
        fabric.disk.apply(before);

        SimulatedFabric next = startedAlone();

        byte[] row = Objects.requireNonNull(fabric.held.get(spine));
        assertThat(possible(next, spine)).singleElement().isEqualTo(row);
        assertThat(record(next, spine).heldRow()).as("not acknowledged").isNull();
        assertThat(record(next, spine).ackedDigest()).isEqualTo(before.digest());
    }

    /** The tables of the others were made for what the headless one holds, which cannot be computed again. */
    @Test
    void shouldComputeTheLastTablesWithTheOlderRowsOfThatTime() {
        byte[] older = Objects.requireNonNull(fabric.held.get(leaf)).clone();
        int index = Objects.requireNonNull(fabric.state.view()).switchOf(leaf);
        fabric.leave(leaf);
        fabric.calm();
        fabric.setCable(cable, false, true);
        fabric.calm();

        SimulatedFabric next = startedAlone();

        assertThat(next.log)
                .filteredOn(Effect.Compute.class::isInstance)
                .map(effect -> ((Effect.Compute) effect).frozenRows())
                .singleElement()
                .satisfies(frozen -> {
                    assertThat(frozen).containsOnlyKeys(index);
                    assertThat(frozen.values().iterator().next())
                            .singleElement()
                            .satisfies(row -> assertThat(row.toBytes()).isEqualTo(older));
                });
        assertThat(index).as("the first of all").isZero();
        assertThat(possible(next, leaf)).anyMatch(row -> Arrays.equals(row, older));
    }

    /** A switch that was dead has no table in them, and holds nothing for all that is known. */
    @Test
    void shouldKnowNoTableOfASwitchThatWasDead() {
        fabric.leave(spine);
        fabric.setLinks(spine, false, true);
        fabric.calm();

        SimulatedFabric next = startedAlone();

        assertThat(record(next, spine).heldEntries()).isZero();
        assertThat(possible(next, spine)).allSatisfy(row -> assertThat(row).isEmpty());
    }
}
