package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.Forgettable.HostPort;
import io.dmodc.manager.loop.RowDigests;
import io.dmodc.manager.state.StateRecord.KeptEpoch;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.change.TableDifference.EpochTables;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import io.dmodc.topology.PortPlace;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long an entry is as it is: what walking through the differences says is what the tables of all kept epochs say. */
class EntryAgeTest {
    private SimulatedFabric fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1").start();

    private EpochHistory kept() {
        return fabric.state.snapshot().kept();
    }

    /** Makes the tables of every kept epoch, and compares all ages. */
    private void assertAsTheTablesSay() {
        EpochHistory history = kept();
        List<EpochTables> tables = history.epochs().stream()
                .map(kept -> Objects.requireNonNull(history.at(kept.epoch(), RowDigests.RULE)))
                .toList();
        EpochTables now = tables.get(0);
        for (int s = 0; s < now.view().switchCount(); s++) {
            long guid = now.view().switchGuid(s);
            for (int node = 0; node < now.view().nodeCount(); node++) {
                long nodeGuid = now.view().nodeGuid(node);
                EntryAge age = history.age(guid, node, nodeGuid);
                if (now.row(guid) == null) {
                    assertThat(age).isNull();
                } else if (nodeGuid != 0) {
                    assertThat(age).isEqualTo(naive(history.epochs(), tables, guid, node, nodeGuid));
                }
            }
        }
    }

    private static EntryAge naive(
            List<KeptEpoch> epochs, List<EpochTables> tables, long guid, int node, long nodeGuid) {
        int port = port(tables.get(0), guid, node);
        int same = 1;
        while (same < epochs.size()
                && means(tables.get(same).view(), node, nodeGuid)
                && port(tables.get(same), guid, node) == port) {
            same++;
        }
        return new EntryAge(epochs.get(same - 1), same == epochs.size());
    }

    /** Of a switch that did not forward then, none that a table has. */
    private static int port(EpochTables tables, long guid, int node) {
        LftRow row = tables.row(guid);
        return row == null ? -1 : node < row.entryCount() ? row.port(node) : LftSet.NO_ROUTE;
    }

    /** The index stood for this host or for none, and the host had no other. */
    private static boolean means(FabricView then, int node, long nodeGuid) {
        for (int other = 0; other < then.nodeCount(); other++) {
            boolean there = then.nodeSwitch(other) >= 0;
            if (there && (other == node) != (then.nodeGuid(other) == nodeGuid)) {
                return false;
            }
        }
        return true;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void shouldSayWhatTheTablesOfAllKeptEpochsSay(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 45; i++) {
            happens(random, 0x9000 + 100 * seed + i);
            fabric.calm();
            if (i % 5 == 4) {
                assertAsTheTablesSay();
            }
        }
        assertThat(kept().epochs().size()).isGreaterThan(5);
    }

    private void happens(SplittableRandom random, long fresh) {
        List<Cable> cables = Degradation.cables(fabric.whole());
        long guid = guids().get(random.nextInt(guids().size()));
        long leaf = fabric.guid("leaf" + random.nextInt(6));
        int port = 1 + random.nextInt(2);
        switch (random.nextInt(8)) {
            case 0 -> {
                fabric.leave(guid);
                fabric.setLinks(guid, false, true);
            }
            case 1 -> {
                fabric.setLinks(guid, true, true);
                guids().stream().filter(it -> fabric.session(it) == 0).forEach(fabric::join);
            }
            case 2 -> plug(leaf, port, new Host(fresh, fresh, 1, "x" + fresh));
            case 3 -> {
                PortSeen out = new PortSeen(leaf, port, false, null);
                ToHost to = fabric.metal.claim(leaf, port) instanceof ToHost host ? host : null;
                fabric.metal.apply(out);
                fabric.setPort(leaf, port, false, true);
                fabric.calm();
                if (to != null) {
                    act(Act.forget(List.of(new HostPort(to.host().portGuid()))));
                }
            }
            case 4 -> act(new Act(Act.Verb.DRAIN, List.of(new PortPlace(guid, 0)), ""));
            case 5 ->
                fabric.state
                        .snapshot()
                        .intent()
                        .drained()
                        .forEach(place -> act(new Act(Act.Verb.UNDRAIN, List.of(place), "")));
            default -> fabric.setCable(cables.get(random.nextInt(cables.size())), random.nextBoolean(), true);
        }
    }

    private void plug(long leaf, int port, Host host) {
        fabric.metal.apply(new PortSeen(leaf, port, true, new ToHost(host)));
        fabric.setPort(leaf, port, true, true);
    }

    private void act(Act act) {
        fabric.send(new ActAsked(fabric.now, act, 0, "ada", ""));
        fabric.work();
    }

    private List<Long> guids() {
        List<Long> guids = new ArrayList<>();
        FabricView whole = fabric.whole();
        for (int s = 0; s < whole.switchCount(); s++) {
            guids.add(whole.switchGuid(s));
        }
        return guids;
    }

    @Test
    void shouldNameTheEpochInWhichTheCableWasLost() {
        Cable cable = fabric.cable(fabric.guid("leaf0"), fabric.guid("l2s0"));
        fabric.setCable(cable, false, true);
        fabric.calm();
        long epoch = fabric.state.epoch();
        EpochTables now = Objects.requireNonNull(kept().at(epoch, RowDigests.RULE));
        EpochTables before = Objects.requireNonNull(kept().at(epoch - 1, RowDigests.RULE));
        int node = 0;
        while (port(now, cable.guid(), node) == port(before, cable.guid(), node)) {
            node++;
        }
        fabric.setCable(fabric.cableAt(fabric.guid("l3s1")), false, true);
        fabric.calm();

        EntryAge age =
                Objects.requireNonNull(kept().age(cable.guid(), node, now.view().nodeGuid(node)));

        assertThat(age.epoch().epoch()).isEqualTo(epoch);
        assertThat(age.epoch().cause()).contains("port");
        assertThat(age.orBefore()).isFalse();
        assertThat(Objects.requireNonNull(kept().age(cable.guid(), 0, now.view().nodeGuid(0)))
                        .orBefore())
                .as("its own host")
                .isTrue();
    }

    @Test
    void shouldKnowNothingBeforeTheFirstTables() {
        assertThat(EpochHistory.NONE.age(fabric.guid("leaf0"), 0, 1)).isNull();
    }
}
