package io.dmodc.manager.core;

import static io.dmodc.manager.core.LoggedEvent.Severity.INFO;
import static io.dmodc.manager.core.LoggedEvent.Severity.WARNING;

import io.dmodc.manager.core.Effect.DismissReason;
import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.AgentLeft;
import io.dmodc.manager.core.FabricEvent.Doubt;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Guid;
import io.dmodc.topology.LinkRate;
import io.dmodc.topology.PortPlace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Switches whose agents came in and that nothing ties to the fabric yet: <em>unattached</em>. They are welcomed and
 * listed, and that is all: no alarm, no place in the ring, no part in views, no index for their hosts.
 *
 * <p>A switch counts for the fabric once a cable that both its ends confirm joins it to one that does, so a chain of new
 * switches follows link by link. It counts at once if it is known from before, or on the allow-list; and so does everything
 * that comes in before anything is known at all: until a first start without an allow-list has discovered its fabric, and
 * when everything was forgotten. Once it counts it does so until it is forgotten.
 *
 * <p>At most {@link #MAX} are kept. The next one is dismissed, unless the fabric sees a cable to it: then one
 * to which it sees none gives way. One whose agent left is forgotten {@link #KEPT_NANOS} later. What they report of their
 * ports is kept until they are tied in: 254 ports each.
 */
final class Strangers {
    static final int MAX = 256;
    static final long KEPT_NANOS = 3_600_000_000_000L;

    /** How often people are told that strangers were dismissed. */
    static final long TOLD_AGAIN_NANOS = 60_000_000_000L;

    /** One that is tied in now: as if it had just said Hello, and what it reported since. */
    record Arrival(
            AgentJoined hello, long leaderTold, @Nullable PortsReported ports) {}

    private static final class Stranger {
        final SwitchRecord record;
        AgentJoined hello;
        final Map<Integer, PortSeen> ports = new TreeMap<>();
        final Map<Integer, Doubt> doubts = new HashMap<>();
        final Map<Integer, LinkRate> rates = new HashMap<>();

        Stranger(AgentJoined hello) {
            this.hello = hello;
            record = new SwitchRecord(hello.guid(), hello.name(), hello.portCount());
            record.condition = Condition.UNATTACHED;
        }

        void greets(AgentJoined joined, long leaderEpoch) {
            hello = joined;
            record.name = joined.name();
            record.portCount = joined.portCount();
            record.incarnation = joined.incarnation();
            record.session = joined.session();
            record.leaderTold = leaderEpoch;
            record.portsKnown = false;
            forgetPorts();
        }

        void forgetPorts() {
            ports.clear();
            doubts.clear();
            rates.clear();
        }
    }

    /** GUIDs that no attached switch has, and the attached switches' ports that name them: thousands at a first start. */
    private static final class Named {
        private final Map<PortPlace, Long> guids = new HashMap<>();
        private final Map<Long, Set<PortPlace>> ports = new HashMap<>();

        boolean isEmpty() {
            return guids.isEmpty();
        }

        boolean has(long guid) {
            return ports.containsKey(guid);
        }

        void put(PortPlace port, long guid) {
            remove(port);
            guids.put(port, guid);
            ports.computeIfAbsent(guid, any -> new HashSet<>()).add(port);
        }

        void remove(PortPlace port) {
            Long guid = guids.remove(port);
            if (guid != null) {
                ports.computeIfPresent(guid, (any, left) -> left.remove(port) && left.isEmpty() ? null : left);
            }
        }

        void remove(long guid) {
            Set<PortPlace> all = ports.remove(guid);
            if (all != null) {
                guids.keySet().removeAll(all);
            }
        }

        /** All that ports of this switch name. */
        void removeNamesBy(long switchGuid) {
            guids.keySet().stream()
                    .filter(port -> port.guid() == switchGuid)
                    .toList()
                    .forEach(this::remove);
        }
    }

    private final FabricState state;
    private final Map<Long, Stranger> strangers = new TreeMap<>(Long::compareUnsigned);

    /** When those are forgotten whose agent left. */
    private final Deadlines<Long> ends = new Deadlines<>(Long::compareUnsigned);

    private final Named named = new Named();

    /** Whose cables may be confirmed now. */
    private final DirtySet<Long> toLookAt = new DirtySet<>();

    private Set<Long> allowed = Set.of();

    /** Nothing was known when the first agent came in. */
    private @Nullable Boolean firstStart;

    /** What readers are shown of them; {@code null} when some are others than they were then. */
    private @Nullable List<SwitchSnapshot> snapshots;

    private long toldNanos;
    private int dismissed;
    private boolean toldBefore;

    Strangers(FabricState state) {
        this.state = state;
    }

    /** Switches that count although no cable ties them to others; before the first event. */
    void allow(Collection<Long> guids) {
        allowed = Set.copyOf(guids);
    }

    /** A person says that this switch belongs to the fabric. */
    void admit(long guid) {
        Set<Long> more = new HashSet<>(allowed);
        more.add(guid);
        allowed = Set.copyOf(more);
        toLookAt.add(guid);
    }

    /** The switch with this GUID if it is unattached and has told its ports; {@code null} otherwise. */
    @Nullable
    SwitchRecord find(long guid) {
        Stranger stranger = strangers.get(guid);
        return stranger == null ? null : stranger.record;
    }

    Collection<SwitchRecord> all() {
        return strangers.values().stream().map(stranger -> stranger.record).toList();
    }

    /** All of them, by GUID; nobody changes what is given away. */
    List<SwitchSnapshot> snapshots() {
        List<SwitchSnapshot> shown = snapshots;
        if (shown == null) {
            shown = strangers.values().stream()
                    .map(stranger -> SwitchSnapshot.unattached(stranger.record))
                    .toList();
            snapshots = shown;
        }
        return shown;
    }

    int count() {
        return strangers.size();
    }

    /** True if this switch counts for the fabric. */
    boolean counts(long guid) {
        boolean nothingKnown = state.switches.isEmpty()
                && state.expected.isEmpty()
                && allowed.isEmpty()
                && state.inventory().switchCount() == 0;
        if (firstStart == null) {
            firstStart = nothingKnown;
        }
        return nothingKnown
                || (firstStart && state.discovering)
                || state.switches.containsKey(guid)
                || state.expected.contains(guid)
                || allowed.contains(guid)
                || state.inventory().hasSwitch(guid);
    }

    /** The agent of a switch that does not count said Hello. */
    void joined(AgentJoined joined, List<Effect> effects) {
        snapshots = null;
        Stranger known = strangers.get(joined.guid());
        if (known == null && strangers.size() >= MAX && !makeRoom(joined.guid(), effects)) {
            dismiss(joined, effects);
            return;
        }
        if (known != null && known.record.session != 0) {
            if (Integer.compareUnsigned(joined.incarnation(), known.record.incarnation) <= 0) {
                String text = "another agent speaks for switch " + Guid.format(joined.guid());
                effects.add(new Effect.Dismiss(joined.session(), DismissReason.DUPLICATE_GUID, text));
                return;
            }
            effects.add(new Effect.Dismiss(known.record.session, DismissReason.SILENT, "a newer agent took over"));
        }
        if (known == null) {
            known = new Stranger(joined);
            strangers.put(joined.guid(), known);
            String text = joined.name() + " (" + Guid.format(joined.guid())
                    + "): unattached, no cable that both ends confirm joins it to the fabric";
            effects.add(new Effect.Tell(
                    new LoggedEvent(joined.nowNanos(), state.epoch, INFO, Kind.AGENT_UNATTACHED, joined.guid(), text)));
        }
        known.greets(joined, state.leaderEpoch());
        ends.cancel(joined.guid());
        effects.add(new Effect.Accept(joined.session(), state.leaderEpoch()));
    }

    /** One that the fabric sees a cable to takes the place of one that it sees none to, rather of one that left. */
    private boolean makeRoom(long guid, List<Effect> effects) {
        if (!named.has(guid)) {
            return false;
        }
        Stranger gives = null;
        for (Stranger stranger : strangers.values()) {
            if (!named.has(stranger.record.guid) && (gives == null || stranger.record.session == 0)) {
                gives = stranger;
            }
        }
        if (gives == null) {
            return false;
        }
        strangers.remove(gives.record.guid);
        ends.cancel(gives.record.guid);
        if (gives.record.session != 0) {
            effects.add(new Effect.Dismiss(
                    gives.record.session,
                    DismissReason.UNATTACHED,
                    "a switch with a cable to the fabric needs the place"));
        }
        return true;
    }

    private void dismiss(AgentJoined joined, List<Effect> effects) {
        effects.add(new Effect.Dismiss(
                joined.session(),
                DismissReason.UNATTACHED,
                MAX + " switches without a cable to the fabric are known already"));
        dismissed++;
        if (!toldBefore || joined.nowNanos() - toldNanos >= TOLD_AGAIN_NANOS) {
            String text = MAX + " switches are unattached: " + dismissed + " more dismissed, the last one "
                    + joined.name() + " (" + Guid.format(joined.guid()) + ")";
            effects.add(new Effect.Tell(
                    new LoggedEvent(joined.nowNanos(), state.epoch, WARNING, Kind.AGENT_UNATTACHED, 0, text)));
            toldBefore = true;
            toldNanos = joined.nowNanos();
            dismissed = 0;
        }
    }

    void left(AgentLeft left) {
        Stranger stranger = strangers.get(left.guid());
        if (stranger != null && stranger.record.session == left.session()) {
            snapshots = null;
            stranger.record.session = 0;
            ends.set(left.guid(), left.nowNanos() + KEPT_NANOS);
        }
    }

    /** Keeps what a stranger says of its ports; true if it is one's. */
    boolean reported(PortsReported report) {
        Stranger stranger = strangers.get(report.guid());
        if (stranger == null || stranger.record.session != report.session()) {
            return false;
        }
        if (report.complete()) {
            stranger.forgetPorts();
            stranger.record.portsKnown = true;
        }
        for (PortSeen seen : report.ports()) {
            stranger.ports.put(seen.port(), seen);
            stranger.doubts.remove(seen.port());
            stranger.rates.remove(seen.port());
        }
        stranger.doubts.putAll(report.doubts());
        stranger.rates.putAll(report.rates());
        toLookAt.add(report.guid());
        return true;
    }

    /** An attached switch says what is at the far end of this port. */
    void seenFromFabric(PortSeen seen) {
        if (seen.up() && seen.neighbour() instanceof ToSwitch to && !state.switches.containsKey(to.guid())) {
            named.put(new PortPlace(seen.guid(), seen.port()), to.guid());
            if (strangers.containsKey(to.guid())) {
                toLookAt.add(to.guid());
            }
        } else if (!named.isEmpty()) {
            named.remove(new PortPlace(seen.guid(), seen.port()));
        }
    }

    /** This switch is part of the fabric no more: what its ports named counts no more either. */
    void forgotten(long guid) {
        named.removeNamesBy(guid);
    }

    /** Strangers that are tied in now; they are strangers no more. To be asked again once these have been taken in. */
    List<Arrival> takeArrivals(long nowNanos) {
        List<Arrival> arrivals = new ArrayList<>();
        for (long guid : toLookAt.all()) {
            Stranger stranger = strangers.get(guid);
            if (stranger != null && stranger.record.session != 0 && isTied(stranger)) {
                strangers.remove(guid);
                snapshots = null;
                named.remove(guid);
                arrivals.add(arrival(stranger, nowNanos));
            }
        }
        toLookAt.clear();
        return arrivals;
    }

    private boolean isTied(Stranger stranger) {
        if (allowed.contains(stranger.hello.guid())) {
            return true;
        }
        for (PortSeen seen : stranger.ports.values()) {
            if (seen.up()
                    && !stranger.doubts.containsKey(seen.port())
                    && seen.neighbour() instanceof ToSwitch to
                    && confirms(to, new ToSwitch(seen.guid(), seen.port()))) {
                return true;
            }
        }
        return false;
    }

    /** True if the attached switch at the far end says the same of this cable. */
    private boolean confirms(ToSwitch far, ToSwitch near) {
        return state.switches.containsKey(far.guid())
                && state.cabling.knows(far.guid())
                && far.port() <= state.cabling.portCount(far.guid())
                && near.equals(state.cabling.neighbour(far.guid(), far.port()))
                && (state.cabling.saysUp(far.guid(), far.port()) || state.holdDown.holds(far.guid(), far.port()));
    }

    private static Arrival arrival(Stranger stranger, long nowNanos) {
        SwitchRecord record = stranger.record;
        PortsReported ports = stranger.ports.isEmpty() && !record.portsKnown
                ? null
                : new PortsReported(
                        nowNanos,
                        record.session,
                        record.guid,
                        record.portsKnown,
                        List.copyOf(stranger.ports.values()),
                        stranger.doubts,
                        stranger.rates);
        return new Arrival(stranger.hello.at(nowNanos), record.leaderTold, ports);
    }

    void timePassed(long nowNanos) {
        for (long guid : ends.takeDue(nowNanos)) {
            strangers.remove(guid);
            snapshots = null;
        }
    }

    /** When the next one is forgotten; {@code Long.MAX_VALUE}: all have an agent. */
    long nextDeadline() {
        return ends.next();
    }
}
