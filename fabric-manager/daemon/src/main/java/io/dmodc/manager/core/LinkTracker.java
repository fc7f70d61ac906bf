package io.dmodc.manager.core;

import static io.dmodc.manager.core.LoggedEvent.Severity.INFO;
import static io.dmodc.manager.core.LoggedEvent.Severity.WARNING;

import io.dmodc.manager.core.FabricEvent.Doubt;
import io.dmodc.manager.core.FabricEvent.RepairReported;
import io.dmodc.manager.core.LoggedEvent.Cable;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchHeard;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.PortPlace;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the two ends of a cable say, made one event: either end down is down both ways and at once, up needs both ends and
 * waits out the hold-down.
 *
 * <p>A port that has carrier but hears no hellos proves nothing alone: hellos are said by agents, and a dead agent is not a
 * dead switch. So while only one end is unheard, the port stays what it was believed to be; when both ends of a cable
 * are, both ports are down. A port whose handshake is under way stays what it was, too.
 */
final class LinkTracker {
    /** Why something is believed of a port; in words only when there is something to tell. */
    private enum How {
        TOLD,
        UNHEARD,
        STAYED_UP,
        /** With another end, or with nothing new. */
        ALONG
    }

    private record Repair(int moved, int stranded) {
        static final Repair NONE = new Repair(0, 0);
    }

    private final FabricState state;

    /** What switches do for dead ports by themselves, as last told; no more than there are ports. */
    private final Map<PortPlace, Repair> repairs = new HashMap<>();

    LinkTracker(FabricState state) {
        this.state = state;
    }

    /**
     * Takes in what an agent said of one of its ports.
     *
     * @param doubt of a port that is up; null: none
     */
    void reported(PortSeen seen, @Nullable Doubt doubt, long nowNanos, List<Effect> effects) {
        PortPlace near = new PortPlace(seen.guid(), seen.port());
        state.disagreements.spoke(seen.guid(), seen.port());
        if (!seen.up() || doubt == null) {
            state.unheard.remove(near);
            believe(seen, How.TOLD, nowNanos, effects);
            PortSeen moved = seen.up() ? movedFarEnd(seen) : null;
            if (moved != null) {
                believe(moved, How.ALONG, nowNanos, effects);
            }
            return;
        }
        if (doubt == Doubt.UNDECIDED) {
            state.unheard.remove(near);
        } else {
            state.unheard.add(near);
        }
        PortSeen far = state.unheard.contains(near) ? unheardFarEnd(seen) : null;
        if (far != null) {
            believe(down(seen), How.UNHEARD, nowNanos, effects);
            believe(far, How.ALONG, nowNanos, effects);
        } else if (state.cabling.saysUp(seen.guid(), seen.port())) {
            takeIn(seen, How.ALONG, nowNanos, effects);
        } else {
            believe(down(seen), How.ALONG, nowNanos, effects);
        }
    }

    private static PortSeen down(PortSeen seen) {
        return new PortSeen(seen.guid(), seen.port(), false, seen.neighbour());
    }

    /** Returns the other end of the cable, down, if both name each other and it is unheard, too. */
    private @Nullable PortSeen unheardFarEnd(PortSeen seen) {
        ToSwitch here = new ToSwitch(seen.guid(), seen.port());
        boolean agreed = seen.neighbour() instanceof ToSwitch to
                && state.unheard.contains(new PortPlace(to.guid(), to.port()))
                && to.port() <= state.cabling.portCount(to.guid())
                && here.equals(state.cabling.neighbour(to.guid(), to.port()));
        return agreed && seen.neighbour() instanceof ToSwitch to
                ? new PortSeen(to.guid(), to.port(), false, here)
                : null;
    }

    /**
     * Returns the port that this one leads to, down, if its switch said before that it leads to a third one and nobody speaks for those two any
     * more: that cable is not there now. Whether this one is, its other end must say.
     */
    private @Nullable PortSeen movedFarEnd(PortSeen seen) {
        ToSwitch here = new ToSwitch(seen.guid(), seen.port());
        boolean outdated = seen.neighbour() instanceof ToSwitch to
                && isLive(to)
                && !state.cabling.claimsUpNow(to.guid(), to.port())
                && state.cabling.claim(to.guid(), to.port()) instanceof ToSwitch third
                && !third.equals(here)
                && !state.cabling.claimsUpNow(third.guid(), third.port());
        return outdated && seen.neighbour() instanceof ToSwitch to
                ? new PortSeen(to.guid(), to.port(), false, state.cabling.claim(to.guid(), to.port()))
                : null;
    }

    private boolean isLive(ToSwitch end) {
        return state.cabling.knows(end.guid())
                && end.port() <= state.cabling.portCount(end.guid())
                && state.cabling.isLive(end.guid(), end.port());
    }

    private void believe(PortSeen seen, How how, long nowNanos, List<Effect> effects) {
        PortPlace near = new PortPlace(seen.guid(), seen.port());
        boolean wasHeld = state.holdDown.holds(seen.guid(), seen.port());
        boolean carried = state.carriesWithoutLink(near);
        int flaps = state.holdDown.flapCount(seen.guid(), seen.port());
        PortSeen believed = state.holdDown.filter(nowNanos, seen, state.cabling.saysUp(seen.guid(), seen.port()));
        countFlap(seen, flaps);
        if (!wasHeld && seen.up() && !believed.up()) {
            noteHold(seen, nowNanos, effects);
        }
        takeIn(believed, how, nowNanos, effects);
        if (carried != state.carriesWithoutLink(near) && (state.outstanding > 0 || state.computing != 0)) {
            // The order in which tables are sent counts on what is led over it.
            String cable = cable(seen.guid(), seen.port(), seen.neighbour());
            state.news.add(nowNanos, "link " + cable + (carried ? " down" : " up") + " again");
        }
    }

    /** Both ends of a cable go down for one flap: the one that was ahead of the other counts. */
    private void countFlap(PortSeen seen, int before) {
        int flaps = state.holdDown.flapCount(seen.guid(), seen.port());
        if (flaps == before) {
            return;
        }
        boolean ahead =
                !(seen.neighbour() instanceof ToSwitch to) || flaps > state.holdDown.flapCount(to.guid(), to.port());
        if (flaps > before && ahead) {
            state.linkFlaps++;
        }
    }

    /** Once per cable, and ever more rarely while it goes on flapping: after 1, 2, 4, 8, … flaps. */
    private void noteHold(PortSeen seen, long nowNanos, List<Effect> effects) {
        int flaps = state.holdDown.flapCount(seen.guid(), seen.port());
        boolean toldByFarEnd = seen.neighbour() instanceof ToSwitch to
                && state.holdDown.holds(to.guid(), to.port())
                && state.holdDown.flapCount(to.guid(), to.port()) >= flaps;
        if (Integer.bitCount(flaps) == 1 && !toldByFarEnd) {
            tell(
                    effects,
                    nowNanos,
                    INFO,
                    Kind.LINK_HELD_DOWN,
                    seen.guid(),
                    ends(state, seen.port(), seen.neighbour()),
                    state.nameOf(seen.guid()) + " port " + seen.port() + ": up again, held down after " + flaps
                            + (flaps == 1 ? " flap" : " flaps"));
        }
    }

    /** Lets go the ports that stayed up for as long as they were held down. */
    void timePassed(long nowNanos, List<Effect> effects) {
        for (PortSeen released : state.holdDown.release(nowNanos)) {
            takeIn(released, How.STAYED_UP, nowNanos, effects);
        }
        state.holdDown.takeQuiet().forEach(port -> state.snapshots.portChanged(port.guid(), port.port()));
        state.disagreements.timePassed(nowNanos, effects);
    }

    /** For the history alone: what is decided follows from the ports. What an agent says again in its next session is no news. */
    void repaired(RepairReported report, List<Effect> effects) {
        PortPlace near = new PortPlace(report.guid(), report.port());
        Repair now = new Repair(report.moved(), report.stranded());
        boolean over = now.equals(Repair.NONE);
        Repair before = over ? repairs.remove(near) : repairs.put(near, now);
        if (report.port() > state.cabling.portCount(report.guid()) || now.equals(before) || (over && before == null)) {
            return;
        }
        Neighbour far = state.cabling.claim(report.guid(), report.port());
        String text = cable(report.guid(), report.port(), far) + ": "
                + (over ? "its entries lead by the table again" : text(now));
        Cable ends = ends(state, report.port(), far);
        state.agentEvents.tell(
                state.event(report.nowNanos(), INFO, Kind.LOCAL_REPAIR, report.guid(), ends, text), effects);
    }

    private static String text(Repair repair) {
        String stranded = entries(repair.stranded()) + (repair.stranded() == 1 ? " has" : " have") + " no other port";
        return repair.moved() == 0
                ? stranded
                : "its switch led " + entries(repair.moved()) + " over other ports by itself"
                        + (repair.stranded() == 0 ? "" : "; " + stranded);
    }

    private static String entries(int count) {
        return count + (count == 1 ? " entry" : " entries");
    }

    /** Somebody speaks for this switch, and all it said is of today; or nobody does any more. */
    void heard(long guid, boolean heard, long nowNanos) {
        state.disagreements.touchSwitch(guid);
        if (state.apply(new SwitchHeard(guid, heard))) {
            for (int port = 1; port <= state.cabling.portCount(guid); port++) {
                touchRivals(state.cabling.claim(guid, port));
            }
            state.news.add(nowNanos, state.nameOf(guid) + ": hosts it named are elsewhere");
        }
    }

    /** Who has a host follows from what all say that name it. */
    private void touchRivals(@Nullable Neighbour claim) {
        if (claim instanceof ToHost to) {
            state.cabling.claimants(to.host().portGuid()).forEach(place -> state.touchPort(place.guid(), place.port()));
        }
    }

    /** Believes one end of a cable; one line for the event log per cable, whichever end spoke first. */
    private void takeIn(PortSeen seen, How how, long nowNanos, List<Effect> effects) {
        state.touchPort(seen.guid(), seen.port());
        state.disagreements.touch(seen.guid(), seen.port());
        boolean wasLive = state.cabling.isLive(seen.guid(), seen.port());
        long recablings = state.cabling.recablings();
        Neighbour neighbourBefore = state.cabling.neighbour(seen.guid(), seen.port());
        Neighbour claimBefore = state.cabling.claim(seen.guid(), seen.port());
        touchRivals(claimBefore);
        boolean matters = state.apply(seen);
        if (!Objects.equals(claimBefore, seen.neighbour())) {
            state.disagreements.touch(seen.guid(), seen.port());
        }
        if (!matters) {
            return;
        }
        touchRivals(seen.neighbour());
        boolean isLive = state.cabling.isLive(seen.guid(), seen.port());
        if (wasLive != isLive) {
            Neighbour far = wasLive ? neighbourBefore : state.cabling.neighbour(seen.guid(), seen.port());
            String text = "link " + cable(seen.guid(), seen.port(), far) + (isLive ? " up" : " down");
            state.news.add(nowNanos, text);
            if (!state.discovering) {
                tell(
                        effects,
                        nowNanos,
                        isLive ? INFO : WARNING,
                        isLive ? Kind.LINK_UP : Kind.LINK_DOWN,
                        seen.guid(),
                        ends(state, seen.port(), wasLive ? neighbourBefore : seen.neighbour()),
                        text + how(how, seen.guid()));
            }
        } else if (state.cabling.recablings() != recablings) {
            Neighbour now = state.cabling.neighbour(seen.guid(), seen.port());
            state.news.add(
                    nowNanos, state.nameOf(seen.guid()) + " port " + seen.port() + recabled(neighbourBefore, now));
        }
    }

    /** The same host described otherwise is news for readers of the view, and has not moved. */
    private static String recabled(@Nullable Neighbour before, @Nullable Neighbour now) {
        if (!(before instanceof ToHost was && now instanceof ToHost to && was.isSameEnd(to))) {
            return " recabled";
        }
        String what = !was.host().name().equals(to.host().name())
                ? " is called " + to.host().name() + " now"
                : !was.host().addresses().equals(to.host().addresses())
                        ? " has other addresses"
                        : " is a port of another adapter";
        return ": host " + was.host().name() + what;
    }

    private String how(How how, long guid) {
        return switch (how) {
            case TOLD -> ", told by " + state.nameOf(guid);
            case UNHEARD -> ", unheard at both ends";
            case STAYED_UP -> ", stayed up";
            case ALONG -> "";
        };
    }

    private String cable(long guid, int port, @Nullable Neighbour far) {
        return far instanceof ToSwitch to
                ? state.nameOf(guid) + " port " + port + " – " + state.nameOf(to.guid()) + " port " + to.port()
                : state.nameOf(guid) + " port " + port;
    }

    /** The cable at a port that leads there, for people. */
    static Cable ends(FabricState state, int port, @Nullable Neighbour neighbour) {
        if (neighbour instanceof ToSwitch to) {
            return new Cable(port, to.guid(), state.nameOf(to.guid()), to.port());
        }
        return neighbour instanceof ToHost to
                ? new Cable(port, to.host().portGuid(), to.host().name(), 0)
                : new Cable(port, 0, "", 0);
    }

    private void tell(
            List<Effect> effects,
            long nowNanos,
            LoggedEvent.Severity severity,
            Kind kind,
            long guid,
            Cable cable,
            String text) {
        effects.add(new Effect.Tell(state.event(nowNanos, severity, kind, guid, cable, text)));
    }
}
