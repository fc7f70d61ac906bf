package io.dmodc.routing.cycles;

/**
 * Where a switch sends a packet: the door for tables of any kind.
 *
 * <p>Asked once for each packet and switch, when the packet has come to the head of its queue; what it says holds until
 * the packet leaves. Must answer from its arguments alone, so that runs can be repeated, and be safe for threads.
 */
public interface PacketRouting {
    /** Most virtual channels; bit v of a mask is channel v. */
    int VC_MAX = 16;

    /** The answer where a packet is dropped. */
    int DROP = 0;

    /** Virtual channels on which nodes may send to their switches. */
    int injectionVcs();

    /**
     * Chooses a packet's output.
     *
     * @param s switch where it waits
     * @param inputPort port by which it came
     * @param vc virtual channel it came on
     * @param node node index of its destination
     * @param random bits of the packet's own at this switch, for those who choose at random
     * @return {@link #answer} of the output and the virtual channels it may take there, or {@link #DROP}
     */
    int route(int s, int inputPort, int vc, int node, int random);

    /** Puts an answer together: a port 1..254 and a mask of virtual channels that is not empty. */
    static int answer(int port, int vcs) {
        return port << VC_MAX | vcs;
    }

    /** All of so many virtual channels. */
    static int allVcs(int vcs) {
        return (1 << vcs) - 1;
    }
}
