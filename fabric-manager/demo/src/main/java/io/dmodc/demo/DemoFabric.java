package io.dmodc.demo;

import io.dmodc.agent.Agent;
import io.dmodc.agent.AgentConfig;
import io.dmodc.agent.AgentConfig.RingPlace;
import io.dmodc.agent.HelloConfig;
import io.dmodc.agent.plane.Cable;
import io.dmodc.agent.plane.MemoryPlane;
import io.dmodc.agent.plane.Neighbour;
import io.dmodc.agent.plane.PatchPanel;
import io.dmodc.detector.link.LinkRules;
import io.dmodc.detector.net.RingLoop;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Tables;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.southbound.Transport;
import io.dmodc.southbound.tls.TlsEndpoint;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.netty.channel.EventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The switches and cables of the demonstration: one memory plane and one agent per switch, each with its own TCP
 * session and UDP heartbeat socket on loopback, sharing two event loops for the sessions and one for the ring.
 *
 * <p>Used by one thread, the scenario's.
 */
final class DemoFabric implements AutoCloseable {
    private static final int EVENT_LOOPS = 2;

    /** Hellos of all agents together, so that they take a small part of one core. */
    private static final int HELLOS_PER_SECOND = 10_000;

    private final EventLoopGroup group = Transport.best().group(EVENT_LOOPS, "agents");
    private final RingLoop ringLoop = RingLoop.start("ring");
    private final InetSocketAddress manager;
    private final DemoKeys keys;
    private final Map<Long, @Nullable TlsEndpoint> certificates = new HashMap<>();
    private final Map<Long, MemoryPlane> planes = new HashMap<>();
    private final Map<Long, Agent> agents = new HashMap<>();
    private final Map<Long, Integer> incarnations = new HashMap<>();
    private final Set<Long> dark = new HashSet<>();
    private final PatchPanel panel;
    private final @Nullable HelloConfig hello;

    private final boolean grid;

    /** Builds the switches and cables of this fabric; no agent runs yet. */
    DemoFabric(FabricViewBuilder fabric, FabricView view, InetSocketAddress manager, DemoKeys keys) {
        this(fabric, view, manager, keys, false);
    }

    /** @param grid switches can forward by where a packet came in */
    DemoFabric(FabricViewBuilder fabric, FabricView view, InetSocketAddress manager, DemoKeys keys, boolean grid) {
        this.grid = grid;
        this.manager = manager;
        this.keys = keys;
        hello = hello(2 * view.linkCount());
        List<Cable> cables = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            long guid = view.switchGuid(s);
            certificates.put(guid, keys.ofSwitch(guid));
            planes.put(
                    guid,
                    grid
                            ? MemoryPlane.ofGrid(guid, view.switchName(s), view.portCount(s))
                            : new MemoryPlane(guid, view.switchName(s), view.portCount(s)));
            for (int port = 1; port <= view.portCount(s); port++) {
                if (fabric.neighbour(guid, port) instanceof ToHost to) {
                    cables.add(new Cable(guid, port, host(to)));
                } else if (view.peerSwitch(s, port) > s && fabric.neighbour(guid, port) instanceof ToSwitch to) {
                    cables.add(new Cable(guid, port, new Neighbour.SwitchPort(to.guid(), to.port())));
                }
            }
        }
        panel = PatchPanel.of(cables);
        planes.values().forEach(panel::attach);
    }

    /** The hellos of all agents together stay at a bounded rate; null when even the slowest would be too many. */
    private static @Nullable HelloConfig hello(int ends) {
        long interval =
                Math.max(LinkRules.INTERVAL_STANDARD_NANOS, ends * TimeUnit.SECONDS.toNanos(1) / HELLOS_PER_SECOND);
        boolean few = interval <= LinkRules.INTERVAL_MAX_NANOS;
        return few ? new HelloConfig(1, LinkRules.of(interval, LinkRules.MULTIPLIER_STANDARD)) : null;
    }

    /** How long a silent cable stays unnoticed at most; 0 when no hellos are said. */
    long detectionNanos() {
        return hello == null ? 0 : hello.rules().detectionNanos();
    }

    private static Neighbour.HostPort host(ToHost to) {
        return new Neighbour.HostPort(
                to.host().portGuid(),
                to.host().hostGuid(),
                to.host().hostPort(),
                to.host().name(),
                to.host().addresses());
    }

    void startAgents() {
        planes.keySet().stream().sorted(Long::compareUnsigned).forEach(this::startAgent);
    }

    /** Starts the agent of a switch, as a new process would: with a higher incarnation than before. */
    void startAgent(long guid) {
        int incarnation = incarnations.merge(guid, 1, Integer::sum);
        InetSocketAddress listen = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        RingPlace place = new RingPlace(listen, keys.ring(), ringLoop);
        MemoryPlane plane = plane(guid);
        AgentConfig config = AgentConfig.of(manager, place, incarnation, guid)
                .withHello(hello)
                .withTls(certificates.get(guid));
        agents.put(guid, Agent.start(config, plane, group));
    }

    /** The agent hangs: nothing is closed, nobody is told, the switch forwards on. */
    void hangAgent(long guid) {
        agent(guid).silence();
    }

    /** The switch hangs with its agent: it forwards nothing, all ports at its cables stay up, and nobody is told. */
    void hangSwitch(long guid) {
        panel.hang(guid);
        hangAgent(guid);
    }

    /** The switch goes on with the table it has; its agent starts anew. */
    void resumeSwitch(long guid) {
        killAgent(guid);
        panel.resume(guid);
        startAgent(guid);
    }

    void killAgent(long guid) {
        agent(guid).kill();
    }

    void cut(Cable cable) {
        panel.cut(cable);
    }

    void mend(Cable cable) {
        panel.restore(cable);
    }

    /** Nothing passes the cable any more, and both its ports stay up. */
    void mute(Cable cable) {
        panel.mute(cable);
    }

    /** What leaves this port is lost, and both ends stay up. */
    void mute(long guid, int port) {
        panel.mute(guid, port);
    }

    void unmute(Cable cable) {
        panel.unmute(cable);
    }

    /** All cables between a switch and others, by its port numbers. */
    List<Cable> linksOf(long guid) {
        return panel.cablesOf(guid).stream()
                .filter(cable -> cable.far() instanceof Neighbour.SwitchPort)
                .toList();
    }

    /** Cuts the power of a switch; its agent dies with it, its neighbours see their ports go down. */
    void powerOff(long guid) {
        dark.add(guid);
        panel.powerOff(guid);
        killAgent(guid);
    }

    /** The switch dies and no port tells: its agent hangs, and neighbours see their dead links only when they look. */
    void dieSilently(long guid) {
        dark.add(guid);
        hangAgent(guid);
        panel.powerOffSilently(guid);
    }

    /** Power back; a new agent starts with the table the switch kept. */
    void powerOn(long guid) {
        dark.remove(guid);
        killAgent(guid);
        panel.powerOn(guid);
        startAgent(guid);
    }

    Cable cableAt(long guid, int port) {
        return panel.cableAt(guid, port);
    }

    /** What the switches hold now, in the view's order; a switch without power forwards nothing. */
    Tables tablesHeld(FabricView view) {
        int entryCount = grid ? TurnTableSet.entryCount(view.nodeCount()) : view.nodeCount();
        LftRow[] rows = new LftRow[view.switchCount()];
        for (int s = 0; s < rows.length; s++) {
            long guid = view.switchGuid(s);
            byte[] row = new byte[entryCount];
            Arrays.fill(row, (byte) LftSet.NO_ROUTE);
            if (!dark.contains(guid)) {
                byte[] held = plane(guid).installed().entries();
                System.arraycopy(held, 0, row, 0, Math.min(held.length, row.length));
            }
            rows[s] = LftRow.of(row);
        }
        return Tables.ofRows(view.epoch(), entryCount, rows);
    }

    /** Whether each switch of the grid was told by which other ports it reaches what its table leads to. */
    boolean allHaveAlternatives() {
        return planes.values().stream().allMatch(MemoryPlane::hasAlternativesOfItsTurns);
    }

    /** The switch that forwards; null while it has no power. */
    @Nullable
    MemoryPlane powered(long guid) {
        return dark.contains(guid) ? null : plane(guid);
    }

    private MemoryPlane plane(long guid) {
        MemoryPlane plane = planes.get(guid);
        if (plane == null) {
            throw new IllegalArgumentException("no such switch in the demonstration");
        }
        return plane;
    }

    private Agent agent(long guid) {
        Agent agent = agents.get(guid);
        if (agent == null) {
            throw new IllegalStateException("the agent of this switch was never started");
        }
        return agent;
    }

    @Override
    public void close() {
        agents.values().forEach(Agent::kill);
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
        ringLoop.close();
    }
}
