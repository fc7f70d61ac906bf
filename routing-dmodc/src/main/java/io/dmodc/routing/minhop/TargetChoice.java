package io.dmodc.routing.minhop;

import io.dmodc.topology.FabricView;
import java.util.BitSet;

/** Which switches paths are searched to. */
public enum TargetChoice {
    /** Live switches that hosts are cabled to: enough for tables towards nodes. */
    WITH_NODES,
    /** All live switches. */
    ALL;

    /** Switch indices. */
    BitSet of(FabricView view) {
        BitSet switches = new BitSet(view.switchCount());
        for (int s = 0; s < view.switchCount(); s++) {
            switches.set(s, view.alive(s) && (this == ALL || view.targetOfSwitch(s) >= 0));
        }
        return switches;
    }
}
