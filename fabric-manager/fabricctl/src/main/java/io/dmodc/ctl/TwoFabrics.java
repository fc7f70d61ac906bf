package io.dmodc.ctl;

import io.dmodc.topology.FabricChange.SwitchHeard;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.SwitchClaims;
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
     * @throws IllegalArgumentException in one line, if a host cannot have an index
     */
    static TwoFabrics of(Source from, Source to, NodeIndexMap nodes) {
        Map<Long, SwitchClaims> first = claims(from.fabric());
        Map<Long, SwitchClaims> second = claims(to.fabric());
        FabricViewBuilder both = new FabricViewBuilder();
        show(both, first, second);
        FabricView before = both.build(0, nodes, new GuidNumbers());
        show(both, second, first);
        return new TwoFabrics(before, both.build(1, nodes, Inputs.levels(before)));
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
