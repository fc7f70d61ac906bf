package io.dmodc.subnet;

import io.dmodc.topology.ibnet.IbnetFabric;

/**
 * A look at a subnet.
 *
 * @param found what there is
 * @param fromPort GUID of the host port it was looked at from; 0 when that is not known
 * @param seenNanos when that was, by the clock of who looked
 */
public record DiscoveredSubnet(IbnetFabric found, long fromPort, long seenNanos) {}
