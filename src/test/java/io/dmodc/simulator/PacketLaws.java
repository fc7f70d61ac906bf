package io.dmodc.simulator;

import io.dmodc.manager.core.SwitchRecord;
import io.dmodc.southbound.TableDigest;
import java.util.SplittableRandom;

/**
 * Laws 2 and 9, and what holds always: packets of sampled pairs never loop and never turn from down to up, and a pair
 * whose way is untouched keeps a way, whoever of the agents is missing.
 */
final class PacketLaws {
    private static final int PAIRS = 48;
    private static final int PAIRS_A_STEP = 4;
    private static final int HOPS_KEPT = 8;

    private final Simulation site;
    private final IdentityLaws identity;
    private final PacketWalk walk;
    private final int[] sources = new int[PAIRS];
    private final int[] destinations = new int[PAIRS];
    private final int[] hops = new int[PAIRS];
    private final SimulatedSwitch[][] way = new SimulatedSwitch[PAIRS][HOPS_KEPT];
    private final int[][] ports = new int[PAIRS][HOPS_KEPT];
    private long walkedNanos;
    private int next;
    private boolean wasCalm;

    PacketLaws(Simulation site, IdentityLaws identity, SplittableRandom random) {
        this.site = site;
        this.identity = identity;
        walk = new PacketWalk(site.fabric, Simulation.SWITCHES_MAX + FabricFactory.SWITCHES_MAX);
        int hosts = site.fabric.hosts.size();
        for (int i = 0; i < PAIRS; i++) {
            sources[i] = random.nextInt(hosts);
            destinations[i] = (sources[i] + 1 + random.nextInt(hosts - 1)) % hosts;
        }
    }

    PacketWalk walk() {
        return walk;
    }

    /** A switch forwards by another table. */
    void installed() {
        for (int i = 0; i < PAIRS_A_STEP; i++) {
            next = (next + 1) % PAIRS;
            walk(next);
        }
    }

    private PacketWalk.End walk(int pair) {
        int index = identity.indexOf(site.fabric.hosts.get(destinations[pair]).portGuid());
        if (index < 0) {
            return PacketWalk.End.NO_ROUTE;
        }
        PacketWalk.End end = walk.walk(sources[pair], destinations[pair], index);
        if (end == PacketWalk.End.LOOP) {
            site.violated(Law.NO_LOOP, text(pair, end));
        } else if (end == PacketWalk.End.DOWN_UP_TURN) {
            site.violated(Law.NO_DOWN_UP_TURN, text(pair, end));
        }
        return end;
    }

    private String text(int pair, PacketWalk.End end) {
        return site.fabric.hosts.get(sources[pair]).name() + " to "
                + site.fabric.hosts.get(destinations[pair]).name() + ": " + end + " by way of " + walk.way();
    }

    /** What people did may cost routes: nothing is compared with what was before. */
    void interrupted() {
        java.util.Arrays.fill(hops, 0);
    }

    /** Whenever the manager comes to rest, all sampled pairs are walked. */
    void turned(SimulatedManager manager) {
        boolean calm = manager == site.network.listening && manager.state.calm();
        if (calm && !wasCalm) {
            for (int pair = 0; pair < PAIRS; pair++) {
                boolean delivered = walk(pair) == PacketWalk.End.DELIVERED;
                if (!delivered && hops[pair] > 0 && untouched(pair)) {
                    lost(manager, pair);
                }
                keep(manager, pair, delivered);
            }
            walkedNanos = site.now();
        }
        if (manager == site.network.listening) {
            wasCalm = calm;
        }
    }

    private boolean untouched(int pair) {
        for (int i = 0; i < hops[pair]; i++) {
            SimulatedSwitch at = way[pair][i];
            int port = ports[pair][i];
            boolean changed = at.changedNanos[port - 1] >= walkedNanos
                    || (at.peer[port - 1] >= 0
                            && site.fabric.far(at, port).changedNanos[at.peerPort[port - 1] - 1] >= walkedNanos);
            if (changed) {
                return false;
            }
        }
        SimulatedSwitch from = way[pair][0];
        return site.fabric.hostSwitch.get(sources[pair]) == from;
    }

    private void keep(SimulatedManager manager, int pair, boolean delivered) {
        hops[pair] = 0;
        if (!delivered || walk.hops > HOPS_KEPT) {
            return;
        }
        for (int i = 0; i < walk.hops; i++) {
            SimulatedSwitch at = walk.at[i];
            int port = walk.port[i];
            boolean believed = manager.state.cabling().knows(at.guid)
                    && (i == walk.hops - 1
                            ? manager.state.cabling().saysUp(at.guid, port)
                            : manager.state.cabling().isLive(at.guid, port));
            if (!believed) {
                return;
            }
            way[pair][i] = at;
            ports[pair][i] = port;
        }
        hops[pair] = walk.hops;
    }

    private void lost(SimulatedManager manager, int pair) {
        walk(pair);
        PacketWalk.End end = walk(pair);
        boolean unknown = false;
        for (int i = 0; i < walk.hops; i++) {
            SwitchRecord record = manager.state.findSwitch(walk.at[i].guid);
            long held = TableDigest.of(walk.at[i].plane.installed().entries());
            unknown |= record != null
                    && (!record.agentConnected() || record.agentSilent())
                    && record.ackedDigest() != held;
        }
        site.violated(
                unknown ? Law.UNKNOWN_OUTCOME_STAYS_UNKNOWN : Law.AGENT_MISSING_COSTS_NO_ROUTE,
                text(pair, end) + ", although its way of before is untouched");
    }
}
