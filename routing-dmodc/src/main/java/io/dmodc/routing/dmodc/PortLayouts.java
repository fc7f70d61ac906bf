package io.dmodc.routing.dmodc;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.GroupOrder;
import io.dmodc.topology.NeighbourReader;

/** All layouts in use, each once. For one thread. */
final class PortLayouts {
    private final int formulaOffset;
    private final boolean interchangeable;
    private final Interner<PortLayout> above = new Interner<>();
    private final Interner<PortLayout> below = new Interner<>();
    private final Interner<PortLayout> all = new Interner<>();
    private final NeighbourReader ports;
    private final IntKey probe = new IntKey(PortLayout.DIVIDERS + FabricView.PORT_MAX);
    private int nextId;

    /**
     * @param interchangeable whether any candidate may serve instead of another
     * @param order of the groups of a side
     */
    PortLayouts(int formulaOffset, boolean interchangeable, GroupOrder order) {
        this.formulaOffset = formulaOffset;
        ports = new NeighbourReader(order);
        this.interchangeable = interchangeable;
    }

    /** Reads the ports of a switch, for {@link #find(boolean, int, int)}. */
    void read(FabricView view, int s) {
        ports.readPorts(view, s);
    }

    /**
     * The layout of the groups read that lead up, or down; kept until it is forgotten.
     *
     * @param divider where one group alone is a candidate
     * @param dividerOfMany where several are
     */
    PortLayout find(boolean up, int divider, int dividerOfMany) {
        System.arraycopy(ports.values(up), 0, probe.values, PortLayout.DIVIDERS, ports.count(up));
        return find(up ? above : below, divider, dividerOfMany, ports.count(up));
    }

    /** The layout of all groups of a switch, whichever way they lead. */
    PortLayout find(FabricView view, int s, int divider) {
        int count = PortLayout.DIVIDERS;
        for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
            for (int i = 0; i < view.groupSize(g); i++) {
                probe.values[count++] = (i == 0 ? 0 : NeighbourReader.SAME_GROUP) | view.groupPort(g, i);
            }
        }
        return find(all, divider, divider, count - PortLayout.DIVIDERS);
    }

    private PortLayout find(Interner<PortLayout> layouts, int divider, int dividerOfMany, int portCount) {
        probe.values[0] = divider;
        probe.values[1] = dividerOfMany;
        probe.count = PortLayout.DIVIDERS + portCount;
        return layouts.find(probe, key -> new PortLayout(nextId++, key, formulaOffset, interchangeable));
    }

    /** Nobody has the layout of this side any more. */
    void forget(boolean up, PortLayout layout) {
        (up ? above : below).remove(layout.key());
    }
}
