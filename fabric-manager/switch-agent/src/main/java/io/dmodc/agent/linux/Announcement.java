package io.dmodc.agent.linux;

import io.dmodc.agent.plane.Neighbour;
import io.dmodc.topology.HostAddresses;
import org.jspecify.annotations.Nullable;

/**
 * What one end of a cable says of itself to the other.
 *
 * @param cluster tells apart fabrics that somebody connects by mistake
 * @param sender who says it; of a host, the addresses include {@code mac}
 * @param mac address of the interface it comes from, 48 bits; 0: none
 * @param asks whether the sender has heard nobody since its port has carrier, and wants an answer at once
 * @param hearsDirectly whether what the far end sends through its {@link DirectSocket} has arrived
 */
record Announcement(int cluster, Neighbour sender, long mac, boolean asks, boolean hearsDirectly) {
    /** Returns what to believe of the far end of the cable it came out of. */
    FarEnd farEnd() {
        return new FarEnd(sender, macText());
    }

    private @Nullable String macText() {
        return mac == 0 ? null : new HostAddresses(0, 0, 0, 0, mac).macText();
    }
}
