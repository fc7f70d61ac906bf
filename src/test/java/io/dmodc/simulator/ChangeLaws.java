package io.dmodc.simulator;

import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.Effect.TableUpdate;
import io.dmodc.manager.core.EpochRecord;
import io.dmodc.manager.core.FabricEvent.Routed;
import io.dmodc.manager.core.SwitchRecord;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowBuilder;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Tables;
import io.dmodc.routing.change.ChangePlan;
import io.dmodc.simulator.PacketWalk.End;
import io.dmodc.southbound.TableDigest;
import io.dmodc.southbound.TableVersion;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * No working pair is lost by our own change: packets of sampled pairs are walked right before and right after each table comes into force,
 * and nothing else happens in between.
 *
 * <p>A pair counts if it worked when the tables were planned, as far as the manager knew, if the wanted tables deliver it over the cables that work now, and the way on which it is lost is one that the manager could know: every
 * switch of it holds what the manager thinks it may, the cables are as they were when the tables were planned, and nothing at all has failed since they
 * were sent: what overtakes them nobody can plan for.
 */
final class ChangeLaws {
    private static final int PAIRS = 48;

    private static final int HOPS_MAX = 16;

    /** Longer than a port's news takes to the manager. */
    private static final long NEWS_NANOS = 500_000_000;

    private final Simulation site;
    private final IdentityLaws identity;
    private final ActLaws acts;
    private final PacketWalk walk;
    private final ChannelCircle circle;
    private final int[] sources = new int[PAIRS];
    private final int[] destinations = new int[PAIRS];

    /** Pairs that were delivered through the switch whose table changes. */
    private final BitSet delivered = new BitSet();

    /** Pairs that came to it and did not turn. */
    private final BitSet straight = new BitSet();

    /** Pairs that were delivered through it, whether they turned or not, and those that came to it and ended. */
    private final BitSet arrived = new BitSet();

    private final BitSet ended = new BitSet();

    /** Whether channels waited for each other before its table changed; known if packets may turn as planned. */
    private boolean closedBefore;

    /** @param overtaken pairs whose new way had been broken when it was sent */
    private record Sent(SimulatedManager manager, long nanos, BitSet overtaken) {}

    /** By version, pairs that worked when it was planned, whichever of their possible rows switches have. */
    private final Map<TableVersion, BitSet> working = new HashMap<>();

    /** The same where what this manager sent, and was told to be in force, is taken for known, whatever became of the row. */
    private final Map<TableVersion, BitSet> knowable = new HashMap<>();

    /** By version, what it was planned with. */
    private final Map<TableVersion, Effect.Compute> planned = new HashMap<>();

    /** By version, switches that had an agent in session when it was planned. */
    private final Map<TableVersion, Set<Long>> spoken = new HashMap<>();

    /** By version, the tables that switches were to have. */
    private final Map<TableVersion, Routed> made = new HashMap<>();

    private record Table(long guid, TableVersion version, long digest) {}

    /** Who sent a table first, and when. */
    private final Map<Table, Sent> sent = new HashMap<>();

    ChangeLaws(Simulation site, IdentityLaws identity, ActLaws acts, SplittableRandom random) {
        this.acts = acts;
        this.site = site;
        this.identity = identity;
        walk = new PacketWalk(site.fabric, Simulation.SWITCHES_MAX + FabricFactory.SWITCHES_MAX);
        circle = new ChannelCircle(site.fabric, walk);
        int hosts = site.fabric.hosts.size();
        for (int i = 0; i < PAIRS; i++) {
            sources[i] = random.nextInt(hosts);
            destinations[i] = (sources[i] + 1 + random.nextInt(hosts - 1)) % hosts;
        }
    }

    void pushed(SimulatedManager manager, TableUpdate update) {
        TableVersion version = new TableVersion(update.leaderEpoch(), update.fabricEpoch());
        sent.computeIfAbsent(
                new Table(update.guid(), version, update.resultDigest()),
                first -> new Sent(manager, site.now(), overtaken(manager, update, version)));
    }

    /** Tables are planned from what switches may forward by. */
    void planning(SimulatedManager manager, Effect.Compute compute) {
        Effect.TablesInForce inForce = compute.inForce();
        if (inForce != null) {
            TableVersion version =
                    new TableVersion(manager.state.leaderEpoch(), compute.view().epoch());
            working.put(version, working(compute.works(), inForce.rows()));
            knowable.put(version, working(compute.works(), knowableRows(manager, compute.works(), inForce.rows())));
            planned.put(version, compute);
            Set<Long> agents = new HashSet<>();
            for (SimulatedSwitch s : site.fabric.switches) {
                SwitchRecord record = manager.state.findSwitch(s.guid);
                if (record != null && record.agentConnected()) {
                    agents.add(s.guid);
                }
            }
            spoken.put(version, agents);
        }
    }

    private BitSet working(FabricView works, List<List<LftRow>> rows) {
        BitSet now = new BitSet();
        for (int pair = 0; pair < PAIRS; pair++) {
            int from = works.switchOf(site.fabric.hostSwitch.get(sources[pair]).guid);
            now.set(pair, from >= 0 && index(pair) >= 0 && arrives(works, rows, from, false, index(pair), 8));
        }
        return now;
    }

    private List<List<LftRow>> knowableRows(SimulatedManager manager, FabricView works, List<List<LftRow>> rows) {
        List<List<LftRow>> knowable = new ArrayList<>(rows);
        for (SimulatedSwitch s : site.fabric.switches) {
            int at = works.switchOf(s.guid);
            SwitchRecord record = manager.state.findSwitch(s.guid);
            byte[] held = s.plane.installed().entries();
            if (at >= 0
                    && record != null
                    && rows.get(at).isEmpty()
                    && s.plane.installed().version().leaderEpoch() == manager.state.leaderEpoch()
                    && record.ackedDigest() == TableDigest.of(held)) {
                knowable.set(at, List.of(LftRow.of(held)));
            }
        }
        return knowable;
    }

    /** These are the tables of an epoch, if they are accepted. */
    void planned(SimulatedManager manager, Routed routed) {
        made.put(new TableVersion(manager.state.leaderEpoch(), routed.epoch()), routed);
    }

    /** A packet that turns is none that arrives, here as on the walks. */
    private static boolean arrives(
            FabricView view, List<List<LftRow>> rows, int at, boolean wentDown, int d, int hops) {
        boolean arrives = hops > 0 && view.alive(at) && !rows.get(at).isEmpty() && d < view.nodeCount();
        for (LftRow row : arrives ? rows.get(at) : List.<LftRow>of()) {
            int port = d < row.entryCount() ? row.port(d) : LftSet.NO_ROUTE;
            int next = port >= 1 && port <= view.portCount(at) ? view.peerSwitch(at, port) : -1;
            boolean down = next >= 0 && view.isDown(at, next);
            arrives &= at == view.nodeSwitch(d)
                    ? port == view.nodePort(d)
                    : next >= 0
                            && (down || (view.isUp(at, next) && !wentDown))
                            && arrives(view, rows, next, wentDown || down, d, hops - 1);
        }
        return arrives;
    }

    /** The table of this switch is about to become another one. */
    void installing(SimulatedSwitch at) {
        for (int pair = 0; pair < PAIRS; pair++) {
            End end = walk(pair);
            delivered.set(pair, end == End.DELIVERED && passes(at));
            straight.set(pair, end != End.LOOP && end != End.DOWN_UP_TURN && passes(at));
            End on = walkOn(pair);
            arrived.set(pair, on == End.DELIVERED && passes(at));
            ended.set(pair, on != End.LOOP && passes(at));
        }
        SimulatedManager manager = site.network.listening;
        closedBefore = false;
        if (manager != null) {
            TableVersion wanted = wanted(manager);
            closedBefore = letsTurn(plan(wanted)) && !circle(wanted).isEmpty();
        }
    }

    /** Of the tables that switches are to have now: epoch 0 before the first. */
    private static TableVersion wanted(SimulatedManager manager) {
        Tables tables = manager.state.tables();
        return new TableVersion(manager.state.leaderEpoch(), tables == null ? 0 : tables.epoch());
    }

    private @Nullable ChangePlan plan(TableVersion version) {
        Routed routed = made.get(version);
        return routed == null ? null : routed.change().plan();
    }

    /** Packets that come to a switch that may do anything, or to a cable of which nobody could tell, are followed no further. */
    private List<SimulatedSwitch> circle(TableVersion version) {
        boolean[][] ends = new boolean[site.fabric.switches.size()][];
        for (SimulatedSwitch s : site.fabric.switches) {
            boolean unknown = isUnknown(version, s);
            ends[s.index] = new boolean[s.portCount + 1];
            for (int port = 1; port <= s.portCount; port++) {
                ends[s.index][port] = unknown || isRecabledUnheard(version, s, port);
            }
        }
        return circle.find(
                host -> identity.indexOf(site.fabric.hosts.get(host).portGuid()), (s, port) -> ends[s.index][port]);
    }

    /**
     * True if a cable leads elsewhere than it did by the view that the change was planned with, and none of those could tell at whose ends it was or is: no
     * agent of theirs was in session.
     */
    private boolean isRecabledUnheard(TableVersion version, SimulatedSwitch s, int port) {
        Effect.Compute compute = planned.get(version);
        FabricView view = compute == null ? null : compute.works();
        int at = view == null ? -1 : view.switchOf(s.guid);
        if (view == null || at < 0 || port > view.portCount(at) || s.peer[port - 1] < 0) {
            return false;
        }
        SimulatedSwitch far = site.fabric.far(s, port);
        int believed = view.peerSwitch(at, port);
        boolean asItWas = believed >= 0
                && view.switchGuid(believed) == far.guid
                && view.peerPort(at, port) == s.peerPort[port - 1];
        Set<Long> agents = spoken.getOrDefault(version, Set.of());
        return believed >= 0
                && !asItWas
                && !agents.contains(s.guid)
                && !agents.contains(far.guid)
                && !agents.contains(view.switchGuid(believed));
    }

    /** It has become the one of this version. */
    void installed(SimulatedSwitch at, TableVersion version) {
        byte[] entries = at.plane.installed().entries();
        Sent by = sent.get(new Table(at.guid, version, TableDigest.of(entries)));
        if (by == null
                || by.manager != site.network.listening
                || !isProven(by.manager, version)
                || !isProven(by.manager, wanted(by.manager))) {
            return;
        }
        SimulatedManager manager = by.manager;
        TableVersion wanted = wanted(manager);
        ChangePlan plan = plan(version);
        if (plan != null) {
            letTurn(plan);
        }
        if (letsTurn(plan) || letsTurn(plan(wanted))) {
            closesNoCircle(manager, at, version, by.nanos);
        }
        for (int pair = straight.nextSetBit(0); pair >= 0; pair = straight.nextSetBit(pair + 1)) {
            End end = walkAsPlanned(pair, version, wanted);
            if ((end == End.LOOP || end == End.DOWN_UP_TURN)
                    && by.nanos > site.fabric.failedNanos
                    && isKnown(manager, version, by.nanos)
                    && !passesUnknown(version)
                    && !joinsWhatTurnsAlready(pair, version, at)) {
                walk(pair);
                site.violated(Law.OWN_CHANGE_TURNS_NOTHING, text(pair, end, at, version));
                break;
            }
        }
        if (by.nanos <= acts.undrainedNanos()) {
            // It was meant to cut off what is wanted again since.
            return;
        }
        BitSet counted = working.getOrDefault(version, new BitSet());
        delivered.and(counted);
        for (int pair = delivered.nextSetBit(0); pair >= 0; pair = delivered.nextSetBit(pair + 1)) {
            End end = walkAsPlanned(pair, version, wanted);
            if (end != End.DELIVERED
                    && !standsStill(plan, end, index(pair))
                    && by.nanos > site.fabric.failedNanos
                    && isKnown(manager, version, by.nanos)
                    && !by.overtaken.get(pair)
                    && workedForNewerTables(pair, version)
                    && isWanted(manager, pair)) {
                site.violated(Law.OWN_CHANGE_LOSES_NOTHING, text(pair, end, at, version));
                return;
            }
        }
    }

    /**
     * False if a switch of the last way has a table of a later plan than this version's, and by what that one could know the pair did not work any more: it
     * promised nothing of it, and what was sent before may come late.
     */
    private boolean workedForNewerTables(int pair, TableVersion version) {
        for (int i = 0; i < walk.hops; i++) {
            TableVersion held = walk.at[i].plane.installed().version();
            if (held.leaderEpoch() == version.leaderEpoch()
                    && held.fabricEpoch() > version.fabricEpoch()
                    && knowable.containsKey(held)
                    && !knowable.get(held).get(pair)) {
                return false;
            }
        }
        return true;
    }

    /** Of columns in which packets may turn, as planned, it counts whether they arrive and whether they come back to a switch. */
    private void letTurn(ChangePlan plan) {
        for (int pair = 0; pair < PAIRS && !plan.free().isEmpty(); pair++) {
            if (mayTurn(plan, index(pair))) {
                delivered.set(pair, arrived.get(pair));
                straight.set(pair, ended.get(pair));
            }
        }
    }

    private static boolean letsTurn(@Nullable ChangePlan plan) {
        return plan != null && !plan.free().isEmpty();
    }

    private static boolean mayTurn(@Nullable ChangePlan plan, int index) {
        return plan != null && index >= 0 && plan.free().get(index);
    }

    /** True if hosts are kept from sending there while the entries change, as somebody allowed. */
    private static boolean standsStill(@Nullable ChangePlan plan, End end, int index) {
        return end == End.NO_ROUTE
                && plan != null
                && index >= 0
                && plan.quiesced().get(index);
    }

    /** Packets that turn, as planned, close no circle of channels that was open. */
    private void closesNoCircle(SimulatedManager manager, SimulatedSwitch at, TableVersion version, long sentNanos) {
        if (closedBefore || sentNanos <= site.fabric.failedNanos) {
            return;
        }
        List<SimulatedSwitch> waiting = circle(version);
        boolean known = waiting.stream().allMatch(s -> isKnown(manager, version, s, sentNanos));
        if (!waiting.isEmpty() && known) {
            site.violated(
                    Law.OWN_CHANGE_CLOSES_NO_CIRCLE,
                    "channels of " + waiting + " wait for each other once " + at + " has the table of " + version + ": "
                            + change(manager, version));
        }
    }

    private boolean isKnown(SimulatedManager manager, TableVersion version, SimulatedSwitch s, long sentNanos) {
        SwitchRecord record = manager.state.findSwitch(s.guid);
        FabricView view = manager.view(version.fabricEpoch());
        boolean known = record != null && view != null && !s.lost && !s.hung && mayHold(record, s);
        for (int port = 1; port <= s.portCount && known; port++) {
            known = s.changedNanos[port - 1] <= sentNanos - NEWS_NANOS;
        }
        return known;
    }

    /**
     * Rows that turned packets of others when the change was planned are mended by this very change, each as soon as it can be; a pair that did
     * not work then may join these packets until it is over.
     */
    private boolean joinsWhatTurnsAlready(int pair, TableVersion version, SimulatedSwitch changed) {
        walk(pair);
        int turn = turn(index(pair));
        Effect.Compute compute = planned.get(version);
        if (turn < 0
                || compute == null
                || working.getOrDefault(version, new BitSet()).get(pair)) {
            return false;
        }
        SimulatedSwitch above = walk.at[turn];
        SimulatedSwitch below = site.fabric.far(above, walk.port[turn]);
        boolean turns = false;
        for (int h = 0; h < site.fabric.hosts.size() && above != changed && below != changed; h++) {
            int from = compute.works().switchOf(site.fabric.hostSwitch.get(h).guid);
            turns |= from >= 0 && turnedAt(compute, from, index(pair), above.guid, below.guid, changed.guid);
        }
        return turns;
    }

    /** True if the last way passes a switch that may do anything: packets may turn there whatever is sent. */
    private boolean passesUnknown(TableVersion version) {
        for (int i = 0; i < walk.hops; i++) {
            if (isUnknown(version, walk.at[i])) {
                return true;
            }
        }
        return false;
    }

    /** True if nobody knew what it holds when the change was planned, and it has not got its table of this version yet. */
    private boolean isUnknown(TableVersion version, SimulatedSwitch at) {
        Effect.Compute compute = planned.get(version);
        Effect.TablesInForce inForce = compute == null ? null : compute.inForce();
        int s = compute == null ? -1 : compute.works().switchOf(at.guid);
        boolean was = inForce == null || s < 0 || inForce.rows().get(s).isEmpty();
        return was && !version.equals(at.plane.installed().version());
    }

    /** True if by the rows that were surely in force a packet from here was sent down from one switch to another and up again, and did not come by a third. */
    private static boolean turnedAt(Effect.Compute compute, int from, int index, long above, long below, long avoided) {
        FabricView view = compute.works();
        Effect.TablesInForce inForce = Objects.requireNonNull(compute.inForce());
        int at = from;
        int before = -1;
        for (int hops = 0; hops < HOPS_MAX && view.switchGuid(at) != avoided; hops++) {
            int port = view.alive(at) ? surely(inForce.rows().get(at), index) : LftSet.NO_ROUTE;
            int next = port >= 1 && port <= view.portCount(at) ? view.peerSwitch(at, port) : -1;
            if (next < 0) {
                return false;
            }
            if (before >= 0 && !view.isUp(before, at) && view.isUp(at, next)) {
                return view.switchGuid(before) == above && view.switchGuid(at) == below;
            }
            before = at;
            at = next;
        }
        return false;
    }

    /** The entry that all these rows have; no route if they have not the same. */
    private static int surely(List<LftRow> rows, int index) {
        int[] ports = rows.stream()
                .mapToInt(row -> index < row.entryCount() ? row.port(index) : LftSet.NO_ROUTE)
                .distinct()
                .toArray();
        return ports.length == 1 ? ports[0] : LftSet.NO_ROUTE;
    }

    /** Which switch of the last way sends down to one that sends up again; −1 if none does. */
    private int turn(int index) {
        for (int i = 0; i < walk.hops; i++) {
            SimulatedSwitch next = next(walk.at[i], walk.port[i]);
            SimulatedSwitch afterNext = next == null ? null : next(next, next.plane.port(index));
            if (next != null && afterNext != null && next.level <= walk.at[i].level && afterNext.level > next.level) {
                return i;
            }
        }
        return -1;
    }

    private @Nullable SimulatedSwitch next(SimulatedSwitch s, int port) {
        return port >= 1 && port <= s.portCount && site.fabric.live(s, port) ? site.fabric.far(s, port) : null;
    }

    private End walk(int pair) {
        int index = index(pair);
        return index < 0 ? End.NO_ROUTE : walk.walk(sources[pair], destinations[pair], index);
    }

    /** A packet that turns goes on if that is planned by this version, or by the one wanted of which a switch on its way has its table. */
    private End walkAsPlanned(int pair, TableVersion version, TableVersion wanted) {
        int index = index(pair);
        if (mayTurn(plan(version), index)) {
            return walkOn(pair);
        }
        End end = walk(pair);
        boolean allowed = false;
        for (int i = 0; i < walk.hops && end == End.DOWN_UP_TURN; i++) {
            allowed |= walk.at[i].plane.installed().version().equals(wanted) && mayTurn(plan(wanted), index);
        }
        return allowed ? walkOn(pair) : end;
    }

    private End walkOn(int pair) {
        int index = index(pair);
        return index < 0 ? End.NO_ROUTE : walk.walkOn(sources[pair], destinations[pair], index);
    }

    private int index(int pair) {
        return identity.indexOf(site.fabric.hosts.get(destinations[pair]).portGuid());
    }

    private boolean passes(SimulatedSwitch at) {
        for (int i = 0; i < walk.hops; i++) {
            if (walk.at[i] == at) {
                return true;
            }
        }
        return false;
    }

    /** The plan of its epoch said that nothing would be lost. What is still on its way from an earlier one meets what a later one allows. */
    private static boolean isProven(SimulatedManager manager, TableVersion version) {
        return change(manager, version).startsWith("transient-safe");
    }

    private static String change(SimulatedManager manager, TableVersion version) {
        for (EpochRecord epoch : manager.state.epochs()) {
            if (epoch.epoch() == version.fabricEpoch()) {
                return epoch.change();
            }
        }
        return "";
    }

    /** True if on the last way nothing is otherwise than the manager could know when it sent the tables. */
    private boolean isKnown(SimulatedManager manager, TableVersion version, long sentNanos) {
        FabricView view = manager.view(version.fabricEpoch());
        for (int i = 0; i < walk.hops; i++) {
            SimulatedSwitch s = walk.at[i];
            SwitchRecord record = manager.state.findSwitch(s.guid);
            int port = walk.port[i];
            boolean cabled = port >= 1 && port <= s.portCount;
            if (record == null || s.lost || s.hung || !mayHold(record, s)) {
                return false;
            }
            if (cabled && (view == null || isTakenForLive(view, s, port) || isRecabledUnheard(version, s, port))) {
                return false;
            }
            if (cabled && s.changedNanos[port - 1] > sentNanos - NEWS_NANOS) {
                return false;
            }
            if (cabled
                    && s.peer[port - 1] >= 0
                    && site.fabric.far(s, port).changedNanos[s.peerPort[port - 1] - 1] > sentNanos - NEWS_NANOS) {
                return false;
            }
        }
        return true;
    }

    /**
     * Pairs that the tables of this version lead over a cable that has died since they were computed, if nobody could tell the manager yet, or if
     * this is the first of its switch: those leave as soon as the disk has what they rest on, for what they mend.
     */
    private BitSet overtaken(SimulatedManager manager, TableUpdate update, TableVersion version) {
        BitSet pairs = new BitSet();
        FabricView view = manager.view(version.fabricEpoch());
        Routed tables = made.get(version);
        if (view != null && tables != null) {
            boolean first = isFirst(tables.change().plan(), view.switchOf(update.guid()), update.resultDigest());
            for (int pair = 0; pair < PAIRS; pair++) {
                pairs.set(pair, leadsOverALoss(manager, view, tables.result().tables(), pair, first));
            }
        }
        return pairs;
    }

    private static boolean isFirst(@Nullable ChangePlan plan, int s, long digest) {
        List<ChangePlan.Step> steps = plan == null || s < 0 ? List.of() : plan.steps(s, new LftRowBuilder());
        return steps.isEmpty()
                || (steps.get(0).round() <= 1
                        && TableDigest.of(steps.get(0).row().toBytes()) == digest);
    }

    private boolean leadsOverALoss(
            SimulatedManager manager, FabricView view, @Nullable LftSet tables, int pair, boolean mayBeTold) {
        SimulatedSwitch here = site.fabric.hostSwitch.get(sources[pair]);
        int index = index(pair);
        for (int hops = 0; tables != null && index >= 0 && index < tables.entryCount() && hops < HOPS_MAX; hops++) {
            int at = view.switchOf(here.guid);
            int port = at < 0 ? LftSet.NO_ROUTE : tables.port(at, index);
            if (port < 1 || port > here.portCount || here.peer[port - 1] < 0) {
                return false;
            }
            if (!site.fabric.live(here, port)) {
                return mayBeTold
                        || (manager.state.cabling().knows(here.guid)
                                && manager.state.cabling().isLive(here.guid, port));
            }
            here = site.fabric.far(here, port);
        }
        return false;
    }

    /** A cable that is dead, and that the tables were made for as if it worked. */
    private boolean isTakenForLive(FabricView view, SimulatedSwitch s, int port) {
        int at = view.switchOf(s.guid);
        return s.peer[port - 1] >= 0
                && !site.fabric.live(s, port)
                && at >= 0
                && port <= view.portCount(at)
                && view.peerSwitch(at, port) >= 0;
    }

    private static boolean mayHold(SwitchRecord record, SimulatedSwitch s) {
        byte[] held = s.plane.installed().entries();
        long digest = TableDigest.of(held);
        if (record.ackedDigest() == digest) {
            return true;
        }
        for (LftRow row : record.possibleRows()) {
            if (row.entryCount() == held.length && TableDigest.of(row.toBytes()) == digest) {
                return true;
            }
        }
        return false;
    }

    /**
     * True if the tables that the manager wants deliver the pair over the cables that work now. Where a switch is to have what it has, as it did not take an entry, and that
     * leads into a drained switch, the pair is delivered by luck alone: what it is offered, and takes, leads around what is drained, as operators asked.
     */
    private boolean isWanted(SimulatedManager manager, int pair) {
        int index = index(pair);
        SimulatedSwitch here = site.fabric.hostSwitch.get(sources[pair]);
        for (int hops = 0; hops < HOPS_MAX; hops++) {
            SwitchRecord record = manager.state.findSwitch(here.guid);
            LftRow row =
                    record == null || !record.agentConnected() || record.agentSilent() ? null : record.desiredRow();
            int port = row == null || index >= row.entryCount() ? here.plane.port(index) : row.port(index);
            if (port < 1 || port > here.portCount) {
                return false;
            }
            if (here.host[port - 1] >= 0) {
                return here.host[port - 1] == destinations[pair] && site.fabric.up(here, port);
            }
            if (!site.fabric.live(here, port)) {
                return false;
            }
            SimulatedSwitch far = site.fabric.far(here, port);
            if (here.plane.port(index) != port && ActLaws.isDrained(manager, far, 0)) {
                return false;
            }
            here = far;
        }
        return false;
    }

    private String text(int pair, End end, SimulatedSwitch at, TableVersion version) {
        return site.fabric.hosts.get(sources[pair]).name() + " to "
                + site.fabric.hosts.get(destinations[pair]).name() + ": " + end + " by way of " + walk.way()
                + " once " + at + " has the table of " + version + beliefs(version);
    }

    /** What the switches of the last way hold, whether the manager can tell them anything, and where it takes them to lead. */
    private String beliefs(TableVersion version) {
        SimulatedManager manager = site.network.listening;
        FabricView view = manager == null ? null : manager.view(version.fabricEpoch());
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < walk.hops && manager != null && view != null; i++) {
            SimulatedSwitch s = walk.at[i];
            int at = view.switchOf(s.guid);
            int port = walk.port[i];
            SwitchRecord record = manager.state.findSwitch(s.guid);
            int peer = at < 0 || port < 1 || port > view.portCount(at) ? -1 : view.peerSwitch(at, port);
            text.append("; ")
                    .append(s)
                    .append(" holds ")
                    .append(s.plane.installed().version())
                    .append(record == null || !record.agentConnected() ? ", no agent" : "")
                    .append(", leads to ")
                    .append(peer < 0 ? "nothing" : view.switchName(peer))
                    .append(" as the manager sees it");
        }
        return text.toString();
    }
}
