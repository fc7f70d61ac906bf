package io.dmodc.agent.plane;

import io.dmodc.agent.plane.Neighbour.SwitchPort;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The cables between the memory planes of one process; they carry hellos, too.
 *
 * <p>A port is up while its cable is whole and both switches have power; its neighbour stays known afterwards. A muted
 * port is up and sends into the void: the fault that no port state shows. One panel
 * serves any number of planes and may be used from any thread: the planes' listeners are called on the caller's thread,
 * after the panel has been changed and left, so that they may look at it again.
 */
public final class PatchPanel {
    /** By switch, then by port number. */
    private final Map<Long, NavigableMap<Integer, Cable>> plugs = new HashMap<>();

    private final Map<Long, MemoryPlane> planes = new HashMap<>();
    private final Set<Cable> cut = new HashSet<>();
    private final Set<Long> dark = new HashSet<>();
    private final Set<Long> hung = new HashSet<>();
    private final Set<SwitchPort> muted = new HashSet<>();
    private final Map<Long, Wires> wires = new HashMap<>();
    private final boolean silent;

    private PatchPanel(Collection<Cable> cables, boolean silent) {
        this.silent = silent;
        cables.forEach(this::plug);
    }

    /** Returns a panel whose planes notice every change at once. */
    public static PatchPanel of(Collection<Cable> cables) {
        return new PatchPanel(cables, false);
    }

    /** Returns a panel whose planes are not told of changes: only who reads the ports sees them. */
    public static PatchPanel silent(Collection<Cable> cables) {
        return new PatchPanel(cables, true);
    }

    private void plug(Cable cable) {
        for (SwitchPort end : ends(cable)) {
            if (plugs.computeIfAbsent(end.guid(), guid -> new TreeMap<>()).putIfAbsent(end.port(), cable) != null) {
                throw new IllegalArgumentException(
                        String.format("switch 0x%016x: port %d has two cables", end.guid(), end.port()));
            }
        }
    }

    /** Connects a plane with its cables; its ports come up where the far end has power. */
    public void attach(MemoryPlane plane) {
        synchronized (this) {
            planes.put(plane.guid(), plane);
            Wires own = new Wires(plane.guid());
            wires.put(plane.guid(), own);
            plane.connect(own, own.transits);
        }
        cablesOf(plane.guid()).forEach(this::refresh);
    }

    /** Returns the cables of one switch, by its port numbers. */
    public synchronized List<Cable> cablesOf(long guid) {
        return List.copyOf(at(guid).values());
    }

    /** Returns the cable at a port of a switch. */
    public synchronized Cable cableAt(long guid, int port) {
        Cable cable = at(guid).get(port);
        if (cable == null) {
            throw new IllegalArgumentException(String.format("switch 0x%016x: no cable at port %d", guid, port));
        }
        return cable;
    }

    /** What leaves this port is lost from now on, and neither end's port tells: one way of the cable is dead. */
    public synchronized void mute(long guid, int port) {
        cableAt(guid, port);
        muted.add(new SwitchPort(guid, port));
    }

    /** Nothing passes this cable from now on, either way, and neither end's port tells. */
    public void mute(Cable cable) {
        ends(cable).forEach(end -> mute(end.guid(), end.port()));
    }

    /** The cable carries again what its ends send. */
    public synchronized void unmute(Cable cable) {
        ends(cable).forEach(muted::remove);
    }

    /** Cuts a cable; cutting it again changes nothing. */
    public void cut(Cable cable) {
        synchronized (this) {
            cut.add(known(cable));
        }
        refresh(cable);
    }

    /** Mends a cable. */
    public void restore(Cable cable) {
        synchronized (this) {
            cut.remove(known(cable));
        }
        refresh(cable);
    }

    /** Takes the power from a switch: all its ports go down, at both ends. */
    public void powerOff(long guid) {
        synchronized (this) {
            dark.add(guid);
        }
        cablesOf(guid).forEach(this::refresh);
    }

    /** Takes the power from a switch, and no port at the far ends tells: only who reads the ports sees it. */
    public void powerOffSilently(long guid) {
        synchronized (this) {
            dark.add(guid);
        }
        cablesOf(guid).forEach(cable -> refresh(cable, false));
    }

    /** Gives the power back. */
    public void powerOn(long guid) {
        synchronized (this) {
            dark.remove(guid);
        }
        cablesOf(guid).forEach(this::refresh);
    }

    /** A switch forwards nothing from now on, and its ports stay lit. Its agent is not told; one beside such a switch hangs, too. */
    public synchronized void hang(long guid) {
        hung.add(guid);
    }

    /** The switch forwards again. */
    public synchronized void resume(long guid) {
        hung.remove(guid);
    }

    private NavigableMap<Integer, Cable> at(long guid) {
        return plugs.getOrDefault(guid, Collections.emptyNavigableMap());
    }

    private Cable known(Cable cable) {
        if (!cable.equals(at(cable.guid()).get(cable.port()))) {
            throw new IllegalArgumentException(cable + " is not of this panel");
        }
        return cable;
    }

    /**
     * The planes are set under the lock, or the loser of a race would leave the older state; they are told outside of
     * it.
     */
    private void refresh(Cable cable) {
        refresh(cable, !silent);
    }

    private void refresh(Cable cable, boolean tell) {
        List<Runnable> told = new ArrayList<>(2);
        synchronized (this) {
            boolean up = carries(cable);
            for (SwitchPort end : ends(cable)) {
                MemoryPlane plane = planes.get(end.guid());
                if (plane != null && plane.set(new PortState(end.port(), up, farEnd(cable, end))) && tell) {
                    told.add(() -> plane.tell(end.port()));
                }
            }
        }
        told.forEach(Runnable::run);
    }

    /** Returns where a hello from this port comes out; null: nowhere. */
    private synchronized @Nullable SwitchPort arrival(SwitchPort from) {
        Cable cable = at(from.guid()).get(from.port());
        if (cable == null || !carries(cable) || muted.contains(from)) {
            return null;
        }
        return farEnd(cable, from) instanceof SwitchPort far
                        && !hung.contains(from.guid())
                        && !hung.contains(far.guid())
                ? far
                : null;
    }

    /** Returns where a packet from this port comes out behind the switch at the other end; null: nowhere. */
    private synchronized @Nullable SwitchPort arrivalBehind(SwitchPort from, int destination) {
        SwitchPort through = arrival(from);
        if (through == null) {
            return null;
        }
        MemoryPlane plane = planes.get(through.guid());
        return plane == null ? null : arrival(new SwitchPort(plane.guid(), plane.port(through.port(), destination)));
    }

    private synchronized @Nullable Wires wires(long guid) {
        return wires.get(guid);
    }

    private boolean carries(Cable cable) {
        return !cut.contains(cable) && ends(cable).stream().noneMatch(end -> dark.contains(end.guid()));
    }

    /** The ends of all cables at one switch. */
    private final class Wires implements HelloChannel {
        private final long guid;
        private final Transits transits;
        private volatile Listener listener = (port, hello) -> {};

        Wires(long guid) {
            this.guid = guid;
            transits = new Transits(guid);
        }

        @Override
        public void send(int port, ByteBuffer hello) {
            SwitchPort to = arrival(new SwitchPort(guid, port));
            Wires far = to == null ? null : wires(to.guid());
            if (to != null && far != null) {
                far.listener.arrived(to.port(), hello);
            }
        }

        @Override
        public void listen(Listener hellos) {
            listener = hellos;
        }
    }

    /** What the neighbours of one switch forward for it. */
    private final class Transits implements TransitChannel {
        private final long guid;
        private volatile HelloChannel.Listener listener = (port, hello) -> {};

        Transits(long guid) {
            this.guid = guid;
        }

        @Override
        public void send(int port, int destination, ByteBuffer hello) {
            SwitchPort to = arrivalBehind(new SwitchPort(guid, port), destination);
            Wires far = to == null ? null : wires(to.guid());
            if (to != null && far != null) {
                far.transits.listener.arrived(to.port(), hello);
            }
        }

        @Override
        public void listen(HelloChannel.Listener hellos) {
            listener = hellos;
        }
    }

    private static Neighbour farEnd(Cable cable, SwitchPort end) {
        boolean near = end.guid() == cable.guid() && end.port() == cable.port();
        return near ? cable.far() : new SwitchPort(cable.guid(), cable.port());
    }

    private static List<SwitchPort> ends(Cable cable) {
        SwitchPort near = new SwitchPort(cable.guid(), cable.port());
        return cable.far() instanceof SwitchPort far ? List.of(near, far) : List.of(near);
    }
}
