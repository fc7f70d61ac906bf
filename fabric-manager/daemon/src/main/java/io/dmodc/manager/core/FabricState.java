package io.dmodc.manager.core;

import io.dmodc.detector.RingOrder;
import io.dmodc.manager.state.StoredState;
import io.dmodc.routing.Tables;
import io.dmodc.routing.change.ChangeTerms;
import io.dmodc.topology.FabricChange;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchForgotten;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.PortPlace;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * All the manager knows. One thread owns it; {@link FabricStep} is the only writer, others read a {@link FabricSnapshot}.
 *
 * <p>Bounded by the fabric: one record per switch that was ever part of it and {@link Strangers#MAX} others, one hold-down entry per port that flapped or is unheard, the last
 * {@link FabricRules#EPOCHS_KEPT} epochs, two table sets and what {@link KeptEpochs} keeps of older ones.
 */
public final class FabricState {
    FabricRules rules;
    final RecordWriter records = new RecordWriter();
    final OperatorIntent intent;
    final EntryMoveIntent moves;
    final FabricViewBuilder cabling = new FabricViewBuilder();

    /** Switches of which something was claimed or judged otherwise since the last view. */
    final DirtySet<Long> changedSwitches = new DirtySet<>();

    final Identity identity;

    /** Empty where nobody named it. */
    String settingsEngine = "";

    /** By the name of an engine, digest of what in the settings decides its tables. */
    private ToLongFunction<String> engineBasis = any -> 0;

    /** {@code null} before it is said. */
    @Nullable
    RowDigest rowDigest;

    final GuidMap<SwitchRecord> switches = new GuidMap<>();
    final HoldDown holdDown;
    final AgentShare share = new AgentShare();

    /** When answers about the links of a switch are no longer waited for, by its GUID. */
    final Deadlines<Long> answersDue = new Deadlines<>(Long::compareUnsigned);

    final Strangers strangers = new Strangers(this);
    final NewHosts newHosts = new NewHosts(this);
    final FarEndChanges farEndChanges = new FarEndChanges(this);
    final AgentEventLimit agentEvents = new AgentEventLimit();

    /** Of agents that come and go: by itself, so that it does not hide what they say. */
    final AgentEventLimit comingAndGoing = new AgentEventLimit();

    final SwitchReturns returns = new SwitchReturns(this);

    /** Ports that are up and hear no hellos, as their agents last said. */
    final Set<PortPlace> unheard = new HashSet<>();

    final CableDisagreements disagreements = new CableDisagreements(this);
    final SlowLinkWatch slowLinks = new SlowLinkWatch(this);

    long linkFlaps;
    final RingPlan ring;
    final Deque<EpochRecord> epochs = new ArrayDeque<>();

    final Leadership leadership;

    /** The leader epoch below which all tables were revoked in the ring, 0 before the first ring. */
    long revokedLeader;

    /** The last incarnation of the manager itself that was told to people as unheard. */
    int unheardIncarnation;

    long epoch;

    /** The last one of which tables were accepted, as the last run left it on record. */
    final long epochOnRecord;

    /** How many switches that were awaited came in with a table of a later one: what others may hold may be older on record than what they were given, too. */
    int laterThanRecords;

    /** What routes may use; {@link #works} without what is drained, and without the slow links that are led around. */
    @Nullable
    FabricView view;

    /** The links that work, drawn with it. */
    @Nullable
    FabricView works;

    @Nullable
    Tables tables;

    /** In what order switches are given these, and the view with their indices. */
    PlannedChange change = PlannedChange.NONE;

    @Nullable
    FabricView changeView;

    /** The epoch whose tables are the desired ones. */
    @Nullable
    EpochRecord serving;

    /** Leaves without a path to some other, as last told to people: names, and GUIDs in the same order. */
    List<String> cutOff = List.of();

    List<Long> cutOffGuids = List.of();

    /** Switches with hosts above the leaves and those they have no path to, as last told to people; empty for none. */
    String withoutPath = "";

    /** As last told to people. */
    ToldLostPairs lostPairs = ToldLostPairs.NONE;

    /** Why the store does not take what must survive a restart; empty while it does. */
    String storeFailure = "";

    /** The manager's own place in the ring hears nobody. */
    boolean managerDeaf;

    /** How often a member of the ring told that it drops datagrams of another one, as they come from another address. */
    long foreignSources;

    /** Which certificates end soon; empty when none does. */
    String certificatesEnding = "";

    /** What keeps the subnet manager from loading our tables, or us from knowing that it did, a line each; empty when nothing does. */
    List<String> subnetManagerTroubles = List.of();

    /** There is a subnet manager, whose switches come in together when its fabric is seen. */
    boolean subnetManaged;

    /** No table gets into any switch by the subnet manager: none of its switches can be blamed for that. */
    boolean subnetManagerStopped;

    final OpenAlarms openAlarms;
    final AlarmTracker alarms;

    /** Tables of the last accepted epochs. */
    final KeptEpochs kept;

    /** What readers are shown of all this. */
    final SnapshotMaker snapshots = new SnapshotMaker(this);

    final DrainWatch drainWatch = new DrainWatch(this);

    /** What is tried after an epoch was refused. */
    final RefusedEpochRetry refused = new RefusedEpochRetry();

    final Defects defects = new Defects();

    /** Epoch being computed, 0 when none is. */
    long computing;

    int superseded;
    int outstanding;

    final News news = new News();

    /** Somebody allowed that columns stand still while they change, in the next epoch that is accepted. */
    boolean mayQuiesce;

    boolean discovering = true;

    /** What the last run left: its tables are computed again before anything else, to know what switches hold. */
    final RestoredTables restored;

    final long startedNanos;

    /** A moment of the monotonic clock, and how many milliseconds since 1970 it is. */
    private long clockNanos;

    private long clockMillis;

    /** When the first agent came in, and when the last one did or first told its ports. */
    long firstJoinNanos = Long.MAX_VALUE;

    long lastJoinNanos;

    /** When the last agent came in whose switch no agent had come in for before. */
    long lastNewNanos;

    /** Time of the last {@link FabricStep#settle}. */
    long settledNanos;

    /** Switches to wait for that no record is kept of. */
    final Set<Long> expected;

    /** Switches were known from before when this manager started. */
    final boolean knewSwitches;

    /** Nothing is pushed: too few of the switches that forward have an agent here. */
    boolean pushesHeld;

    /** None of the tables that are wanted has left, and the record of their epoch says so. */
    boolean tablesHeldBack;

    /**
     * A manager that has just started.
     *
     * @param startedMillis milliseconds since 1970 at {@code nowNanos}
     * @param stored what the last run left, with the leader epoch already raised above it
     * @param expected switches to wait for besides those that are known, before the first tables are computed
     * @throws IllegalArgumentException in one line when records contradict each other
     */
    public FabricState(FabricRules rules, long nowNanos, long startedMillis, StoredState stored, Set<Long> expected) {
        this.rules = rules;
        this.startedNanos = nowNanos;
        setClock(nowNanos, startedMillis);
        this.settledNanos = nowNanos;
        this.lastJoinNanos = nowNanos;
        leadership = new Leadership(stored.leaderEpoch());
        this.epoch = stored.fabricEpoch();
        this.epochOnRecord = epoch;
        this.expected = new HashSet<>(expected);
        holdDown = new HoldDown(rules);
        ring = new RingPlan(rules);
        ring.startAt(leaderEpoch() << 32);
        intent = new OperatorIntent(stored, records);
        moves = new EntryMoveIntent(stored, records);
        identity = new Identity(rules, stored, records);
        openAlarms = new OpenAlarms(this, stored);
        alarms = new AlarmTracker(this, openAlarms, stored);
        identity.restore(Restoring.levels(stored, inventory().linkCount()));
        Restoring.switches(stored, this);
        knewSwitches = !switches.isEmpty();
        restored = new RestoredTables(this, stored);
        tablesHeldBack = stored.lastEpoch().heldBack();
        kept = new KeptEpochs(this, stored, KeptEpochs.BYTES_MAX);
        if (knewSwitches) {
            news.add(nowNanos, "manager started");
        }
        snapshots.make();
    }

    /** True if the agents that are here speak for enough of the switches that forward. */
    boolean enoughConnected() {
        return share.isEnough(rules.connectedPercent());
    }

    /** Takes one change of the cabling in; true if the next view can differ from the last one. */
    boolean apply(FabricChange change) {
        boolean changed = cabling.apply(change);
        if (change instanceof PortSeen seen) {
            snapshots.portChanged(seen.guid(), seen.port());
        } else if (change instanceof SwitchSeen || change instanceof SwitchForgotten) {
            snapshots.replaced(change.guid());
        } else {
            snapshots.switchChanged(change.guid());
        }
        if (changed) {
            changedSwitches.add(change.guid());
        }
        return changed;
    }

    /** What is believed of this port may be another. */
    void touchPort(long guid, int port) {
        alarms.touchPort(guid, port);
        snapshots.portChanged(guid, port);
    }

    /** What is thought of this switch or of its agent may be another. */
    void touchSwitch(long guid) {
        alarms.touchSwitch(guid);
        snapshots.switchChanged(guid);
    }

    /** Session, silence, condition or ports of this record are others. */
    void agentChanged(SwitchRecord record) {
        share.changed(record);
        slowLinks.agentChanged();
        snapshots.switchChanged(record.guid);
    }

    /** What readers are shown: all that was known when {@link FabricStep#settle} was done last. */
    public FabricSnapshot snapshot() {
        return snapshots.last();
    }

    /** True if this port leads somewhere and carries traffic now: a live link, or a host that is up. */
    boolean works(long guid, int port) {
        return cabling.knows(guid)
                && port >= 1
                && port <= cabling.portCount(guid)
                && (cabling.neighbour(guid, port) instanceof ToHost
                        ? cabling.saysUp(guid, port) && cabling.alive(guid)
                        : cabling.isLive(guid, port));
    }

    /**
     * Cables that are no links of this view, and over which rows that lead there do carry packets, from one end to the other: both ends are up, and at least
     * one of them is held down; or one that is up, or held, {@linkplain #leadsToSilence was plugged in} where nobody speaks for the other. Only between switches that
     * have a rank in this view by a level, kept already or learnt for it: one without links stands at no rank of its own.
     */
    SortedMap<PortPlace, PortPlace> carryingCables(FabricView drawn) {
        SortedMap<PortPlace, PortPlace> cables = new TreeMap<>();
        SortedSet<PortPlace> ends = new TreeSet<>(holdDown.held());
        ends.addAll(disagreements.oneSided());
        GuidNumbers kept = ends.isEmpty() ? new GuidNumbers() : identity.keptLevels();
        for (PortPlace near : ends) {
            PortPlace far = farEnd(near);
            if (far != null
                    && isRanked(drawn, kept, near.guid())
                    && isRanked(drawn, kept, far.guid())
                    && carries(near, far)) {
                cables.put(near, far);
            }
        }
        return cables;
    }

    /** It is no link, and rows that lead there do carry packets, as of {@link #carryingCables}. */
    boolean carriesWithoutLink(PortPlace near) {
        PortPlace far = farEnd(near);
        return far != null && carries(near, far) && (isHeld(near) || isHeld(far) || !near.equals(farEnd(far)));
    }

    private boolean carries(PortPlace near, PortPlace far) {
        return isUpOrHeld(near) && (near.equals(farEnd(far)) ? isUpOrHeld(far) : leadsToSilence(near, far));
    }

    /** The word of this end is of today, that of the other, which names another cable, is of before. */
    private boolean leadsToSilence(PortPlace near, PortPlace far) {
        return cabling.isHeard(near.guid()) && !unheard(near.guid(), near.port()) && !cabling.isHeard(far.guid());
    }

    private static boolean isRanked(FabricView drawn, GuidNumbers kept, long guid) {
        int s = drawn.switchOf(guid);
        return kept.get(guid).isPresent() || (s >= 0 && drawn.rank(s) >= 0 && drawn.groupStart(s) < drawn.groupEnd(s));
    }

    private boolean isHeld(PortPlace end) {
        return holdDown.holds(end.guid(), end.port());
    }

    private boolean isUpOrHeld(PortPlace end) {
        return isHeld(end) || cabling.saysUp(end.guid(), end.port());
    }

    /** At this moment of the monotonic clock it is so many milliseconds since 1970. */
    void setClock(long nowNanos, long millis) {
        clockNanos = nowNanos;
        clockMillis = millis;
    }

    /** Milliseconds since 1970 for a moment of the monotonic clock, as far as {@link FabricEvent.ClockSet} was told. */
    public long wallMillis(long nowNanos) {
        return clockMillis + (nowNanos - clockNanos) / 1_000_000;
    }

    /** The moment of the monotonic clock at these milliseconds since 1970; what is out of its reach is never. */
    long nanosAt(long millis) {
        long ahead = millis - clockMillis;
        return ahead >= Long.MAX_VALUE / 2_000_000 ? Long.MAX_VALUE : clockNanos + ahead * 1_000_000;
    }

    public long leaderEpoch() {
        return leadership.epoch();
    }

    /** True once another manager took over and this one stepped down: it computes on and pushes nothing. */
    public boolean deposed() {
        return leadership.deposed();
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
        return computing != 0;
    }

    /** The last view drawn; {@code null} before the first. */
    public @Nullable FabricView view() {
        return view;
    }

    /** The tables every switch should hold; {@code null} before the first were accepted. */
    public @Nullable Tables tables() {
        return tables;
    }

    /** Switches that count for the fabric although no cable ties them to others; before the first event. */
    public void allow(Collection<Long> guids) {
        strangers.allow(guids);
    }

    /** Switches whose agents came in and that nothing ties to the fabric, by GUID. */
    public Collection<SwitchRecord> unattached() {
        return strangers.all();
    }

    /** All switches that were ever part of the fabric, by GUID. */
    public Collection<SwitchRecord> switches() {
        return Collections.unmodifiableCollection(switches.values());
    }

    public @Nullable SwitchRecord findSwitch(long guid) {
        return switches.get(guid);
    }

    /** Newest last. */
    public Collection<EpochRecord> epochs() {
        return Collections.unmodifiableCollection(epochs);
    }

    public FabricViewBuilder cabling() {
        return cabling;
    }

    public Effect.Membership membership() {
        return ring.current();
    }

    /** Its leader epochs carry this number; before the first event. */
    public void takeNumber(int managerNumber) {
        leadership.takeNumber(managerNumber);
    }

    /** Gives the manager a place in the ring; before the first event. */
    public void takeRingPlace(Effect.Member manager) {
        ring.takePlace(manager);
    }

    /**
     * Names the engine of the settings, by which a later manager finds the tables of this one again; before the first event.
     *
     * @param basis by the name of an engine, digest of what in the settings decides its tables
     */
    public void routesBy(String engine, ToLongFunction<String> basis) {
        settingsEngine = engine;
        engineBasis = basis;
    }

    /**
     * Says how agents add up what they hold, by which it is seen whether the entries that a refusal lists are all; before the first event.
     * Without it none are believed.
     */
    public void digestsBy(RowDigest rule) {
        rowDigest = rule;
    }

    /** Digest of all settings that decide the tables of this engine for a view that is known; never 0. */
    long basis(String engine) {
        long digest =
                31 * engineBasis.applyAsLong(engine) + rules.groupOrder().name().hashCode();
        return digest == 0 ? 1 : digest;
    }

    /** Names the engine that is tried when that of the settings makes no tables that pass the check; before the first event. */
    public void fallBackTo(String engine) {
        refused.fallBackTo(engine);
    }

    /** Neighbours in the ring that share a failure domain. */
    public List<RingOrder.Violation> ringViolations() {
        return ring.violations();
    }

    /** For each kind of failure domain, the longest row of ring neighbours in one. */
    public List<RingOrder.Run> ringWorstRuns() {
        return ring.worstRuns();
    }

    /** How often a port went down lately. */
    public int flapCount(long guid, int port) {
        return holdDown.flapCount(guid, port);
    }

    /** How often a cable went down after it had been up, since the start; a cable with both its ends counts once. */
    public long linkFlaps() {
        return linkFlaps;
    }

    /** Ports that are up on the metal but kept out of the routes because they flapped. */
    public int heldDownCount() {
        return holdDown.heldCount();
    }

    /** True while a port has carrier and its agent hears no hellos over the cable. */
    public boolean unheard(long guid, int port) {
        return !unheard.isEmpty() && unheard.contains(new PortPlace(guid, port));
    }

    /** True while what this port says to lead to is contradicted by the far end, or by another port with the same host. */
    public boolean disagrees(long guid, int port) {
        return disagreements.lasting(guid, port) != null;
    }

    /** True while a port is up on the metal but kept out of the routes because it flapped. */
    public boolean heldDown(long guid, int port) {
        return holdDown.holds(guid, port);
    }

    /** Live links of the fullest fabric seen. */
    public int learntLinkCount() {
        return identity.levels().linkCount();
    }

    /** Index of a host port, or −1. */
    public int nodeIndex(long hostPortGuid) {
        return identity.nodes.indexOf(hostPortGuid);
    }

    /** What has worked and was not forgotten. */
    public Inventory inventory() {
        return alarms.inventory();
    }

    /** Open alarms, oldest first; none before the manager has discovered its fabric. */
    public Collection<Alarm> alarms() {
        return openAlarms.byId().values();
    }

    /** How many alarms of this kind are open. */
    public int alarmCount(Alarm.Kind kind) {
        return openAlarms.count(kind);
    }

    /** True while nothing is left to compute, to keep, to push or to wait an acknowledgement for. */
    public boolean calm() {
        return !discovering && !news.pending() && computing == 0 && outstanding == 0 && !kept.isBehind();
    }

    /** Switches that can be told and do not hold what they should. */
    public int outstanding() {
        return outstanding;
    }

    /** Names of the leaves that some other leaf cannot reach, by the tables in force. */
    public List<String> cutOff() {
        return cutOff;
    }

    /** Pairs of switches with hosts, one or both above the leaves, without a path by the tables in force; empty for none. */
    public String withoutPath() {
        return withoutPath;
    }

    /** What the plan of the change may cost that is computed now. */
    ChangeTerms terms() {
        boolean drainKnown = rules.drainKnown();
        ChangeTerms terms = news.isOnlyOfActs() ? ChangeBounds.ofAct(drainKnown) : ChangeBounds.ofFault(drainKnown);
        return terms.withQuiesce(mayQuiesce);
    }

    /** True while some switch drops what it shall forward again, or is about to, as somebody allowed for the change that is under way. */
    boolean dropsForAWhile() {
        return switches.values().stream()
                .anyMatch(record -> record.drops && !record.due.isEmpty() && record.reachable());
    }

    /** The other end of a cable between switches; {@code null} for all else. */
    @Nullable
    PortPlace farEnd(PortPlace place) {
        boolean there =
                place.port() >= 1 && cabling.knows(place.guid()) && place.port() <= cabling.portCount(place.guid());
        return there && cabling.neighbour(place.guid(), place.port()) instanceof ToSwitch to
                ? new PortPlace(to.guid(), to.port())
                : null;
    }

    /** What people call a switch, or a cable by one of its ends. */
    String nameOf(PortPlace place) {
        return place.port() == 0 ? nameOf(place.guid()) : nameOf(place.guid()) + ":" + place.port();
    }

    /** What people call a switch, or whoever else has a place in the ring. */
    public String nameOf(long guid) {
        if (ring.isOwn(guid)) {
            return "the manager";
        }
        SwitchRecord record = switches.get(guid);
        return record == null ? inventory().nameOf(guid) : record.name;
    }

    /** What people are told, of the epoch of now; about no switch where its GUID is 0. */
    LoggedEvent event(
            long nowNanos,
            LoggedEvent.Severity severity,
            LoggedEvent.Kind kind,
            long guid,
            LoggedEvent.@Nullable Cable cable,
            String text) {
        return new LoggedEvent(nowNanos, epoch, severity, kind, guid, guid == 0 ? "" : nameOf(guid), cable, text);
    }
}
