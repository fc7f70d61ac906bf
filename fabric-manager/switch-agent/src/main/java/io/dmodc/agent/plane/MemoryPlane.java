package io.dmodc.agent.plane;

import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.southbound.Alternatives;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.TableKind;
import io.dmodc.southbound.TurnTable;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A switch in memory: forwards by the table it was given; its ports are moved by whoever plays with the cables. One of a grid takes tables of
 * turns, too, and forwards over their alternatives while a port is down, which it tells its listener.
 */
public final class MemoryPlane implements ForwardingPlane {
    /** Answer for a destination without a route. */
    public static final int NO_ROUTE = Byte.toUnsignedInt(SouthboundProtocol.NO_ROUTE);

    private final long guid;
    private final String name;
    private final PlaneCapabilities capabilities;
    private final AtomicReferenceArray<PortState> ports;
    private volatile InForce inForce = new InForce(InstalledTable.NONE, null);
    private volatile PlaneListener listener = PlaneListener.NOBODY;
    private volatile @Nullable HelloChannel hellos;
    private volatile @Nullable TransitChannel transits;

    /** What the listener was told of repairs, by port. */
    private final int[] toldMoved;

    private final int[] toldStranded;

    /** By turns: null where the table is of routes. */
    private record InForce(InstalledTable table, @Nullable TurnForwarding turns) {
        InForce next(InstalledTable table, Alternatives told) {
            return new InForce(
                    table, table.kind() == TableKind.TURNS ? TurnForwarding.next(turns, table.entries(), told) : null);
        }
    }

    /**
     * Makes a switch without cables and without a table.
     *
     * @param portCount 1..254
     */
    public MemoryPlane(long guid, String name, int portCount) {
        this(guid, name, portCount, PlaneCapabilities.INDICES);
    }

    /**
     * Makes a switch of a grid, without cables and without a table.
     *
     * @param portCount 1..254
     */
    public static MemoryPlane ofGrid(long guid, String name, int portCount) {
        return new MemoryPlane(guid, name, portCount, PlaneCapabilities.TURNS);
    }

    private MemoryPlane(long guid, String name, int portCount, PlaneCapabilities capabilities) {
        if (portCount < 1 || portCount > SouthboundProtocol.MAX_PORTS) {
            throw new IllegalArgumentException(portCount + " ports; expected 1.." + SouthboundProtocol.MAX_PORTS);
        }
        this.guid = guid;
        this.name = name;
        this.capabilities = capabilities;
        toldMoved = new int[portCount + 1];
        toldStranded = new int[portCount + 1];
        ports = new AtomicReferenceArray<>(portCount);
        for (int i = 0; i < portCount; i++) {
            ports.set(i, PortState.unplugged(i + 1));
        }
    }

    /**
     * Looks a destination up, as a packet would: with turns, one from below.
     *
     * @param destination index of the node, 0 or more
     * @return port number by the table, up or not, or {@link #NO_ROUTE}
     */
    public int port(int destination) {
        InForce now = inForce;
        return now.turns == null
                ? route(now.table.entries(), destination)
                : now.turns.table().port(TurnTable.FROM_BELOW, destination);
    }

    /**
     * Looks a destination up, as a packet on virtual channel 0 would that came by a port.
     *
     * @param inPort 1..254
     * @param destination index of the node, 0 or more
     * @return port number by the table, up or not, or {@link #NO_ROUTE}
     */
    public int port(int inPort, int destination) {
        InForce now = inForce;
        return now.turns == null ? route(now.table.entries(), destination) : now.turns.portByTable(inPort, destination);
    }

    /**
     * Forwards a packet. By routes it stays on its virtual channel; by turns it takes another port while that of the table is down.
     *
     * @param inPort 1..254, by which it came
     * @param vc virtual channel, 0..1, on which it came; 0 from a host
     * @param destination index of the node, 0 or more
     * @param random chooses among alternatives
     */
    public Forwarding forward(int inPort, int vc, int destination, RandomGenerator random) {
        InForce now = inForce;
        if (now.turns != null) {
            return now.turns.forward(inPort, vc, destination, this::isUp, random);
        }
        int port = route(now.table.entries(), destination);
        return isUp(port) ? new Forwarding.Hop(port, vc) : Forwarding.Drop.NO_PORT;
    }

    private static int route(byte[] entries, int destination) {
        return destination < entries.length ? Byte.toUnsignedInt(entries[destination]) : NO_ROUTE;
    }

    private boolean isUp(int number) {
        return number >= 1 && number <= portCount() && portState(number).up();
    }

    /**
     * Moves a port without telling the agent. A state without a neighbour leaves the one last seen in place.
     *
     * @return whether that changed anything
     */
    public boolean set(PortState state) {
        PortState before = ports.getAndUpdate(state.number() - 1, old -> merged(old, state));
        return !before.equals(merged(before, state));
    }

    /**
     * Plugs these cables in and pulls all others, without telling the agent. A pulled port keeps the neighbour last
     * seen.
     *
     * @param plugged ports with a cable; numbers the switch does not have are passed over
     * @return the numbers of ports that changed, ascending
     */
    public List<Integer> plug(List<PortState> plugged) {
        PortState[] states = new PortState[portCount()];
        Arrays.setAll(states, i -> PortState.unplugged(i + 1));
        plugged.stream()
                .filter(port -> port.number() <= states.length)
                .forEach(port -> states[port.number() - 1] = port);
        return Arrays.stream(states).filter(this::set).map(PortState::number).toList();
    }

    /** What the switch forwards with. */
    public InstalledTable installed() {
        return inForce.table;
    }

    /** Whether it forwards by turns, and over alternatives that were told for these very turns. */
    public boolean hasAlternativesOfItsTurns() {
        InForce now = inForce;
        return now.turns != null && now.turns.hasAlternativesOf(now.table.entries());
    }

    /** Forwards with this table from now on, whatever the agent knows of it. */
    public void force(InstalledTable table) {
        inForce = inForce.next(table, Alternatives.NONE);
    }

    /** Tells the agent that the table may be another than it installed. */
    public void tellLost() {
        listener.tableLost();
    }

    /** Tells the agent that a port changed, and what the switch does for it. */
    public void tell(int number) {
        listener.portChanged(number);
        tellRepairs();
    }

    /** As other planes: of ports to switches alone, since no other port leads to the host of one. */
    private synchronized void tellRepairs() {
        int[] moved = new int[toldMoved.length];
        int[] stranded = new int[toldMoved.length];
        TurnForwarding turns = inForce.turns;
        if (turns != null && ports().stream().anyMatch(port -> isDeadCable(port.number()))) {
            turns.countRepairs(this::isDeadCable, this::isUp, moved, stranded);
        }
        for (int number = 1; number < moved.length; number++) {
            if (moved[number] != toldMoved[number] || stranded[number] != toldStranded[number]) {
                toldMoved[number] = moved[number];
                toldStranded[number] = stranded[number];
                listener.repaired(number, moved[number], stranded[number]);
            }
        }
    }

    private boolean isDeadCable(int number) {
        return number >= 1
                && number <= portCount()
                && !portState(number).up()
                && portState(number).neighbour() instanceof SwitchPort;
    }

    /** Connects the plane with cables that carry hellos, and with what they lead through; without, it has none. */
    void connect(HelloChannel cables, TransitChannel neighbours) {
        hellos = cables;
        transits = neighbours;
    }

    private static PortState merged(PortState old, PortState state) {
        return state.neighbour() != null
                ? state
                : new PortState(state.number(), state.up(), old.neighbour(), state.rate());
    }

    @Override
    public long guid() {
        return guid;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int portCount() {
        return ports.length();
    }

    @Override
    public PortState portState(int number) {
        return ports.get(number - 1);
    }

    @Override
    public List<PortState> ports() {
        return IntStream.rangeClosed(1, ports.length())
                .mapToObj(this::portState)
                .toList();
    }

    @Override
    public PlaneCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public CompletionStage<InstalledTable> readBack() {
        return CompletableFuture.completedStage(inForce.table);
    }

    @Override
    public CompletionStage<Void> install(TableChange change, InstallProgress progress) {
        inForce = inForce.next(change.table(), change.alternatives());
        tellRepairs();
        return CompletableFuture.completedStage(null);
    }

    @Override
    public synchronized void listen(PlaneListener planeListener) {
        listener = planeListener;
        Arrays.fill(toldMoved, 0);
        Arrays.fill(toldStranded, 0);
        tellRepairs();
    }

    @Override
    public @Nullable HelloChannel hellos() {
        return hellos;
    }

    @Override
    public @Nullable TransitChannel transits() {
        return transits;
    }
}
