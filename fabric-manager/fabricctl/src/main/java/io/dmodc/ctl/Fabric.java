package io.dmodc.ctl;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation.Damage;

/**
 * What {@link FabricLoading} loaded: the fabric to work on, where it came from and what was taken out of it.
 *
 * @param nodes indices that views of it use
 * @param levels ranks before the damage
 */
record Fabric(FabricView view, Source source, Damage damage, NodeIndexMap nodes, GuidNumbers levels) {
    /** To be changed further; not what {@link #view} shows any more then. */
    FabricViewBuilder builder() {
        return source.fabric();
    }

    /** The fabric as it is by now. */
    FabricView draw(long epoch) {
        return source.fabric().build(epoch, nodes, levels);
    }
}
