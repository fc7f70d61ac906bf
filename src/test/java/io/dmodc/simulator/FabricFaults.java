package io.dmodc.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;

/** Faults of cables, hosts and switches. What cannot happen now does not. */
final class FabricFaults {
    private static final long SECOND = Simulation.SECOND;

    private final Simulation site;
    private final Faults faults;
    private final SplittableRandom random;
    private boolean unpacked;

    FabricFaults(Simulation site, Faults faults, SplittableRandom random) {
        this.site = site;
        this.faults = faults;
        this.random = random;
    }

    boolean inject(FaultKind kind) {
        SimulatedSwitch at = faults.anySwitch(s -> s.powered);
        if (at == null) {
            return false;
        }
        return switch (kind) {
            case CABLE_CUT -> cut(at);
            case CABLE_FLAPPING -> flap(at, liveLink(at), 300_000_000);
            case CABLE_ONE_END -> oneEnd(at);
            case CABLES_SWAPPED -> swap(at);
            case CABLE_MOVED -> moveCable(at);
            case DOWN_LINKS_CUT -> cutDownLinks();
            case HOST_UNPLUGGED -> unplugHost();
            case HOST_FLAPPING -> flapHost();
            case HOST_MOVED -> moveHost();
            case SWITCH_POWER_LOST -> losePower(at, faults.absenceNanos() + 5 * SECOND);
            case SWITCH_REBOOT -> losePower(at, SECOND + random.nextLong(4 * SECOND));
            case SWITCH_REPLACED -> replace(at);
            case UNPACKED -> unpack();
            default -> false;
        };
    }

    private int anyPort(SimulatedSwitch at, IntPredicate fits) {
        int start = random.nextInt(at.portCount);
        for (int i = 0; i < at.portCount; i++) {
            int port = 1 + (start + i) % at.portCount;
            if (fits.test(port)) {
                return port;
            }
        }
        return 0;
    }

    private int liveLink(SimulatedSwitch at) {
        return anyPort(at, port -> site.fabric.live(at, port));
    }

    private boolean cut(SimulatedSwitch at) {
        int port = liveLink(at);
        if (port == 0) {
            return false;
        }
        cut(at, port);
        return true;
    }

    /** Half of the cuts are mended, at the latest in the end; the others stay. */
    private void cut(SimulatedSwitch at, int port) {
        site.trace("cut %s:%d - %s:%d", at, port, site.fabric.far(at, port), at.peerPort[port - 1]);
        site.fabric.setCable(at, port, false);
        if (random.nextBoolean()) {
            Runnable mend = () -> site.fabric.setCable(at, port, true);
            site.after(faults.absenceNanos(), mend);
            faults.mendLater(mend);
        }
    }

    private boolean flap(SimulatedSwitch at, int port, long shortest) {
        if (port == 0) {
            return false;
        }
        long period = shortest + random.nextLong(1_600_000_000);
        site.trace("%s:%d flaps every %d ms", at, port, period / 1_000_000);
        flapOn(at, port, period, site.now() + 5 * SECOND + random.nextLong(30 * SECOND), false);
        return true;
    }

    private void flapOn(SimulatedSwitch at, int port, long period, long end, boolean up) {
        boolean last = site.now() > end || faults.over;
        site.fabric.setCable(at, port, up || last);
        if (!last) {
            site.after(period, () -> flapOn(at, port, period, end, !up));
        }
    }

    private boolean oneEnd(SimulatedSwitch at) {
        int port = liveLink(at);
        if (port == 0) {
            return false;
        }
        site.fabric.setEnd(at, port, false);
        Runnable mend = () -> site.fabric.setEnd(at, port, true);
        site.after(faults.absenceNanos(), mend);
        faults.mendLater(mend);
        return true;
    }

    /** Two cables of one level change their upper ends. */
    private boolean swap(SimulatedSwitch one) {
        int port = anyPort(one, p -> site.fabric.live(one, p) && site.fabric.far(one, p).level > one.level);
        SimulatedSwitch two = faults.anySwitch(s -> s != one && s.powered && s.level == one.level);
        int otherPort = two == null
                ? 0
                : anyPort(two, p -> site.fabric.live(two, p) && site.fabric.far(two, p).level > two.level);
        if (port == 0 || otherPort == 0 || two == null) {
            return false;
        }
        SimulatedSwitch far = site.fabric.far(one, port);
        int farPort = one.peerPort[port - 1];
        SimulatedSwitch otherFar = site.fabric.far(two, otherPort);
        int otherFarPort = two.peerPort[otherPort - 1];
        site.trace(
                "%s:%d - %s:%d and %s:%d - %s:%d swap",
                one, port, far, farPort, two, otherPort, otherFar, otherFarPort);
        site.fabric.unplug(one, port);
        site.fabric.unplug(two, otherPort);
        site.after(random.nextLong(3 * SECOND), () -> plugIfFree(one, port, otherFar, otherFarPort));
        site.after(random.nextLong(3 * SECOND), () -> plugIfFree(two, otherPort, far, farPort));
        return true;
    }

    private void plugIfFree(SimulatedSwitch one, int port, SimulatedSwitch other, int otherPort) {
        if (one.peer[port - 1] < 0
                && one.host[port - 1] < 0
                && other.peer[otherPort - 1] < 0
                && !one.scrapped
                && !other.scrapped) {
            site.fabric.plug(one, port, other, otherPort);
        }
    }

    /** The upper end of a cable goes into a free port of another switch of that level. */
    private boolean moveCable(SimulatedSwitch at) {
        int port = anyPort(at, p -> site.fabric.live(at, p) && site.fabric.far(at, p).level > at.level);
        SimulatedSwitch to = port == 0
                ? null
                : faults.anySwitch(s -> s.powered
                        && s.level == site.fabric.far(at, port).level
                        && s != site.fabric.far(at, port)
                        && s.freePort() > 0);
        if (to == null) {
            return false;
        }
        site.fabric.unplug(at, port);
        site.after(random.nextLong(3 * SECOND), () -> {
            int free = to.freePort();
            if (free > 0) {
                plugIfFree(at, port, to, free);
            }
        });
        return true;
    }

    private boolean cutDownLinks() {
        SimulatedSwitch at = faults.anySwitch(s -> s.powered && s.level > 0);
        if (at == null) {
            return false;
        }
        List<Integer> cut = new ArrayList<>();
        for (int port = 1; port <= at.portCount; port++) {
            if (site.fabric.live(at, port) && site.fabric.far(at, port).level < at.level) {
                cut.add(port);
                site.fabric.setCable(at, port, false);
            }
        }
        site.trace("%s loses its links down", at);
        Runnable mend = () -> cut.forEach(port -> site.fabric.setCable(at, port, true));
        site.after(faults.absenceNanos() + 10 * SECOND, mend);
        faults.mendLater(mend);
        return !cut.isEmpty();
    }

    private int anyHost() {
        int host = random.nextInt(site.fabric.hosts.size());
        return site.fabric.hostUp(host) ? host : -1;
    }

    private boolean unplugHost() {
        int host = anyHost();
        if (host < 0) {
            return false;
        }
        SimulatedSwitch leaf = site.fabric.hostSwitch.get(host);
        int port = site.fabric.hostPort.get(host);
        site.fabric.setEnd(leaf, port, false);
        if (random.nextBoolean()) {
            Runnable mend = () -> site.fabric.setEnd(leaf, port, true);
            site.after(faults.absenceNanos(), mend);
            faults.mendLater(mend);
        }
        return true;
    }

    private boolean flapHost() {
        int host = anyHost();
        return host >= 0 && flap(site.fabric.hostSwitch.get(host), site.fabric.hostPort.get(host), 100_000_000);
    }

    /** The port it leaves remembers it; that leaf's agent may come back and say so again. */
    private boolean moveHost() {
        int host = anyHost();
        if (host < 0) {
            return false;
        }
        SimulatedSwitch from = site.fabric.hostSwitch.get(host);
        SimulatedSwitch to = faults.anySwitch(s -> s != from && s.powered && s.level == 0 && s.freePort() > 0);
        if (to == null) {
            return false;
        }
        site.trace("%s moves from %s to %s", site.fabric.hosts.get(host).name(), from, to);
        site.fabric.unplug(from, site.fabric.hostPort.get(host));
        int port = to.freePort();
        site.fabric.plugHost(host, to, port);
        if (random.nextInt(3) == 0) {
            bounce(to, port, 3);
        }
        SimulatedAgent agent = from.agent;
        if (agent != null && random.nextBoolean()) {
            site.after(random.nextLong(5 * SECOND), () -> {
                agent.crash();
                site.after(random.nextLong(SECOND), agent::start);
            });
        }
        return true;
    }

    /** The plug does not sit at once. */
    private void bounce(SimulatedSwitch at, int port, int times) {
        site.after(50_000_000 + random.nextLong(100_000_000), () -> {
            site.fabric.setEnd(at, port, false);
            site.after(50_000_000 + random.nextLong(100_000_000), () -> {
                site.fabric.setEnd(at, port, true);
                if (times > 1) {
                    bounce(at, port, times - 1);
                }
            });
        });
    }

    private boolean losePower(SimulatedSwitch at, long nanos) {
        site.trace("%s loses power", at);
        SimulatedAgent agent = at.agent();
        agent.crash();
        site.ring.watch(agent);
        site.fabric.power(at, false);
        boolean forGood = nanos > 30 * SECOND;
        if (!forGood) {
            Runnable mend = () -> {
                if (!at.powered && !at.scrapped) {
                    site.fabric.power(at, true);
                    agent.start();
                }
            };
            site.after(nanos, mend);
            faults.mendLater(mend);
        }
        return true;
    }

    /** Another machine takes all cables over, after a while without any. */
    private boolean replace(SimulatedSwitch old) {
        if (site.fabric.switches.size() >= Simulation.SWITCHES_MAX) {
            return false;
        }
        SimulatedSwitch fresh = site.fabric.add(
                0x02fa_0000_0000_0000L + site.fabric.switches.size(), old.name + "b", old.level, old.portCount);
        site.trace("%s is replaced by %s", old, fresh);
        losePower(old, Long.MAX_VALUE);
        old.scrapped = true;
        old.successor = fresh;
        site.after(SECOND + random.nextLong(10 * SECOND), () -> {
            takeOver(old, fresh);
            site.fabric.power(fresh, true);
            site.startAgent(fresh);
        });
        return true;
    }

    private void takeOver(SimulatedSwitch old, SimulatedSwitch fresh) {
        for (int port = 1; port <= old.portCount; port++) {
            SimulatedSwitch far = old.peer[port - 1] < 0 ? null : site.fabric.far(old, port);
            int farPort = old.peerPort[port - 1];
            int host = old.host[port - 1];
            if (far != null || host >= 0) {
                fresh.sound[port - 1] = old.sound[port - 1];
                site.fabric.unplug(old, port);
            }
            if (far != null) {
                site.fabric.plug(fresh, port, far, farPort);
            } else if (host >= 0) {
                site.fabric.plugHost(host, fresh, port);
            }
        }
    }

    /** The last pod, or the last top switch, comes out of its box. */
    private boolean unpack() {
        if (unpacked || site.boxed.boxed.isEmpty()) {
            return false;
        }
        unpacked = true;
        for (int[] cable : site.boxed.boxedCables) {
            SimulatedSwitch near = site.fabric.switches.get(cable[0]);
            SimulatedSwitch far = site.fabric.switches.get(cable[2]);
            plugIfFree(near, cable[1], far, cable[3]);
        }
        for (SimulatedSwitch s : site.boxed.boxed) {
            site.trace("%s is unpacked", s);
            site.after(random.nextLong(2 * SECOND), () -> {
                site.fabric.power(s, true);
                site.startAgent(s);
            });
        }
        return true;
    }
}
