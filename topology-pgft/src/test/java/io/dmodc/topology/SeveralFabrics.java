package io.dmodc.topology;

import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.SwitchHeard;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.SwitchClaims.PortClaim;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Fabrics in one file, as of two rails: GUIDs of all take turns, so that no fabric has a range of its own. */
public final class SeveralFabrics {
    private SeveralFabrics() {}

    /** Switches get their fabric's letter before their name: {@code a-leaf0}, {@code b-leaf0}. */
    public static FabricViewBuilder of(List<FabricViewBuilder> fabrics) {
        FabricViewBuilder all = new FabricViewBuilder();
        for (int i = 0; i < fabrics.size(); i++) {
            FabricView view = fabrics.get(i).build(0, new NodeIndexMap(), new GuidNumbers());
            for (int s = 0; s < view.switchCount(); s++) {
                SwitchClaims claims = fabrics.get(i).claims(view.switchGuid(s));
                int fabric = i;
                List<PortClaim> ports = claims.ports().stream()
                        .map(port -> new PortClaim(
                                port.port(), port.up(), moved(port.neighbour(), fabric), port.lastUpOwner()))
                        .toList();
                long guid = moved(claims.guid(), i);
                all.restore(new SwitchClaims(guid, (char) ('a' + i) + "-" + claims.name(), claims.portCount(), ports));
                all.apply(new SwitchHeard(guid, true));
            }
        }
        return all;
    }

    private static long moved(long guid, int fabric) {
        return 4 * guid + fabric;
    }

    private static @Nullable Neighbour moved(@Nullable Neighbour neighbour, int fabric) {
        if (neighbour instanceof ToSwitch to) {
            return new ToSwitch(moved(to.guid(), fabric), to.port());
        }
        if (neighbour instanceof ToHost to) {
            Host host = to.host();
            return new ToHost(new Host(
                    moved(host.portGuid(), fabric), moved(host.hostGuid(), fabric), host.hostPort(), host.name()));
        }
        return null;
    }
}
