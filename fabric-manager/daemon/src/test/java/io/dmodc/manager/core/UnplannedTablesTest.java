package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.TableAcked;
import io.dmodc.manager.core.FabricEvent.TableLost;
import io.dmodc.manager.state.StateRecord.KeptEpoch;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.List;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One agent that says again and again that its switch holds something else: nobody else waits, and it makes an epoch in a minute at most. */
class UnplannedTablesTest {
    private static final long MILLI = SimulatedFabric.MILLI;
    private static final long SECOND = 1000 * MILLI;
    private static final HeldTable NOTHING = new HeldTable(0, 0, 0, 0);

    /** The acknowledgement timeout doubled up to a minute: at 0, 1, 3, 7, 15, 31, 63 s, then once in 60 s. */
    private static final int EPOCHS_OF_TEN_MINUTES = 7 + 9;

    private final SimulatedFabric fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1");
    private final List<Cable> cables = Degradation.cables(fabric.whole());
    private final long liar = fabric.guid("leaf0");
    private final long honest = fabric.guid("leaf3");
    private long before;

    @BeforeEach
    void start() {
        fabric.start();
        fabric.comparesSnapshots = false;
        fabric.deaf.add(liar);
        before = fabric.state.epoch();
    }

    private SwitchRecord record(long guid) {
        return Objects.requireNonNull(fabric.state.findSwitch(guid));
    }

    private HeldTable another(int i) {
        return new HeldTable(0, 1, record(liar).ackedEntries + 1 + i % 2, 1 + i);
    }

    private void lost(HeldTable held) {
        fabric.send(new TableLost(fabric.now, fabric.session(liar), liar, held));
        fabric.work();
    }

    /** Some word each 100 ms for ten minutes. */
    private long epochsOfTenMinutes(IntConsumer word) {
        for (int i = 0; i < 6_000; i++) {
            word.accept(i);
            fabric.pass(100 * MILLI);
        }
        return fabric.state.epoch() - before;
    }

    private void ackAll() {
        SwitchRecord record = record(liar);
        if (record.inFlight != null && !record.inFlight.refused()) {
            Effect.TableUpdate update = record.inFlight.update();
            fabric.send(new TableAcked(
                    fabric.now, fabric.session(liar), liar, update.fabricEpoch(), update.resultDigest()));
            fabric.work();
        }
    }

    @Test
    void shouldMakeABoundedNumberOfEpochsOfLossesInABurst() {
        for (int i = 0; i < 2_000; i++) {
            lost(i % 2 == 0 ? NOTHING : another(i));
        }

        assertThat(fabric.state.epoch() - before).isLessThanOrEqualTo(1);
    }

    @Test
    void shouldMakeAnEpochInAMinuteOfAnAgentThatLosesItsTableAlways() {
        long epochs = epochsOfTenMinutes(i -> {
            lost(i % 2 == 0 ? NOTHING : another(i));
            ackAll();
        });

        assertThat(epochs).isBetween(5L, (long) EPOCHS_OF_TEN_MINUTES);
    }

    /** A newer agent of the switch takes over each time, so that no session ends before. */
    @Test
    void shouldMakeAnEpochInAMinuteOfAnAgentThatGreetsWithAnotherTableEachTime() {
        long epochs = epochsOfTenMinutes(i -> {
            fabric.held.put(liar, i % 2 == 0 ? new byte[0] : new byte[] {1, (byte) i});
            fabric.join(liar);
            fabric.work();
        });

        assertThat(epochs).isBetween(5L, (long) EPOCHS_OF_TEN_MINUTES);
    }

    /** Also one that truly loses each table, whatever else it said before, gets one after a minute at the latest. */
    @Test
    void shouldNeverLeaveASwitchWithoutATableForLongerThanAMinute() {
        fabric.deaf.remove(liar);
        long without = 0;
        long longest = 0;
        for (int i = 0; i < 12_000; i++) {
            fabric.held.remove(liar);
            lost(i % 2 == 0 ? NOTHING : another(i));
            if (i % 50 == 49) {
                fabric.leave(liar);
                fabric.join(liar);
                fabric.work();
            }
            without = fabric.held.containsKey(liar) ? 0 : without + 100;
            fabric.pass(100 * MILLI);
            longest = Math.max(longest, without);
        }

        assertThat(longest).isLessThanOrEqualTo(61_000);
    }

    @Test
    void shouldServeAllOthersMeanwhile() {
        for (int i = 0; i < 200; i++) {
            lost(i % 2 == 0 ? NOTHING : another(i));
            fabric.pass(100 * MILLI);
        }
        Cable elsewhere = cables.stream()
                .filter(cable -> cable.guid() == honest || cable.farGuid() == honest)
                .findFirst()
                .orElseThrow();

        fabric.setCable(elsewhere, false, true);
        fabric.work();

        assertThat(record(honest).upToDate()).isTrue();
        assertThat(record(honest).ackedEpoch).isEqualTo(fabric.state.epoch());
    }

    @Test
    void shouldKeepTheHistoryOfEpochsWithOtherTables() {
        fabric.setCable(cables.get(5), false, true);
        fabric.work();
        long cut = fabric.state.epoch();
        fabric.setCable(cables.get(5), true, true);
        fabric.pass(5 * SECOND);

        for (int minutes = 0; minutes < 6; minutes++) {
            epochsOfTenMinutes(i -> {
                lost(i % 2 == 0 ? NOTHING : another(i));
                ackAll();
            });
        }

        List<Long> kept = fabric.state.snapshot().kept().epochs().stream()
                .map(KeptEpoch::epoch)
                .toList();
        assertThat(fabric.state.epoch()).isGreaterThan(cut + 40);
        assertThat(kept).hasSizeLessThanOrEqualTo(KeptEpochs.EPOCHS_MAX).contains(cut);
    }
}
