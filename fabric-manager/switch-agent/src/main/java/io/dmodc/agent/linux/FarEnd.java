package io.dmodc.agent.linux;

import io.dmodc.agent.plane.Neighbour;
import org.jspecify.annotations.Nullable;

/**
 * The far end of a cable.
 *
 * @param neighbour who it is
 * @param mac address of its interface, as {@code 02:00:00:00:00:07}; null where not known
 */
public record FarEnd(Neighbour neighbour, @Nullable String mac) {}
