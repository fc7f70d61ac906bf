package io.dmodc.agent;

import io.dmodc.agent.plane.HelloChannel;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;

/**
 * Hellos on their way from whatever thread brought them to the agent's event loop. Holds {@value #PER_PORT} per port on
 * average; what does not fit is lost, as on a cable. Nothing is allocated per hello.
 */
final class HelloInbox implements HelloChannel.Listener {
    /** More than one, because a change of state is told besides the periodic hello. */
    static final int PER_PORT = 4;

    private final Executor loop;
    private final HelloChannel.Listener reader;
    private final Runnable drain = this::drain;
    private final ByteBuffer[] waiting;
    private final int[] ports;
    private final ByteBuffer current = ByteBuffer.allocate(HelloChannel.MAX_BYTES);
    private int first;
    private int count;
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
    }

    @Override
    public void arrived(int port, ByteBuffer hello) {
        boolean wasEmpty;
        synchronized (this) {
            if (count == waiting.length || hello.remaining() > HelloChannel.MAX_BYTES) {
                lost++;
                return;
            }
            wasEmpty = count == 0;
            put((first + count++) % waiting.length, port, hello);
        }
        if (wasEmpty) {
            loop.execute(drain);
        }
    }

    private void put(int at, int port, ByteBuffer hello) {
        if (waiting[at] == null) {
            waiting[at] = ByteBuffer.allocate(HelloChannel.MAX_BYTES);
        }
        ports[at] = port;
        waiting[at].clear().put(hello.duplicate()).flip();
    }

    private void drain() {
        for (int port = take(); port > 0; port = take()) {
            reader.arrived(port, current);
        }
    }

    /** Moves the oldest into {@code current}; returns its port, or 0 when there is none. */
    private synchronized int take() {
        if (count == 0) {
            return 0;
        }
        int at = first;
        first = (first + 1) % waiting.length;
        count--;
        current.clear().put(waiting[at]).flip();
        return ports[at];
    }

    /** How many were lost because the loop did not keep up. */
    synchronized long lost() {
        return lost;
    }
}
