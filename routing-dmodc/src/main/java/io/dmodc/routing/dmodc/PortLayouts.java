package io.dmodc.routing.dmodc;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.NeighbourReader;

/** All layouts in use, each once. For one thread. */
final class PortLayouts {
    private final int formulaOffset;
    private final boolean interchangeable;
    private final Interner<PortLayout> above = new Interner<>();
    private final Interner<PortLayout> below = new Interner<>();
    private final Interner<PortLayout> all = new Interner<>();
    private final NeighbourReader ports = new NeighbourReader();
    private final IntKey probe = new IntKey(1 + FabricView.PORT_MAX);
    private int nextId;

    /** @param interchangeable whether any candidate may serve instead of another */
    PortLayouts(int formulaOffset, boolean interchangeable) {
        this.formulaOffset = formulaOffset;
        this.interchangeable = interchangeable;
    }

    /** Reads the ports of a switch, for {@link #find(boolean, int)}. */
    void read(FabricView view, int s) {
        ports.readPorts(view, s);
    }

    /** The layout of the groups read that lead up, or down; kept until it is forgotten. */
    PortLayout find(boolean up, int divider) {
        System.arraycopy(ports.values(up), 0, probe.values, 1, ports.count(up));
        return find(up ? above : below, divider, ports.count(up));
    }

    /** The layout of all groups of a switch, whichever way they lead. */
    PortLayout find(FabricView view, int s, int divider) {
        int count = 0;
        for (int g = view.groupStart(s); g < view.groupStart(s + 1); g++) {
            for (int i = 0; i < view.groupSize(g); i++) {
                probe.values[++count] = (i == 0 ? 0 : NeighbourReader.SAME_GROUP) | view.groupPort(g, i);
            }
        }
        return find(all, divider, count);
    }

    private PortLayout find(Interner<PortLayout> layouts, int divider, int portCount) {
        probe.values[0] = divider;
        probe.count = 1 + portCount;
        return layouts.find(probe, key -> new PortLayout(nextId++, key, formulaOffset, interchangeable));
    }

    /** Nobody has the layout of this side any more. */
    void forget(boolean up, PortLayout layout) {
        (up ? above : below).remove(layout.key());
    }
}
