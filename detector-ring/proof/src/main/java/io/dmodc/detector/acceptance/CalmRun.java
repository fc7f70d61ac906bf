package io.dmodc.detector.acceptance;

import io.dmodc.detector.acceptance.RingChild.Counts;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A ring of 64 in a process of its own to which nothing happens: what it costs, and whom it suspects.
 *
 * @param cores       processor time over wall time
 * @param suspicions  members held dead, each by each that held it so
 * @param lateWakeUps of all members
 */
record CalmRun(double cores, int suspicions, long lateWakeUps) {
    static final int MEMBERS = 64;

    /** @param busyLoops threads that keep processors busy in yet another process meanwhile */
    static CalmRun measure(ProbeContext context, int busyLoops) throws IOException, InterruptedException {
        int seconds = context.effort().calmSeconds();
        context.tell("%d calm members for %d s beside %d busy loops", MEMBERS, seconds, busyLoops);
        try (ProcessRing ring = ProcessRing.start(context.children(), context.effort(), 1, MEMBERS, 0)) {
            Process load = busyLoops == 0
                    ? null
                    : context.children().java(ProcessRing.SMALL_JVM, BusyLoops.class, String.valueOf(busyLoops));
            try {
                return measure(ring, seconds);
            } finally {
                if (load != null) {
                    ChildProcesses.end(load);
                }
            }
        }
    }

    private static CalmRun measure(ProcessRing ring, int seconds) throws IOException, InterruptedException {
        Counts before = ring.child(0).counts();
        Duration cpu = ring.child(0).cpu();
        long start = System.nanoTime();
        TimeUnit.SECONDS.sleep(seconds);
        double used = ring.child(0).cpu().minus(cpu).toNanos();
        double cores = used / (System.nanoTime() - start);
        long late = ring.child(0).counts().lateWakeUps() - before.lateWakeUps();
        return new CalmRun(cores, ring.suspicions().size(), late);
    }
}
