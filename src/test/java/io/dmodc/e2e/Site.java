package io.dmodc.e2e;

import io.dmodc.agent.Agent;
import io.dmodc.agent.AgentConfig;
import io.dmodc.agent.AgentConfig.RingPlace;
import io.dmodc.agent.HelloConfig;
import io.dmodc.agent.plane.Cable;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.agent.plane.MemoryPlane;
import io.dmodc.agent.plane.Neighbour;
import io.dmodc.agent.plane.PatchPanel;
import io.dmodc.detector.net.RingLoop;
import io.dmodc.routing.LftSet;
import io.dmodc.southbound.TableVersion;
import io.dmodc.southbound.Transport;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import io.netty.channel.EventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A fabric that stands somewhere: switches in memory, cables between them, an agent on each with a TCP session and a UDP
 * heartbeat socket of its own. Used by one thread.
 */
final class Site implements AutoCloseable {
    private static final int EVENT_LOOPS = 2;

    private final EventLoopGroup group = Transport.best().group(EVENT_LOOPS, "site");
    private final RingLoop ringLoop = RingLoop.start("ring");
    private final FabricView design;
    private final Map<Long, CountingPlane> planes = new TreeMap<>(Long::compareUnsigned);
    private final Map<Long, Agent> agents = new HashMap<>();
    private final Map<Long, Integer> incarnations = new HashMap<>();
    private final Set<Long> dark = new HashSet<>();
    private final PatchPanel panel;
    private final InetSocketAddress manager;
    private @Nullable HelloConfig hello;

    private Site(FabricViewBuilder fabric, InetSocketAddress manager) {
        this.manager = manager;
        design = fabric.build(0, new NodeIndexMap(), new GuidNumbers());
        List<Cable> cables = new ArrayList<>();
        for (int s = 0; s < design.switchCount(); s++) {
            long guid = design.switchGuid(s);
            planes.put(guid, new CountingPlane(new MemoryPlane(guid, design.switchName(s), design.portCount(s))));
            for (int port = 1; port <= design.portCount(s); port++) {
                addCable(fabric, guid, port, cables);
            }
        }
        panel = PatchPanel.of(cables);
        planes.values().forEach(plane -> panel.attach(plane.memory()));
    }

    /** A cable between switches is taken from its end with the lower GUID. */
    private static void addCable(FabricViewBuilder fabric, long guid, int port, List<Cable> cables) {
        if (fabric.neighbour(guid, port) instanceof ToHost to) {
            cables.add(new Cable(
                    guid,
                    port,
                    new Neighbour.HostPort(
                            to.host().portGuid(),
                            to.host().hostGuid(),
                            to.host().hostPort(),
                            to.host().name(),
                            to.host().addresses())));
        } else if (fabric.neighbour(guid, port) instanceof ToSwitch to && Long.compareUnsigned(guid, to.guid()) < 0) {
            cables.add(new Cable(guid, port, new Neighbour.SwitchPort(to.guid(), to.port())));
        }
    }

    /** Builds a whole PGFT; no agent runs yet. */
    static Site of(String pgft, InetSocketAddress manager) {
        return new Site(PgftGenerator.generate(PgftShape.parse(pgft)), manager);
    }

    /** The switches of a PGFT, leaves first, ascending. */
    static SortedSet<Long> guidsOf(String pgft) {
        FabricView view = PgftGenerator.generate(PgftShape.parse(pgft)).build(0, new NodeIndexMap(), new GuidNumbers());
        SortedSet<Long> guids = new TreeSet<>(Long::compareUnsigned);
        for (int s = 0; s < view.switchCount(); s++) {
            guids.add(view.switchGuid(s));
        }
        return guids;
    }

    /** The whole fabric, numbered as a first start numbers it. */
    FabricView design() {
        return design;
    }

    Set<Long> guids() {
        return planes.keySet();
    }

    long leaf(int i) {
        return onRank(0).get(i);
    }

    long spine(int i) {
        return onRank(design.rankMax()).get(i);
    }

    private List<Long> onRank(int rank) {
        return planes.keySet().stream()
                .filter(guid -> design.rank(design.switchOf(guid)) == rank)
                .toList();
    }

    /** All cables from a switch to one of its upper neighbours, the first in the order of their ports. */
    List<Cable> firstBundleUp(long guid) {
        int s = design.switchOf(guid);
        for (int g = design.groupStart(s); g < design.groupEnd(s); g++) {
            if (design.isUp(s, design.groupRemote(g))) {
                List<Cable> bundle = new ArrayList<>();
                for (int i = 0; i < design.groupSize(g); i++) {
                    bundle.add(panel.cableAt(guid, design.groupPort(g, i)));
                }
                return bundle;
            }
        }
        throw new IllegalArgumentException("switch " + design.switchName(s) + " has nothing above it");
    }

    /** The far ends of a switch's cables to other switches. */
    List<Neighbour.SwitchPort> linksOf(long guid) {
        List<Neighbour.SwitchPort> ends = new ArrayList<>();
        for (Cable cable : panel.cablesOf(guid)) {
            if (cable.far() instanceof Neighbour.SwitchPort far) {
                ends.add(cable.guid() == guid ? far : new Neighbour.SwitchPort(cable.guid(), cable.port()));
            }
        }
        return ends;
    }

    Cable cableAt(long guid, int port) {
        return panel.cableAt(guid, port);
    }

    CountingPlane plane(long guid) {
        return Objects.requireNonNull(planes.get(guid));
    }

    Site startAgents() {
        planes.keySet().forEach(this::startAgent);
        return this;
    }

    Site startAgentsExcept(long guid) {
        planes.keySet().stream().filter(other -> other != guid).forEach(this::startAgent);
        return this;
    }

    /** Starts the agent of a switch, as a new process would: with a higher incarnation than before. */
    void startAgent(long guid) {
        int incarnation = incarnations.merge(guid, 1, Integer::sum);
        InetSocketAddress listen = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        RingPlace place = new RingPlace(listen, RunningManager.key(), ringLoop);
        AgentConfig config = AgentConfig.of(manager, place, incarnation, guid).withHello(hello);
        agents.put(guid, Agent.start(config, plane(guid), group));
    }

    private void killAgent(long guid) {
        Objects.requireNonNull(agents.get(guid)).kill();
    }

    /** Agents started from now on say hello over the cables. */
    Site withHello(HelloConfig wanted) {
        hello = wanted;
        return this;
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

    /** The agent hangs: it closes nothing and tells nobody; its switch forwards on. */
    void hangAgent(long guid) {
        Objects.requireNonNull(agents.get(guid)).silence();
    }

    void restartAgent(long guid) {
        killAgent(guid);
        startAgent(guid);
    }

    /** Waits until these agents take no table below that version any more. */
    void awaitRevoked(Collection<Long> guids, TableVersion below) {
        RunningManager.await("tables below " + below + " revoked")
                .until(() -> guids.stream()
                        .allMatch(guid -> Objects.requireNonNull(agents.get(guid))
                                        .revokedBelow()
                                        .compareTo(below)
                                >= 0));
    }

    void cut(Cable cable) {
        panel.cut(cable);
    }

    void mend(Cable cable) {
        panel.restore(cable);
    }

    /** Cuts the power of a switch: its agent dies with it and its neighbours see their ports go down. */
    void powerOff(long guid) {
        dark.add(guid);
        killAgent(guid);
        panel.powerOff(guid);
    }

    /** The switch dies, its connection stays open, and no port tells: only the ring can notice. */
    void dieSilently(long guid) {
        dark.add(guid);
        hangAgent(guid);
        panel.powerOffSilently(guid);
    }

    /** Power back; a new agent starts with the table the switch kept. */
    void powerOn(long guid) {
        dark.remove(guid);
        panel.powerOn(guid);
        restartAgent(guid);
    }

    /** What each switch holds now, by ascending GUID. */
    List<InstalledTable> tables() {
        return planes.values().stream().map(CountingPlane::installed).toList();
    }

    /** How often the table of each switch was written, by ascending GUID. */
    List<Integer> installs() {
        return planes.values().stream().map(CountingPlane::installs).toList();
    }

    /** What the switches hold now, in the view's order; without power or table a switch forwards nothing. */
    LftSet held(FabricView view) {
        byte[][] rows = new byte[view.switchCount()][];
        for (int s = 0; s < rows.length; s++) {
            rows[s] = new byte[view.nodeCount()];
            Arrays.fill(rows[s], (byte) LftSet.NO_ROUTE);
            CountingPlane plane = planes.get(view.switchGuid(s));
            if (plane != null && !dark.contains(plane.guid())) {
                byte[] held = plane.installed().entries();
                System.arraycopy(held, 0, rows[s], 0, Math.min(held.length, rows[s].length));
            }
        }
        return new LftSet(view.epoch(), view.nodeCount(), rows);
    }

    @Override
    public void close() {
        agents.values().forEach(Agent::kill);
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
        ringLoop.close();
    }
}
