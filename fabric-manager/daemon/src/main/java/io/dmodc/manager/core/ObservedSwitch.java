package io.dmodc.manager.core;

import io.dmodc.manager.state.StateRecord.KnownSwitch;
import io.dmodc.manager.state.StateRecord.PortClaim;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricViewBuilder;
import java.util.ArrayList;
import java.util.List;

/** The record of a switch as the cabling has it. */
final class ObservedSwitch {
    private ObservedSwitch() {}

    static KnownSwitch record(FabricViewBuilder cabling, long guid) {
        List<PortClaim> claims = new ArrayList<>();
        int portCount = cabling.portCount(guid);
        for (int port = 1; port <= portCount; port++) {
            boolean up = cabling.saysUp(guid, port);
            Neighbour neighbour = cabling.neighbour(guid, port);
            if (up || neighbour != null) {
                claims.add(new PortClaim(port, up, neighbour));
            }
        }
        return new KnownSwitch(guid, cabling.name(guid), portCount, cabling.alive(guid), claims);
    }
}
