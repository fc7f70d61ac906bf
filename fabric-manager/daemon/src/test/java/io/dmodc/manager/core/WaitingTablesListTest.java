package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.WaitingTables.Waiting;
import io.dmodc.topology.FabricView;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Who waits for whom, as an operator is told while a switch does not answer. */
class WaitingTablesListTest {
    private final SimulatedFabric fabric = new SimulatedFabric("3;4,4,4;1,4,4;1,1,1").start();
    private final FabricView view = fabric.whole();

    private long above() {
        int s = 0;
        while (view.rank(s) != 1) {
            s++;
        }
        return view.switchGuid(s);
    }

    private WaitingTables waiting() {
        return fabric.state.snapshot().waiting();
    }

    /** It comes back without a table, and does not answer the one it is sent. */
    private long returnsSilent() {
        long guid = above();
        fabric.leave(guid);
        fabric.setLinks(guid, false, true);
        fabric.calm();
        fabric.held.remove(guid);
        fabric.setLinks(guid, true, true);
        fabric.pass(120_000 * SimulatedFabric.MILLI);
        fabric.calm();
        fabric.holdPushes = true;
        fabric.join(guid);
        fabric.work();
        fabric.pass(250 * SimulatedFabric.MILLI);
        fabric.work();
        return guid;
    }

    private void takeAllBut(long silent) {
        for (int taken = 1; taken > 0; ) {
            taken = 0;
            for (Effect.Push push : List.copyOf(fabric.heldPushes)) {
                if (push.update().guid() != silent) {
                    fabric.take(push);
                    taken++;
                }
            }
            fabric.work();
        }
    }

    @Test
    void shouldNameNobodyWhileNobodyWaits() {
        assertThat(waiting().switchCount()).isZero();
        assertThat(waiting().switches()).isEmpty();
        assertThat(waiting().awaited()).isEmpty();
        assertThat(fabric.state.snapshot().awaited()).isEmpty();
    }

    @Test
    void shouldNameWhoWaitsForASwitchThatDoesNotAnswer() {
        long silent = returnsSilent();
        takeAllBut(silent);

        WaitingTables waiting = waiting();

        assertThat(waiting.switchCount()).isPositive();
        assertThat(waiting.epoch())
                .isEqualTo(Objects.requireNonNull(fabric.state.tables()).epoch());
        assertThat(waiting.awaitedCount()).isEqualTo(1);
        assertThat(fabric.state.snapshot().awaited()).containsExactly(silent);
        assertThat(waiting.awaited().get(0).who().guid()).isEqualTo(silent);
        assertThat(waiting.awaited().get(0).switchCount()).isEqualTo(waiting.switchCount());
        long entries = 0;
        for (Waiting it : waiting.switches()) {
            assertThat(it.round()).isEqualTo(2);
            assertThat(it.awaited()).extracting(SwitchSnapshot::guid).containsExactly(silent);
            assertThat(it.entries()).isPositive();
            assertThat(it.sinceMillis()).isEqualTo(waiting.switches().get(0).sinceMillis());
            assertThat(Objects.requireNonNull(fabric.state.switches.get(it.guid()))
                            .due
                            .get(0)
                            .round())
                    .isEqualTo(2);
            entries += it.entries();
        }
        assertThat(entries).isEqualTo(waiting.entryCount());
    }

    @Test
    void shouldNameNobodyOnceItHasAnswered() {
        long silent = returnsSilent();
        takeAllBut(silent);
        assertThat(waiting().switchCount()).isPositive();

        takeAllBut(0);

        assertThat(waiting().switchCount()).isZero();
        assertThat(fabric.state.snapshot().awaited()).isEmpty();
        assertThat(fabric.heldPushes).isEmpty();
    }
}
