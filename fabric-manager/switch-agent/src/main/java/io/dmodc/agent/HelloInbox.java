package io.dmodc.agent;

import io.dmodc.agent.plane.HelloChannel;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;

/**
 * Hellos on their way from whatever thread brought them to the agent's event loop. Holds at most {@value #PER_PORT} of each
 * port; what does not fit is lost, as on a cable. So a port that storms loses hellos of its own, and no other's. Nothing is
 * allocated per hello.
 */
final class HelloInbox implements HelloChannel.Listener {
    /** More than one, because a change of state is told besides the periodic hello. */
    static final int PER_PORT = 4;

    private final Executor loop;
    private final HelloChannel.Listener reader;
    private final Runnable drain = this::drain;
    private final ByteBuffer[] waiting;
    private final int[] ports;
    /** How many wait, by port number; at 0 nothing does. */
    private final int[] waitingOf;

    private final ByteBuffer current = ByteBuffer.allocate(HelloChannel.MAX_BYTES);
    private int first;
    private int count;
    /** Whether the loop is to read, or does. */
    private boolean called;

    private long lost;

    /**
     * @param loop where {@code reader} runs
     * @param portCount of the switch
     */
    HelloInbox(Executor loop, int portCount, HelloChannel.Listener reader) {
        this.loop = loop;
        this.reader = reader;
        waiting = new ByteBuffer[portCount * PER_PORT];
        ports = new int[waiting.length];
        waitingOf = new int[portCount + 1];
    }

    @Override
    public void arrived(int port, ByteBuffer hello) {
        synchronized (this) {
            if (!fits(port) || hello.remaining() > HelloChannel.MAX_BYTES) {
                lost++;
                return;
            }
            waitingOf[port]++;
            put((first + count++) % waiting.length, port, hello);
            if (called) {
                return;
            }
            called = true;
        }
        loop.execute(drain);
    }

    private boolean fits(int port) {
        return port >= 1 && port < waitingOf.length && waitingOf[port] < PER_PORT;
    }

    private void put(int at, int port, ByteBuffer hello) {
        if (waiting[at] == null) {
            waiting[at] = ByteBuffer.allocate(HelloChannel.MAX_BYTES);
        }
        ports[at] = port;
        waiting[at].clear().put(hello.duplicate()).flip();
    }

    /** Reads what waits now, and lets the loop do other things before it reads what came meanwhile. */
    private void drain() {
        for (int unread = waiting(); unread > 0; unread--) {
            reader.arrived(take(), current);
        }
        if (isCalledAgain()) {
            loop.execute(drain);
        }
    }

    private synchronized int waiting() {
        return count;
    }

    private synchronized boolean isCalledAgain() {
        called = count > 0;
        return called;
    }

    /** Moves the oldest into {@code current}; returns its port. */
    private synchronized int take() {
        int at = first;
        first = (first + 1) % waiting.length;
        count--;
        waitingOf[ports[at]]--;
        current.clear().put(waiting[at]).flip();
        return ports[at];
    }

    /** How many were lost because the loop did not keep up. */
    synchronized long lost() {
        return lost;
    }
}
