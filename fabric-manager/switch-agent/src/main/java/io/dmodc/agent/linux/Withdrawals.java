package io.dmodc.agent.linux;

import io.dmodc.agent.linux.WithdrawalCodec.Frame;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the switches at the far ends of the cables withdrew: addresses to which they lead nothing any more. Only the switch that is known to be at
 * the far end of a port is heard there. What it withdrew counts until it says something else, another is at the far end, the port died, or
 * it was not heard for {@link #SILENCE_NANOS}: its agent ended, and may begin anew without a word of that.
 *
 * <p>Bounds: {@value WithdrawalCodec#ADDRESSES_MAX} addresses for each port, as many while a list comes in and as many while one waits, {@value #ADDRESSES_MAX}
 * at all ports together (some 70 bytes each); what is above is passed over with a warning, and heard when it is said again. At each port what changes is heard
 * at a {@link Pace}: a list counts for {@value #LIST_CHANGES} changes and for each address that it withdraws or takes back. One that is above
 * waits, with a warning, until {@link #hearWaiting} may hear it, or a newer one takes its place.
 *
 * <p>Times are nanoseconds of one clock, not negative. From any thread.
 */
final class Withdrawals {
    /** Said again every second. */
    static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** Who begins has heard within this what all neighbours withdraw. */
    static final long HEARING_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** At all ports together. */
    static final int ADDRESSES_MAX = 40_000;

    /** Besides its addresses, so that lists of few are no more than 20 a second. */
    static final int LIST_CHANGES = 100;

    /** As many lists as {@link WithdrawalTeller} says at once, and the longest one withdrawn, taken back and withdrawn again. */
    static final int CHANGES_AT_ONCE =
            WithdrawalTeller.LISTS_AT_ONCE * LIST_CHANGES + 3 * WithdrawalCodec.ADDRESSES_MAX;

    static final long CHANGE_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    /** A list whose number is so much below that of another one at most was said before it, and came late. */
    private static final int LATE_MAX = 1 << 16;

    private static final Logger LOG = LoggerFactory.getLogger(Withdrawals.class);

    /** The last list that came whole from one far end. */
    private record Heard(long guid, int number, Set<RouteAddress> addresses, long atNanos) {}

    /** A list of which not all frames came; they may come in any order, and from several times that it was said. */
    private record Begun(long guid, int number, int of, BitSet got, Set<RouteAddress> addresses) {}

    /** One port. */
    private static final class Port {
        private final Pace pace = new Pace(CHANGES_AT_ONCE, CHANGE_NANOS);
        private final Complaints complaints = new Complaints();
        private @Nullable Heard heard;
        private @Nullable Begun begun;

        /** The newest list, while it is above the pace. */
        private @Nullable Heard waiting;

        int size() {
            return (heard == null ? 0 : heard.addresses().size())
                    + (waiting == null ? 0 : waiting.addresses().size())
                    + (begun == null ? 0 : begun.addresses().size());
        }

        /** Returns whether a list was said before what is known. */
        boolean isLate(Frame frame) {
            Heard last = last();
            boolean behindHeard =
                    last != null && last.guid() == frame.guid() && isBefore(frame.number(), last.number());
            boolean behindBegun =
                    begun != null && begun.guid() == frame.guid() && isBefore(frame.number(), begun.number());
            return behindHeard || behindBegun;
        }

        /** Returns the last list that came whole. */
        @Nullable
        Heard last() {
            return waiting == null ? heard : waiting;
        }

        boolean isOfAnotherThan(long guid) {
            return (heard != null && heard.guid() != guid) || (waiting != null && waiting.guid() != guid);
        }

        void forget() {
            heard = null;
            waiting = null;
            begun = null;
        }

        private static boolean isBefore(int number, int other) {
            int behind = other - number;
            return behind > 0 && behind <= LATE_MAX;
        }
    }

    private final String who;
    private final Cabling cabling;
    private final Map<Integer, Port> ports = new HashMap<>();
    private Map<Integer, Set<RouteAddress>> byPort = Map.of();

    Withdrawals(String who, Cabling cabling) {
        this.who = who;
        this.cabling = cabling;
    }

    /**
     * A frame came out of the cable at a port.
     *
     * @return whether something else is withdrawn now
     */
    synchronized boolean arrived(int port, ByteBuffer bytes, long now) {
        Frame frame = WithdrawalCodec.read(bytes);
        if (frame == null) {
            complain(port, Complaints.Kind.UNREADABLE, "drops a withdrawal that it cannot read", now);
            return false;
        }
        return frame.guid() == farGuid(port) && take(port, frame, now);
    }

    /** Returns the GUID of the switch that is known to be there; 0: none is. */
    private long farGuid(int port) {
        FarEnd far = cabling.farEnd(port);
        return far != null && far.neighbour() instanceof SwitchPort end ? end.guid() : 0;
    }

    private boolean take(int number, Frame frame, long now) {
        Port port = port(number);
        if (port.isLate(frame)) {
            return false;
        }
        Heard last = port.last();
        if (last != null && last.guid() == frame.guid() && last.number() == frame.number()) {
            Heard again = new Heard(last.guid(), last.number(), last.addresses(), now);
            if (port.waiting == null) {
                port.heard = again;
            } else {
                port.waiting = again;
            }
            return false;
        }
        Set<RouteAddress> whole = gather(number, port, frame, now);
        if (whole == null) {
            return false;
        }
        port.begun = null;
        return hear(number, port, new Heard(frame.guid(), frame.number(), whole, now), now);
    }

    /** Returns the whole list when this was all that was missing of it. */
    private @Nullable Set<RouteAddress> gather(int number, Port port, Frame frame, long now) {
        Begun list = port.begun;
        if (list == null || list.number() != frame.number() || list.guid() != frame.guid() || list.of() != frame.of()) {
            list = new Begun(frame.guid(), frame.number(), frame.of(), new BitSet(), new HashSet<>());
            port.begun = list;
        }
        if (list.got().get(frame.at())) {
            return null;
        }
        if (size() + frame.addresses().size() > ADDRESSES_MAX) {
            port.begun = null;
            complain(
                    number,
                    Complaints.Kind.TOO_MUCH,
                    "passes over what is withdrawn; expected " + ADDRESSES_MAX + " addresses at all ports at most",
                    now);
            return null;
        }
        list.got().set(frame.at());
        list.addresses().addAll(frame.addresses());
        return list.got().cardinality() == list.of() ? Collections.unmodifiableSet(list.addresses()) : null;
    }

    private boolean hear(int number, Port port, Heard said, long now) {
        Set<RouteAddress> before = port.heard == null ? Set.of() : port.heard.addresses();
        int changes = changes(before, said.addresses());
        if (changes > 0 && !port.pace.take(now, LIST_CHANGES + changes)) {
            port.waiting = said;
            complain(
                    number,
                    Complaints.Kind.TOO_OFTEN,
                    "hears what is withdrawn late; expected " + TimeUnit.SECONDS.toNanos(1) / CHANGE_NANOS
                            + " changes a second at most, a list counts for " + LIST_CHANGES + " besides",
                    now);
            return false;
        }
        port.waiting = null;
        Set<RouteAddress> addresses = changes > 0 ? said.addresses() : before;
        port.heard = new Heard(said.guid(), said.number(), addresses, said.atNanos());
        return changes > 0 && rebuild();
    }

    private static int changes(Set<RouteAddress> before, Set<RouteAddress> after) {
        int common = 0;
        for (RouteAddress address : after) {
            common += before.contains(address) ? 1 : 0;
        }
        return before.size() + after.size() - 2 * common;
    }

    /** Hears lists that waited and may be heard now; returns whether something else is withdrawn now. */
    synchronized boolean hearWaiting(long now) {
        boolean changes = false;
        for (Map.Entry<Integer, Port> each : ports.entrySet()) {
            Port port = each.getValue();
            Heard waiting = port.waiting;
            if (waiting != null && port.pace.nextAt(now) <= now) {
                changes |= hear(each.getKey(), port, waiting, now);
            }
        }
        return changes;
    }

    /** Returns when {@link #hearWaiting} has something to do; {@link WithdrawalTeller#NEVER}: no list waits. */
    synchronized long nextDeadline(long now) {
        long next = WithdrawalTeller.NEVER;
        for (Port port : ports.values()) {
            next = port.waiting == null ? next : Math.min(next, port.pace.nextAt(now));
        }
        return next;
    }

    private Port port(int number) {
        return ports.computeIfAbsent(number, any -> new Port());
    }

    private int size() {
        int size = 0;
        for (Port port : ports.values()) {
            size += port.size();
        }
        return size;
    }

    private void complain(int port, Complaints.Kind kind, String what, long now) {
        if (port(port).complaints.take(kind, now)) {
            LOG.warn("{}: port {}: {}", who, port, what);
        }
    }

    private boolean rebuild() {
        Map<Integer, Set<RouteAddress>> now = new HashMap<>();
        ports.forEach((number, port) -> {
            if (port.heard != null && !port.heard.addresses().isEmpty()) {
                now.put(number, port.heard.addresses());
            }
        });
        boolean changes = !byPort.equals(now);
        byPort = changes ? Collections.unmodifiableMap(now) : byPort;
        return changes;
    }

    /** Returns what is withdrawn, by port; the same object until something else is. Read only. */
    synchronized Map<Integer, Set<RouteAddress>> byPort() {
        return byPort;
    }

    /** Another may be at the far end of a port; returns whether something else is withdrawn now. */
    synchronized boolean farEndChanged(int number) {
        Port port = ports.get(number);
        return port != null && port.isOfAnotherThan(farGuid(number)) && forget(number);
    }

    /** What was withdrawn at a port counts no more; returns whether something else is withdrawn now. */
    synchronized boolean forget(int number) {
        Port port = ports.get(number);
        if (port != null) {
            port.forget();
        }
        return rebuild();
    }

    /** What was not said again for long counts no more; returns whether something else is withdrawn now. */
    synchronized boolean dropOld(long now) {
        for (Port port : ports.values()) {
            Heard last = port.last();
            if (last != null && now - last.atNanos() > SILENCE_NANOS) {
                port.forget();
            }
        }
        return rebuild();
    }
}
