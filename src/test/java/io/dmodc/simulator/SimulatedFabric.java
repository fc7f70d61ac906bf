package io.dmodc.simulator;

import io.dmodc.agent.plane.MemoryPlane;
import io.dmodc.agent.plane.Neighbour;
import io.dmodc.agent.plane.PortState;
import io.dmodc.topology.Host;
import java.util.ArrayList;
import java.util.List;

/**
 * The cables, hosts and switches as they are, whoever looks. A change of a port reaches the switch's plane at once and its
 * agent a moment later.
 */
final class SimulatedFabric {
    private final Simulation site;
    final List<SimulatedSwitch> switches = new ArrayList<>();
    final List<Host> hosts = new ArrayList<>();

    /** By host: the switch it hangs on. */
    final List<SimulatedSwitch> hostSwitch = new ArrayList<>();

    /** By host: its port there. */
    final List<Integer> hostPort = new ArrayList<>();

    /** How often anything changed. */
    long changes;

    /** When a port went down last. */
    long failedNanos = Long.MIN_VALUE / 2;

    long lastChangeNanos;

    SimulatedFabric(Simulation site) {
        this.site = site;
    }

    SimulatedSwitch add(long guid, String name, int level, int portCount) {
        SimulatedSwitch added = new SimulatedSwitch(switches.size(), guid, name, level, portCount);
        switches.add(added);
        return added;
    }

    int addHost(Host host, SimulatedSwitch leaf, int port) {
        hosts.add(host);
        hostSwitch.add(leaf);
        hostPort.add(port);
        leaf.host[port - 1] = hosts.size() - 1;
        return hosts.size() - 1;
    }

    /** True if this end has carrier. */
    boolean up(SimulatedSwitch at, int port) {
        int far = at.peer[port - 1];
        return at.powered && at.sound[port - 1] && (far >= 0 ? switches.get(far).powered : at.host[port - 1] >= 0);
    }

    /** True if packets pass to another switch. */
    boolean live(SimulatedSwitch at, int port) {
        int far = at.peer[port - 1];
        return far >= 0
                && !at.hung
                && !switches.get(far).hung
                && up(at, port)
                && up(switches.get(far), at.peerPort[port - 1]);
    }

    boolean hostUp(int host) {
        return up(hostSwitch.get(host), hostPort.get(host));
    }

    SimulatedSwitch far(SimulatedSwitch at, int port) {
        return switches.get(at.peer[port - 1]);
    }

    /**
     * Whether a hello that a switch sends through a neighbour comes back now.
     *
     * @param there destination by whose route that neighbour sends it on
     * @param back destination by whose route it comes back
     */
    boolean comesBack(SimulatedSwitch from, int port, int there, int back) {
        if (!live(from, port)) {
            return false;
        }
        SimulatedSwitch through = far(from, port);
        int out = through.plane.port(there);
        return out >= 1
                && out <= through.portCount
                && live(through, out)
                && far(through, out).agent().answersTransits()
                && through.plane.port(back) == from.peerPort[port - 1];
    }

    /** A switch forwards nothing from now on though its ports are lit, or it forwards again. */
    void hang(SimulatedSwitch at, boolean hung) {
        at.hung = hung;
        at.hungNanos = site.now();
        touch();
    }

    /** Makes one end of a cable work or not. */
    void setEnd(SimulatedSwitch at, int port, boolean sound) {
        at.sound[port - 1] = sound;
        refresh(at, port);
    }

    /** Makes a cable to another switch or a host work or not, at both ends. */
    void setCable(SimulatedSwitch at, int port, boolean sound) {
        setEnd(at, port, sound);
        if (at.peer[port - 1] >= 0) {
            setEnd(far(at, port), at.peerPort[port - 1], sound);
        }
    }

    void plug(SimulatedSwitch one, int port, SimulatedSwitch other, int otherPort) {
        one.peer[port - 1] = other.index;
        one.peerPort[port - 1] = otherPort;
        other.peer[otherPort - 1] = one.index;
        other.peerPort[otherPort - 1] = port;
        refresh(one, port);
        refresh(other, otherPort);
    }

    void unplug(SimulatedSwitch at, int port) {
        int far = at.peer[port - 1];
        int farPort = at.peerPort[port - 1];
        at.peer[port - 1] = -1;
        at.host[port - 1] = -1;
        refresh(at, port);
        if (far >= 0) {
            switches.get(far).peer[farPort - 1] = -1;
            refresh(switches.get(far), farPort);
        }
    }

    void plugHost(int host, SimulatedSwitch leaf, int port) {
        hostSwitch.set(host, leaf);
        hostPort.set(host, port);
        leaf.host[port - 1] = host;
        refresh(leaf, port);
    }

    /** Switches power; a switch without power forgets its table and whom it saw. */
    void power(SimulatedSwitch at, boolean on) {
        if (!on) {
            at.hung = false;
            at.plane = new MemoryPlane(at.guid, at.name, at.portCount);
        }
        at.powered = on;
        for (int port = 1; port <= at.portCount; port++) {
            refresh(at, port);
            if (at.peer[port - 1] >= 0) {
                refresh(far(at, port), at.peerPort[port - 1]);
            }
        }
        touch();
    }

    /** Something changed that tables depend on. */
    void touch() {
        changes++;
        lastChangeNanos = site.now();
    }

    private void refresh(SimulatedSwitch at, int port) {
        boolean up = up(at, port);
        at.attached |= up && live(at, port);
        at.changedNanos[port - 1] = site.now();
        failedNanos = up ? failedNanos : site.now();
        touch();
        if (at.plane.set(new PortState(port, up, up ? neighbour(at, port) : null)) && at.agent != null) {
            at.agent.portChanged(port);
        }
    }

    private Neighbour neighbour(SimulatedSwitch at, int port) {
        if (at.peer[port - 1] >= 0) {
            return new Neighbour.SwitchPort(far(at, port).guid, at.peerPort[port - 1]);
        }
        Host host = hosts.get(at.host[port - 1]);
        return new Neighbour.HostPort(host.portGuid(), host.hostGuid(), host.hostPort(), host.name(), host.addresses());
    }
}
