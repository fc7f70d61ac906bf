package io.dmodc.agent.linux;

import java.nio.ByteBuffer;

/** The way for one kind of frame to the far ends of the cables, past all tables: what leaves a port arrives at the other end, or is lost. */
public interface CableFrames {
    /** Carries nothing. */
    CableFrames NONE = new CableFrames() {
        @Override
        public void send(int port, ByteBuffer frame) {}

        @Override
        public void listen(Ear ear) {}
    };

    /** Told of what arrives. */
    interface Ear {
        /**
         * A frame came out of the cable at a port. Called on one thread; must return at once.
         *
         * @param frame to be read before this returns
         */
        void arrived(int port, ByteBuffer frame);
    }

    /**
     * Sends a frame; from any thread, and never waits.
     *
     * @param port 1..port count
     * @param frame free again when this returns
     */
    void send(int port, ByteBuffer frame);

    /** Names the one who is told; the one before is told no more. */
    void listen(Ear ear);
}
