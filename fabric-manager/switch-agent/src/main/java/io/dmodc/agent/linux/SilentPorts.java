package io.dmodc.agent.linux;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges ports whose hellos are lost. While the kernel at the far end answers, that is an agent that died: its switch forwards on, and the
 * port stays usable. One that does not answer is at the end of a dead cable, or dead. From any thread.
 */
final class SilentPorts {
    /** So often the kernel at the far end is asked while no hellos come; kernels answer such questions that often. */
    static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(1);

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

    SilentPorts(String who, int portCount, Cabling cabling, PlaneWorker worker, Judge judge) {
        this.who = who;
        this.cabling = cabling;
        this.worker = worker;
        this.judge = judge;
        turns = new long[portCount + 1];
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
        } else {
            ask(port, turns[port], true);
        }
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
            LOG.info("{}: port {}: hellos are lost, and the kernel at the far end does not answer", who, port);
            judge.usable(port, false);
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
