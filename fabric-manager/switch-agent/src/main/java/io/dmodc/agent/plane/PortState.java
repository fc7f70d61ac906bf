package io.dmodc.agent.plane;

import org.jspecify.annotations.Nullable;

/**
 * One port at one moment.
 *
 * @param number 1..port count
 * @param up whether packets pass now
 * @param neighbour the last one seen, also while the port is down; null when none was ever seen
 */
public record PortState(int number, boolean up, @Nullable Neighbour neighbour) {
    /** Returns a port nobody ever plugged a cable into. */
    public static PortState unplugged(int number) {
        return new PortState(number, false, null);
    }
}
