package io.dmodc.routing.quality;

/**
 * All live ports of one direction between two ranks, as packets meet them one after the other.
 *
 * @param fromRank rank of the switches the ports belong to; −1 for {@link Direction#ACROSS} and
 *     {@link Direction#TO_HOST}
 * @param toRank rank of the switches they lead to; −1 likewise
 * @param ports how many there are
 */
public record PortStage(Direction direction, int fromRank, int toRank, int ports) {
    /** Which way a port leads. */
    public enum Direction {
        UP,
        DOWN,
        /** Between switches, but neither to the next rank up nor to the next down: no legal path goes there. */
        ACROSS,
        TO_HOST
    }
}
