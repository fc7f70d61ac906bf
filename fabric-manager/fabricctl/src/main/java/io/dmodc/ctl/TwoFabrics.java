package io.dmodc.ctl;

import io.dmodc.topology.FabricChange.SwitchHeard;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.SwitchClaims;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * A fabric before and after something happened to it, in two views of the same switches: those that are in one of the files only are dead
 * in the other view. Node indices and levels are those of the first, as a running manager would have them.
 *
 * @param before drawn from the first file
 * @param after drawn from the second
 */
record TwoFabrics(FabricView before, FabricView after) {
    /**
     * @param nodes indices already dealt; takes those of new hosts
     * @param design what it was built as, both times
     * @throws IOException in one line, if levels cannot be read
     * @throws IllegalArgumentException in one line, if a host cannot have an index, or the design does not fit
     */
    static TwoFabrics of(Source from, Source to, NodeIndexMap nodes, Design design) throws IOException {
        Map<Long, SwitchClaims> first = claims(from.fabric());
        Map<Long, SwitchClaims> second = claims(to.fabric());
        FabricViewBuilder both = new FabricViewBuilder();
        show(both, first, second);
        FabricView before = design.draw(both, both.build(0, nodes, new GuidNumbers()), nodes);
        show(both, second, first);
        GuidNumbers levels = Inputs.levels(before);
        if (design.given()) {
            FabricView hops = both.build(1, nodes, levels);
            Inputs.levels(design.draw(both, hops, nodes)).forEach((guid, level) -> {
                if (levels.get(guid).isEmpty()) {
                    levels.put(guid, level);
                }
            });
        }
        return new TwoFabrics(before, both.build(1, nodes, levels));
    }

    private static Map<Long, SwitchClaims> claims(FabricViewBuilder fabric) {
        FabricView view = fabric.build(0, new NodeIndexMap(), new GuidNumbers());
        Map<Long, SwitchClaims> claims = new TreeMap<>(Long::compareUnsigned);
        for (int s = 0; s < view.switchCount(); s++) {
            claims.put(view.switchGuid(s), fabric.claims(view.switchGuid(s)));
        }
        return claims;
    }

    /** Makes the fabric what these switches say; the others are dead. */
    private static void show(FabricViewBuilder fabric, Map<Long, SwitchClaims> live, Map<Long, SwitchClaims> others) {
        live.forEach((guid, claims) -> {
            SwitchClaims other = others.getOrDefault(guid, claims);
            int ports = Math.max(claims.portCount(), other.portCount());
            fabric.restore(new SwitchClaims(guid, claims.name(), ports, claims.ports()));
            fabric.apply(new SwitchHeard(guid, true));
            fabric.apply(new SwitchState(guid, true));
        });
        others.forEach((guid, claims) -> {
            if (!live.containsKey(guid)) {
                fabric.apply(new SwitchSeen(guid, claims.name(), claims.portCount()));
                fabric.apply(new SwitchState(guid, false));
            }
        });
    }
}
