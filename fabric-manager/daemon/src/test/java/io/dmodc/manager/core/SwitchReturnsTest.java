package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricView;
import java.util.List;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One switch that comes and goes, or says something else of itself each time: few epochs and one alarm, and nobody sends into it while it is gone. */
class SwitchReturnsTest {
    private static final long MILLI = SimulatedFabric.MILLI;
    private static final long SECOND = 1000 * MILLI;

    /** The acknowledgement timeout doubled up to a minute: at 0, 1, 3, 7, 15, 31, 63 s, then once in 60 s. */
    private static final int HEARD_IN_TEN_MINUTES = 7 + 9;

    private final SimulatedFabric fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1");
    private final long leaf = fabric.guid("leaf0");
    private final long middle = fabric.guid("l2s0");
    private long before;

    @BeforeEach
    void start() {
        fabric.start();
        fabric.comparesSnapshots = false;
        before = fabric.state.epoch();
    }

    private SwitchRecord record(long guid) {
        return Objects.requireNonNull(fabric.state.findSwitch(guid));
    }

    /** One word each 100 ms for ten minutes. */
    private long epochsOfTenMinutes(IntConsumer word) {
        for (int i = 0; i < 6_000; i++) {
            word.accept(i);
            fabric.work();
            fabric.pass(100 * MILLI);
        }
        return fabric.state.epoch() - before;
    }

    /** It has no table each time, and takes none. */
    private void endsOrBegins(long guid, int i) {
        fabric.deaf.add(guid);
        fabric.held.remove(guid);
        if (i % 2 == 0) {
            fabric.leave(guid);
        } else {
            fabric.join(guid);
        }
    }

    private boolean isDrawnAlive(long guid) {
        FabricView view = Objects.requireNonNull(fabric.state.view());
        return view.alive(view.switchOf(guid));
    }

    @Test
    void shouldMakeFewEpochsOfALeafWhoseSessionEndsEachTime() {
        assertThat(epochsOfTenMinutes(i -> endsOrBegins(leaf, i))).isBetween(5L, 2L * HEARD_IN_TEN_MINUTES);
    }

    @Test
    void shouldMakeFewEpochsOfASwitchAboveWhoseSessionEndsEachTime() {
        assertThat(epochsOfTenMinutes(i -> endsOrBegins(middle, i))).isBetween(5L, 2L * HEARD_IN_TEN_MINUTES);
    }

    /** Its session is back before the tables are there that lead around it. */
    @Test
    void shouldMakeFewEpochsOfASessionThatIsBackWhileTheyAreComputed() {
        fabric.deaf.add(leaf);
        fabric.held.remove(leaf);
        fabric.leave(leaf);
        fabric.join(leaf);
        fabric.work();
        long epochs = epochsOfTenMinutes(i -> {
            fabric.holdComputations = true;
            fabric.leave(leaf);
            fabric.work();
            fabric.join(leaf);
            fabric.work();
            if (fabric.state.computing()) {
                fabric.finishComputation(false);
            }
        });

        assertThat(epochs).isBetween(5L, 3L * HEARD_IN_TEN_MINUTES);
    }

    @Test
    void shouldMakeAnEpochInAMinuteOfASwitchThatIsCalledOtherwiseInEachHello() {
        long epochs = epochsOfTenMinutes(i -> {
            int ports = fabric.metal.portCount(leaf);
            fabric.metal.apply(new SwitchSeen(leaf, "another" + i, ports));
            fabric.join(leaf);
        });

        assertThat(epochs).isBetween(5L, (long) HEARD_IN_TEN_MINUTES);
        fabric.pass(61 * SECOND);
        FabricView view = Objects.requireNonNull(fabric.state.view());
        assertThat(view.switchName(view.switchOf(leaf))).isEqualTo("another5999");
    }

    /** Each time its links go at once, and come with its ports. */
    @Test
    void shouldMakeFewEpochsOfASwitchWithAnotherNumberOfPortsInEachHello() {
        long epochs = epochsOfTenMinutes(i -> {
            fabric.saidPortCounts.put(middle, fabric.metal.portCount(middle) - i % 2);
            fabric.join(middle);
        });

        assertThat(epochs).isBetween(5L, 2L * HEARD_IN_TEN_MINUTES);
        assertThat(fabric.notes(Kind.AGENT_REFUSED)).hasSizeLessThan(2 * HEARD_IN_TEN_MINUTES);
        fabric.saidPortCounts.clear();
        fabric.pass(61 * SECOND);
        fabric.join(middle);
        fabric.calm();
        assertThat(record(middle).portCount).isEqualTo(fabric.metal.portCount(middle));
        assertThat(record(middle).upToDate()).isTrue();
    }

    /** Whenever in its comings and goings it dies, it is led around with the same batch. */
    @Test
    void shouldNeverPutOffThatASwitchIsGone() {
        for (int flaps = 1; flaps <= 12; flaps++) {
            SimulatedFabric another = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1").start();
            another.comparesSnapshots = false;
            for (int i = 0; i < flaps; i++) {
                dies(another);
                assertThat(Objects.requireNonNull(another.state.view())
                                .alive(another.state.view().switchOf(middle)))
                        .as("drawn after death %d of %d", i, flaps)
                        .isFalse();
                assertThat(another.state.computing()).isFalse();
                another.held.remove(middle);
                another.setLinks(middle, true, true);
                another.join(middle);
                another.work();
                another.pass((i + flaps) * 700L % 5_000 * MILLI);
            }
        }
    }

    private void dies(SimulatedFabric of) {
        of.leave(middle);
        of.setLinks(middle, false, true);
        of.work();
    }

    @Test
    void shouldUseASwitchAtOnceThatReturnsOnce() {
        dies(fabric);
        assertThat(isDrawnAlive(middle)).isFalse();

        fabric.pass(10 * SECOND);
        fabric.setLinks(middle, true, true);
        fabric.join(middle);
        fabric.work();

        assertThat(isDrawnAlive(middle)).isTrue();
        assertThat(fabric.state.computing()).isFalse();
        assertThat(fabric.state.alarmCount(Alarm.Kind.SWITCH_FLAPS)).isZero();
    }

    /** It is put off, and any other view that is drawn meanwhile has it. */
    @Test
    void shouldUseASwitchThatIsPutOffOnceThereIsOtherNews() {
        for (int i = 0; i < 40; i++) {
            endsOrBegins(middle, i);
            fabric.work();
            fabric.pass(100 * MILLI);
        }
        assertThat(record(middle).reachable()).isTrue();
        assertThat(isDrawnAlive(middle)).isFalse();

        fabric.setCable(fabric.cableAt(fabric.guid("leaf4")), false, true);
        fabric.work();

        assertThat(isDrawnAlive(middle)).isTrue();
    }

    /** It forwards by a table that is known, with an agent or without. */
    @Test
    void shouldUseASwitchThatIsPutOffThoughItsAgentLeavesBeforeItIsHeard() {
        byte[] table = Objects.requireNonNull(fabric.held.get(middle));
        fabric.deaf.add(middle);
        int returns = 0;
        do {
            assertThat(++returns).as("not put off").isLessThan(40);
            fabric.held.remove(middle);
            comesAndGoes();
            assertThat(isDrawnAlive(middle)).isFalse();
            fabric.held.put(middle, table);
            comesAndGoes();
        } while (isDrawnAlive(middle));
        assertThat(fabric.state.cabling().alive(middle)).isTrue();

        fabric.pass(61 * SECOND);

        assertThat(isDrawnAlive(middle)).isTrue();
    }

    /** All that it says while tables are computed, for longer than the acknowledgement timeout, is in the one view that is drawn then. */
    @Test
    void shouldCountWhatOneViewHasAsOneReturn() {
        int ports = fabric.metal.portCount(middle);
        for (String other : List.of("leaf1", "leaf2", "leaf4")) {
            fabric.holdComputations = true;
            fabric.setCable(fabric.cableAt(fabric.guid(other)), false, true);
            fabric.work();
            assertThat(fabric.state.computing()).isTrue();
            for (String name : List.of("a", "b", "c")) {
                fabric.metal.apply(new SwitchSeen(middle, other + name, ports));
                fabric.join(middle);
                fabric.work();
                fabric.pass(5 * SECOND);
            }
            before = fabric.state.epoch();
            fabric.finishComputation(false);
            assertThat(fabric.state.epoch() - before).isEqualTo(1);
        }

        assertThat(fabric.state.alarmCount(Alarm.Kind.SWITCH_FLAPS)).isZero();
        assertThat(isDrawnAlive(middle)).isTrue();
    }

    private void comesAndGoes() {
        fabric.join(middle);
        fabric.work();
        fabric.leave(middle);
        fabric.work();
        fabric.pass(100 * MILLI);
    }

    @Test
    void shouldNameASwitchThatComesAndGoesInOneAlarmUntilItIsQuiet() {
        for (int i = 0; i < 200; i++) {
            endsOrBegins(leaf, i);
            fabric.work();
            fabric.pass(100 * MILLI);
        }
        fabric.deaf.clear();
        fabric.pass(60 * SECOND);

        assertThat(fabric.state.alarms())
                .filteredOn(alarm -> alarm.kind() == Alarm.Kind.SWITCH_FLAPS)
                .singleElement()
                .satisfies(alarm -> assertThat(alarm.text()).startsWith("leaf0: its agent comes and goes"));

        fabric.pass(181 * SECOND);
        assertThat(fabric.state.alarms()).isEmpty();
    }
}
