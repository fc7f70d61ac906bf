package io.dmodc.manager.core;

import static io.dmodc.manager.core.LoggedEvent.Severity.ALARM;
import static io.dmodc.manager.core.LoggedEvent.Severity.INFO;
import static io.dmodc.manager.core.LoggedEvent.Severity.WARNING;

import io.dmodc.manager.core.Effect.DismissReason;
import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.AgentLeft;
import io.dmodc.manager.core.FabricEvent.Doubt;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.FabricEvent.RepairReported;
import io.dmodc.manager.core.FabricEvent.RingReported;
import io.dmodc.manager.core.FarEndChanges.HeldBack;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.NewHosts.KeptOut;
import io.dmodc.manager.core.Strangers.Arrival;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.manager.core.SwitchRecord.Forwarding;
import io.dmodc.manager.state.LeaderEpochs;
import io.dmodc.routing.LftRow;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.LinkRate;
import io.dmodc.topology.PortPlace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Agents come, go and fall silent; what they report of their ports goes to the {@link LinkTracker}.
 *
 * <p>An agent that is dead is not a switch that is dead: rerouting around a switch that still forwards does harm. A
 * switch without a reachable agent is judged by its neighbours: some of its links up means headless (it forwards with
 * the table it has), all down means dead.
 */
final class AgentTracker {
    /**
     * How far above that of its Hello others may say that an agent's incarnation is: each refutation of an accusation raises it by
     * one, all else is told by another Hello.
     */
    static final int REFUTATIONS_BELIEVED = 256;

    /**
     * How many switches must come in with a table of a later epoch than the last on record before the records of others count as old: one that says so by a
     * mistake, or to do harm, would have none found that hangs. Where the last tables reached one switch of all that came in, and
     * a leaf that is awaited, that leaf may be held hung until its agent, or another one of them, comes.
     */
    static final int LATER_BELIEVED = 2;

    private final FabricState state;
    private final TableDistributor distributor;
    private final LeaderControl leader;
    private final LinkTracker links;
    final RingHearing hearing;
    final TransitChecks transits;
    private boolean awaitedJudged;

    AgentTracker(FabricState state, TableDistributor distributor, LeaderControl leader) {
        this.state = state;
        this.leader = leader;
        this.distributor = distributor;
        links = new LinkTracker(state);
        hearing = new RingHearing(state);
        transits = new TransitChecks(state);
    }

    void joined(AgentJoined joined, List<Effect> effects) {
        SwitchRecord before = state.switches.get(joined.guid());
        if (before != null
                && before.reachable()
                && Integer.compareUnsigned(joined.incarnation(), before.incarnation) <= 0) {
            effects.add(new Effect.Dismiss(
                    joined.session(),
                    DismissReason.DUPLICATE_GUID,
                    "another agent speaks for switch " + Guid.format(joined.guid()) + " with incarnation "
                            + before.incarnation));
            String text = before.name + ": a second agent with incarnation " + joined.incarnation() + " was refused";
            state.agentEvents.tell(
                    state.event(joined.nowNanos(), WARNING, Kind.AGENT_REFUSED, joined.guid(), null, text), effects);
            return;
        }
        if (!leader.admits(joined, effects)) {
            return;
        }
        if (!state.strangers.counts(joined.guid())) {
            state.strangers.joined(joined, effects);
            return;
        }
        if (before != null && before.portCount != joined.portCount() && !admitsPortCount(before, joined, effects)) {
            return;
        }
        effects.add(new Effect.Accept(joined.session(), state.leaderEpoch()));
        takeIn(joined, state.leaderEpoch(), effects);
    }

    /**
     * Another number of ports is another machine: all its links go, and come with what its agent says of them. One that says another number again and again is sent away
     * in between, and its switch judged by its neighbours.
     */
    private boolean admitsPortCount(SwitchRecord record, AgentJoined joined, List<Effect> effects) {
        boolean told = state.returns.waits(record);
        if (state.returns.hears(record, joined.nowNanos())) {
            return true;
        }
        String text = "says that it has " + joined.portCount() + " ports, it had " + record.portCount
                + " a moment ago, and that changes all the time";
        effects.add(new Effect.Dismiss(joined.session(), DismissReason.INVALID_HELLO, "its switch " + text));
        if (!told) {
            tell(
                    effects,
                    joined.nowNanos(),
                    WARNING,
                    Kind.AGENT_REFUSED,
                    record.guid,
                    record.name + ": its agent " + text + ": refused");
        }
        return false;
    }

    /** Takes in the agent of a switch that counts; it has been welcomed. */
    private void takeIn(AgentJoined joined, long leaderTold, List<Effect> effects) {
        SwitchRecord record = state.switches.get(joined.guid());
        if (record == null) {
            record = new SwitchRecord(joined.guid(), joined.name(), joined.portCount());
            state.switches.put(record.guid, record);
            state.lastNewNanos = joined.nowNanos();
        }
        if (record.session != 0) {
            effects.add(new Effect.Dismiss(record.session, DismissReason.SILENT, "a newer agent took over"));
        }
        boolean isLater = record.awaited && joined.table().fabricEpoch() > state.epochOnRecord;
        welcome(record, joined);
        if (isLater && ++state.laterThanRecords == LATER_BELIEVED) {
            recordsLag(joined.nowNanos(), effects);
        }
        distributor.holds(record, joined.table(), joined.nowNanos());
        record.leaderTold = leaderTold;
        if (!state.ring.holds(record.guid, record.ringAddress)) {
            state.ring.changed(joined.nowNanos());
        } else if (record.ringAddress.port() != 0) {
            // A new incarnation is told by the ring itself; a new process must learn where its place is.
            effects.add(new Effect.SendMembership(List.of(joined.session()), state.ring.current()));
        }
        tellMove(
                effects,
                joined.nowNanos(),
                INFO,
                Kind.AGENT_JOINED,
                record.guid,
                record.name + ": agent connected, incarnation " + record.incarnation);
        distributor.pump(record, joined.nowNanos(), effects);
        state.touchSwitch(record.guid);
    }

    /**
     * The last manager gave out tables that never came on record: a switch that is awaited may have got one, too, so that a hello which is lost by what is on record of
     * it proves nothing. A leaf that was held hung by that is used again, as any without an agent; what is above the leaves waits for its agent.
     */
    private void recordsLag(long nowNanos, List<Effect> effects) {
        for (SwitchRecord record : state.switches.values()) {
            if (!record.awaited) {
                continue;
            }
            record.recordedBy = LeaderEpochs.NOBODY;
            distributor.booksChanged(record);
            if (record.forwarding == Forwarding.HUNG) {
                record.forwarding = Forwarding.UNASKED;
                record.deadOnRecord = true;
                judge(record, nowNanos, effects);
            }
        }
    }

    /** Strangers that a cable ties to the fabric now count from here on, and those behind them. */
    void attach(long nowNanos, List<Effect> effects) {
        List<Arrival> arrivals = state.strangers.takeArrivals(nowNanos);
        while (!arrivals.isEmpty()) {
            for (Arrival arrival : arrivals) {
                takeIn(arrival.hello(), arrival.leaderTold(), effects);
                if (arrival.ports() != null) {
                    portsReported(arrival.ports(), effects);
                }
            }
            arrivals = state.strangers.takeArrivals(nowNanos);
        }
    }

    private void welcome(SwitchRecord record, AgentJoined joined) {
        if (record.portCount != joined.portCount()) {
            // Another machine under the same GUID: what its ports did before says nothing, some may not be there.
            state.disagreements.touchSwitch(record.guid);
            state.holdDown.forget(record.guid);
            state.newHosts.forgotten(record.guid);
            state.farEndChanges.forgotten(record.guid);
            state.unheard.removeIf(port -> port.guid() == record.guid);
        }
        record.session = joined.session();
        record.name = joined.name();
        record.portCount = joined.portCount();
        record.incarnation = joined.incarnation();
        record.greetedIncarnation = joined.incarnation();
        record.ringAddress = joined.ringAddress();
        record.silent = false;
        record.transitHellos = joined.transitHellos();
        hearing.greeted(record);
        canBeTold(record, joined.nowNanos());
        boolean renamed =
                state.cabling.knows(record.guid) && state.cabling.portCount(record.guid) == joined.portCount();
        record.portsKnown = false;
        record.loseInFlight();
        record.gaveUp = false;
        record.sendWhole = false;
        if (record.awaited && state.discovering) {
            record.condition = Condition.CONNECTED;
        }
        record.awaited = false;
        record.deadOnRecord = false;
        state.agentChanged(record);
        joinedAt(joined.nowNanos());
        if (state.apply(new SwitchSeen(record.guid, record.name, record.portCount))) {
            if (renamed) {
                state.returns.calls(record, "is called so now", joined.nowNanos());
            } else {
                state.news.add(joined.nowNanos(), record.name + " joined");
            }
        }
    }

    /** Routes need not lead around it any longer. */
    private void canBeTold(SwitchRecord record, long nowNanos) {
        record.forwarding = Forwarding.UNASKED;
        transits.forget(record.guid);
        if (record.bypassed || record.losesPairs) {
            state.returns.calls(record, "can be told its table again", nowNanos);
        }
    }

    private void joinedAt(long nowNanos) {
        state.firstJoinNanos = Math.min(state.firstJoinNanos, nowNanos);
        state.lastJoinNanos = nowNanos;
    }

    void repaired(RepairReported report, List<Effect> effects) {
        SwitchRecord record = state.switches.get(report.guid());
        if (record != null && record.session == report.session()) {
            links.repaired(report, effects);
        }
    }

    void left(AgentLeft left, List<Effect> effects) {
        leader.left(left.session());
        state.strangers.left(left);
        SwitchRecord record = state.switches.get(left.guid());
        if (record == null || record.session != left.session()) {
            return;
        }
        record.session = 0;
        state.agentChanged(record);
        record.goneSinceNanos = left.nowNanos();
        links.heard(record.guid, false, left.nowNanos());
        state.ring.departed(left.nowNanos());
        distributor.gone(record, left.nowNanos(), effects);
        tellMove(
                effects,
                left.nowNanos(),
                WARNING,
                Kind.AGENT_LEFT,
                record.guid,
                record.name + ": agent gone, " + left.why());
        queryNeighbours(record, left.nowNanos(), effects);
        judge(record, left.nowNanos(), effects);
    }

    void ringReported(RingReported report, List<Effect> effects) {
        if (state.ring.isOwn(report.subjectGuid())) {
            heardOfManager(report, effects);
            return;
        }
        if (hearing.isOwnDeafness(report)) {
            return;
        }
        SwitchRecord record = state.switches.get(report.subjectGuid());
        if (record == null || Integer.compareUnsigned(report.incarnation(), record.incarnation) < 0) {
            return;
        }
        if (!report.silent()) {
            if (record.isJudged(report.incarnation()) || !isCredible(record, report.incarnation())) {
                return;
            }
            record.incarnation = report.incarnation();
            state.agentChanged(record);
            if (record.silent && record.session != 0) {
                answersAgain(record, report.nowNanos(), effects);
            }
            return;
        }
        if (record.isJudged(report.incarnation())) {
            return;
        }
        record.judge(report.incarnation(), isCredible(record, report.incarnation()));
        if (record.silent || record.session == 0) {
            return;
        }
        record.silent = true;
        state.agentChanged(record);
        distributor.silent(record, report.nowNanos(), effects);
        tell(
                effects,
                report.nowNanos(),
                WARNING,
                Kind.AGENT_SILENT,
                record.guid,
                record.name + ": silent for " + report.silenceNanos() / 1_000_000 + " ms, seen by its ring observer "
                        + state.nameOf(report.observerGuid()) + "; asking its neighbours about its links");
        effects.add(new Effect.QueryPorts(record.session, List.of(1)));
        queryNeighbours(record, report.nowNanos(), effects);
    }

    /**
     * Whether others may know of this incarnation. All accusations of lower ones count as refuted, so one wrong report would
     * end the fault detection of a switch; an agent that lives says by itself what it has become.
     */
    private static boolean isCredible(SwitchRecord record, int incarnation) {
        return Integer.toUnsignedLong(incarnation) - Integer.toUnsignedLong(record.greetedIncarnation)
                <= REFUTATIONS_BELIEVED;
    }

    /** Its agents still speak over TCP, so this is about the way of its datagrams; told once per incarnation. */
    private void heardOfManager(RingReported report, List<Effect> effects) {
        if (report.silent() && Integer.compareUnsigned(report.incarnation(), state.unheardIncarnation) > 0) {
            state.unheardIncarnation = report.incarnation();
            tell(
                    effects,
                    report.nowNanos(),
                    WARNING,
                    Kind.MANAGER_UNHEARD,
                    0,
                    state.nameOf(report.observerGuid()) + " did not hear the manager's heartbeats for "
                            + report.silenceNanos() / 1_000_000 + " ms: is the way of its datagrams open?");
        }
    }

    private void answersAgain(SwitchRecord record, long nowNanos, List<Effect> effects) {
        record.silent = false;
        state.agentChanged(record);
        canBeTold(record, nowNanos);
        tell(effects, nowNanos, INFO, Kind.AGENT_ALIVE, record.guid, record.name + ": answers again");
        judge(record, nowNanos, effects);
        distributor.pump(record, nowNanos, effects);
    }

    /** Who does not answer says neither that the switch died nor, once all others saw its links down, that it did not: it may be back without its table. */
    private void notAnswered(SwitchRecord record, long nowNanos, List<Effect> effects) {
        if (record.answeredDown && !record.asked.isEmpty() && !record.reachable()) {
            distributor.lost(record);
        }
        record.asked.clear();
        judge(record, nowNanos, effects);
    }

    /** Asks every reachable neighbour about its link to this switch; each is asked about that one port. */
    private void queryNeighbours(SwitchRecord record, long nowNanos, List<Effect> effects) {
        record.answeredDown = false;
        state.answersDue.set(record.guid, nowNanos + state.rules.ackTimeoutNanos());
        Map<Long, List<Integer>> portsBySession = new TreeMap<>();
        for (int port = 1; port <= record.portCount; port++) {
            if (state.cabling.neighbour(record.guid, port) instanceof ToSwitch to) {
                SwitchRecord neighbour = state.switches.get(to.guid());
                if (neighbour != null && neighbour.reachable() && to.port() <= neighbour.portCount) {
                    record.asked.add(new PortPlace(to.guid(), to.port()));
                    portsBySession
                            .computeIfAbsent(neighbour.session, session -> new ArrayList<>())
                            .add(to.port());
                }
            }
        }
        portsBySession.forEach((session, ports) -> effects.add(new Effect.QueryPorts(session, ports)));
    }

    void portsReported(PortsReported report, List<Effect> effects) {
        SwitchRecord record = state.switches.get(report.guid());
        if (state.strangers.reported(report) || record == null || record.session != report.session()) {
            return;
        }
        if (record.silent) {
            answersAgain(record, report.nowNanos(), effects);
        }
        List<PortSeen> ports = report.complete() ? allPorts(record, report.ports()) : report.ports();
        List<Long> unreachableNeighbours = new ArrayList<>();
        for (PortSeen seen : ports) {
            state.strangers.seenFromFabric(seen);
            Doubt doubt = report.doubts().get(seen.port());
            takeIn(seen, doubt, report.nowNanos(), effects);
            LinkRate rate = seen.up() ? report.rates().get(seen.port()) : null;
            state.slowLinks.told(seen.guid(), seen.port(), rate);
            if (seen.neighbour() instanceof ToSwitch to && isUnreachable(to.guid())) {
                known(to.guid()).asked.remove(new PortPlace(seen.guid(), seen.port()));
                unreachableNeighbours.add(to.guid());
            }
        }
        if (report.complete()) {
            if (!record.portsKnown) {
                state.lastJoinNanos = report.nowNanos();
            }
            record.portsKnown = true;
            hearing.portsTold(record, report.nowNanos(), effects);
            state.agentChanged(record);
            links.heard(record.guid, true, report.nowNanos());
            state.touchSwitch(record.guid);
        }
        if (record.condition != Condition.CONNECTED || !state.cabling.alive(record.guid)) {
            // Also one that did not forward when the manager ended, and came in again right after the start.
            judge(record, report.nowNanos(), effects);
        }
        unreachableNeighbours.stream().distinct().forEach(guid -> judge(known(guid), report.nowNanos(), effects));
    }

    /** What an agent said of a port, now or before: as much of it as may be taken in. */
    private void takeIn(PortSeen seen, @Nullable Doubt doubt, long nowNanos, List<Effect> effects) {
        PortSeen known = state.newHosts.admit(seen, doubt, nowNanos, effects);
        links.reported(state.farEndChanges.admit(known, doubt, nowNanos, effects), doubt, nowNanos, effects);
    }

    private static List<PortSeen> allPorts(SwitchRecord record, List<PortSeen> listed) {
        PortSeen[] all = new PortSeen[record.portCount];
        for (PortSeen seen : listed) {
            all[seen.port() - 1] = seen;
        }
        List<PortSeen> ports = new ArrayList<>(all.length);
        for (int port = 1; port <= all.length; port++) {
            PortSeen seen = all[port - 1];
            ports.add(seen != null ? seen : new PortSeen(record.guid, port, false, null));
        }
        return ports;
    }

    private SwitchRecord known(long guid) {
        return Objects.requireNonNull(state.switches.get(guid));
    }

    private boolean isUnreachable(long guid) {
        SwitchRecord record = state.switches.get(guid);
        return record != null && !record.reachable();
    }

    /**
     * Decides what to think of a switch, and whether routes may lead through it. While neighbours are still asked and
     * some say up, nothing is decided: the others may know better.
     */
    private void judge(SwitchRecord record, long nowNanos, List<Effect> effects) {
        if (state.discovering && (record.awaited || isUnknownYet(record))) {
            if (conditionByNeighbours(record) == Condition.DEAD) {
                // It is not told yet, and may forward again before it is: but without the table it had.
                distributor.lost(record);
                state.restored.lost(record.guid);
            }
            return;
        }
        Condition condition = record.reachable() ? Condition.CONNECTED : conditionByNeighbours(record);
        record.asked.removeIf(port -> isUnreachable(port.guid()));
        if (condition == Condition.HEADLESS && !record.asked.isEmpty()) {
            record.answeredDown |= !isSeenUp(state, record, record.asked) && isSeenDown(record, record.asked);
            return;
        }
        if (condition == Condition.DEAD) {
            // It may come back without its table: nothing leads through it before its agent says what it holds.
            distributor.lost(record);
        }
        boolean forwards = record.reachable() || (condition == Condition.HEADLESS && holdsGoodTable(record));
        if (state.apply(new SwitchState(record.guid, forwards))) {
            if (record.reachable()) {
                state.returns.calls(record, "forwards again", nowNanos);
            } else if (forwards) {
                state.news.add(nowNanos, record.name + " forwards again");
            } else if (isDrawnInUse(record)) {
                state.news.add(nowNanos, record.name + " does not forward");
            }
            state.touchSwitch(record.guid);
        }
        boolean countedOn = record.countedOn && (condition != record.condition || !record.due.isEmpty());
        if (condition != record.condition) {
            Condition before = record.condition;
            record.condition = condition;
            state.agentChanged(record);
            state.touchSwitch(record.guid);
            tellCondition(record, before, nowNanos, effects);
        }
        if (countedOn && condition == Condition.HEADLESS && record.desiredRow != null && !record.surelyUpToDate()) {
            // The others were told their tables in the belief that it takes its own.
            record.due = List.of();
            state.snapshots.switchChanged(record.guid);
            state.news.add(nowNanos, record.name + " is headless without its newest table");
        }
        transits.watch(record, nowNanos);
    }

    /** The tables in force, or under way, may lead through it. */
    private boolean isDrawnInUse(SwitchRecord record) {
        FabricView drawn = state.view;
        int s = drawn == null ? -1 : drawn.switchOf(record.guid);
        return drawn == null || s < 0 || drawn.alive(s);
    }

    /** Its agent came and went before anybody knows which table its digest is of. */
    private boolean isUnknownYet(SwitchRecord record) {
        return state.restored.pending() && !record.reachable();
    }

    /**
     * No up–down path leads through a leaf, so an old or empty table of one harms its own hosts at most: one in use stays in
     * use. So is one of which only records of the last run say that it was dead, once a link to it is seen up: they are older than that, and its agent may
     * have been back while nothing could be written. The table of another must be known. One that is awaited has most probably taken what it was sent last, or forwards by what it was known to hold; one whose agent
     * was here and did not say so has not.
     */
    private boolean holdsGoodTable(SwitchRecord record) {
        boolean leaf = state.identity.levels().levels().getOrDefault(record.guid, -1) == 0;
        boolean inUse = record.ackedEntries > 0 || state.cabling.alive(record.guid);
        if (leaf && (inUse || (record.deadOnRecord && seenUp(state, record)))) {
            return true;
        }
        LftRow acked = record.ackedRow;
        return record.awaited
                ? (record.ackedEntries > 0 && state.cabling.alive(record.guid))
                        || record.possibleRows().stream().anyMatch(row -> row.entryCount() > 0)
                : acked != null && acked.entryCount() > 0;
    }

    /** A manager that reaches only a part of its fabric cannot know enough to change it. */
    private void holdPushes(long nowNanos, List<Effect> effects) {
        boolean hold = !state.enoughConnected();
        if (hold != state.pushesHeld) {
            state.pushesHeld = hold;
            String text = hold
                    ? "nothing is pushed: fewer than " + state.rules.connectedPercent()
                            + " % of the switches that forward have an agent here"
                    : "enough agents are here again: tables are pushed";
            tell(effects, nowNanos, hold ? ALARM : INFO, Kind.PUSHES_HELD, 0, text);
        }
    }

    /** Nobody waits any longer for agents that have not come, or have gone again: their switches are judged like any other without one. */
    private void judgeAwaited(long nowNanos, List<Effect> effects) {
        for (SwitchRecord record : state.switches.values()) {
            if (!record.reachable()) {
                judge(record, nowNanos, effects);
            }
            if (record.awaited && record.condition == Condition.HEADLESS) {
                String text = record.name + ": no agent has come in since the manager started; " + record.heldText();
                tell(effects, nowNanos, ALARM, Kind.SWITCH_HEADLESS, record.guid, text);
            }
        }
    }

    /** Asks every agent how all its ports are. */
    void askAllPorts(List<Effect> effects) {
        for (SwitchRecord record : state.switches.values()) {
            if (record.session != 0) {
                List<Integer> all =
                        IntStream.rangeClosed(1, record.portCount).boxed().toList();
                effects.add(new Effect.QueryPorts(record.session, all));
            }
        }
    }

    /** True while some reachable neighbour sees a link to this switch up. */
    static boolean seenUp(FabricState state, SwitchRecord record) {
        return isSeenUp(state, record, Set.of());
    }

    /** @param unanswered ports of neighbours that do not count */
    private static boolean isSeenUp(FabricState state, SwitchRecord record, Set<PortPlace> unanswered) {
        for (int port = 1; port <= record.portCount; port++) {
            if (state.cabling.neighbour(record.guid, port) instanceof ToSwitch to
                    && !unanswered.contains(new PortPlace(to.guid(), to.port()))
                    && canSay(state.switches.get(to.guid()), to)
                    && leadsTo(state, to, new ToSwitch(record.guid, port))
                    && (state.cabling.saysUp(to.guid(), to.port()) || state.holdDown.holds(to.guid(), to.port()))) {
                return true;
            }
        }
        return false;
    }

    /** Dead is what nobody sees up, and enough see down; and what hangs. */
    private Condition conditionByNeighbours(SwitchRecord record) {
        if (seenUp(state, record)) {
            return record.forwarding == Forwarding.HUNG ? Condition.DEAD : Condition.HEADLESS;
        }
        return isSeenDown(record, Set.of()) ? Condition.DEAD : Condition.HEADLESS;
    }

    /**
     * True if more neighbours see down than are without an agent themselves, or have not answered, and cannot tell. A cable that the
     * switch's own agent told to be down says nothing of what happened since, unless there is none of which nobody can tell.
     *
     * @param unanswered ports of neighbours that are asked still
     */
    private boolean isSeenDown(SwitchRecord record, Set<PortPlace> unanswered) {
        int down = 0;
        int downSince = 0;
        int unknown = 0;
        for (int port = 1; port <= record.portCount; port++) {
            if (state.cabling.neighbour(record.guid, port) instanceof ToSwitch to) {
                SwitchRecord neighbour = state.switches.get(to.guid());
                boolean asked = unanswered.contains(new PortPlace(to.guid(), to.port()));
                boolean headless = neighbour != null && !neighbour.reachable() && neighbour.condition != Condition.DEAD;
                boolean says = !asked && canSay(neighbour, to);
                unknown += asked || (headless && state.cabling.isLive(record.guid, port)) ? 1 : 0;
                down += says ? 1 : 0;
                downSince += says && state.cabling.saysUp(record.guid, port) ? 1 : 0;
            }
        }
        return (unknown == 0 ? down : downSince) > unknown;
    }

    private static boolean canSay(@Nullable SwitchRecord neighbour, ToSwitch to) {
        return neighbour != null && neighbour.reachable() && to.port() <= neighbour.portCount;
    }

    /** False once the neighbour's port names another far end: that cable was pulled here and plugged in elsewhere. */
    private static boolean leadsTo(FabricState state, ToSwitch from, ToSwitch here) {
        Neighbour named = state.cabling.neighbour(from.guid(), from.port());
        return named == null || named.equals(here);
    }

    private void tellCondition(SwitchRecord record, Condition before, long nowNanos, List<Effect> effects) {
        String text = record.name + ": " + conditionText(record, before);
        switch (record.condition) {
            case CONNECTED -> tellMove(effects, nowNanos, INFO, Kind.SWITCH_BACK, record.guid, text);
            case HEADLESS ->
                tellMove(
                        effects,
                        nowNanos,
                        before == Condition.DEAD ? INFO : ALARM,
                        Kind.SWITCH_HEADLESS,
                        record.guid,
                        text);
            case DEAD -> tellMove(effects, nowNanos, ALARM, Kind.SWITCH_DEAD, record.guid, text);
            case UNATTACHED -> throw new IllegalStateException(text);
        }
    }

    private String conditionText(SwitchRecord record, Condition before) {
        return switch (record.condition) {
            case CONNECTED -> "back";
            case HEADLESS ->
                before == Condition.DEAD && !state.cabling.alive(record.guid)
                        ? "its links come up again; not used before its agent is back"
                        : "headless, no agent but links are up; " + record.heldText();
            case DEAD -> record.deadText();
            case UNATTACHED -> "judged though it does not count for the fabric";
        };
    }

    void timePassed(long nowNanos, List<Effect> effects) {
        if (!state.discovering && !awaitedJudged) {
            awaitedJudged = true;
            judgeAwaited(nowNanos, effects);
        }
        if (!state.discovering) {
            holdPushes(nowNanos, effects);
        }
        for (long guid : state.answersDue.due(nowNanos)) {
            state.answersDue.cancel(guid);
            notAnswered(known(guid), nowNanos, effects);
        }
        for (SwitchRecord hung : transits.timePassed(nowNanos, effects)) {
            judge(hung, nowNanos, effects);
        }
        for (KeptOut last : state.newHosts.due(nowNanos)) {
            takeIn(last.seen(), last.doubt(), nowNanos, effects);
        }
        for (HeldBack last : state.farEndChanges.due(nowNanos)) {
            takeIn(last.seen(), last.doubt(), nowNanos, effects);
        }
        state.returns.timePassed(nowNanos);
        links.timePassed(nowNanos, effects);
        state.strangers.timePassed(nowNanos);
    }

    /** When an answer about links, or a hello through a switch, is no longer waited for, or a stranger forgotten; {@code Long.MAX_VALUE}: nothing is due. */
    long nextDeadline() {
        long hosts = Math.min(state.newHosts.nextDeadline(), state.farEndChanges.nextDeadline());
        long switches = Math.min(state.strangers.nextDeadline(), state.returns.nextDeadline());
        long next = Math.min(Math.min(switches, transits.nextDeadline()), hosts);
        return Math.min(next, Math.min(state.disagreements.nextDeadline(), state.answersDue.next()));
    }

    private void tell(
            List<Effect> effects, long nowNanos, LoggedEvent.Severity severity, Kind kind, long guid, String text) {
        effects.add(new Effect.Tell(state.event(nowNanos, severity, kind, guid, null, text)));
    }

    /** That an agent came or went, and what becomes of its switch by that: one alone can have it happen again and again. */
    private void tellMove(
            List<Effect> effects, long nowNanos, LoggedEvent.Severity severity, Kind kind, long guid, String text) {
        state.comingAndGoing.tell(state.event(nowNanos, severity, kind, guid, null, text), effects);
    }
}
