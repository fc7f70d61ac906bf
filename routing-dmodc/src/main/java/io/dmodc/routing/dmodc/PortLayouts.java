package io.dmodc.routing.dmodc;

import io.dmodc.topology.FabricView;
import java.util.HashMap;
import java.util.Map;

/** All layouts in use, each once. For one thread. */
final class PortLayouts {
    private final int formulaOffset;
    private final Map<IntKey, PortLayout> layouts = new HashMap<>();
    private final IntKey probe = new IntKey();
    private int groupCount;
    private int nextId;

    PortLayouts(int formulaOffset) {
        this.formulaOffset = formulaOffset;
    }

    /** Starts the description of a layout. */
    void begin(int divider) {
        probe.clear();
        probe.add(divider);
        groupCount = 0;
    }

    void addGroup(FabricView view, int group) {
        groupCount++;
        probe.add(view.groupSize(group));
        for (int i = 0; i < view.groupSize(group); i++) {
            probe.add(view.groupPort(group, i));
        }
    }

    int groupCount() {
        return groupCount;
    }

    /** The layout described; forgotten again unless somebody {@link #keep}s it. */
    PortLayout find() {
        PortLayout layout = layouts.get(probe);
        return layout != null ? layout : new PortLayout(nextId++, probe.copy(), groupCount, formulaOffset);
    }

    void keep(PortLayout layout) {
        layout.members++;
        layouts.putIfAbsent(layout.key(), layout);
    }

    void release(PortLayout layout) {
        if (--layout.members == 0) {
            layouts.remove(layout.key());
        }
    }
}
