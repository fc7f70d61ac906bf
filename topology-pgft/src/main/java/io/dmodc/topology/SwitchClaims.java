package io.dmodc.topology;

import io.dmodc.topology.FabricChange.Neighbour;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All one switch last said of its ports: a value that can be kept and given back to {@link FabricViewBuilder#restore}.
 *
 * @param ports those that say anything, ascending by number; the others are down and have no neighbour
 */
public record SwitchClaims(long guid, String name, int portCount, List<PortClaim> ports) {
    public SwitchClaims {
        ports = List.copyOf(ports);
    }

    /**
     * What one port said.
     *
     * @param up what this end of the cable says
     * @param neighbour what it says to lead to, remembered while it is down
     * @param lastUpOwner the neighbour is a host, and this was the last port that had it while it was up; of all ports
     *     that name one host, one at most is that
     * @param rate of its link, as it last said; {@code null}: not known
     */
    public record PortClaim(
            int port,
            boolean up,
            @Nullable Neighbour neighbour,
            boolean lastUpOwner,
            @Nullable LinkRate rate) {
        /** Of whose link nothing more is known. */
        public PortClaim(int port, boolean up, @Nullable Neighbour neighbour, boolean lastUpOwner) {
            this(port, up, neighbour, lastUpOwner, null);
        }
    }
}
