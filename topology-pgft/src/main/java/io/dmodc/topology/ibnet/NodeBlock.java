package io.dmodc.topology.ibnet;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.ibnet.LineComment.Address;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a file tells of one node: the header of its block and a line for each cabled port. */
final class NodeBlock {
    private static final Pattern AGGREGATION = Pattern.compile("aggregation\\s*node", Pattern.CASE_INSENSITIVE);

    /** Device number of the adapter inside EDR switches, for fabrics where its description was changed. */
    private static final long AGGREGATION_DEVICE = 0xcf09;

    /** How many GUIDs after its own a switch may have for what is inside it. */
    private static final long SWITCH_GUIDS = 63;

    final NodeId id;
    final int line;
    final String name;
    final int portCount;
    final Address address;
    private final long systemImage;
    private boolean aggregation;
    private final List<@Nullable PortLine> ports = new ArrayList<>();
    private final BitSet refused = new BitSet();
    private final List<DamagedLine> damaged = new ArrayList<>();
    private int completedCount;

    /**
     * A line of a port that could not be read.
     *
     * @param port the port, 0 where not even its number can be read
     */
    record DamagedLine(int line, int port, String problem) {}

    /**
     * @param device {@code devid} of the block, 0 where not given
     * @param systemImage {@code sysimgguid} of the block, 0 where not given
     */
    NodeBlock(NodeId id, int line, String name, int portCount, Address address, long device, long systemImage) {
        this.id = id;
        this.line = line;
        this.name = name;
        this.portCount = portCount;
        this.address = address;
        this.systemImage = systemImage;
        this.aggregation = !id.isSwitch() && (device == AGGREGATION_DEVICE || namesAggregation(name));
    }

    /** A host that has no block of its own. */
    static NodeBlock undescribed(PortLine line) {
        return new NodeBlock(line.far(), line.line(), line.farName(), FabricView.PORT_MAX, Address.NONE, 0, 0);
    }

    /** Switches that aggregate in the network (SHARP) show an adapter, which would make each of them look like a leaf. */
    boolean isAggregation() {
        return aggregation;
    }

    /** Some line says that this host is an adapter inside a switch. */
    void markAggregation() {
        aggregation = true;
    }

    /**
     * True for an adapter that can only be inside this switch, whatever it is called: its one port is cabled to the
     * switch's last one, its GUID is one of those that follow the switch's, and it says that it belongs to the same
     * system. Adapters of machines name their own system.
     */
    boolean isInside(NodeBlock block) {
        long distance = id.guid() - block.id.guid();
        PortLine only = portCount == 1 ? port(1) : null;
        return only != null
                && only.leadsTo(block.id, block.portCount)
                && distance >= 1
                && distance <= SWITCH_GUIDS
                && systemImage != 0
                && (systemImage == block.id.guid() || systemImage == block.systemImage);
    }

    static boolean namesAggregation(String name) {
        return AGGREGATION.matcher(name).find();
    }

    boolean has(int port) {
        return port >= 1 && port <= portCount;
    }

    /** The line of a port; null where there is none, also of a number that is no port. */
    @Nullable
    PortLine port(int port) {
        return port >= 1 && port <= ports.size() ? ports.get(port - 1) : null;
    }

    void put(PortLine line) {
        while (ports.size() < line.port()) {
            ports.add(null);
        }
        ports.set(line.port() - 1, line);
    }

    /** Takes a line that only the other end of the cable has. */
    void complete(PortLine line) {
        put(line);
        completedCount++;
    }

    /** Notes a line that could not be read; the first {@link FabricView#PORT_MAX} are kept, which is one a port. */
    void damage(int line, int port, String problem) {
        if (damaged.size() < FabricView.PORT_MAX) {
            damaged.add(new DamagedLine(line, port, problem));
        }
    }

    /** The first damaged line whose cable no other line tells, or null; to be asked when all ends were brought together. */
    @Nullable
    DamagedLine lost() {
        for (DamagedLine line : damaged) {
            if (line.port() == 0 ? completedCount < damaged.size() : port(line.port()) == null) {
                return line;
            }
        }
        return null;
    }

    /** From now on the line stands for its port, but no cable is made of it. */
    void refuse(PortLine line) {
        refused.set(line.port());
    }

    /** All lines that were not refused, by port. */
    List<PortLine> lines() {
        List<PortLine> lines = new ArrayList<>(ports.size());
        for (PortLine line : ports) {
            if (line != null && !refused.get(line.port())) {
                lines.add(line);
            }
        }
        return lines;
    }
}
