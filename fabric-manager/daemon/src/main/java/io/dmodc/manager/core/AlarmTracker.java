package io.dmodc.manager.core;

import io.dmodc.manager.core.Alarm.Kind;
import io.dmodc.manager.core.AlarmKey.Subject;
import io.dmodc.manager.core.CableDisagreements.Contradiction;
import io.dmodc.manager.core.EpochRecord.Stage;
import io.dmodc.manager.core.LoggedEvent.Severity;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.ExpectedSwitch;
import io.dmodc.manager.state.StoredState;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Host;
import io.dmodc.topology.PortPlace;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares what there should be ({@link Inventory}) with what there is, and opens and closes an alarm for each difference ({@link OpenAlarms}).
 *
 * <p>Whoever changes what is believed of a port or a switch touches it here; once per batch only what was touched is
 * compared, so the cost follows what happened, not the fabric's size. Nothing but the manager's own means is compared while it still
 * discovers its fabric, for the discovery timeout at most; then everything is, once. Bounded by the inventory: at most one alarm for each
 * subject, switch and port.
 */
final class AlarmTracker {
    private static final int NAMES_TOLD = 20;

    private final FabricState state;
    private final Inventory inventory;

    private final OpenAlarms alarms;
    private final DirtySet<Long> touchedSwitches = new DirtySet<>();
    private final DirtyPorts touchedPorts = new DirtyPorts();

    /** Hosts that people were told of as down; those of a lost switch are told with it. */
    private final Set<AlarmKey> toldHosts = new HashSet<>();

    private boolean compared;

    /** What something of the manager's own was wrong with before the fabric was discovered. */
    private final Set<Subject> comparedEarly = EnumSet.noneOf(Subject.class);

    private List<Long> cutOffCompared = List.of();

    AlarmTracker(FabricState state, OpenAlarms alarms, StoredState stored) {
        this.state = state;
        this.alarms = alarms;
        inventory = Inventory.of(stored.all(ExpectedSwitch.class));
        inventory.switchGuids().forEach(this::showExpected);
    }

    private void showExpected(long guid) {
        ExpectedSwitch known = inventory.known(guid);
        if (known != null) {
            state.snapshots.expects(known);
        } else {
            state.snapshots.expectsNothing(guid);
        }
    }

    Inventory inventory() {
        return inventory;
    }

    /** Cables that should be there; {@code null} while there are no alarms to count, as the fabric is still being discovered. */
    @Nullable
    Totals links() {
        return compared
                ? Totals.of(inventory.linkCount(), alarms.count(Kind.LINK_DOWN), alarms.count(Kind.LINK_HELD))
                : null;
    }

    /** Hosts that should be there; {@code null} while the fabric is still being discovered. */
    @Nullable
    Totals hosts() {
        return compared
                ? Totals.of(inventory.hostCount(), alarms.count(Kind.HOST_DOWN), alarms.count(Kind.HOST_HELD))
                : null;
    }

    /** What is believed of this port may have changed. */
    void touchPort(long guid, int port) {
        if (compared) {
            touchedPorts.add(guid, port);
        }
    }

    /** What is believed of this switch or its agent may have changed. */
    void touchSwitch(long guid) {
        if (compared) {
            touchedSwitches.add(guid);
        }
    }

    /** Opens and closes what follows from everything touched since the last call. */
    void timePassed(long nowNanos, List<Effect> effects) {
        compareManager(nowNanos);
        if (nowNanos < nextDeadline() && state.discovering && !compared) {
            return;
        }
        if (!compared) {
            compared = true;
            state.switches.keySet().forEach(touchedSwitches::add);
            inventory.switchGuids().forEach(touchedSwitches::add);
        }
        // Switches first: what hangs on a lost one is told with it.
        for (long guid : touchedSwitches.all()) {
            compareSwitch(guid, nowNanos);
        }
        touchedSwitches.clear();
        while (!touchedPorts.isEmpty()) {
            touchedPorts.takeAll(port -> comparePort(port, nowNanos, effects));
        }
        compareFabric(nowNanos);
        EpochRecord last = state.epochs.peekLast();
        boolean judged = last != null && last.stage != Stage.COMPUTING && last.stage != Stage.SUPERSEDED;
        // Cut-off leaves, pairs without a path or a way and a refused epoch show with the first tables, and refused
        // entries when switches have these.
        alarms.closeMendedMeanwhile(subject -> switch (subject) {
            case CLAIM -> judged && !state.disagreements.undecided();
            case LEAF, PAIRS, LOST_PAIRS, EPOCH -> judged;
            case ENTRIES -> judged && last.stage == Stage.COMPLETE;
            case SWITCH, AGENT, HEARING, RETURNS, LINK, HOST -> true;
            case LEADER, STORE, PUSHES, CERTIFICATES, SUBNET_MANAGER, DEFECT -> true;
        });
    }

    /** When the fabric is compared at the latest, also if no agent ever comes in; never once it was, nor for a subnet manager's switches, which are compared when they are in. */
    long nextDeadline() {
        return compared || state.subnetManaged || inventory.switchCount() == 0
                ? Long.MAX_VALUE
                : state.startedNanos + state.rules.discoveryTimeoutNanos();
    }

    private void compareSwitch(long guid, long nowNanos) {
        SwitchRecord record = state.switches.get(guid);
        if (record != null && record.portsKnown) {
            touchedPorts.addAll(inventory.addSwitch(guid, record.name, record.portCount));
        }
        AlarmKey key = new AlarmKey(Subject.SWITCH, guid, 0);
        if (!inventory.hasSwitch(guid)) {
            alarms.close(key);
        } else if (record == null) {
            String text = inventory.nameOf(guid) + ": no agent has come in for it since the manager started";
            alarms.open(key, Kind.SWITCH_MISSING, 0, 0, text, nowNanos);
        } else {
            compareCondition(key, record, nowNanos);
        }
        AlarmKey agent = new AlarmKey(Subject.AGENT, guid, 0);
        if (record != null && record.flagged) {
            alarms.open(agent, Kind.AGENT_FLAGGED, 0, 0, record.name + ": its agent does not take its table", nowNanos);
        } else {
            alarms.close(agent);
        }
        AlarmKey entries = new AlarmKey(Subject.ENTRIES, guid, 0);
        if (record != null && !record.refusedEntries.isEmpty()) {
            String text = EntryRefusals.text(state, record);
            alarms.open(entries, Kind.ENTRIES_REFUSED, 0, 0, text, nowNanos);
        } else {
            alarms.close(entries);
        }
        AlarmKey hearing = new AlarmKey(Subject.HEARING, guid, 0);
        if (record != null && record.deaf) {
            alarms.open(hearing, Kind.AGENT_HEARS_NOBODY, 0, 0, RingHearing.agentText(record), nowNanos);
        } else {
            alarms.close(hearing);
        }
        AlarmKey returns = new AlarmKey(Subject.RETURNS, guid, 0);
        if (record != null && state.returns.callsOften(guid)) {
            String text = record.name
                    + ": its agent comes and goes, or says something else of it each time: it is used and told its table again after ever longer, once a minute in the end";
            alarms.open(returns, Kind.SWITCH_FLAPS, 0, 0, text, nowNanos);
        } else {
            alarms.close(returns);
        }
        touchedPorts.addFirst(guid, Math.max(inventory.portCount(guid), record == null ? 0 : record.portCount));
    }

    private void compareCondition(AlarmKey key, SwitchRecord record, long nowNanos) {
        switch (record.condition) {
            case CONNECTED, UNATTACHED -> alarms.close(key);
            case HEADLESS ->
                alarms.open(
                        key,
                        record.awaited ? Kind.SWITCH_MISSING : Kind.SWITCH_HEADLESS,
                        0,
                        0,
                        record.name + headlessText(record),
                        nowNanos);
            case DEAD -> alarms.open(key, Kind.SWITCH_DEAD, 0, 0, record.name + ": " + record.deadText(), nowNanos);
        }
    }

    /** It keeps its table, unless it says more. */
    private String headlessText(SwitchRecord record) {
        String used = state.cabling.alive(record.guid) ? "" : "; not used before its agent is back";
        if (record.awaited) {
            String held = record.keepsTable() ? "" : ", and " + record.heldText();
            return ": no agent has come in for it since the manager started" + held + used;
        }
        if (!record.keepsTable()) {
            return ": headless, no agent, and " + record.heldText() + used;
        }
        return record.bypassed
                ? ": headless, its table does not fit any more: led around where it does not"
                : ": headless, no agent but it keeps its table" + used;
    }

    private void comparePort(PortPlace at, long nowNanos, List<Effect> effects) {
        boolean works = state.works(at.guid(), at.port());
        Neighbour now = works ? state.cabling.neighbour(at.guid(), at.port()) : null;
        if (now != null) {
            Neighbour before = inventory.expected(at.guid(), at.port());
            touchedPorts.addAll(inventory.seenWorking(at.guid(), at.port(), now));
            if (now instanceof ToHost to) {
                compareAdapter(at, before, to.host(), nowNanos, effects);
            }
        }
        Neighbour expected = inventory.expected(at.guid(), at.port());
        if (expected instanceof ToSwitch to) {
            compareLink(at, to, works, nowNanos);
        } else {
            alarms.close(new AlarmKey(Subject.LINK, at.guid(), at.port()));
        }
        compareHost(at, expected, works, nowNanos, effects);
        compareClaim(at, nowNanos);
    }

    private void compareClaim(PortPlace at, long nowNanos) {
        AlarmKey key = new AlarmKey(Subject.CLAIM, at.guid(), at.port());
        Contradiction what = state.disagreements.lasting(at.guid(), at.port());
        if (what == null) {
            alarms.close(key);
            return;
        }
        boolean host = what.nearSays() instanceof ToHost;
        long peer = what.nearSays() instanceof ToHost to
                ? to.host().portGuid()
                : what.far().guid();
        String text = state.disagreements.text(what);
        alarms.open(key, Kind.CABLE_DISAGREES, peer, host ? 0 : what.far().port(), text, nowNanos);
    }

    private void compareLink(PortPlace at, ToSwitch to, boolean works, long nowNanos) {
        boolean inOrder = Long.compareUnsigned(at.guid(), to.guid()) <= 0;
        PortPlace near = inOrder ? at : new PortPlace(to.guid(), to.port());
        PortPlace far = inOrder ? new PortPlace(to.guid(), to.port()) : at;
        if (!inOrder) {
            // An alarm of an earlier cable, whose lower end this was.
            alarms.close(new AlarmKey(Subject.LINK, at.guid(), at.port()));
        }
        AlarmKey key = new AlarmKey(Subject.LINK, near.guid(), near.port());
        SlowLinkWatch.Slow slow = works ? state.slowLinks.at(near) : null;
        if (slow != null) {
            String text = "link " + end(near) + " – " + end(far) + " is slow: " + slow.text();
            alarms.open(key, Kind.LINK_SLOW, far.guid(), far.port(), text, nowNanos);
            return;
        }
        if (works) {
            alarms.close(key);
            return;
        }
        boolean held = state.holdDown.holds(near.guid(), near.port()) || state.holdDown.holds(far.guid(), far.port());
        String text = "link " + end(near) + " – " + end(far) + (held ? " held down, it flapped" : " down");
        alarms.open(key, held ? Kind.LINK_HELD : Kind.LINK_DOWN, far.guid(), far.port(), text, nowNanos);
    }

    /** An adapter never seen before replaces the one at its port: whoever wants it to have the old one's node index has to say so. */
    private void compareAdapter(
            PortPlace at, @Nullable Neighbour before, Host now, long nowNanos, List<Effect> effects) {
        state.identity.exchanged.settled(now.portGuid());
        if (before instanceof ToHost was
                && inventory.portOf(was.host().portGuid()) == null
                && state.identity.nodes.knows(was.host().portGuid())) {
            state.identity.exchanged.add(was.host(), at);
            String what = " in place of " + was.host().name() + "; " + HostReplacement.advice(was.host(), now);
            tellHost(effects, nowNanos, LoggedEvent.Kind.HOST_EXCHANGED, at, now, what);
        }
    }

    /** Behind the text of an alarm: the port has another adapter than the one that is missed. */
    private String instead(PortPlace at, Host missed) {
        return state.cabling.claim(at.guid(), at.port()) instanceof ToHost to
                        && to.host().portGuid() != missed.portGuid()
                ? "; another adapter is there, " + to.host().name() + ": " + HostReplacement.advice(missed, to.host())
                : "";
    }

    private void compareHost(
            PortPlace at, @Nullable Neighbour expected, boolean works, long nowNanos, List<Effect> effects) {
        AlarmKey key = new AlarmKey(Subject.HOST, at.guid(), at.port());
        Alarm was = alarms.of(key);
        if (expected instanceof ToHost to && !works) {
            boolean held = state.holdDown.holds(at.guid(), at.port());
            String text = "host " + to.host().name() + " at " + end(at) + (held ? " held down, it flapped" : " down")
                    + instead(at, to.host());
            boolean toldBefore = alarms.wasOpenBefore(key);
            alarms.open(key, held ? Kind.HOST_HELD : Kind.HOST_DOWN, to.host().portGuid(), 0, text, nowNanos);
            if (was == null && alarms.ofSwitches().get(at.guid()) == null && toldHosts.add(key) && !toldBefore) {
                tellHost(effects, nowNanos, LoggedEvent.Kind.HOST_DOWN, at, to.host(), " down");
            }
        } else if (was != null) {
            alarms.close(key);
            if (toldHosts.remove(key)) {
                tellHostBack(at, was, nowNanos, effects);
            }
        }
    }

    private void tellHostBack(PortPlace at, Alarm was, long nowNanos, List<Effect> effects) {
        PortPlace now = inventory.portOf(was.peerGuid());
        if (now != null && inventory.expected(now.guid(), now.port()) instanceof ToHost to) {
            String moved = now.equals(at) ? " up" : " up, it was at " + end(at);
            tellHost(effects, nowNanos, LoggedEvent.Kind.HOST_UP, now, to.host(), moved);
        }
    }

    private void compareFabric(long nowNanos) {
        if (!state.cutOffGuids.equals(cutOffCompared)) {
            Set<Long> cutOff = new HashSet<>(state.cutOffGuids);
            cutOffCompared.forEach(guid -> {
                if (!cutOff.contains(guid)) {
                    alarms.close(new AlarmKey(Subject.LEAF, guid, 0));
                }
            });
            cutOffCompared = state.cutOffGuids;
            cutOffCompared.forEach(guid -> alarms.open(
                    new AlarmKey(Subject.LEAF, guid, 0),
                    Kind.LEAF_CUT_OFF,
                    0,
                    0,
                    state.nameOf(guid) + ": cut off, some other leaf has no path to it",
                    nowNanos));
        }
        String pairs = state.withoutPath;
        alarms.openIf(
                !pairs.isEmpty(), Subject.PAIRS, Kind.NO_LEGAL_PATH, EpochPlanner.withoutPathText(pairs), nowNanos);
        String lost = state.lostPairs.text();
        alarms.openIf(!lost.isEmpty(), Subject.LOST_PAIRS, Kind.PAIRS_LOST, lost, nowNanos);
        EpochRecord last = state.epochs.peekLast();
        if (last != null && last.stage != Stage.COMPUTING && last.stage != Stage.SUPERSEDED) {
            String refused = state.refused.alarmText();
            alarms.openIf(!refused.isEmpty(), Subject.EPOCH, Kind.EPOCH_REFUSED, refused, nowNanos);
        }
        boolean deposed = state.deposed();
        alarms.openIf(deposed, Subject.LEADER, Kind.LEADER_CONFLICT, deposed ? deposedText() : "", nowNanos);
        alarms.openIf(
                state.pushesHeld, Subject.PUSHES, Kind.PUSHES_HELD, state.pushesHeld ? missingText() : "", nowNanos);
        String deaf = state.managerDeaf ? RingHearing.managerText(state) : "";
        alarms.openIf(state.managerDeaf, Subject.HEARING, Kind.MANAGER_HEARS_NOBODY, deaf, nowNanos);
    }

    /** What keeps the fabric from being found, or acts from being kept meanwhile, must not wait until it is found. */
    private void compareManager(long nowNanos) {
        compareManager(
                Subject.SUBNET_MANAGER, Kind.SUBNET_MANAGER, String.join("; ", state.subnetManagerTroubles), nowNanos);
        compareManager(Subject.CERTIFICATES, Kind.CERTIFICATE_ENDS, state.certificatesEnding, nowNanos);
        compareManager(Subject.STORE, Kind.STATE_STORE, state.storeFailure.isEmpty() ? "" : storeText(), nowNanos);
    }

    private void compareManager(Subject subject, Kind kind, String trouble, long nowNanos) {
        boolean wrong = !trouble.isEmpty();
        if (compared || comparedEarly.contains(subject) || (wrong && comparedEarly.add(subject))) {
            alarms.openIf(wrong, subject, kind, trouble, nowNanos);
        }
    }

    private String deposedText() {
        return "stepped down: another manager leads with leader epoch " + state.leadership.deposedBy()
                + ", this one has " + state.leaderEpoch() + " and pushes nothing";
    }

    private String storeText() {
        String waiting = state.identity.keptLevels().size() > 0
                        || state.identity.levels().levels().size() == 0
                ? "new hosts and switches wait"
                : "the first levels wait, and all tables with them";
        return state.storeFailure + "; until it is kept again, " + waiting;
    }

    private String missingText() {
        Set<Long> headless = state.share.headless();
        int missing = headless.size();
        return "nothing is pushed: " + missing + " switches that forward have no agent here: "
                + headless.stream().limit(NAMES_TOLD).map(state::nameOf).collect(Collectors.joining(", "))
                + (missing > NAMES_TOLD ? " and " + (missing - NAMES_TOLD) + " more" : "");
    }

    /** Of mistakes in this program; by itself, as the rest of the comparison may be what fails. */
    void compareDefects(long nowNanos) {
        String text = state.defects.alarmText();
        alarms.openIf(!text.isEmpty(), Subject.DEFECT, Kind.DEFECT, text, nowNanos);
    }

    /** Hands what changed in the inventory to the records; alarms are there already. */
    void recordChanges() {
        for (StateRecord record : inventory.takeChanges()) {
            state.records.observed(record);
            showExpected(record.key().guid());
        }
    }

    private String end(PortPlace port) {
        return state.nameOf(port.guid()) + " port " + port.port();
    }

    private void tellHost(
            List<Effect> effects, long nowNanos, LoggedEvent.Kind kind, PortPlace at, Host host, String what) {
        effects.add(new Effect.Tell(new LoggedEvent(
                nowNanos,
                state.epoch,
                kind == LoggedEvent.Kind.HOST_DOWN ? Severity.WARNING : Severity.INFO,
                kind,
                at.guid(),
                state.nameOf(at.guid()),
                new LoggedEvent.Cable(at.port(), host.portGuid(), host.name(), 0),
                "host " + host.name() + " at " + end(at) + what)));
    }
}
