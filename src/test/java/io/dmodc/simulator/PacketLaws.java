package io.dmodc.simulator;

import io.dmodc.manager.core.Alarm;
import io.dmodc.manager.core.Effect.TableUpdate;
import io.dmodc.manager.core.SwitchRecord;
import io.dmodc.manager.core.SwitchRecord.Forwarding;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.southbound.TableDigest;
import io.dmodc.southbound.TableVersion;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Laws 2 and 9, and what holds always: packets of sampled pairs never loop and never turn from down to up, and a pair
 * whose way is untouched keeps a way, whoever of the agents is missing.
 */
final class PacketLaws {
    private static final int PAIRS = 48;
    private static final int PAIRS_A_STEP = 4;
    private static final int HOPS_KEPT = 8;

    /** Longer than a question about ports is waited for. */
    private static final long REST_NANOS = 1_200_000_000;

    /** What says that packets may be lost. */
    private static final List<Alarm.Kind> TOLD_BY = List.of(
            Alarm.Kind.PAIRS_LOST,
            Alarm.Kind.LEAF_CUT_OFF,
            Alarm.Kind.NO_LEGAL_PATH,
            Alarm.Kind.ENTRIES_REFUSED,
            Alarm.Kind.EPOCH_REFUSED,
            Alarm.Kind.PUSHES_HELD,
            Alarm.Kind.LEADER_CONFLICT);

    private final Simulation site;
    private final IdentityLaws identity;
    private final PacketWalk walk;
    private final ActLaws acts;
    private final int[] sources = new int[PAIRS];
    private final int[] destinations = new int[PAIRS];
    private final int[] hops = new int[PAIRS];
    private final SimulatedSwitch[][] way = new SimulatedSwitch[PAIRS][HOPS_KEPT];
    private final int[][] ports = new int[PAIRS][HOPS_KEPT];
    private long walkedNanos;
    private int next;
    private long calmSince = Long.MAX_VALUE;
    private boolean walked;
    private @Nullable FabricView served;
    private @Nullable FabricView servedBefore;

    PacketLaws(Simulation site, IdentityLaws identity, ActLaws acts, SplittableRandom random) {
        this.acts = acts;
        this.site = site;
        this.identity = identity;
        walk = new PacketWalk(site.fabric, Simulation.SWITCHES_MAX + FabricFactory.SWITCHES_MAX);
        int hosts = site.fabric.hosts.size();
        for (int i = 0; i < PAIRS; i++) {
            sources[i] = random.nextInt(hosts);
            destinations[i] = (sources[i] + 1 + random.nextInt(hosts - 1)) % hosts;
        }
    }

    /** Who sent a table that a switch may hold. */
    private final Map<SentTable, Sender> senders = new HashMap<>();

    private record SentTable(long guid, TableVersion version) {}

    /**
     * @param write by which its disk has what a later manager must know of the table
     * @param overUntold nothing told the manager what the switch forwarded by when it sent the table
     */
    private record Sender(SimulatedManager manager, int write, boolean overUntold) {}

    /** Remembers which view the tables under way were made for. */
    void pushed(SimulatedManager manager, TableUpdate update) {
        TableVersion version = new TableVersion(update.leaderEpoch(), update.fabricEpoch());
        boolean overUntold =
                site.fabric.switches.stream().anyMatch(s -> s.guid == update.guid() && isUntold(manager, s));
        Sender sender = new Sender(manager, manager.disk.lastWrite(), overUntold);
        senders.put(new SentTable(update.guid(), version), sender);
        FabricView view = manager.view(update.fabricEpoch());
        if (view != null && view != served) {
            servedBefore = served;
            served = view;
        }
    }

    PacketWalk walk() {
        return walk;
    }

    /** A switch forwards by another table. */
    void installed() {
        for (int i = 0; i < PAIRS_A_STEP; i++) {
            next = (next + 1) % PAIRS;
            PacketWalk.End end = walk(next);
            if (end == PacketWalk.End.LOOP && isOverKnownCables()) {
                site.violated(Law.NO_LOOP, text(next, end));
            } else if (end == PacketWalk.End.DOWN_UP_TURN && isOverKnownCables()) {
                site.violated(Law.NO_DOWN_UP_TURN, text(next, end));
            }
        }
    }

    private int index(int pair) {
        return identity.indexOf(site.fabric.hosts.get(destinations[pair]).portGuid());
    }

    private PacketWalk.End walk(int pair) {
        int index = index(pair);
        if (index < 0) {
            return PacketWalk.End.NO_ROUTE;
        }
        return walk.walk(sources[pair], destinations[pair], index);
    }

    /** A cable that was plugged in elsewhere a moment ago is nobody's fault: only cables the tables were made for count. */
    private boolean isOverKnownCables() {
        for (int i = 0; i + 1 < walk.hops; i++) {
            if (!isIn(served, i) && !isIn(servedBefore, i)) {
                return false;
            }
        }
        return true;
    }

    private boolean isIn(@Nullable FabricView view, int hop) {
        int s = view == null ? -1 : view.switchOf(walk.at[hop].guid);
        int far = view == null ? -1 : view.switchOf(walk.at[hop + 1].guid);
        int port = walk.port[hop];
        return view != null
                && s >= 0
                && far >= 0
                && port <= view.portCount(s)
                && view.peerSwitch(s, port) == far
                && view.peerPort(s, port) == walk.at[hop].peerPort[port - 1];
    }

    private String text(int pair, PacketWalk.End end) {
        return site.fabric.hosts.get(sources[pair]).name() + " to "
                + site.fabric.hosts.get(destinations[pair]).name() + ": " + end + " by way of " + walk.way();
    }

    /** A manager that begins has not rested yet. */
    void started() {
        calmSince = Long.MAX_VALUE;
        walked = false;
    }

    /** What its switch forwards by is known from now on, and its ports when they are answered for: until then nobody leads anything there. */
    void joined() {
        calmSince = Long.MAX_VALUE;
    }

    /** What people did may cost routes: nothing is compared with what was before. */
    void interrupted() {
        Arrays.fill(hops, 0);
    }

    /**
     * Whenever the manager has been at rest for longer than it waits for answers, all sampled pairs are walked.
     *
     * @return true at that moment, once in a rest
     */
    boolean turned(SimulatedManager manager) {
        if (manager != site.network.listening) {
            return false;
        }
        if (!manager.state.calm()) {
            calmSince = Long.MAX_VALUE;
            walked = false;
        } else {
            calmSince = Math.min(calmSince, site.now());
        }
        boolean rested = !walked && site.now() - REST_NANOS > calmSince;
        if (rested) {
            walked = true;
            boolean turnsLeft = false;
            for (int pair = 0; pair < PAIRS; pair++) {
                PacketWalk.End end = walk(pair);
                boolean turned = end == PacketWalk.End.DOWN_UP_TURN && manager.plannedTurns.get(index(pair));
                if (turned) {
                    end = walk.walkOn(sources[pair], destinations[pair], index(pair));
                }
                boolean delivered = end == PacketWalk.End.DELIVERED;
                acts.walked(manager, walk);
                if (passesUntoldLoss(manager)) {
                    // Nobody can know yet.
                    hops[pair] = 0;
                    continue;
                }
                if ((end == PacketWalk.End.LOOP || end == PacketWalk.End.DOWN_UP_TURN)
                        && isOverKnownCables()
                        && !manager.mayTurn) {
                    boolean unknown = passesUnknownOutcome(manager);
                    if (end == PacketWalk.End.DOWN_UP_TURN && !canBeTold(manager, above(pair), index(pair))) {
                        turnsLeft = true;
                    } else {
                        site.violated(
                                unknown ? Law.UNKNOWN_OUTCOME_STAYS_UNKNOWN : Law.NO_LOOP_AT_REST,
                                text(pair, end) + beliefs(manager));
                    }
                }
                if (!delivered
                        && hops[pair] > 0
                        && untouched(pair)
                        && !endsWhereNobodyKnows(manager, end)
                        && !endsInUntoldTable(manager, index(pair))
                        && someTablesWouldDeliver(manager, pair, null)) {
                    lost(manager, pair);
                }
                if (!delivered) {
                    unknownOutcomeStaysUnknown(manager, pair);
                    lostIsAnAlarm(manager, pair);
                }
                // Engines that turn nothing need not find a way that turns.
                keep(manager, pair, delivered && !turned);
            }
            walkedNanos = site.now();
            if (turnsLeft) {
                noCircleAtRest();
            }
        }
        return rested;
    }

    /** Who sent the packet of the last way down that was to go up again: the switch before the last hop but one. */
    private SimulatedSwitch above(int pair) {
        walk(pair);
        return walk.at[walk.hops - 2];
    }

    /**
     * What nobody can tell anything may send packets down to where a host was, and they go on upward with those that are sent from there: to stop them would
     * take the way of these, too. That is no harm as long as no channels wait for each other in a circle, whatever packets do.
     */
    private void noCircleAtRest() {
        ChannelCircle circle = new ChannelCircle(site.fabric, walk);
        List<SimulatedSwitch> waiting =
                circle.find(host -> identity.indexOf(site.fabric.hosts.get(host).portGuid()), (s, port) -> false);
        if (!waiting.isEmpty()) {
            site.violated(Law.NO_LOOP_AT_REST, "channels of " + waiting + " wait for each other at rest");
        }
    }

    /** Law 9: no packet ends in a switch whose last push has no answer while another way was there. */
    private void unknownOutcomeStaysUnknown(SimulatedManager manager, int pair) {
        PacketWalk.End end = walk(pair);
        SimulatedSwitch last = walk.at[Math.max(0, walk.hops - 1)];
        SwitchRecord record = manager.state.findSwitch(last.guid);
        boolean unknown = walk.hops > 0
                && last.level > 0
                && (end == PacketWalk.End.NO_ROUTE || end == PacketWalk.End.DEAD_CABLE)
                && record != null
                && record.ackedDigest() != TableDigest.of(last.plane.installed().entries())
                && !isUntold(manager, last)
                && !endsWhereNobodyKnows(manager, end);
        if (unknown && isWell(sources[pair]) && isWell(destinations[pair])) {
            if (someTablesWouldDeliver(manager, pair, last)) {
                site.violated(
                        Law.UNKNOWN_OUTCOME_STAYS_UNKNOWN,
                        text(pair, end) + ", although there is a way around" + beliefs(manager));
            }
        }
    }

    /** Law 18: hosts that a path joins by all that the manager knows, and that lose their packets by tables that it knows, are in alarm. */
    private void lostIsAnAlarm(SimulatedManager manager, int pair) {
        PacketWalk.End end = walk(pair);
        if (TOLD_BY.stream().anyMatch(kind -> manager.state.alarmCount(kind) > 0)
                || !isKnownUp(manager, sources[pair])
                || !isKnownUp(manager, destinations[pair])
                || passesUnknownOutcome(manager)
                || endsWhereNobodyKnows(manager, end)
                || endsInUnknownEntry(manager, end, index(pair))) {
            return;
        }
        boolean[] reaches = new Reachability(site.fabric, manager.state.cabling(), null)
                .without((s, port) -> ActLaws.isDrained(manager, s, port))
                .towards(destinations[pair], s -> isUsed(manager, s) ? List.of() : List.of(LftSet.NO_ROUTE));
        if (reaches[site.fabric.hostSwitch.get(sources[pair]).index]) {
            site.violated(Law.LOST_IS_AN_ALARM, text(pair, end) + ", in no alarm" + beliefs(manager));
        }
    }

    /**
     * True if the last way ends at a switch without an agent that said how many entries it has and their digest, and nobody knows the row, whatever it may have been sent since: this
     * entry is one of them. One behind its last is known to lead nowhere, and so is all where it may hold nothing.
     */
    private boolean endsInUnknownEntry(SimulatedManager manager, PacketWalk.End end, int index) {
        SwitchRecord record = end == PacketWalk.End.NO_ROUTE && walk.hops > 0
                ? manager.state.findSwitch(walk.at[walk.hops - 1].guid)
                : null;
        return record != null && !record.agentConnected() && record.heldRow() == null && index < record.heldEntries();
    }

    private boolean isKnownUp(SimulatedManager manager, int host) {
        SimulatedSwitch leaf = site.fabric.hostSwitch.get(host);
        FabricView view = manager.state.view();
        int node = identity.indexOf(site.fabric.hosts.get(host).portGuid());
        return site.fabric.hostUp(host)
                && view != null
                && node >= 0
                && node < view.nodeCount()
                && view.nodeSwitch(node) == view.switchOf(leaf.guid)
                && view.nodePort(node) == site.fabric.hostPort.get(host)
                && !ActLaws.isDrained(manager, leaf, 0);
    }

    private static boolean isUsed(SimulatedManager manager, SimulatedSwitch s) {
        SwitchRecord record = manager.state.findSwitch(s.guid);
        return isRanked(manager, s) && record != null && record.forwarding() != Forwarding.HUNG;
    }

    /**
     * True if nothing tells this manager what the switch forwards by: another one sent it its table and never had on its disk what it
     * was, or this one's disk is a copy made before, and it is none that this one computed, too. Such a table goes out when a disk
     * takes nothing, or when two managers do not know of each other. What was sent over such a table and not acknowledged does not tell either: it may still be the one in
     * force.
     */
    private boolean isUntold(SimulatedManager manager, SimulatedSwitch s) {
        SwitchRecord record = manager.state.findSwitch(s.guid);
        if (record != null
                && record.heldRow() != null
                && record.ackedDigest() == TableDigest.of(s.plane.installed().entries())) {
            return false;
        }
        Sender sender = senders.get(new SentTable(s.guid, s.plane.installed().version()));
        return sender != null
                && (sender.manager == manager
                        ? sender.overUntold
                        : !manager.disk.has(sender.manager.disk, sender.write));
    }

    /**
     * True if switches that can be told something could send its packets so that they arrive, whether the others forward by what
     * they hold or by what they acknowledged: the manager cannot know which.
     */
    private boolean someTablesWouldDeliver(SimulatedManager manager, int pair, @Nullable SimulatedSwitch around) {
        int index = identity.indexOf(site.fabric.hosts.get(destinations[pair]).portGuid());
        return new Reachability(site.fabric, manager.state.cabling(), around)
                .without((s, port) -> ActLaws.isDrained(manager, s, port))
                .towards(
                        destinations[pair],
                        s -> canBeTold(manager, s, index) && isRanked(manager, s)
                                ? List.of()
                                : mayForwardBy(manager, s, index))[site.fabric.hostSwitch.get(sources[pair]).index];
    }

    private List<Integer> mayForwardBy(SimulatedManager manager, SimulatedSwitch s, int index) {
        if (s.level > 0 && (s.lost || isUntold(manager, s))) {
            // Half of two tables, or one that only another manager knows: by luck alone it sends packets where they
            // should go.
            return List.of(LftSet.NO_ROUTE);
        }
        SwitchRecord record = manager.state.findSwitch(s.guid);
        if (s.level > 0 && record != null && record.forwarding() == Forwarding.HUNG) {
            // Nothing is led through it before its agent says that it forwards again.
            return List.of(LftSet.NO_ROUTE);
        }
        if (!isRanked(manager, s)) {
            return List.of(LftSet.NO_ROUTE);
        }
        LftRow acked = record == null ? null : record.heldRow();
        int now = s.plane.port(index);
        if (acked == null || (index >= acked.entryCount() && s.level == 0)) {
            // Whatever a leaf is said to hold: no way is better than the one to it.
            return List.of(now);
        }
        // Nothing is an answer, too: its last agent, or somebody in its name, said that it holds no table.
        return List.of(now, index < acked.entryCount() ? acked.port(index) : LftSet.NO_ROUTE);
    }

    private boolean isWell(int host) {
        SimulatedAgent agent = site.fabric.hostSwitch.get(host).agent;
        return site.fabric.hostUp(host) && agent != null && agent.well();
    }

    private boolean untouched(int pair) {
        for (int i = 0; i < hops[pair]; i++) {
            SimulatedSwitch at = way[pair][i];
            int port = ports[pair][i];
            boolean changed = at.hungNanos >= walkedNanos
                    || at.changedNanos[port - 1] >= walkedNanos
                    || (at.peer[port - 1] >= 0
                            && site.fabric.far(at, port).changedNanos[at.peerPort[port - 1] - 1] >= walkedNanos);
            if (changed) {
                return false;
            }
        }
        SimulatedSwitch from = way[pair][0];
        return site.fabric.hostSwitch.get(sources[pair]) == from;
    }

    /** True if a cable ends the last way that the manager takes for live, and no agent is in session where it died, or it died a moment ago. */
    private boolean endsWhereNobodyKnows(SimulatedManager manager, PacketWalk.End end) {
        if (end != PacketWalk.End.DEAD_CABLE) {
            return false;
        }
        SimulatedSwitch last = walk.at[walk.hops - 1];
        int port = walk.port[walk.hops - 1];
        SimulatedSwitch far = last.peer[port - 1] < 0 ? null : site.fabric.far(last, port);
        long near = last.changedNanos[port - 1];
        long beyond = far == null ? 0 : far.changedNanos[last.peerPort[port - 1] - 1];
        long changed = Math.max(near, beyond);
        if (!manager.state.cabling().knows(last.guid)
                || !manager.state.cabling().isLive(last.guid, port)) {
            return false;
        }
        if (hangsUnknown(manager, last) || (far != null && hangsUnknown(manager, far))) {
            return true;
        }
        // Of a cable that died at one end, that end tells.
        boolean somebodyTells = (near == changed && inSession(manager, last))
                || (far != null && beyond == changed && inSession(manager, far));
        return !somebodyTells || site.now() - changed < REST_NANOS;
    }

    /** Hellos through it were not lost yet, or cannot be sent. */
    private static boolean hangsUnknown(SimulatedManager manager, SimulatedSwitch s) {
        SwitchRecord record = s.hung ? manager.state.findSwitch(s.guid) : null;
        return record != null && record.forwarding() != Forwarding.HUNG;
    }

    /**
     * True if the last way ends in a switch above the leaves that the manager neither reaches nor can know the table of. To lead
     * around it would cost those their routes that its table serves.
     */
    private boolean endsInUntoldTable(SimulatedManager manager, int index) {
        SimulatedSwitch last = walk.at[walk.hops - 1];
        return last.level > 0 && !canBeTold(manager, last, index) && isUntold(manager, last);
    }

    private static boolean inSession(SimulatedManager manager, SimulatedSwitch s) {
        SwitchRecord record = manager.state.findSwitch(s.guid);
        return s.powered && s.agent != null && s.agent.well() && (record == null || record.agentConnected());
    }

    /**
     * In session, with a plane that takes what it is told of a destination, and not drained: the manager cannot mend one that takes nothing, and leaves a drained one to
     * whoever drained it. An entry that was refused, for somebody else's route or by a plane that wrote half, and of which the switch is to have what it has, is taken from the next
     * offer on.
     */
    private static boolean canBeTold(SimulatedManager manager, SimulatedSwitch s, int index) {
        return inSession(manager, s)
                && s.agent().takesEntry(index)
                && !(s.agent().refusedLately(index) && isReckonedWith(manager, s, index))
                && !ActLaws.isDrained(manager, s, 0);
    }

    private static boolean isReckonedWith(SimulatedManager manager, SimulatedSwitch s, int index) {
        SwitchRecord record = manager.state.findSwitch(s.guid);
        LftRow row = record == null ? null : record.desiredRow();
        return row != null && index < row.entryCount() && row.port(index) == s.plane.port(index);
    }

    /** Nothing is led through a switch above the leaves before the disk took its level; a full one does not. */
    private static boolean isRanked(SimulatedManager manager, SimulatedSwitch s) {
        return s.level == 0 || manager.disk.level(s.guid) >= 0;
    }

    private void keep(SimulatedManager manager, int pair, boolean delivered) {
        hops[pair] = 0;
        if (!delivered || walk.hops > HOPS_KEPT) {
            return;
        }
        for (int i = 0; i < walk.hops; i++) {
            SimulatedSwitch at = walk.at[i];
            int port = walk.port[i];
            boolean believed = manager.state.cabling().knows(at.guid)
                    && (i == walk.hops - 1
                            ? manager.state.cabling().saysUp(at.guid, port)
                            : manager.state.cabling().isLive(at.guid, port));
            if (!believed) {
                return;
            }
            way[pair][i] = at;
            ports[pair][i] = port;
        }
        hops[pair] = walk.hops;
    }

    private void lost(SimulatedManager manager, int pair) {
        PacketWalk.End end = walk(pair);
        boolean unknown = passesUnknownOutcome(manager);
        site.violated(
                unknown ? Law.UNKNOWN_OUTCOME_STAYS_UNKNOWN : Law.AGENT_MISSING_COSTS_NO_ROUTE,
                text(pair, end) + ", although its way of before is untouched: " + wayOfBefore(pair) + beliefs(manager));
    }

    private String wayOfBefore(int pair) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < hops[pair]; i++) {
            text.append(i == 0 ? "" : " ").append(way[pair][i]).append(':').append(ports[pair][i]);
        }
        return text.toString();
    }

    /** What the manager believes of the switches the last way leads through and what they hold. */
    private String beliefs(SimulatedManager manager) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < walk.hops; i++) {
            SwitchRecord record = manager.state.findSwitch(walk.at[i].guid);
            text.append("; ")
                    .append(walk.at[i])
                    .append(" holds ")
                    .append(walk.at[i].plane.installed().version());
            if (record != null) {
                text.append(", acked ")
                        .append(record.ackedEpoch())
                        .append(record.upToDate() ? ", as desired" : ", not as desired")
                        .append(record.pushInFlight() ? ", push in flight" : "")
                        .append(record.agentConnected() ? "" : ", no agent")
                        .append(record.agentSilent() ? ", silent" : "")
                        .append(record.bypassed() ? ", bypassed" : "");
            }
        }
        return text.toString();
    }

    /** True if the last way leads through a switch that lost its table and has not been able to tell this manager. */
    private boolean passesUntoldLoss(SimulatedManager manager) {
        for (int i = 0; i < walk.hops; i++) {
            if (walk.at[i].lost && !walk.at[i].knowLoss.contains(manager)) {
                return true;
            }
        }
        return false;
    }

    /** True if the last way leads through a switch that holds another table than it acknowledged. */
    private boolean passesUnknownOutcome(SimulatedManager manager) {
        for (int i = 0; i < walk.hops; i++) {
            SwitchRecord record = manager.state.findSwitch(walk.at[i].guid);
            if (record != null
                    && record.ackedDigest()
                            != TableDigest.of(walk.at[i].plane.installed().entries())) {
                return true;
            }
        }
        return false;
    }
}
