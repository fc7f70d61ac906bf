package io.dmodc.agent.plane;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

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

    /**
     * The thread on which the listener is called, with an alarm clock: whoever says hello on it, too, has one thread woken for hellos that come,
     * and for those that go.
     */
    interface Rounds {
        /**
         * From now on what came is given to the listener only when {@code round} is due, in a row, and right before it.
         *
         * @param round does what is due, and returns when it wants to run next, by {@link System#nanoTime}; {@code Long.MAX_VALUE}: when it is
         *     called for
         */
        void begin(Round round);

        /** Has the round run at once; from any thread. */
        void call();
    }

    /** One pass over all cables. */
    interface Round {
        /** @param read by {@link System#nanoTime}: what came until then was given to the listener, what came since may wait for the next round */
        long run(long read);
    }

    /** Returns how to share the thread that calls the listener; null: there is no such thread. */
    default @Nullable Rounds rounds() {
        return null;
    }
}
