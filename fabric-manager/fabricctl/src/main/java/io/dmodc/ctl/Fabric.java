package io.dmodc.ctl;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.PlaneNumbers;
import io.dmodc.topology.pgft.Degradation.Damage;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@link FabricLoading} loaded: the fabric to work on, where it came from and what was taken out of it.
 *
 * @param whole the fabric before the damage
 * @param design the shape it was built as, if that is known
 * @param nodes indices that views of it use
 * @param levels ranks before the damage
 * @param planes plane numbers that views of it use
 */
record Fabric(
        FabricView view,
        FabricView whole,
        Source source,
        @Nullable PgftShape design,
        Damage damage,
        NodeIndexMap nodes,
        GuidNumbers levels,
        PlaneNumbers planes) {
    /** A fabric as it comes, with node indices and plane numbers of its own. */
    static Fabric whole(Source source) {
        NodeIndexMap nodes = new NodeIndexMap();
        PlaneNumbers planes = new PlaneNumbers();
        FabricView view = planes.number(source.fabric().build(0, nodes, new GuidNumbers()));
        Damage none = new Damage(List.of(), List.of());
        return new Fabric(view, view, source, source.design(), none, nodes, Inputs.levels(view), planes);
    }

    /** To be changed further; not what {@link #view} shows any more then. */
    FabricViewBuilder builder() {
        return source.fabric();
    }

    /** The fabric as it is by now. */
    FabricView draw(long epoch) {
        return planes.number(source.fabric().build(epoch, nodes, levels));
    }

    /** The same numbered otherwise; {@link #view} is as it was. */
    Fabric withNodes(NodeIndexMap others) {
        return new Fabric(view, whole, source, design, damage, others, levels, planes);
    }

    /** The same with another view of it to work on. */
    Fabric with(FabricView other) {
        return new Fabric(other, whole, source, design, damage, nodes, levels, planes);
    }

    /** The same with more switches dead, which count as taken out of it. */
    Fabric without(BitSet switches) {
        List<Long> taken = new ArrayList<>(damage.switches());
        switches.stream().filter(view::alive).mapToObj(view::switchGuid).forEach(taken::add);
        FabricView left = view.without(switches, List.of());
        return new Fabric(left, whole, source, design, new Damage(taken, damage.cables()), nodes, levels, planes);
    }
}
