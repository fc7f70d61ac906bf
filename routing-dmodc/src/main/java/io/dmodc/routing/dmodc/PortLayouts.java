package io.dmodc.routing.dmodc;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.NeighbourReader;

/** All layouts in use, each once. For one thread. */
final class PortLayouts {
    private final int formulaOffset;
    private final boolean interchangeable;
    private final Interner<PortLayout> layouts = new Interner<>();
    private final IntKey probe = new IntKey(PortLayout.DIVIDERS + FabricView.PORT_MAX);

    /** @param interchangeable whether any candidate may serve instead of another */
    PortLayouts(int formulaOffset, boolean interchangeable) {
        this.formulaOffset = formulaOffset;
        this.interchangeable = interchangeable;
    }

    /**
     * The layout of the ports of a side; kept until it is forgotten.
     *
     * @param divider where one group alone is a candidate
     * @param dividerOfMany where several are
     */
    PortLayout find(SidePorts ports, int divider, int dividerOfMany) {
        begin(divider, dividerOfMany);
        IntKey key = ports.key;
        System.arraycopy(key.values, 0, probe.values, PortLayout.DIVIDERS, key.count);
        probe.count += key.count;
        return find();
    }

    /** The layout of all groups of a switch, whichever way they lead. */
    PortLayout find(FabricView view, int s, int divider) {
        begin(divider, divider);
        for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
            for (int i = 0; i < view.groupSize(g); i++) {
                probe.values[probe.count++] = (i == 0 ? 0 : NeighbourReader.SAME_GROUP) | view.groupPort(g, i);
            }
        }
        return find();
    }

    private void begin(int divider, int dividerOfMany) {
        probe.values[0] = divider;
        probe.values[1] = dividerOfMany;
        probe.count = PortLayout.DIVIDERS;
    }

    private PortLayout find() {
        return layouts.find(probe, key -> new PortLayout(key, formulaOffset, interchangeable));
    }

    /** Nobody has the layout any more. */
    void forget(PortLayout layout) {
        layouts.remove(layout.key());
    }
}
