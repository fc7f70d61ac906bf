package io.dmodc.manager.opensm;

import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchHeard;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.SwitchClaims;
import io.dmodc.topology.SwitchClaims.PortClaim;
import io.dmodc.topology.ibnet.IbnetWriter;
import io.dmodc.topology.ibnet.LidMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A fat-tree and what is added to it, as {@code ibnetdiscover} prints it. */
final class DrawnSubnet {
    /** From a switch or host of the first part to the same of the second one. */
    static final long SECOND_PART = 1L << 40;

    private final FabricViewBuilder fabric;
    private long nextHost = 0x02c1000000000000L;

    DrawnSubnet(String pgft) {
        fabric = PgftGenerator.generate(PgftShape.parse(pgft));
    }

    FabricView view() {
        return fabric.build(1, new NodeIndexMap(), new GuidNumbers());
    }

    /** The same once more beside it, with other GUIDs and no cable between the two. */
    DrawnSubnet twice() {
        FabricView first = view();
        for (int s = 0; s < first.switchCount(); s++) {
            SwitchClaims claims = fabric.claims(first.switchGuid(s));
            List<PortClaim> ports = new ArrayList<>();
            for (PortClaim port : claims.ports()) {
                ports.add(new PortClaim(port.port(), port.up(), other(port.neighbour()), port.lastUpOwner()));
            }
            put(new SwitchClaims(claims.guid() + SECOND_PART, claims.name() + "-b", claims.portCount(), ports));
        }
        return this;
    }

    private static @Nullable Neighbour other(@Nullable Neighbour neighbour) {
        if (neighbour instanceof ToSwitch to) {
            return new ToSwitch(to.guid() + SECOND_PART, to.port());
        }
        if (neighbour instanceof ToHost to) {
            Host host = to.host();
            return new ToHost(new Host(
                    host.portGuid() + SECOND_PART,
                    host.hostGuid() + SECOND_PART,
                    host.hostPort(),
                    host.name() + "-b",
                    HostAddresses.NONE,
                    host.kind()));
        }
        return neighbour;
    }

    private void put(SwitchClaims claims) {
        fabric.restore(claims);
        fabric.apply(new SwitchHeard(claims.guid(), true));
    }

    /** Another port for a switch. @return its number */
    int grow(long guid) {
        SwitchClaims claims = fabric.claims(guid);
        put(new SwitchClaims(guid, claims.name(), claims.portCount() + 1, claims.ports()));
        return claims.portCount() + 1;
    }

    /** Another host at a new port of a switch. @return the GUID of its port */
    long addHost(long guid, String name, Host.Kind kind) {
        long host = nextHost++;
        fabric.apply(new PortSeen(
                guid, grow(guid), true, new ToHost(new Host(host, host, 1, name, HostAddresses.NONE, kind))));
        return host;
    }

    /** A cable between new ports of two switches. */
    void addCable(long one, long other) {
        int onePort = grow(one);
        int otherPort = grow(other);
        fabric.apply(new PortSeen(one, onePort, true, new ToSwitch(other, otherPort)));
        fabric.apply(new PortSeen(other, otherPort, true, new ToSwitch(one, onePort)));
    }

    /** With LIDs from 1 on. */
    String text() throws IOException {
        return text(new LidMap());
    }

    String text(LidMap lids) throws IOException {
        StringBuilder text = new StringBuilder();
        IbnetWriter.write(view(), lids, text);
        return text.toString();
    }
}
