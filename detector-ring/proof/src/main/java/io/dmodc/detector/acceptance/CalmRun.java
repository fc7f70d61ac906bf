package io.dmodc.detector.acceptance;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * A ring to which nothing happens: what it costs, and how often one of its members is accused.
 *
 * @param cores       processor time of its processes over wall time
 * @param rate        of accusations, each counted once, at the observer that made it; all members live, so all are false
 * @param lateWakeUps of all members
 * @param loadBefore  average of the last minute over the machine, negative if it is not told
 * @param loadAfter   the same at the end
 */
record CalmRun(double cores, AccusationRate rate, long lateWakeUps, double loadBefore, double loadAfter) {
    private static final OperatingSystemMXBean MACHINE = ManagementFactory.getOperatingSystemMXBean();
    private static final double SECONDS_PER_HOUR = 3600;

    /** Watches a ring that is warm; counts what happens from now on. */
    static CalmRun measure(ProcessRing ring, int seconds) throws IOException, InterruptedException {
        double loadBefore = MACHINE.getSystemLoadAverage();
        long lateBefore = ring.lateWakeUps();
        Duration cpu = ring.cpu();
        ring.forget();
        long start = System.nanoTime();
        TimeUnit.SECONDS.sleep(seconds);
        int accusations = ring.accusations().size();
        double elapsed = System.nanoTime() - start;
        double cores = ring.cpu().minus(cpu).toNanos() / elapsed;
        double memberHours = ring.members() * elapsed / TimeUnit.SECONDS.toNanos(1) / SECONDS_PER_HOUR;
        return new CalmRun(
                cores,
                new AccusationRate(accusations, memberHours),
                ring.lateWakeUps() - lateBefore,
                loadBefore,
                MACHINE.getSystemLoadAverage());
    }

    /** All of it in one line. */
    String text() {
        return String.format(
                Locale.ROOT,
                "%d accusations in %,.0f member-seconds: %s; %d late wake-ups, %.2f core, load %.1f to %.1f",
                rate.events(),
                rate.memberHours() * SECONDS_PER_HOUR,
                rate,
                lateWakeUps,
                cores,
                loadBefore,
                loadAfter);
    }
}
