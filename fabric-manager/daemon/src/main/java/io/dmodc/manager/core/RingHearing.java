package io.dmodc.manager.core;

import static io.dmodc.manager.core.LoggedEvent.Severity.ALARM;
import static io.dmodc.manager.core.LoggedEvent.Severity.INFO;
import static io.dmodc.manager.core.LoggedEvent.Severity.WARNING;

import io.dmodc.manager.core.FabricEvent.ForeignSource;
import io.dmodc.manager.core.FabricEvent.HearingReported;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.FabricEvent.RingReported;
import io.dmodc.manager.core.LoggedEvent.Kind;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Members of the ring that hear nobody, and members whom others do not hear because they speak from another address: both are
 * wrong settings of hosts far more often than faults, and both look like silence to the ring. What a member that hears nobody
 * found silent by itself says nothing, so it is not believed of the manager's own place.
 */
final class RingHearing {
    /** Of so many pairs of member and address it is known that they were told; beyond it the oldest is forgotten. */
    static final int FOREIGN_MAX = 256;

    /** How often the same one is told. */
    static final long FOREIGN_AGAIN_NANOS = 3_600_000_000_000L;

    /** So many are told in that time of what one member says. */
    static final int FOREIGN_OF_ONE_MAX = 16;

    /** What one member had told, of a time that began at its first. */
    private record Teller(long sinceNanos, int count) {}

    private record Foreign(long guid, RingAddress actual) {}

    private final FabricState state;

    /** When each was told last, the oldest first. */
    private final Map<Foreign, Long> told = new LinkedHashMap<>();

    /** By the member that said so, a switch or the manager. */
    private final Map<Long, Teller> tellers = new HashMap<>();

    RingHearing(FabricState state) {
        this.state = state;
    }

    /** True if this is what the manager's own place made of hearing nobody. */
    boolean isOwnDeafness(RingReported report) {
        return report.silent() && report.session() == 0 && report.hops() == 0 && state.managerDeaf;
    }

    void reported(HearingReported report, List<Effect> effects) {
        if (report.session() == 0 && state.ring.isOwn(report.guid())) {
            if (state.managerDeaf != report.deaf()) {
                state.managerDeaf = report.deaf();
                String text = report.deaf() ? managerText(state) : "the manager hears heartbeats again";
                tell(effects, report.nowNanos(), report.deaf() ? ALARM : INFO, Kind.MANAGER_HEARS_NOBODY, 0, text);
            }
            return;
        }
        SwitchRecord record = state.switches.get(report.guid());
        if (record != null && record.session == report.session()) {
            record.hearingTold = true;
            set(record, report.deaf(), report.nowNanos(), effects);
        }
    }

    /** A session began: whether its agent hears is not known before it has told all its ports. */
    void greeted(SwitchRecord record) {
        record.hearingTold = false;
    }

    /** An agent that hears nobody says so before it tells its ports. */
    void portsTold(SwitchRecord record, long nowNanos, List<Effect> effects) {
        if (!record.hearingTold) {
            record.hearingTold = true;
            set(record, false, nowNanos, effects);
        }
    }

    private void set(SwitchRecord record, boolean deaf, long nowNanos, List<Effect> effects) {
        if (record.deaf != deaf) {
            record.deaf = deaf;
            state.touchSwitch(record.guid);
            String text = deaf ? agentText(record) : record.name + ": hears heartbeats again";
            LoggedEvent.Severity severity = deaf ? WARNING : INFO;
            state.agentEvents.tell(
                    state.event(nowNanos, severity, Kind.AGENT_HEARS_NOBODY, record.guid, null, text), effects);
        }
    }

    static String agentText(SwitchRecord record) {
        return record.name + ": hears no heartbeats: is UDP port " + record.ringAddress.port() + " let in at "
                + record.ringAddress.host() + "?";
    }

    static String managerText(FabricState state) {
        return "the manager hears no heartbeats: is UDP port " + state.ring.ownPort() + " (detector.listen) let in?";
    }

    void foreignSource(ForeignSource report, List<Effect> effects) {
        SwitchRecord observer = state.switches.get(report.observerGuid());
        boolean known = report.session() == 0
                ? state.ring.isOwn(report.observerGuid())
                : observer != null && observer.session == report.session();
        boolean subject = state.switches.containsKey(report.subjectGuid()) || state.ring.isOwn(report.subjectGuid());
        if (!known || !subject) {
            return;
        }
        state.foreignSources++;
        Foreign source = new Foreign(report.subjectGuid(), report.actual());
        Long last = told.get(source);
        if (last != null && report.nowNanos() - last < FOREIGN_AGAIN_NANOS) {
            return;
        }
        if (!mayTell(report)) {
            return;
        }
        told.remove(source);
        if (told.size() >= FOREIGN_MAX) {
            told.remove(told.keySet().iterator().next());
        }
        told.put(source, report.nowNanos());
        boolean own = state.ring.isOwn(report.subjectGuid());
        String text = state.nameOf(report.subjectGuid()) + ": its heartbeats come from " + address(report.actual())
                + ", the ring has it at " + address(report.expected()) + ": " + state.nameOf(report.observerGuid())
                + " drops them, and it is held silent; name the address it sends from in "
                + (own ? "the manager's detector.listen" : "detector.listen of its agent");
        tell(effects, report.nowNanos(), WARNING, Kind.FOREIGN_SOURCE, own ? 0 : report.subjectGuid(), text);
    }

    private boolean mayTell(ForeignSource report) {
        Teller before = tellers.get(report.observerGuid());
        if (before == null || report.nowNanos() - before.sinceNanos >= FOREIGN_AGAIN_NANOS) {
            before = new Teller(report.nowNanos(), 0);
        }
        if (before.count == FOREIGN_OF_ONE_MAX) {
            return false;
        }
        tellers.values().removeIf(teller -> report.nowNanos() - teller.sinceNanos >= FOREIGN_AGAIN_NANOS);
        tellers.put(report.observerGuid(), new Teller(before.sinceNanos, before.count + 1));
        return true;
    }

    private static String address(RingAddress address) {
        String host = address.host();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.port();
    }

    private void tell(
            List<Effect> effects, long nowNanos, LoggedEvent.Severity severity, Kind kind, long guid, String text) {
        effects.add(new Effect.Tell(state.event(nowNanos, severity, kind, guid, null, text)));
    }
}
