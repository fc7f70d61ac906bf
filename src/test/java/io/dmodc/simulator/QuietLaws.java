package io.dmodc.simulator;

import static io.dmodc.simulator.PacketWalk.End.DELIVERED;

import io.dmodc.manager.core.Alarm;
import io.dmodc.manager.core.EpochRecord;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.SwitchRecord;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.Host;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/** What must hold once everything that can be mended is, and some time has passed. */
final class QuietLaws {
    private static final long RETRY_NANOS = 5 * Simulation.SECOND;
    private static final long RETRY_MAX_NANOS = 310 * Simulation.SECOND;

    private final Simulation site;
    private final IdentityLaws identity;
    private final PacketLaws packets;

    QuietLaws(Simulation site, IdentityLaws identity, PacketLaws packets) {
        this.site = site;
        this.identity = identity;
        this.packets = packets;
    }

    void check() {
        SimulatedManager manager = site.network.listening;
        if (manager == null || !manager.alive()) {
            site.violated(Law.NOTHING_OUTSTANDING, "no manager runs");
            return;
        }
        FabricState state = manager.state;
        nothingOutstanding(state);
        higherLeaderIsOutbid(state);
        hostIsWhereItIsUp(state, 0);
        hostIsBelievedUp(state);
        levelsAreLearnt(manager);
        refusedEpochIsTriedAgain(manager);
        hostDownIsKnown(state);
        missingIsAnAlarm(state);
        deafnessIsAnAlarm(state);
        allDelivered(manager);
        alternativesAreAsGood(manager);
        new FreshManager(site, manager).compare();
    }

    private void nothingOutstanding(FabricState state) {
        if (!state.calm()) {
            site.violated(
                    Law.NOTHING_OUTSTANDING,
                    "discovering " + state.discovering() + ", computing " + state.computing() + ", outstanding "
                            + state.outstanding());
        }
    }

    /** Law 7. */
    private void higherLeaderIsOutbid(FabricState state) {
        for (SimulatedSwitch s : site.fabric.switches) {
            SimulatedAgent agent = s.agent;
            if (s.powered && agent != null && !agent.well()) {
                site.violated(
                        agent.obeyed > state.leaderEpoch() ? Law.HIGHER_LEADER_IS_OUTBID : Law.NOTHING_OUTSTANDING,
                        "agent of " + s + " is not in session; it obeys leader epoch " + agent.obeyed
                                + ", the manager has " + state.leaderEpoch());
            }
        }
    }

    private static boolean isIn(FabricState state, SimulatedSwitch s) {
        SwitchRecord record = state.findSwitch(s.guid);
        return s.powered && record != null && record.agentConnected();
    }

    /** Law 4: whoever claims a host by a port that is down does not take it from one that is up, held down or not. */
    void hostIsWhereItIsUp(FabricState state, long heardNanos) {
        for (int h = 0; h < site.fabric.hosts.size(); h++) {
            SimulatedSwitch leaf = site.fabric.hostSwitch.get(h);
            int port = site.fabric.hostPort.get(h);
            boolean heard = site.now() - leaf.changedNanos[port - 1] >= heardNanos;
            if (heard
                    && site.fabric.hostUp(h)
                    && isIn(state, leaf)
                    && leaf.agent().well()) {
                Host host = site.fabric.hosts.get(h);
                if (!new ToHost(host).equals(state.cabling().neighbour(leaf.guid, port))
                        && !isClaimedBySomebodyMute(state, host)) {
                    site.violated(
                            Law.HOST_IS_WHERE_IT_IS_UP,
                            host.name() + " is up at " + leaf + ":" + port + ", the manager sees there "
                                    + state.cabling().neighbour(leaf.guid, port));
                }
            }
        }
    }

    /** Two ports that are up claim it, and who should tell that one of them is down does not: that is a warning, and no way. */
    private boolean isClaimedBySomebodyMute(FabricState state, Host host) {
        return site.fabric.switches.stream()
                .filter(s ->
                        s.agent != null && !s.agent.well() && state.cabling().knows(s.guid))
                .flatMap(s -> state.cabling().claims(s.guid).ports().stream())
                .anyMatch(port -> port.up() && new ToHost(host).equals(port.neighbour()));
    }

    private void hostIsBelievedUp(FabricState state) {
        for (int h = 0; h < site.fabric.hosts.size(); h++) {
            SimulatedSwitch leaf = site.fabric.hostSwitch.get(h);
            int port = site.fabric.hostPort.get(h);
            if (site.fabric.hostUp(h) && isIn(state, leaf) && !state.cabling().saysUp(leaf.guid, port)) {
                site.violated(
                        Law.HOST_IS_WHERE_IT_IS_UP,
                        site.fabric.hosts.get(h).name() + " is up at " + leaf + ":" + port + " and not believed");
            }
        }
    }

    /** Law 6. */
    private void levelsAreLearnt(SimulatedManager manager) {
        for (SimulatedSwitch s : site.fabric.switches) {
            if (isIn(manager.state, s) && anyLive(s)) {
                int level = manager.disk.level(s.guid);
                if (level != s.level && !(level < 0 && isAnEmptyLeafWithoutPast(s))) {
                    site.violated(Law.LEVELS_ARE_LEARNT, s + " stands at level " + s.level + ", learnt is " + level);
                }
            }
        }
    }

    /**
     * Nothing but hosts makes a leaf: one that has had none up since its agent first came in is cabled like the first switch of a new
     * top. Whose place it took tells, unless it took none, or people had that one forgotten.
     */
    private boolean isAnEmptyLeafWithoutPast(SimulatedSwitch s) {
        return s.level == 0
                && IntStream.rangeClosed(1, s.portCount)
                        .allMatch(port -> s.peer[port - 1] >= 0
                                || (!site.fabric.up(s, port)
                                        && s.changedNanos[port - 1] <= identity.joinedNanos(s.guid)))
                && site.fabric.switches.stream()
                        .noneMatch(old -> old.successor == s && !identity.isForgotten(old.guid));
    }

    private boolean anyLive(SimulatedSwitch s) {
        for (int port = 1; port <= s.portCount; port++) {
            if (site.fabric.live(s, port)) {
                return true;
            }
        }
        return false;
    }

    /** Law 11. */
    private void refusedEpochIsTriedAgain(SimulatedManager manager) {
        EpochRecord last = null;
        int inRow = 0;
        for (EpochRecord epoch : manager.state.epochs()) {
            last = epoch;
            inRow = epoch.stage() == EpochRecord.Stage.REFUSED ? inRow + 1 : 0;
        }
        // The wait doubles with each refusal, up to five minutes.
        long waitNanos = Math.min(RETRY_NANOS << Math.min(inRow, 8), RETRY_MAX_NANOS);
        if (last != null && inRow > 0 && manager.clock() - last.routedNanos() > waitNanos) {
            site.violated(Law.REFUSED_EPOCH_IS_TRIED_AGAIN, "epoch " + last.epoch() + " refused: " + last.verdict());
        }
    }

    /** Law 17. */
    private void hostDownIsKnown(FabricState state) {
        for (int h = 0; h < site.fabric.hosts.size(); h++) {
            Host host = site.fabric.hosts.get(h);
            boolean expected = state.inventory().portOf(host.portGuid()) != null;
            if (expected && !site.fabric.hostUp(h) && isIn(state, site.fabric.hostSwitch.get(h))) {
                boolean alarm = state.alarms().stream()
                        .anyMatch(a -> a.peerGuid() == host.portGuid()
                                && (a.kind() == Alarm.Kind.HOST_DOWN || a.kind() == Alarm.Kind.HOST_HELD));
                if (!alarm) {
                    site.violated(Law.HOST_DOWN_IS_KNOWN, host.name() + " is down without an alarm");
                }
            }
        }
    }

    /** Law 18. */
    private void deafnessIsAnAlarm(FabricState state) {
        for (SimulatedSwitch s : site.fabric.switches) {
            SimulatedAgent agent = s.agent;
            if (agent != null && agent.serving && s.attached && !agent.mute && !agent.paused()) {
                boolean alarm = state.alarms().stream()
                        .anyMatch(a -> a.guid() == s.guid && a.kind() == Alarm.Kind.AGENT_HEARS_NOBODY);
                if (alarm != agent.hearsNobody) {
                    site.violated(
                            Law.MISSING_IS_AN_ALARM,
                            "the agent of " + s
                                    + (alarm
                                            ? " hears, and there is an alarm"
                                            : " hears nobody, and no alarm says so"));
                }
            }
        }
    }

    private void missingIsAnAlarm(FabricState state) {
        for (SimulatedSwitch s : site.fabric.switches) {
            if (!s.powered && state.inventory().hasSwitch(s.guid)) {
                boolean alarm = state.alarms().stream()
                        .anyMatch(a -> a.guid() == s.guid
                                && (a.kind() == Alarm.Kind.SWITCH_DEAD
                                        || a.kind() == Alarm.Kind.SWITCH_HEADLESS
                                        || a.kind() == Alarm.Kind.SWITCH_MISSING));
                if (!alarm) {
                    site.violated(Law.MISSING_IS_AN_ALARM, s + " has no power, and there is no alarm about it");
                }
            }
        }
    }

    private void allDelivered(SimulatedManager manager) {
        Reachability reachability =
                new Reachability(site.fabric).without((s, port) -> ActLaws.isDrained(manager, s, port));
        boolean[][] reachesLeaf = new boolean[site.fabric.switches.size()][];
        List<Host> hosts = site.fabric.hosts;
        for (int d = 0; d < hosts.size(); d++) {
            int index = identity.indexOf(hosts.get(d).portGuid());
            if (!site.fabric.hostUp(d)) {
                continue;
            }
            SimulatedSwitch leaf = site.fabric.hostSwitch.get(d);
            if (ActLaws.isDrained(manager, leaf, 0)) {
                // It keeps the table it had: hosts that came since are not in it.
                continue;
            }
            if (reachesLeaf[leaf.index] == null) {
                reachesLeaf[leaf.index] = reachability.towards(leaf).clone();
            }
            boolean[] reaches = reachesLeaf[leaf.index];
            for (int h = 0; h < hosts.size(); h++) {
                if (h != d && site.fabric.hostUp(h) && reaches[site.fabric.hostSwitch.get(h).index]) {
                    PacketWalk.End end =
                            index < 0 ? PacketWalk.End.NO_ROUTE : packets.walk().walk(h, d, index);
                    if (end != PacketWalk.End.DELIVERED) {
                        site.violated(
                                Law.ALL_DELIVERED_AFTER_QUIET,
                                hosts.get(h).name() + " to " + hosts.get(d).name() + ": " + end + " by way of "
                                        + packets.walk().way());
                        return;
                    }
                }
            }
        }
    }

    /** What planes were told of other ports are those from which a packet arrives as soon, by the tables in force. */
    private void alternativesAreAsGood(SimulatedManager manager) {
        for (SimulatedSwitch s : site.fabric.switches) {
            SimulatedAgent agent = s.agent;
            for (int d = 0;
                    agent != null
                            && agent.well()
                            && !ActLaws.isDrained(manager, s, 0)
                            && agent.capabilities().alternatives()
                            && d < site.fabric.hosts.size();
                    d++) {
                int index = identity.indexOf(site.fabric.hosts.get(d).portGuid());
                if (index >= 0 && site.fabric.hostUp(d) && packets.walk().walk(s, false, d, index) == DELIVERED) {
                    BitSet told = new BitSet();
                    for (byte port : s.alternatives.getOrDefault(index, new byte[0])) {
                        told.set(port);
                    }
                    BitSet asGood = asGood(manager, s, packets.walk().hops, d, index);
                    if (!told.equals(asGood.cardinality() < 2 ? new BitSet() : asGood)) {
                        site.violated(
                                Law.ALTERNATIVES_ARE_AS_GOOD,
                                s + " was told for " + site.fabric.hosts.get(d).name() + " of ports " + told
                                        + ", as good are " + asGood + ways(s, d, index));
                        return;
                    }
                }
            }
        }
    }

    /** Where a packet goes from each port, and its route. */
    private String ways(SimulatedSwitch s, int destination, int index) {
        StringBuilder text = new StringBuilder();
        for (int port = 0; port <= s.portCount; port++) {
            if (port == 0 || site.fabric.live(s, port)) {
                SimulatedSwitch from = port == 0 ? s : site.fabric.far(s, port);
                PacketWalk.End end = packets.walk().walk(from, from.level < s.level, destination, index);
                text.append("; ")
                        .append(port)
                        .append(": ")
                        .append(end)
                        .append(" by way of ")
                        .append(packets.walk().way());
            }
        }
        return text.toString();
    }

    private BitSet asGood(SimulatedManager manager, SimulatedSwitch s, int hops, int destination, int index) {
        BitSet ports = new BitSet();
        for (int port = 1; port <= s.portCount; port++) {
            if (site.fabric.live(s, port)
                    && !ActLaws.isDrained(manager, s, port)
                    && !ActLaws.isDrained(manager, site.fabric.far(s, port), s.peerPort[port - 1])) {
                SimulatedSwitch next = site.fabric.far(s, port);
                boolean arrives = packets.walk().walk(next, next.level < s.level, destination, index) == DELIVERED;
                ports.set(port, arrives && packets.walk().hops == hops - 1);
            }
        }
        return ports;
    }
}
