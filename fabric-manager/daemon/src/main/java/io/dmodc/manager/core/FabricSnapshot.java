package io.dmodc.manager.core;

import io.dmodc.detector.RingOrder;
import io.dmodc.manager.core.Alarm.Kind;
import io.dmodc.manager.core.ExchangedHosts.Exchanged;
import io.dmodc.manager.core.Forgettable.CableAt;
import io.dmodc.manager.core.Forgettable.HostPort;
import io.dmodc.manager.core.Forgettable.SwitchGuid;
import io.dmodc.manager.state.StateRecord.ExpectedPort;
import io.dmodc.manager.state.StateRecord.ExpectedSwitch;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.Tables;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import io.dmodc.topology.LinkRates;
import io.dmodc.topology.PortPlace;
import io.dmodc.topology.rates.SlowLinkUse;
import io.dmodc.topology.rates.SlowLinks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the manager knew when a batch was done, for everybody but the loop. Immutable: any thread may read it for as long
 * as it likes, and all it reads is of one moment.
 *
 * <p>View, tables, ring and lists are those the state refers to, as none of them is ever changed. Switches, what is expected
 * of them, alarms and epochs are in {@link LongTrie}s, of which the next snapshot shares all that did not change. Numbers are
 * counted when something changes ({@link SwitchCounts}), lists are made by who asks, on its own thread.
 */
public final class FabricSnapshot {
    private final long leaderEpoch;
    private final boolean deposed;
    private final long epoch;
    private final boolean discovering;
    private final boolean computing;
    private final boolean calm;
    private final int outstanding;
    private final int heldDownCount;
    private final int learntLinkCount;
    private final long linkFlaps;
    private final long foreignSources;
    private final @Nullable FabricView view;
    private final @Nullable FabricView works;
    private final IntentSnapshot intent;
    private final RebalanceRule rebalance;
    private final SlowLinkUse slowLinks;
    private final @Nullable Tables tables;
    private final PlannedChange change;
    private final @Nullable FabricView changeView;
    private final EpochHistory kept;
    private final List<String> cutOff;
    private final String withoutPath;
    private final Effect.Membership membership;
    private final List<RingOrder.Violation> ringViolations;
    private final List<RingOrder.Run> ringWorstRuns;
    private final List<SwitchSnapshot> unattached;
    final SwitchCounts counts;
    private final int expectedLinks;
    private final int expectedHosts;
    private final @Nullable Totals links;
    private final @Nullable Totals hosts;
    final LongTrie<SwitchSnapshot> switches;
    final LongTrie<ExpectedSwitch> expected;
    final LongTrie<EpochRecord> epochs;
    private final LongTrie<Alarm> alarms;
    private final LongTrie<Alarm> switchAlarms;
    private final LongTrie<Alarm> leafAlarms;
    private final LongTrie<Integer> nodeIndices;
    private final LongTrie<Exchanged> exchanged;

    FabricSnapshot(
            FabricState state,
            LongTrie<SwitchSnapshot> switches,
            LongTrie<ExpectedSwitch> expected,
            LongTrie<EpochRecord> epochs,
            SwitchCounts counts) {
        leaderEpoch = state.leaderEpoch();
        deposed = state.deposed();
        epoch = state.epoch;
        discovering = state.discovering;
        computing = state.computing();
        calm = state.calm();
        outstanding = state.outstanding;
        heldDownCount = state.heldDownCount();
        learntLinkCount = state.learntLinkCount();
        linkFlaps = state.linkFlaps;
        foreignSources = state.foreignSources;
        view = state.view;
        works = state.works;
        intent = IntentSnapshot.of(state);
        rebalance = state.rules.rebalance();
        slowLinks = state.rules.slowLinks();
        tables = state.tables;
        change = state.change;
        changeView = state.changeView;
        kept = state.kept.history();
        cutOff = state.cutOff;
        withoutPath = state.withoutPath;
        membership = state.membership();
        ringViolations = state.ring.violations();
        ringWorstRuns = state.ring.worstRuns();
        unattached = state.strangers.snapshots();
        this.counts = counts;
        expectedLinks = state.inventory().linkCount();
        expectedHosts = state.inventory().hostCount();
        links = state.alarms.links();
        hosts = state.alarms.hosts();
        this.switches = switches;
        this.expected = expected;
        this.epochs = epochs;
        alarms = state.openAlarms.byId();
        switchAlarms = state.openAlarms.ofSwitches();
        leafAlarms = state.openAlarms.ofLeaves();
        nodeIndices = state.identity.nodeIndices();
        exchanged = state.identity.exchanged.all();
    }

    public long leaderEpoch() {
        return leaderEpoch;
    }

    /** True once another manager took over and this one stepped down: it computes on and pushes nothing. */
    public boolean deposed() {
        return deposed;
    }

    /** Number of the last view drawn. */
    public long epoch() {
        return epoch;
    }

    /** True until enough switches have come in after a start for the first tables to be computed. */
    public boolean discovering() {
        return discovering;
    }

    /** True while tables of the last view are being computed. */
    public boolean computing() {
        return computing;
    }

    /** True while nothing is left to compute, to push or to wait an acknowledgement for. */
    public boolean calm() {
        return calm;
    }

    /** Switches that can be told and do not hold what they should. */
    public int outstanding() {
        return outstanding;
    }

    /** Which switches keep entries until others have theirs; found when asked for. */
    public WaitingTables waiting() {
        return WaitingTables.of(changeView, change, switches::get);
    }

    /**
     * Switches, by GUID, that are to acknowledge before all can leave that waits for them next: others' tables, or their own next ones. Found when asked for.
     */
    public Set<Long> awaited() {
        return WaitingTables.awaited(changeView, change, switches::get);
    }

    /** Ports that are up on the metal but kept out of the routes because they flapped. */
    public int heldDownCount() {
        return heldDownCount;
    }

    /** How often a cable went down after it had been up, since the start; a cable with both its ends counts once. */
    public long linkFlaps() {
        return linkFlaps;
    }

    /** How often a member of the ring told that it drops datagrams of another one, as they come from another address. */
    public long foreignSources() {
        return foreignSources;
    }

    /** Live links of the fullest fabric seen. */
    public int learntLinkCount() {
        return learntLinkCount;
    }

    /** The links that work, as of {@link #view}, which is without what is drained; {@code null} before the first. */
    public @Nullable FabricView works() {
        return works;
    }

    /** What operators want to hold. */
    public IntentSnapshot intent() {
        return intent;
    }

    /** Whether entries may be moved. */
    public RebalanceRule rebalance() {
        return rebalance;
    }

    /**
     * The slow links that routes would lead around, by one end; O(ports) unless all rates are alike.
     *
     * @param works the links that would work
     * @param usable those of them that are not drained
     */
    public List<PortPlace> slowLeftOut(FabricView works, FabricView usable) {
        return slowLinks == SlowLinkUse.IGNORE
                ? List.of()
                : SlowLinks.of(works, rates()).leftOut(slowLinks, usable).stream()
                        .filter(place -> !isSentOver(place) && !isSentOver(SlowLinkWatch.far(place, works)))
                        .toList();
    }

    private LinkRates rates() {
        LinkRates rates = new LinkRates();
        for (SwitchSnapshot each : switches.values()) {
            for (int port = 1; port <= each.portCount(); port++) {
                rates.put(each.guid(), port, each.rate(port));
            }
        }
        return rates;
    }

    /** As {@link SlowLinkWatch} looks at it, but for tables that are still under way. */
    private boolean isSentOver(PortPlace place) {
        SwitchSnapshot record = switches.get(place.guid());
        LftRow held = record == null || (record.agentConnected() && !record.agentSilent()) ? null : record.heldRow();
        return held != null && DrainWatch.leadsThrough(held, place.port());
    }

    /** The last view drawn: what routes may use; {@code null} before the first. */
    public @Nullable FabricView view() {
        return view;
    }

    /** The tables every switch should hold; {@code null} before the first were accepted. */
    public @Nullable Tables tables() {
        return tables;
    }

    /** The accepted epochs whose tables are kept. */
    public EpochHistory kept() {
        return kept;
    }

    /** Names of the leaves that some other leaf cannot reach, by the tables in force. */
    public List<String> cutOff() {
        return cutOff;
    }

    /** As {@link FabricState#withoutPath}. */
    public String withoutPath() {
        return withoutPath;
    }

    public Effect.Membership membership() {
        return membership;
    }

    /** Neighbours in the ring that share a failure domain. */
    public List<RingOrder.Violation> ringViolations() {
        return ringViolations;
    }

    /** For each kind of failure domain, the longest row of ring neighbours in one. */
    public List<RingOrder.Run> ringWorstRuns() {
        return ringWorstRuns;
    }

    /** How many of all switches are how. */
    public SwitchCounts counts() {
        return counts;
    }

    public int switchCount() {
        return switches.size();
    }

    /** All switches that were ever part of the fabric, by GUID; O(switches). */
    public List<SwitchSnapshot> switches() {
        return switches.values();
    }

    /** The open alarm with this number; {@code null} when there is none. */
    public @Nullable Alarm findAlarm(long id) {
        return alarms.get(id);
    }

    public @Nullable SwitchSnapshot findSwitch(long guid) {
        return switches.get(guid);
    }

    /** Switches whose agents came in and that nothing ties to the fabric, by GUID. */
    public List<SwitchSnapshot> unattached() {
        return unattached;
    }

    /** The epochs that are kept, newest last. */
    public List<EpochRecord> epochs() {
        return epochs.values();
    }

    /** The newest epoch; {@code null} before the first. */
    public @Nullable EpochRecord lastEpoch() {
        return epochs.last();
    }

    /** Open alarms, oldest first; none before the manager has discovered its fabric. */
    public List<Alarm> alarms() {
        return alarms.values();
    }

    /** Switches that should be there. Headless ones are live as long as routes may lead through them. */
    public Totals switchTotals() {
        return Totals.of(expected.size(), counts.down(), counts.held());
    }

    /** Cables between switches that should be there; O(ports) while the fabric is still being discovered. */
    public Totals linkTotals() {
        return links == null ? Totals.of(expectedLinks, expectedLinks - working(ToSwitch.class) / 2, 0) : links;
    }

    /** Hosts that should be there; O(ports) while the fabric is still being discovered. */
    public Totals hostTotals() {
        return hosts == null ? Totals.of(expectedHosts, expectedHosts - working(ToHost.class), 0) : hosts;
    }

    /** How many switches that should be there are drained, whether they are live or not. */
    public int drainedSwitches() {
        return (int) intent.drained().stream()
                .filter(place -> place.port() == 0 && expects(place.guid()))
                .count();
    }

    /** How many cables that should be there are drained, or end at a switch that is, whether they are live or not; O(ports of those). */
    public int drainedLinks() {
        Set<PortPlace> lower = new HashSet<>();
        for (PortPlace place : intent.drained()) {
            ExpectedSwitch known = expected.get(place.guid());
            for (ExpectedPort port : known == null ? List.<ExpectedPort>of() : known.ports()) {
                if (port.neighbour() instanceof ToSwitch to && (place.port() == 0 || place.port() == port.port())) {
                    PortPlace near = new PortPlace(place.guid(), port.port());
                    PortPlace far = new PortPlace(to.guid(), to.port());
                    lower.add(near.compareTo(far) < 0 ? near : far);
                }
            }
        }
        return lower.size();
    }

    /** While the fabric is still being discovered there are no alarms to count: ports that work and should. */
    private int working(Class<? extends Neighbour> kind) {
        int working = 0;
        for (ExpectedSwitch known : expected.values()) {
            for (ExpectedPort port : known.ports()) {
                working += kind.isInstance(port.neighbour()) && works(known.guid(), port.port()) ? 1 : 0;
            }
        }
        return working;
    }

    /** True if this port leads somewhere and carries traffic now: a live link, or a host that is up. */
    private boolean works(long guid, int port) {
        SwitchSnapshot near = switches.get(guid);
        return near != null
                && (near.neighbour(port) instanceof ToHost ? near.saysUp(port) && near.alive() : isLive(near, port));
    }

    /** True if the next view will have this port's link to another switch. */
    public boolean isLive(SwitchSnapshot near, int port) {
        if (near.alive() && near.saysUp(port) && near.neighbour(port) instanceof ToSwitch to) {
            SwitchSnapshot far = switches.get(to.guid());
            return far != null
                    && far.alive()
                    && to.guid() != near.guid()
                    && far.saysUp(to.port())
                    && new ToSwitch(near.guid(), port).equals(far.neighbour(to.port()));
        }
        return false;
    }

    /** The same by GUID; false for a switch that is not known. */
    public boolean isLive(long guid, int port) {
        SwitchSnapshot near = switches.get(guid);
        return near != null && isLive(near, port);
    }

    /** The other end of a cable between switches; {@code null} for all else. */
    public @Nullable PortPlace farEnd(PortPlace place) {
        SwitchSnapshot near = switches.get(place.guid());
        return near != null && near.neighbour(place.port()) instanceof ToSwitch to
                ? new PortPlace(to.guid(), to.port())
                : null;
    }

    /** True while a port has carrier and its agent hears no hellos over the cable. */
    public boolean unheard(long guid, int port) {
        SwitchSnapshot near = switches.get(guid);
        return near != null && near.unheard(port);
    }

    /** What is expected of switches, by GUID; O(switches). */
    public List<ExpectedSwitch> expected() {
        return expected.values();
    }

    /** True if this switch should be there. */
    public boolean expects(long guid) {
        return expected.has(guid);
    }

    /** What last worked at this port; {@code null} when nothing did. */
    public @Nullable Neighbour expected(long guid, int port) {
        ExpectedSwitch known = expected.get(guid);
        if (known != null) {
            // Ascending, so a port is at its own place or before.
            for (int i = Math.min(port, known.ports().size()) - 1; i >= 0; i--) {
                ExpectedPort at = known.ports().get(i);
                if (at.port() <= port) {
                    return at.port() == port ? at.neighbour() : null;
                }
            }
        }
        return null;
    }

    /** What people call a switch. */
    public String nameOf(long guid) {
        SwitchSnapshot known = switches.get(guid);
        if (known != null) {
            return known.name();
        }
        ExpectedSwitch missing = expected.get(guid);
        if (missing != null) {
            return missing.name();
        }
        return unattached.stream()
                .filter(stranger -> stranger.guid() == guid)
                .findFirst()
                .map(SwitchSnapshot::name)
                .orElseGet(() -> Guid.format(guid));
    }

    /** What people call it, a cable by this end; O(ports) for a host. */
    public String nameOf(Forgettable what) {
        if (what instanceof CableAt it) {
            return nameOf(it.guid()) + ":" + it.port();
        }
        if (what instanceof SwitchGuid it) {
            return nameOf(it.guid());
        }
        HostPort host = (HostPort) what;
        Exchanged was = exchanged.get(host.portGuid());
        if (was != null) {
            return was.host().name();
        }
        PortPlace at = placeOf(host);
        return at != null && expected(at.guid(), at.port()) instanceof ToHost to
                ? to.host().name()
                : Guid.format(host.portGuid());
    }

    /** Destination index of a host port, seen or not; −1 when it has none. */
    public int nodeIndex(long portGuid) {
        Integer index = nodeIndices.get(portGuid);
        return index == null ? -1 : index;
    }

    /** Hosts whose port has another adapter now, since the manager started; by GUID. */
    public List<Host> exchangedHosts() {
        return exchanged.values().stream().map(Exchanged::host).toList();
    }

    /** Where a host is expected, or was when another adapter came to its port; {@code null}: nowhere. O(ports). */
    public @Nullable PortPlace lastPlaceOf(long portGuid) {
        Exchanged was = exchanged.get(portGuid);
        return was != null ? was.at() : placeOf(new HostPort(portGuid));
    }

    /** True if the manager knows of it; O(ports) for a host. */
    public boolean knows(Forgettable what) {
        if (what instanceof SwitchGuid it) {
            return switches.has(it.guid()) || expected.has(it.guid());
        }
        if (what instanceof CableAt it) {
            return expected(it.guid(), it.port()) instanceof ToSwitch;
        }
        return placeOf((HostPort) what) != null;
    }

    /** True if a cable or a host carries traffic now; O(ports) for a host. */
    public boolean works(Forgettable what) {
        PortPlace at = what instanceof HostPort host
                ? placeOf(host)
                : what instanceof CableAt it ? new PortPlace(it.guid(), it.port()) : null;
        return at != null && works(at.guid(), at.port());
    }

    /** Where a host is expected. */
    private @Nullable PortPlace placeOf(HostPort host) {
        for (ExpectedSwitch known : expected.values()) {
            for (ExpectedPort port : known.ports()) {
                if (port.neighbour() instanceof ToHost to && to.host().portGuid() == host.portGuid()) {
                    return new PortPlace(known.guid(), port.port());
                }
            }
        }
        return null;
    }

    /**
     * The alarm that explains this one: cables and hosts of a lost switch or of a cut-off leaf belong to that. A
     * headless switch that forwards on explains nothing.
     *
     * @return {@code null} for an alarm that stands for itself
     */
    public @Nullable Alarm parentOf(Alarm alarm) {
        return switch (alarm.kind().subject()) {
            case LINK, HOST -> {
                Alarm near = ofSwitchOrLeaf(alarm.guid());
                yield near != null ? near : alarm.peerPort() == 0 ? null : ofSwitchOrLeaf(alarm.peerGuid());
            }
            case LEAF, AGENT, ENTRIES, HEARING -> switchAlarms.get(alarm.guid());
            case SWITCH,
                    RETURNS,
                    PAIRS,
                    LOST_PAIRS,
                    CLAIM,
                    EPOCH,
                    LEADER,
                    STORE,
                    PUSHES,
                    CERTIFICATES,
                    SUBNET_MANAGER,
                    DEFECT -> null;
        };
    }

    private @Nullable Alarm ofSwitchOrLeaf(long guid) {
        Alarm ofSwitch = switchAlarms.get(guid);
        if (ofSwitch != null) {
            SwitchSnapshot known = switches.get(guid);
            if (known == null || !known.alive()) {
                return ofSwitch;
            }
        }
        return leafAlarms.get(guid);
    }

    /** Destination index of the host that an alarm of kind {@link Kind#HOST_DOWN} or {@link Kind#HOST_HELD} is about; −1 before it has one. */
    public int nodeIndex(Alarm alarm) {
        FabricView drawn = view;
        if (alarm.nodeIndex() >= 0 || drawn == null) {
            return alarm.nodeIndex();
        }
        // Dealt since: a host stays where it was, up or down.
        int s = drawn.switchOf(alarm.guid());
        int node = s < 0 || alarm.port() > drawn.portCount(s) ? -1 : drawn.peerNode(s, alarm.port());
        return node >= 0 && drawn.nodeGuid(node) == alarm.peerGuid() ? node : -1;
    }
}
