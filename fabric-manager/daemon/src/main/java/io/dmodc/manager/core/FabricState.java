package io.dmodc.manager.core;

import io.dmodc.detector.RingOrder;
import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.NodeIndexMap;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All the manager knows. One thread owns it; {@link FabricStep} is the only writer, others ask that thread.
 *
 * <p>Bounded by the fabric: one record per switch ever seen, one hold-down entry per port that flapped or is unheard, the last
 * {@link FabricRules#EPOCHS_KEPT} epochs, two table sets.
 */
public final class FabricState {
    FabricRules rules;
    final FabricViewBuilder cabling = new FabricViewBuilder();
    final NodeIndexMap nodes;
    final Map<Long, SwitchRecord> switches = new TreeMap<>(Long::compareUnsigned);
    final HoldDown holdDown;

    /** Ports that are up and hear no hellos, as their agents last said. */
    final Set<PortKey> unheard = new HashSet<>();

    long linkFlaps;
    final RingPlan ring;
    final Deque<EpochRecord> epochs = new ArrayDeque<>();

    LearntLevels levels;
    int storedNodes;
    long leaderEpoch;

    /** The leader epoch below which all tables were revoked in the ring, 0 before the first ring. */
    long revokedLeader;

    /** A manager's leader epoch above the own one that was already told to people. */
    long deposedBy;

    /** The last incarnation of the manager itself that was told to people as unheard. */
    int unheardIncarnation;

    long epoch;
    boolean pushedAnything;

    @Nullable
    FabricView view;

    @Nullable
    LftSet tables;

    /** The epoch whose tables are the desired ones. */
    @Nullable
    EpochRecord serving;

    /** Leaves without a path to some other, as last told to people: names, and GUIDs in the same order. */
    List<String> cutOff = List.of();

    List<Long> cutOffGuids = List.of();

    /** Why the store does not take what must survive a restart; empty while it does. */
    String storeFailure = "";

    /** What is tried after an epoch was refused. */
    final RefusedEpochRetry refused = new RefusedEpochRetry();

    final Defects defects = new Defects();

    AlarmTracker alarms = new AlarmTracker(this, new KnownBefore());

    /** Epoch being computed, 0 when none is. */
    long computing;

    int superseded;
    int outstanding;

    /** News that no computation has seen yet. */
    boolean dirty;

    long dirtySinceNanos;
    String firstCause = "";
    int causes;

    boolean discovering = true;
    final long startedNanos;
    long lastNewsNanos;
    final Set<Long> expected;
    private long startedMillis;

    /**
     * A manager that has just started.
     *
     * @param leaderEpoch higher than that of any manager before it
     * @param nodes indices given so far
     * @param levels levels learnt so far
     * @param expected switches to wait for before the first tables are computed; empty when none are known
     */
    public FabricState(
            FabricRules rules,
            long nowNanos,
            long leaderEpoch,
            NodeIndexMap nodes,
            LearntLevels levels,
            Set<Long> expected) {
        this.rules = rules;
        this.startedNanos = nowNanos;
        this.lastNewsNanos = nowNanos;
        this.leaderEpoch = leaderEpoch;
        this.nodes = nodes;
        this.storedNodes = nodes.size();
        this.levels = levels;
        this.expected = new HashSet<>(expected);
        holdDown = new HoldDown(rules);
        ring = new RingPlan(rules);
        ring.startAt(leaderEpoch << 32);
    }

    /**
     * Gives the manager what it knew when it stopped; before the first event. Switches of that time are waited for.
     *
     * @param startedMillis when this manager started, milliseconds since 1970: alarms are dated from there on by the
     *     monotonic clock
     */
    public void remember(KnownBefore known, long startedMillis) {
        alarms = new AlarmTracker(this, known);
        known.inventory().switchGuids().forEach(expected::add);
        this.startedMillis = startedMillis;
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

    /** Milliseconds since 1970 for a moment of the monotonic clock. */
    long wallMillis(long nowNanos) {
        return startedMillis + (nowNanos - startedNanos) / 1_000_000;
    }

    public long leaderEpoch() {
        return leaderEpoch;
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
    public @Nullable LftSet tables() {
        return tables;
    }

    /** All switches ever seen, by GUID. */
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

    /** Gives the manager a place in the ring; before the first event. */
    public void takeRingPlace(Effect.Member manager) {
        ring.takePlace(manager);
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
        return unheard.contains(new PortKey(guid, port));
    }

    /** True while a port is up on the metal but kept out of the routes because it flapped. */
    public boolean heldDown(long guid, int port) {
        return holdDown.holds(guid, port);
    }

    /** Live links of the fullest fabric seen. */
    public int learntLinkCount() {
        return levels.linkCount();
    }

    /** Index of a host port, or −1. */
    public int nodeIndex(long hostPortGuid) {
        return nodes.indexOf(hostPortGuid);
    }

    /** What has worked and was not forgotten. */
    public Inventory inventory() {
        return alarms.inventory();
    }

    /** Open alarms, oldest first; none before the manager has discovered its fabric. */
    public Collection<Alarm> alarms() {
        return alarms.open();
    }

    /** Switches that should be there. */
    public Totals switchTotals() {
        return alarms.switches();
    }

    /** Cables between switches that should be there. */
    public Totals linkTotals() {
        return alarms.links();
    }

    /** Hosts that should be there. */
    public Totals hostTotals() {
        return alarms.hosts();
    }

    /** The alarm that explains this one; {@code null} for one that stands for itself. */
    public @Nullable Alarm parentOf(Alarm alarm) {
        return alarms.parent(alarm);
    }

    /** How many alarms of this kind are open. */
    public int alarmCount(Alarm.Kind kind) {
        return alarms.count(kind);
    }

    /** True while nothing is left to compute, to push or to wait an acknowledgement for. */
    public boolean calm() {
        return !discovering && !dirty && computing == 0 && outstanding == 0;
    }

    /** Switches that can be told and do not hold what they should. */
    public int outstanding() {
        return outstanding;
    }

    /** Names of the leaves that some other leaf cannot reach, by the tables in force. */
    public List<String> cutOff() {
        return cutOff;
    }

    void news(long nowNanos, String cause) {
        if (!dirty) {
            dirty = true;
            dirtySinceNanos = nowNanos;
            firstCause = cause;
            causes = 0;
        }
        causes++;
    }

    /** What people call a switch, or whoever else has a place in the ring. */
    public String nameOf(long guid) {
        if (ring.isOwn(guid)) {
            return "the manager";
        }
        SwitchRecord record = switches.get(guid);
        return record == null ? inventory().nameOf(guid) : record.name;
    }
}
