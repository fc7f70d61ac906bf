package io.dmodc.agent.plane;

import java.nio.ByteBuffer;

/**
 * The way to the far ends of a switch's cables, past all tables: what leaves a port arrives at the other end, or is
 * lost.
 */
public interface HelloChannel {
    /** Longest hello a plane must carry. */
    int MAX_BYTES = 64;

    /** Told of what arrives. */
    interface Listener {
        /**
         * A hello came out of the cable at a port. Called on any thread; must return at once.
         *
         * @param hello to be copied before this returns
         */
        void arrived(int port, ByteBuffer hello);
    }

    /**
     * Sends a hello; from any thread.
     *
     * @param port 1..port count
     * @param hello at most {@link #MAX_BYTES} from its position to its limit; free again when this returns
     */
    void send(int port, ByteBuffer hello);

    /** Names the one who is told; the one before is told no more. */
    void listen(Listener listener);
}
