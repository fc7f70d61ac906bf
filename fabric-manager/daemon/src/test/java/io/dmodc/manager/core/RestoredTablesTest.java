package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Effect.Method;
import io.dmodc.manager.state.StateRecord.HeldTable;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.minhop.MinHop;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a manager knows of tables right after its start, before any agent has come in. */
class RestoredTablesTest {
    private static final long MILLI = SimulatedFabric.MILLI;

    private static final RoutingEngine BROKEN = new BrokenEngine();

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

    /** Its answer to its first table was not written down. */
    @Test
    void shouldCountTheFirstTableThatNobodyWroteDown() {
        fabric.disk.apply(new Removed(kept(spine).key()));

        SimulatedFabric next = startedAlone();

        byte[] row = Objects.requireNonNull(fabric.held.get(spine));
        assertThat(possible(next, spine)).singleElement().isEqualTo(row);
        assertThat(record(next, spine).heldRow()).as("not acknowledged").isNull();
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

    private static void joinAllBut(SimulatedFabric site, long away) {
        FabricView view = site.whole();
        IntStream.range(0, view.switchCount())
                .mapToLong(view::switchGuid)
                .filter(guid -> guid != away)
                .forEach(site::join);
    }

    private static void assertNothingWritten(SimulatedFabric site) {
        assertThat(site.log)
                .filteredOn(Effect.Push.class::isInstance)
                .allSatisfy(push ->
                        assertThat(((Effect.Push) push).update().blocks()).isEmpty());
        assertThat(site.state.cutOff()).isEmpty();
    }

    private static SimulatedFabric withAnEngineThatFails(SimulatedFabric site) {
        site.state.fallBackTo("minhop");
        site.engines.put(Method.INCREMENTAL, BROKEN);
        site.engines.put(Method.FRESH, BROKEN);
        site.engines.put(Method.FALLBACK, new MinHop());
        return site;
    }

    @Test
    void shouldKnowTheTablesOfTheFallbackEngine() {
        SimulatedFabric before = withAnEngineThatFails(new SimulatedFabric("3;2,2,3;1,1,2;1,2,1"))
                .start();
        long away = before.guid("l2s0");

        SimulatedFabric next = withAnEngineThatFails(before.restarted());
        joinAllBut(next, away);
        next.calm();

        assertThat(possible(next, away)).containsExactly(before.held.get(away));
        assertNothingWritten(next);
    }

    /** What it forwards by is not known then, but it does, as its digest says, and other ways there are none. */
    @Test
    void shouldUseASwitchWhoseTableCannotBeComputedAgain() {
        SimulatedFabric before = new SimulatedFabric("3;2,2,3;1,1,2;1,2,1").start();
        long away = before.guid("l2s0");

        SimulatedFabric next = withAnEngineThatFails(before.restarted());
        next.engines.put(Method.FALLBACK, BROKEN);
        next.work();
        next.engines.clear();
        assertThat(possible(next, away)).isEmpty();

        joinAllBut(next, away);
        next.pass(40_000 * MILLI);

        assertThat(next.state.cabling().alive(away)).isTrue();
        assertNothingWritten(next);
    }

    @Test
    void shouldTryAgainFromScratchWhenTheFirstComputationFails() {
        SimulatedFabric before = new SimulatedFabric("3;2,2,3;1,1,2;1,2,1").start();
        SimulatedFabric next = before.restarted();
        next.engines.put(Method.INCREMENTAL, BROKEN);

        next.work();

        assertThat(possible(next, before.guid("l2s0"))).containsExactly(before.held.get(before.guid("l2s0")));
    }

    /** The manager ended between a push and its answer; the agent says which of the two it is, and is gone before it is told anything. */
    @Test
    void shouldKnowTheRowOfASwitchWhoseAgentCameEarlyAndWentAgain() {
        byte[] older = Objects.requireNonNull(fabric.held.get(spine)).clone();
        fabric.deaf.add(spine);
        fabric.setCable(cable, false, true);
        fabric.work();
        SimulatedFabric next = fabric.restarted();
        next.holdComputations = true;
        joinAllBut(next, 0);
        next.work();
        next.leave(spine);
        next.work();
        assertThat(next.state.cabling().alive(spine))
                .as("not judged before its table is known")
                .isTrue();

        next.finishComputation(false);
        next.calm();

        assertThat(possible(next, spine)).containsExactly(older);
        assertThat(next.state.cabling().alive(spine)).isTrue();
    }

    /** The second one knew no wanted row when it wrote down what the agent said. */
    @Test
    void shouldKnowTheRowAfterASecondRestartDuringDiscovery() {
        byte[] older = Objects.requireNonNull(fabric.held.get(spine)).clone();
        fabric.deaf.add(spine);
        fabric.setCable(cable, false, true);
        fabric.work();
        for (boolean computed : new boolean[] {true, false}) {
            SimulatedFabric first = fabric.restarted();
            first.holdComputations = !computed;
            first.join(spine);
            first.work();
            assertThat(first.state.discovering()).isTrue();

            SimulatedFabric second = first.restarted();
            joinAllBut(second, spine);
            second.calm();

            assertThat(possible(second, spine))
                    .as("tables computed %s", computed)
                    .contains(older);
        }
    }

    @Test
    void shouldNotTrustASwitchThatRebootedWhileItsTableWasComputedAgain() {
        SimulatedFabric next = fabric.restarted();
        next.holdComputations = true;
        joinAllBut(next, spine);
        next.work();
        next.setLinks(spine, false, true);
        next.work();
        next.finishComputation(false);
        next.setLinks(spine, true, true);
        next.pass(SimulatedFabric.RULES.discoveryTimeoutNanos());
        next.calm();

        assertThat(possible(next, spine)).isEmpty();
        assertThat(next.state.cabling().alive(spine)).isFalse();
    }
}
