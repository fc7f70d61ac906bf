package io.dmodc.routing.throughput;

/**
 * Which channels the packets of a flow take: the door for tables of any kind.
 *
 * <p>Where tables let a switch choose, a flow is split; what one channel bears is counted in parts of {@link #whole},
 * so that all loads stay integers.
 */
public interface FlowRoutes {
    /** Channels have the indices 0..count−1. */
    int channelCount();

    /** How many parts make up one flow; 1 if flows are never split. */
    int whole();

    /**
     * Adds what each channel bears of a flow.
     *
     * @param s switch of the source
     * @param node node index of the destination
     * @return false if packets do not arrive; nothing was added then
     */
    boolean add(int s, int node, RouteShares into);
}
