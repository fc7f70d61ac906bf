package io.dmodc.agent.plane;

import io.dmodc.southbound.SouthboundProtocol;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A switch in memory: forwards by the table it was given; its ports are moved by whoever plays with the cables. */
public final class MemoryPlane implements ForwardingPlane {
    /** Answer for a destination without a route. */
    public static final int NO_ROUTE = Byte.toUnsignedInt(SouthboundProtocol.NO_ROUTE);

    private final long guid;
    private final String name;
    private final AtomicReferenceArray<PortState> ports;
    private volatile InstalledTable installed = InstalledTable.NONE;
    private volatile PlaneListener listener = PlaneListener.NOBODY;
    private volatile @Nullable HelloChannel hellos;
    private volatile @Nullable TransitChannel transits;

    /**
     * Makes a switch without cables and without a table.
     *
     * @param portCount 1..254
     */
    public MemoryPlane(long guid, String name, int portCount) {
        if (portCount < 1 || portCount > SouthboundProtocol.MAX_PORTS) {
            throw new IllegalArgumentException(portCount + " ports; expected 1.." + SouthboundProtocol.MAX_PORTS);
        }
        this.guid = guid;
        this.name = name;
        ports = new AtomicReferenceArray<>(portCount);
        for (int i = 0; i < portCount; i++) {
            ports.set(i, PortState.unplugged(i + 1));
        }
    }

    /**
     * Looks a destination up, as a packet would.
     *
     * @param destination index of the node, 0 or more
     * @return port number, or {@link #NO_ROUTE}
     */
    public int port(int destination) {
        byte[] entries = installed.entries();
        return destination < entries.length ? Byte.toUnsignedInt(entries[destination]) : NO_ROUTE;
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
        return installed;
    }

    /** Forwards with this table from now on, whatever the agent knows of it. */
    public void force(InstalledTable table) {
        installed = table;
    }

    /** Tells the agent that the table may be another than it installed. */
    public void tellLost() {
        listener.tableLost();
    }

    /** Tells the agent that a port changed. */
    public void tell(int number) {
        listener.portChanged(number);
    }

    /** Connects the plane with cables that carry hellos, and with what they lead through; without, it has none. */
    void connect(HelloChannel cables, TransitChannel neighbours) {
        hellos = cables;
        transits = neighbours;
    }

    private static PortState merged(PortState old, PortState state) {
        return state.neighbour() != null ? state : new PortState(state.number(), state.up(), old.neighbour());
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
        return PlaneCapabilities.INDICES;
    }

    @Override
    public CompletionStage<InstalledTable> readBack() {
        return CompletableFuture.completedStage(installed);
    }

    @Override
    public CompletionStage<Void> install(TableChange change, InstallProgress progress) {
        force(change.table());
        return CompletableFuture.completedStage(null);
    }

    @Override
    public void listen(PlaneListener planeListener) {
        listener = planeListener;
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
