package io.dmodc.routing.quality;

/** Takes the flows of one pattern after the other. One worker's own. */
interface FlowSink {
    /** No flow is left. */
    void clear();

    /** A node of switch {@code s} sends to node {@code d}; nothing happens if that does not arrive. */
    void add(int s, int d);

    /** One such flow fewer. */
    void remove(int s, int d);
}
