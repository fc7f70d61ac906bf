package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.manager.state.StateRecord.ExpectedSwitch;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Seeded histories of cuts, deaths, returns, forgetting and restarts; after each step the alarms are what an obvious
 * comparison of the whole inventory with the whole cabling finds, and a restart brings the same ones.
 * {@code -Dhistories=N}: the first N of them, for whoever runs them again and again.
 */
class AlarmHistoryTest {
    private static final int STEPS = 40;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Math.min(60, Integer.getInteger("histories", 60)));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldHaveExactlyTheAlarmsThatAnObviousComparisonFinds(long seed) {
        Random random = new Random(seed);
        SimulatedFabric fabric = new SimulatedFabric(random.nextBoolean() ? "2;3,4;1,2;1,2" : "3;2,2,2;1,2,2;1,1,1");
        fabric.start();
        List<Long> guids = guids(fabric);
        for (int step = 0; step < STEPS; step++) {
            if (random.nextInt(8) == 0) {
                List<Alarm> before = List.copyOf(fabric.state.alarms());
                fabric = restarted(fabric, guids);
                assertThat(fabric.state.alarms())
                        .as("seed %d step %d: numbers and times outlive a restart", seed, step)
                        .extracting(alarm -> alarm.id() + " " + alarm.sinceMillis())
                        .containsAll(before.stream()
                                .filter(alarm ->
                                        alarm.kind() == Alarm.Kind.LINK_DOWN || alarm.kind() == Alarm.Kind.HOST_DOWN)
                                .map(alarm -> alarm.id() + " " + alarm.sinceMillis())
                                .toList());
            } else {
                disturb(fabric, guids.get(random.nextInt(guids.size())), random);
                fabric.calm();
            }
            assertThat(told(fabric)).as("seed %d step %d", seed, step).isEqualTo(obvious(fabric));
            assertThat(Inventory.of(fabric.disk.all(ExpectedSwitch.class)).linkCount())
                    .as("seed %d step %d: what is stored", seed, step)
                    .isEqualTo(fabric.state.inventory().linkCount());
        }
    }

    private static List<Long> guids(SimulatedFabric fabric) {
        FabricView view = fabric.whole();
        List<Long> guids = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            guids.add(view.switchGuid(s));
        }
        return guids;
    }

    private static SimulatedFabric restarted(SimulatedFabric fabric, List<Long> guids) {
        SimulatedFabric next = fabric.restarted();
        guids.stream().filter(guid -> fabric.session(guid) != 0).forEach(next::join);
        next.calm();
        return next;
    }

    private static void disturb(SimulatedFabric fabric, long guid, Random random) {
        int port = 1 + random.nextInt(fabric.metal.portCount(guid));
        Neighbour far = fabric.metal.neighbour(guid, port);
        switch (random.nextInt(7)) {
            case 0, 1, 2 -> {
                boolean up = random.nextBoolean();
                if (far instanceof ToSwitch to) {
                    fabric.setCable(new Cable(guid, port, to.guid(), to.port()), up, true);
                } else if (far instanceof ToHost) {
                    fabric.setPort(guid, port, up, true);
                }
            }
            case 3 -> {
                fabric.leave(guid);
                fabric.setLinks(guid, false, true);
            }
            case 4 -> fabric.leave(guid);
            case 5 -> {
                if (fabric.session(guid) == 0) {
                    fabric.setLinks(guid, true, true);
                    fabric.join(guid);
                }
            }
            default ->
                fabric.send(new FabricEvent.ActAsked(
                        fabric.now,
                        Act.forget(List.of(
                                far instanceof ToHost to && random.nextBoolean()
                                        ? new Forgettable.HostPort(to.host().portGuid())
                                        : random.nextBoolean()
                                                ? new Forgettable.SwitchGuid(guid)
                                                : new Forgettable.CableAt(guid, port))),
                        0,
                        "ada",
                        ""));
        }
    }

    private static Set<String> told(SimulatedFabric fabric) {
        Set<String> told = new TreeSet<>();
        fabric.state.alarms().stream()
                .filter(alarm -> alarm.kind() != Alarm.Kind.LEAF_CUT_OFF
                        && alarm.kind() != Alarm.Kind.PAIRS_LOST
                        && alarm.kind() != Alarm.Kind.EPOCH_REFUSED
                        && alarm.kind() != Alarm.Kind.PUSHES_HELD)
                .forEach(alarm -> told.add(alarm.kind() + " " + alarm.guid() + " " + alarm.port()));
        return told;
    }

    /** Every switch and port of the inventory, one by one. */
    private static Set<String> obvious(SimulatedFabric fabric) {
        FabricState state = fabric.state;
        Set<String> found = new TreeSet<>();
        for (long guid : state.inventory().switchGuids()) {
            SwitchRecord record = state.findSwitch(guid);
            if (record == null) {
                found.add(Alarm.Kind.SWITCH_MISSING + " " + guid + " 0");
            } else if (record.condition() != Condition.CONNECTED) {
                Alarm.Kind kind = record.condition() == Condition.DEAD
                        ? Alarm.Kind.SWITCH_DEAD
                        : record.awaited ? Alarm.Kind.SWITCH_MISSING : Alarm.Kind.SWITCH_HEADLESS;
                found.add(kind + " " + guid + " 0");
            }
            for (int port = 1; port <= state.inventory().portCount(guid); port++) {
                Neighbour expected = state.inventory().expected(guid, port);
                boolean lower = expected instanceof ToSwitch to && Long.compareUnsigned(guid, to.guid()) < 0;
                if ((expected instanceof ToHost || lower) && !works(state, guid, port)) {
                    found.add((lower ? Alarm.Kind.LINK_DOWN : Alarm.Kind.HOST_DOWN) + " " + guid + " " + port);
                }
            }
        }
        return found;
    }

    private static boolean works(FabricState state, long guid, int port) {
        if (state.findSwitch(guid) == null
                || !state.cabling().alive(guid)
                || !state.cabling().saysUp(guid, port)) {
            return false;
        }
        Neighbour far = state.cabling().neighbour(guid, port);
        return far instanceof ToHost
                || (far instanceof ToSwitch to
                        && state.findSwitch(to.guid()) != null
                        && state.cabling().alive(to.guid())
                        && state.cabling().saysUp(to.guid(), to.port())
                        && new ToSwitch(guid, port).equals(state.cabling().neighbour(to.guid(), to.port())));
    }
}
