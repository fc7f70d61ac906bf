package io.dmodc.manager.southbound;

import io.dmodc.settings.process.HaltOnDefect;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The connections of one event loop whose handshakes have yet to begin, the first first; one begins each {@link #PACE_NANOS}
 * at most, and what came on other connections is read in between. So a handshake that has begun goes before those that have
 * not, and takes about as long as it takes alone, however many wait. Were all begun as they come, of thousands of agents that
 * come back together to a busy machine most would not be done in their time, and would come again.
 *
 * <p>For the thread of the loop. As long as there are connections that ask.
 */
final class HandshakeQueue {
    /** Less than a handshake takes. */
    static final long PACE_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    private final ScheduledExecutorService loop;
    private final Set<Runnable> waiting = new LinkedHashSet<>();

    /** One has begun less than {@link #PACE_NANOS} ago, or waits. */
    private boolean running;

    HandshakeQueue(ScheduledExecutorService loop) {
        this.loop = loop;
    }

    /** Begins it when its turn comes: here, if nobody waits and none has begun a moment ago. */
    void add(Runnable begin) {
        waiting.add(begin);
        if (!running) {
            next();
        }
    }

    /** Its connection is over; does nothing when its turn has come before. */
    void left(Runnable begin) {
        waiting.remove(begin);
    }

    private void next() {
        Iterator<Runnable> first = waiting.iterator();
        running = first.hasNext();
        if (running) {
            loop.schedule(HaltOnDefect.guarding(this::next), PACE_NANOS, TimeUnit.NANOSECONDS);
            Runnable begin = first.next();
            first.remove();
            begin.run();
        }
    }
}
