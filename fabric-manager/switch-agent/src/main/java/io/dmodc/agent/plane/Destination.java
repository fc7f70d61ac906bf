package io.dmodc.agent.plane;

import io.dmodc.topology.HostAddresses;

/**
 * A host port that packets are for.
 *
 * @param portGuid its identity
 * @param name for people
 * @param addresses as far as they are known
 */
public record Destination(long portGuid, String name, HostAddresses addresses) {}
