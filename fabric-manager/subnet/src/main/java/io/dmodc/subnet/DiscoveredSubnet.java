package io.dmodc.subnet;

import io.dmodc.topology.ibnet.IbnetFabric;

/**
 * A look at a subnet.
 *
 * @param found what there is
 * @param fromPort GUID of the host port it was looked at from; 0 when that is not known
 * @param seenNanos when that was, by the clock of who looked
 * @param complaint of the command although it ended well, one line; empty for none. {@code ibnetdiscover} leaves out what does not answer, and a host
 *     that one lost packet was about, with no more than a complaint
 */
public record DiscoveredSubnet(IbnetFabric found, long fromPort, long seenNanos, String complaint) {
    /** Without a complaint. */
    public DiscoveredSubnet(IbnetFabric found, long fromPort, long seenNanos) {
        this(found, fromPort, seenNanos, "");
    }
}
