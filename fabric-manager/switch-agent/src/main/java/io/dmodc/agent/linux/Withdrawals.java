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
 * <p>Bounds: {@value WithdrawalCodec#ADDRESSES_MAX} addresses for each port and as many while a list comes in, {@value #ADDRESSES_MAX} at all
 * ports together (some 70 bytes each), and at each port lists that say something new at a {@link Pace}. What is above is passed over with a
 * warning, and heard when it is said again.
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

    /** More than {@link WithdrawalTeller} says. */
    static final int LISTS_AT_ONCE = 64;

    static final long LIST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** A list whose number is so much below that of another one at most was said before it, and came late. */
    private static final int LATE_MAX = 1 << 16;

    private static final Logger LOG = LoggerFactory.getLogger(Withdrawals.class);

    /** The last list that came whole from one far end. */
    private record Heard(long guid, int number, Set<RouteAddress> addresses, long atNanos) {}

    /** A list of which not all frames came; they may come in any order, and from several times that it was said. */
    private record Begun(long guid, int number, int of, BitSet got, Set<RouteAddress> addresses) {}

    /** One port. */
    private static final class Port {
        private final Pace pace = new Pace(LISTS_AT_ONCE, LIST_NANOS);
        private final Complaints complaints = new Complaints();
        private @Nullable Heard heard;
        private @Nullable Begun begun;

        int size() {
            return (heard == null ? 0 : heard.addresses().size())
                    + (begun == null ? 0 : begun.addresses().size());
        }

        /** Returns whether a list was said before what is known. */
        boolean isLate(Frame frame) {
            boolean behindHeard =
                    heard != null && heard.guid() == frame.guid() && isBefore(frame.number(), heard.number());
            boolean behindBegun =
                    begun != null && begun.guid() == frame.guid() && isBefore(frame.number(), begun.number());
            return behindHeard || behindBegun;
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
        Heard last = port.heard;
        if (last != null && last.guid() == frame.guid() && last.number() == frame.number()) {
            port.heard = new Heard(last.guid(), last.number(), last.addresses(), now);
            return false;
        }
        Set<RouteAddress> whole = gather(number, port, frame, now);
        return whole != null && hear(number, port, frame, whole, now);
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
        return list.got().cardinality() == list.of() ? list.addresses() : null;
    }

    private boolean hear(int number, Port port, Frame frame, Set<RouteAddress> whole, long now) {
        port.begun = null;
        Set<RouteAddress> before = port.heard == null ? Set.of() : port.heard.addresses();
        boolean changes = !before.equals(whole);
        if (changes && !port.pace.take(now)) {
            complain(
                    number,
                    Complaints.Kind.TOO_OFTEN,
                    "passes over what is withdrawn; expected something new " + TimeUnit.SECONDS.toNanos(1) / LIST_NANOS
                            + " times a second at most",
                    now);
            return false;
        }
        port.heard = new Heard(frame.guid(), frame.number(), changes ? Set.copyOf(whole) : before, now);
        return changes && rebuild();
    }

    private Port port(int number) {
        return ports.computeIfAbsent(number, any -> new Port());
    }

    private int size() {
        return ports.values().stream().mapToInt(Port::size).sum();
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
        boolean another = port != null && port.heard != null && port.heard.guid() != farGuid(number);
        return another && forget(number);
    }

    /** What was withdrawn at a port counts no more; returns whether something else is withdrawn now. */
    synchronized boolean forget(int number) {
        Port port = ports.get(number);
        if (port != null) {
            port.heard = null;
            port.begun = null;
        }
        return rebuild();
    }

    /** What was not said again for long counts no more; returns whether something else is withdrawn now. */
    synchronized boolean dropOld(long now) {
        for (Port port : ports.values()) {
            if (port.heard != null && now - port.heard.atNanos() > SILENCE_NANOS) {
                port.heard = null;
                port.begun = null;
            }
        }
        return rebuild();
    }
}
