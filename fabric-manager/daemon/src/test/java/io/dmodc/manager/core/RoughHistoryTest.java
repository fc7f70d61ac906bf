package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.FabricEvent.SettingsRead;
import io.dmodc.manager.core.FabricEvent.StoreReported;
import io.dmodc.manager.core.Forgettable.CableAt;
import io.dmodc.manager.core.Forgettable.HostPort;
import io.dmodc.manager.core.Forgettable.SwitchGuid;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.manager.state.StateRecord.ExpectedSwitch;
import io.dmodc.manager.state.StateRecord.OpenAlarm;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.rates.SlowLinkUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Seeded histories that do not wait for rest: hosts move, cables are swapped, switches are replaced, renamed and fall
 * silent, people forget and change settings while tables are computed. At every moment the alarms are what an obvious
 * comparison finds, the numbers add up, and what is stored is what is known; when all is mended nothing is left.
 * {@code -Dhistories=N}: the first N of them, not 40; there are 100.
 */
class RoughHistoryTest {
    private static final int STEPS = 60;
    private static final long MILLI = SimulatedFabric.MILLI;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Math.min(100, Integer.getInteger("histories", 40)));
    }

    private SimulatedFabric fabric = new SimulatedFabric("2;3,4;1,2;1,2");
    private Random random = new Random(0);
    private List<Long> guids = List.of();
    private boolean held;

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldTellWhatAnObviousComparisonFinds(long seed) {
        random = new Random(seed);
        fabric = new SimulatedFabric(random.nextBoolean() ? "2;3,4;1,2;1,2" : "3;2,2,2;1,2,2;1,1,1").start();
        guids = guids();
        for (int step = 0; step < STEPS; step++) {
            disturb(guids.get(random.nextInt(guids.size())));
            letTimePass();
            verify("seed " + seed + " step " + step);
        }
        mendAll();
        verify("seed " + seed + " mended");
        assertThat(fabric.state.alarms()).as("seed %d: mended", seed).allMatch(this::isCutOffForANewManager);
        assertThat(fabric.state.calm()).as("seed %d: calm", seed).isTrue();
    }

    /** Cables can end up so that no manager finds a path, also one that has never seen them otherwise. */
    private boolean isCutOffForANewManager(Alarm alarm) {
        return alarm.kind() == Alarm.Kind.LEAF_CUT_OFF
                && new SimulatedFabric(fabric.metal).start().state.cutOffGuids.contains(alarm.guid());
    }

    private List<Long> guids() {
        FabricView view = fabric.whole();
        List<Long> all = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            all.add(view.switchGuid(s));
        }
        return all;
    }

    private void letTimePass() {
        switch (random.nextInt(4)) {
            case 0 -> fabric.work();
            case 1 -> fabric.pass(random.nextInt(3000) * MILLI);
            default -> {
                if (held) {
                    fabric.work();
                } else {
                    fabric.calm();
                }
            }
        }
    }

    private void disturb(long guid) {
        int port = 1 + random.nextInt(fabric.metal.portCount(guid));
        Neighbour far = fabric.metal.neighbour(guid, port);
        switch (random.nextInt(17)) {
            case 0, 1, 2 -> set(guid, port, random.nextBoolean());
            case 3 -> {
                fabric.leave(guid);
                fabric.setLinks(guid, false, true);
            }
            case 4 -> fabric.leave(guid);
            case 5, 6 -> {
                fabric.mute.remove(guid);
                if (fabric.session(guid) == 0) {
                    fabric.setLinks(guid, true, true);
                    fabric.join(guid);
                } else if (othersSpeak(guid)) {
                    fabric.ringSays(false, guid);
                }
            }
            case 7 -> moveHost(guid, port);
            case 8 -> swap(guid, port);
            case 9 -> replace(guid, Math.max(1, fabric.metal.portCount(guid) + random.nextInt(3) - 1));
            case 10 -> silence(guid);
            case 11 -> fabric.send(new SettingsRead(fabric.now, random.nextBoolean() ? null : rules(), "read"));
            case 12 -> fabric.send(new StoreReported(fabric.now, random.nextBoolean() ? "" : "full"));
            case 13 -> {
                if (held) {
                    held = false;
                    release();
                } else if (!fabric.state.computing()) {
                    held = true;
                    fabric.holdComputations = true;
                }
            }
            case 14 -> readdress(guid, port);
            default ->
                fabric.send(new ActAsked(
                        fabric.now,
                        Act.forget(List.of(
                                far instanceof ToHost to && random.nextBoolean()
                                        ? new HostPort(to.host().portGuid())
                                        : random.nextBoolean() ? new SwitchGuid(guid) : new CableAt(guid, port))),
                        0,
                        "ada",
                        ""));
        }
    }

    private void release() {
        fabric.work();
        if (fabric.state.computing()) {
            fabric.finishComputation(false);
        }
        fabric.holdComputations = false;
    }

    private FabricRules rules() {
        FabricRules now = fabric.state.rules;
        return new FabricRules(
                now.ackTimeoutNanos(),
                now.pushTries(),
                now.drainNanos(),
                (1L + random.nextInt(5)) * 300 * MILLI,
                (1L + random.nextInt(5)) * 5_000 * MILLI,
                (1L + random.nextInt(5)) * 60_000 * MILLI,
                random.nextInt(3) * MILLI,
                now.discoveryQuietNanos(),
                now.discoveryTimeoutNanos(),
                now.connectedPercent(),
                now.membershipQuietNanos(),
                random.nextInt(9),
                now.domains(),
                now.groupOrder(),
                now.nodeTypes(),
                now.design(),
                RebalanceRule.STANDARD,
                SlowLinkUse.IGNORE);
    }

    private void set(long guid, int port, boolean up) {
        Neighbour far = fabric.metal.neighbour(guid, port);
        if (far instanceof ToSwitch to) {
            fabric.setCable(new Cable(guid, port, to.guid(), to.port()), up, true);
        } else if (far instanceof ToHost) {
            fabric.setPort(guid, port, up, true);
        }
    }

    private void say(PortSeen seen) {
        long guid = seen.guid();
        if (fabric.session(guid) != 0 && !fabric.mute.contains(guid)) {
            fabric.send(new PortsReported(fabric.now, fabric.session(guid), guid, false, List.of(seen)));
        }
    }

    /** Its agent learns other addresses of the host there. */
    private void readdress(long guid, int port) {
        if (fabric.metal.claim(guid, port) instanceof ToHost to) {
            Host host = to.host();
            HostAddresses addresses = HostAddresses.ofLid(random.nextInt(9));
            Host now = new Host(host.portGuid(), host.hostGuid(), host.hostPort(), host.name(), addresses);
            PortSeen seen = new PortSeen(guid, port, fabric.metal.saysUp(guid, port), new ToHost(now));
            fabric.metal.apply(seen);
            say(seen);
        }
    }

    /** The old port goes down and remembers its host; the new one may have had another. */
    private void moveHost(long guid, int port) {
        if (fabric.metal.neighbour(guid, port) instanceof ToHost host) {
            long other = guids.get(random.nextInt(guids.size()));
            int place = 1 + random.nextInt(fabric.metal.portCount(other));
            if (fabric.metal.neighbour(other, place) instanceof ToSwitch || (other == guid && place == port)) {
                return;
            }
            fabric.metal.apply(new PortSeen(guid, port, false, host));
            fabric.metal.apply(new PortSeen(other, place, true, host));
            PortSeen there = new PortSeen(other, place, true, host);
            PortSeen here = new PortSeen(guid, port, false, host);
            boolean first = random.nextBoolean();
            say(first ? there : here);
            say(first ? here : there);
        }
    }

    private void swap(long guid, int port) {
        long other = guids.get(random.nextInt(guids.size()));
        int place = 1 + random.nextInt(fabric.metal.portCount(other));
        if (fabric.metal.neighbour(guid, port) instanceof ToSwitch a
                && fabric.metal.neighbour(other, place) instanceof ToSwitch b
                && a.guid() != other
                && b.guid() != guid
                && other != guid
                && a.guid() != b.guid()
                && fabric.metal.neighbour(a.guid(), a.port()) instanceof ToSwitch x
                && x.equals(new ToSwitch(guid, port))
                && fabric.metal.neighbour(b.guid(), b.port()) instanceof ToSwitch y
                && y.equals(new ToSwitch(other, place))) {
            plug(guid, port, b);
            plug(other, place, a);
        }
    }

    private void plug(long guid, int port, ToSwitch far) {
        PortSeen near = new PortSeen(guid, port, true, far);
        PortSeen there = new PortSeen(far.guid(), far.port(), true, new ToSwitch(guid, port));
        fabric.metal.apply(near);
        fabric.metal.apply(there);
        say(near);
        say(there);
    }

    /** Another machine with the same GUID: the same cables as far as it has the ports, and maybe another name. */
    private void replace(long guid, int ports) {
        List<PortSeen> before = new ArrayList<>();
        for (int port = 1; port <= Math.min(ports, fabric.metal.portCount(guid)); port++) {
            before.add(new PortSeen(guid, port, fabric.metal.saysUp(guid, port), fabric.metal.neighbour(guid, port)));
        }
        for (int port = ports + 1; port <= fabric.metal.portCount(guid); port++) {
            if (fabric.metal.neighbour(guid, port) instanceof ToSwitch to) {
                PortSeen pulled = new PortSeen(to.guid(), to.port(), false, null);
                fabric.metal.apply(pulled);
                say(pulled);
            }
        }
        fabric.leave(guid);
        fabric.metal.apply(new SwitchSeen(guid, "sw" + random.nextInt(100), ports));
        before.forEach(fabric.metal::apply);
        fabric.mute.remove(guid);
        fabric.join(guid);
    }

    private boolean othersSpeak(long guid) {
        return guids.stream()
                .anyMatch(other -> other != guid && fabric.session(other) != 0 && !fabric.mute.contains(other));
    }

    private void silence(long guid) {
        if (fabric.session(guid) != 0 && othersSpeak(guid)) {
            fabric.mute.add(guid);
            fabric.ringSays(true, guid);
        }
    }

    private void mendAll() {
        if (held) {
            held = false;
            release();
        }
        fabric.calm();
        for (long guid : guids) {
            fabric.mute.remove(guid);
            for (int port = 1; port <= fabric.metal.portCount(guid); port++) {
                Neighbour far = fabric.metal.neighbour(guid, port);
                boolean agreed = far instanceof ToSwitch to
                        && to.port() <= fabric.metal.portCount(to.guid())
                        && new ToSwitch(guid, port).equals(fabric.metal.neighbour(to.guid(), to.port()));
                fabric.metal.apply(new PortSeen(
                        guid, port, agreed || far instanceof ToHost, agreed || far instanceof ToHost ? far : null));
            }
        }
        for (long guid : guids) {
            fabric.leave(guid);
        }
        fabric.calm();
        guids.forEach(fabric::join);
        fabric.send(new StoreReported(fabric.now, ""));
        fabric.calm();
        fabric.pass(700_000 * MILLI);
        fabric.calm();
        // What is gone for good: people forget it.
        for (Alarm alarm : List.copyOf(fabric.state.alarms())) {
            if (alarm.kind() == Alarm.Kind.HOST_DOWN) {
                fabric.send(
                        new ActAsked(fabric.now, Act.forget(List.of(new HostPort(alarm.peerGuid()))), 0, "ada", ""));
            } else if (alarm.kind() == Alarm.Kind.LINK_DOWN) {
                fabric.send(new ActAsked(
                        fabric.now, Act.forget(List.of(new CableAt(alarm.guid(), alarm.port()))), 0, "ada", ""));
            }
        }
        fabric.calm();
    }

    private void verify(String as) {
        FabricState state = fabric.state;
        assertThat(fabric.step.distributor.underWay.next()).as(as).isEqualTo(nextRepeat());
        assertThat(fabric.step.nextDeadline()).as(as).isLessThanOrEqualTo(nextRepeat());
        assertThat(state.enoughConnected()).as(as).isEqualTo(countedEnough());
        assertThat(state.share.headless()).as(as).isEqualTo(with(record -> record.condition == Condition.HEADLESS));
        assertThat(state.share.allTold())
                .as(as)
                .isEqualTo(
                        with(record -> record.reachable() && record.portsKnown).size() == state.switches.size());
        if (state.discovering()) {
            return;
        }
        Set<String> told = new TreeSet<>();
        state.alarms().stream()
                .filter(alarm -> switch (alarm.kind().subject()) {
                    case SWITCH, LINK, HOST -> true;
                    default -> false;
                })
                .forEach(alarm -> told.add(alarm.kind() + " " + alarm.guid() + " " + alarm.port()));
        assertThat(told).as(as).isEqualTo(obvious());
        assertThat(state.alarms()).as(as).extracting(Alarm::id).isSorted().doesNotHaveDuplicates();
        for (Totals totals : List.of(
                state.snapshot().switchTotals(),
                state.snapshot().linkTotals(),
                state.snapshot().hostTotals())) {
            assertThat(totals.live() + totals.down() + totals.held()).as(as).isEqualTo(totals.expected());
            assertThat(totals.live()).as(as).isNotNegative();
        }
        int live = 0;
        for (long guid : state.inventory().switchGuids()) {
            for (int port = 1; port <= state.inventory().portCount(guid); port++) {
                live += state.inventory().expected(guid, port) instanceof ToSwitch && state.works(guid, port) ? 1 : 0;
            }
        }
        assertThat(state.snapshot().linkTotals().live() * 2).as(as).isEqualTo(live);
        assertThat(lines(Inventory.of(fabric.disk.all(ExpectedSwitch.class))))
                .as(as)
                .isEqualTo(lines(state.inventory()));
        assertThat(fabric.disk.all(OpenAlarm.class))
                .as(as)
                .hasSize(state.alarms().size());
        for (Alarm alarm : state.alarms()) {
            Alarm parent = state.snapshot().parentOf(alarm);
            assertThat(parent == null || state.alarms().contains(parent)).as(as).isTrue();
        }
    }

    /** When some push is sent again, found by looking at all. */
    private long nextRepeat() {
        return fabric.state.switches.values().stream()
                .filter(SwitchRecord::reachable)
                .map(record -> record.inFlight)
                .filter(Objects::nonNull)
                .mapToLong(SwitchRecord.InFlight::deadlineNanos)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private boolean countedEnough() {
        int forwarding = with(record -> record.condition != Condition.DEAD).size();
        int here = with(SwitchRecord::reachable).size();
        return here * 100 >= forwarding * fabric.state.rules.connectedPercent();
    }

    private Set<Long> with(Predicate<SwitchRecord> what) {
        Set<Long> some = new TreeSet<>(Long::compareUnsigned);
        fabric.state.switches.values().stream().filter(what).forEach(record -> some.add(record.guid));
        return some;
    }

    private static Set<String> lines(Inventory inventory) {
        Set<String> lines = new TreeSet<>();
        for (long guid : inventory.switchGuids()) {
            lines.add(guid + " " + inventory.portCount(guid) + " " + inventory.nameOf(guid));
            for (int port = 1; port <= inventory.portCount(guid); port++) {
                Neighbour far = inventory.expected(guid, port);
                if (far != null) {
                    lines.add(guid + " " + port + " " + far);
                }
            }
        }
        return lines;
    }

    private Set<String> obvious() {
        FabricState state = fabric.state;
        Set<String> found = new TreeSet<>();
        for (long guid : state.inventory().switchGuids()) {
            SwitchRecord record = state.findSwitch(guid);
            if (record == null) {
                found.add(Alarm.Kind.SWITCH_MISSING + " " + guid + " 0");
            } else if (record.condition() != Condition.CONNECTED) {
                found.add((record.condition() == Condition.DEAD ? Alarm.Kind.SWITCH_DEAD : Alarm.Kind.SWITCH_HEADLESS)
                        + " " + guid + " 0");
            }
            for (int port = 1; port <= state.inventory().portCount(guid); port++) {
                Neighbour expected = state.inventory().expected(guid, port);
                if (expected instanceof ToHost && !works(guid, port, expected)) {
                    found.add((state.heldDown(guid, port) ? Alarm.Kind.HOST_HELD : Alarm.Kind.HOST_DOWN) + " " + guid
                            + " " + port);
                } else if (expected instanceof ToSwitch to
                        && Long.compareUnsigned(guid, to.guid()) < 0
                        && !works(guid, port, expected)) {
                    boolean heldDown = state.heldDown(guid, port) || state.heldDown(to.guid(), to.port());
                    found.add((heldDown ? Alarm.Kind.LINK_HELD : Alarm.Kind.LINK_DOWN) + " " + guid + " " + port);
                }
            }
        }
        return found;
    }

    private boolean works(long guid, int port, Neighbour expected) {
        FabricState state = fabric.state;
        if (state.findSwitch(guid) == null
                || port > state.cabling().portCount(guid)
                || !state.cabling().alive(guid)
                || !state.cabling().saysUp(guid, port)
                || !expected.equals(state.cabling().neighbour(guid, port))) {
            return false;
        }
        return expected instanceof ToHost
                || (expected instanceof ToSwitch to
                        && state.findSwitch(to.guid()) != null
                        && to.port() <= state.cabling().portCount(to.guid())
                        && state.cabling().alive(to.guid())
                        && state.cabling().saysUp(to.guid(), to.port())
                        && new ToSwitch(guid, port).equals(state.cabling().neighbour(to.guid(), to.port())));
    }
}
