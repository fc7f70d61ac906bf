package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.Host;
import io.dmodc.topology.NodeIndexMap;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One port cannot use up the node indices. */
class NewHostsTest {
    private static final long HOUR = 3_600_000 * MILLI;
    private static final long ADAPTER = 0x7000;

    private final SimulatedFabric fabric = new SimulatedFabric("2;2,3;1,3;1,1").start();
    private final long leaf = fabric.guid("leaf0");
    private final int indices = fabric.state.identity.nodes.size();

    /** The host that was there at the start counts like any other. */
    @BeforeEach
    void letTheFirstHourPass() {
        fabric.pass(HOUR);
    }

    private void names(int adapter) {
        Host host = new Host(ADAPTER + adapter, ADAPTER + adapter, 1, "host" + adapter);
        says(new PortSeen(leaf, 1, true, new ToHost(host)));
    }

    private void says(PortSeen seen) {
        fabric.metal.apply(seen);
        fabric.send(new PortsReported(fabric.now, fabric.session(leaf), leaf, false, List.of(seen)));
        fabric.work();
    }

    private int brought() {
        return fabric.state.identity.nodes.size() - indices;
    }

    @Test
    void shouldGiveAThousandAdaptersOfOnePortEightIndices() {
        for (int i = 0; i < 1000; i++) {
            names(i);
        }

        assertThat(brought()).isEqualTo(8);
        assertThat(fabric.notes(Kind.TOO_MANY_NEW_HOSTS))
                .singleElement()
                .satisfies(
                        note -> assertThat(note.text())
                                .isEqualTo(
                                        "leaf0 port 1: brought 8 new hosts within an hour; host host8 is kept out until the hour is over"));
        assertThat(fabric.state.nodeIndex(ADAPTER + 999)).isEqualTo(-1);
    }

    @Test
    void shouldTakeInWhatThePortSaidLastWhenTheHourIsOver() {
        for (int i = 0; i < 20; i++) {
            names(i);
        }
        fabric.pass(HOUR - 1);
        assertThat(brought()).isEqualTo(8);

        fabric.pass(1);
        fabric.work();

        assertThat(brought()).isEqualTo(9);
        assertThat(fabric.state.nodeIndex(ADAPTER + 19)).isNotNegative();
        assertThat(fabric.state.works(leaf, 1)).isTrue();
        fabric.pass(AlternativeNews.DELAY_NANOS);
        assertThat(fabric.step.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldWaitForNothingOnceThePortSaysSomethingElse() {
        for (int i = 0; i < 9; i++) {
            names(i);
        }
        says(new PortSeen(leaf, 1, false, null));

        fabric.pass(2 * HOUR);

        assertThat(brought()).isEqualTo(8);
        assertThat(fabric.state.nodeIndex(ADAPTER + 8)).isEqualTo(-1);
    }

    @Test
    void shouldNeverKeepOutAHostThatHasAnIndex() {
        for (int i = 0; i < 9; i++) {
            names(i);
        }
        fabric.pass(FarEndChanges.EACH_NANOS);

        names(3);

        assertThat(fabric.state.works(leaf, 1)).isTrue();
        assertThat(brought()).isEqualTo(8);
    }

    @Test
    void shouldCountEachPortForItself() {
        for (int i = 0; i < 8; i++) {
            names(i);
        }

        Host host = new Host(ADAPTER + 50, ADAPTER + 50, 1, "other");
        says(new PortSeen(leaf, 2, true, new ToHost(host)));

        assertThat(fabric.state.nodeIndex(ADAPTER + 50)).isNotNegative();
    }

    @Test
    void shouldNeverKeepOutTheHostWithTheFirstIndex() {
        ToHost first = (ToHost) Objects.requireNonNull(fabric.metal.claim(leaf, 1));
        assertThat(fabric.state.nodeIndex(first.host().portGuid())).isZero();
        for (int i = 0; i < 9; i++) {
            names(i);
        }
        fabric.pass(FarEndChanges.EACH_NANOS);

        says(new PortSeen(leaf, 1, true, first));

        assertThat(fabric.state.works(leaf, 1)).isTrue();
    }

    /** Ports that are full have room again one after the other, as each of their hours ends. */
    @Test
    void shouldWaitForTheHourOfEachPort() {
        for (int i = 0; i < 9; i++) {
            names(i);
        }
        fabric.pass(HOUR / 2);
        for (int i = 100; i < 109; i++) {
            Host host = new Host(ADAPTER + i, ADAPTER + i, 1, "host" + i);
            says(new PortSeen(leaf, 2, true, new ToHost(host)));
        }
        fabric.pass(AlternativeNews.DELAY_NANOS);
        long left = HOUR / 2 - AlternativeNews.DELAY_NANOS;
        assertThat(fabric.step.nextDeadline()).isEqualTo(fabric.now + left);

        fabric.pass(left);
        assertThat(fabric.state.nodeIndex(ADAPTER + 8)).isNotNegative();
        assertThat(fabric.state.nodeIndex(ADAPTER + 108)).isEqualTo(-1);

        fabric.pass(HOUR / 2);
        assertThat(fabric.state.nodeIndex(ADAPTER + 108)).isNotNegative();
    }

    @Test
    void shouldNotWaitForAPortOfASwitchThatWasForgotten() {
        for (int i = 0; i < 9; i++) {
            names(i);
        }
        fabric.leave(leaf);
        fabric.setLinks(leaf, false, true);
        fabric.pass(3_000 * MILLI);

        fabric.send(new FabricEvent.ActAsked(
                fabric.now, Act.forget(List.of(new Forgettable.SwitchGuid(leaf))), 0, "ada", ""));
        fabric.work();
        fabric.pass(2 * HOUR);

        assertThat(fabric.state.findSwitch(leaf)).isNull();
        assertThat(fabric.state.nodeIndex(ADAPTER + 8)).isEqualTo(-1);
    }

    /** All node indices are dealt, and two more hosts come: the others are served on, and people are told once. */
    @Test
    void shouldLeaveOutWhoFindsNoNodeIndexAndServeAllOthers() {
        for (int index = indices; index <= NodeIndexMap.TABLE_INDEX_MAX; index++) {
            fabric.disk.apply(new NodeIndex(0x7000_0000_0000L + index, index));
        }
        SimulatedFabric full = fabric.restarted().start();
        int before = full.log.size();
        for (int i = 1; i <= 2; i++) {
            PortSeen seen = new PortSeen(leaf, i, true, new ToHost(new Host(ADAPTER + i, ADAPTER + i, 1, "host" + i)));
            full.metal.apply(seen);
            full.send(new PortsReported(full.now, full.session(leaf), leaf, false, List.of(seen)));
            full.pass(2_000 * MILLI);
        }

        full.setCable(full.cableAt(full.guid("l2s0")), false, true);
        full.pass(2_000 * MILLI);

        assertThat(full.log.subList(before, full.log.size())).anyMatch(Effect.Push.class::isInstance);
        assertThat(full.state.calm()).isTrue();
        assertThat(full.state.nodeIndex(ADAPTER + 1)).isEqualTo(-1);
        assertThat(full.notes(Kind.TOO_MANY_NEW_HOSTS))
                .extracting(LoggedEvent::text)
                .containsExactly(
                        "all 524288 node indices are taken: host port 0x0000000000007001 left out of the tables;"
                                + " forget hosts that will not come back");
    }

    /** What it said of a port is not taken in once it has that no more. */
    @Test
    void shouldForgetWhomAPortBroughtThatTheSwitchHasNoMore() {
        int last = fabric.metal.portCount(leaf);
        for (int i = 0; i < 20; i++) {
            Host host = new Host(ADAPTER + i, ADAPTER + i, 1, "host" + i);
            PortSeen seen = new PortSeen(leaf, last, true, new ToHost(host));
            fabric.send(new PortsReported(fabric.now, fabric.session(leaf), leaf, false, List.of(seen)));
            fabric.work();
        }
        assertThat(fabric.notes(Kind.TOO_MANY_NEW_HOSTS)).hasSize(1);

        fabric.saidPortCounts.put(leaf, last - 1);
        fabric.join(leaf);
        fabric.work();
        fabric.pass(HOUR);

        assertThat(fabric.notes(Kind.DEFECT)).isEmpty();
    }
}
