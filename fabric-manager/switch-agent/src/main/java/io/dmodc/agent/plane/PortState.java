package io.dmodc.agent.plane;

import io.dmodc.topology.LinkRate;
import org.jspecify.annotations.Nullable;

/**
 * One port at one moment.
 *
 * @param number 1..port count
 * @param up whether the port has carrier
 * @param neighbour the last one seen, also while the port is down; null when none was ever seen
 * @param hello whether packets pass both ways
 * @param rate what its link was trained to; null: not known
 */
public record PortState(
        int number,
        boolean up,
        @Nullable Neighbour neighbour,
        HelloState hello,
        @Nullable LinkRate rate) {
    /** A port as the hardware sees it. */
    public PortState(int number, boolean up, @Nullable Neighbour neighbour, @Nullable LinkRate rate) {
        this(number, up, neighbour, HelloState.OFF, rate);
    }

    /** A port of whose link no rate is known. */
    public PortState(int number, boolean up, @Nullable Neighbour neighbour) {
        this(number, up, neighbour, null);
    }

    /** Returns a port nobody ever plugged a cable into. */
    public static PortState unplugged(int number) {
        return new PortState(number, false, null);
    }

    /** Returns the same port with what the hellos say. */
    public PortState with(HelloState now) {
        return now == hello ? this : new PortState(number, up, neighbour, now, rate);
    }
}
