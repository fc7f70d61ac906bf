package io.dmodc.agent.plane;

import java.nio.ByteBuffer;

/**
 * The way through neighbouring switches, by their tables: what leaves a port is forwarded by the switch at the far end of the
 * cable as any packet to that destination, once; the switch behind that one hands it to its own listener instead of forwarding
 * it on. A packet with a hop limit of two does that on most hardware. What is not forwarded is lost.
 */
public interface TransitChannel {
    /**
     * Sends a hello; from any thread.
     *
     * @param port 1..port count; the far end is a switch
     * @param destination index in the tables, 0 or more
     * @param hello at most {@link HelloChannel#MAX_BYTES} from its position to its limit; free again when this returns
     */
    void send(int port, int destination, ByteBuffer hello);

    /** Names the one who is told what comes in at this switch; the one before is told no more. */
    void listen(HelloChannel.Listener listener);
}
