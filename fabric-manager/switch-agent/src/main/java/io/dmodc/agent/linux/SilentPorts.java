package io.dmodc.agent.linux;

import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges ports whose hellos are lost. While the kernel at the far end answers, that is an agent that died: its switch forwards on, and the
 * port stays usable. One that does not answer is at the end of a dead cable, or dead. From any thread.
 */
final class SilentPorts {
    /** So often the kernel at the far end is asked while no hellos come. */
    static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** So long an answer that did not come counts. */
    static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final Logger LOG = LoggerFactory.getLogger(SilentPorts.class);

    /** Told what comes of it. */
    interface Judge {
        void usable(int port, boolean usable);
    }

    private final String who;
    private final Cabling cabling;
    private final PlaneWorker worker;
    private final Judge judge;

    /** By port: how often hellos were lost, or came back; odd while they are lost. Guarded by this object. */
    private final long[] turns;

    /** Ports of which the kernel at the far end is being asked before hellos are lost. Guarded by this object. */
    private final BitSet doubted = new BitSet();

    /** By port, when it did not answer last; guarded by this object. */
    private final long[] unansweredAt;

    SilentPorts(String who, int portCount, Cabling cabling, PlaneWorker worker, Judge judge) {
        this.who = who;
        this.cabling = cabling;
        this.worker = worker;
        this.judge = judge;
        turns = new long[portCount + 1];
        unansweredAt = new long[portCount + 1];
        Arrays.fill(unansweredAt, System.nanoTime() - FRESH_NANOS);
    }

    /**
     * Takes in what the hellos say.
     *
     * @param carrier false: there is nobody to ask
     */
    synchronized void say(int port, boolean usable, boolean carrier) {
        boolean lost = turns[port] % 2 == 1;
        if (lost == usable) {
            turns[port]++;
        }
        if (usable || !carrier) {
            judge.usable(port, usable);
        } else if (System.nanoTime() - unansweredAt[port] < FRESH_NANOS) {
            judgeSilent(port);
        } else {
            ask(port, turns[port], true);
        }
    }

    /**
     * Asks early, once at a time.
     *
     * @param unanswered told when no answer came; then {@link #say} does not ask again
     */
    synchronized void doubt(int port, Runnable unanswered) {
        if (!doubted.get(port)) {
            doubted.set(port);
            PlaneWorker.daemon("far-kernel-" + port, () -> doubtAnswered(port, cabling.answers(port), unanswered))
                    .start();
        }
    }

    private void doubtAnswered(int port, boolean answers, Runnable unanswered) {
        synchronized (this) {
            doubted.clear(port);
            if (!answers) {
                unansweredAt[port] = System.nanoTime();
            }
        }
        if (!answers) {
            unanswered.run();
        }
    }

    private void judgeSilent(int port) {
        LOG.info("{}: port {}: hellos are lost, and the kernel at the far end does not answer", who, port);
        judge.usable(port, false);
    }

    /** By a thread of its own: several ports may fall silent at once, and none waits for another. */
    private void ask(int port, long turn, boolean first) {
        PlaneWorker.daemon("far-kernel-" + port, () -> answered(port, turn, first, cabling.answers(port)))
                .start();
    }

    private synchronized void answered(int port, long turn, boolean first, boolean answers) {
        if (turns[port] != turn) {
            return;
        }
        if (!answers) {
            judgeSilent(port);
            return;
        }
        if (first) {
            LOG.info("{}: port {}: hellos are lost, but the kernel at the far end answers", who, port);
        }
        worker.later(ASK_NANOS, () -> askAgain(port, turn));
    }

    private synchronized void askAgain(int port, long turn) {
        if (turns[port] == turn) {
            ask(port, turn, false);
        }
    }
}
