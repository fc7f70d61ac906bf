package io.dmodc.detector.peers;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Holds one trial: form, kill and take back, then count in calm.
 *
 * <p>The calm comes last, when the compiler is done. A kill's time runs from just before the member is told to fall
 * silent until the last of the others has been called back.
 */
final class Trial {
    private static final long FORM_LIMIT_MILLIS = 120_000;
    private static final long REJOIN_LIMIT_MILLIS = 60_000;

    /** A kill that not everybody knows of after so many budgets of silence ends the trial. */
    private static final int KNOWN_LIMIT = 20;

    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    private final TrialPlan plan;
    private final KillWatch watch;
    private final SplittableRandom random;

    private Trial(TrialPlan plan) {
        this.plan = plan;
        this.watch = new KillWatch(plan.members());
        this.random = new SplittableRandom(plan.seed());
    }

    /** @throws TrialNotRunException if the members cannot come together, or not all learn of a kill */
    static TrialResult run(TrialPlan plan) throws TrialNotRunException {
        return new Trial(plan).run();
    }

    /** Longer than any trial of this plan that keeps its own limits. */
    static long limitMillis(TrialPlan plan) {
        long perKill = (long) KNOWN_LIMIT * plan.timing().silenceMillis() + REJOIN_LIMIT_MILLIS + 10_000;
        return 3 * FORM_LIMIT_MILLIS + plan.kills() * perKill + plan.calmMillis();
    }

    private TrialResult run() throws TrialNotRunException {
        try (Cluster cluster = newCluster()) {
            cluster.form(FORM_LIMIT_MILLIS);
            List<Double> knownMillis = new ArrayList<>();
            List<Integer> victims = victims();
            for (int kill = 0; kill < plan.kills(); kill++) {
                settle();
                knownMillis.add(killAndTakeBack(cluster, kill, victims.get(kill % victims.size())));
            }
            settle();
            return countInCalm(cluster, knownMillis);
        }
    }

    private Cluster newCluster() throws TrialNotRunException {
        return switch (plan.contender()) {
            case RING -> new RingCluster(plan.members(), plan.timing(), watch);
            case FD_ALL3 -> new JGroupsCluster(plan.members(), plan.timing(), watch);
            case PEKKO -> new PekkoCluster(plan.members(), plan.timing(), watch);
        };
    }

    /** All members in a random order. */
    private List<Integer> victims() {
        List<Integer> order = new ArrayList<>();
        for (int member = 0; member < plan.members(); member++) {
            order.add(random.nextInt(order.size() + 1), member);
        }
        return order;
    }

    /** A budget of silence, so that nothing is left of the last kill, and then a random part of a heartbeat period. */
    private void settle() throws TrialNotRunException {
        AgreementWait.sleep((long) plan.timing().silenceMillis()
                + random.nextInt(plan.timing().heartbeatMillis()));
    }

    private double killAndTakeBack(Cluster cluster, int kill, int victim) throws TrialNotRunException {
        try {
            watch.begin(victim);
            long fell = System.nanoTime();
            cluster.fallSilent(victim);
            long known = watch.awaitAll((long) KNOWN_LIMIT * plan.timing().silenceMillis());
            cluster.rejoin(victim, REJOIN_LIMIT_MILLIS);
            watch.end();
            return (known - fell) / NANOS_PER_MILLI;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TrialNotRunException("interrupted", e);
        } catch (TrialNotRunException e) {
            throw new TrialNotRunException(
                    "kill " + (kill + 1) + " of " + plan.kills() + ": " + e.getMessage() + ", "
                            + watch.falseAccusations() + " false accusations so far",
                    e);
        }
    }

    private TrialResult countInCalm(Cluster cluster, List<Double> knownMillis) throws TrialNotRunException {
        OperatingSystemMXBean machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long from = System.nanoTime();
        long cpuFrom = machine.getProcessCpuTime();
        long sentFrom = cluster.sent();
        long receivedFrom = cluster.received();

        AgreementWait.sleep(plan.calmMillis());

        double nanos = System.nanoTime() - from;
        double cores = (machine.getProcessCpuTime() - cpuFrom) / nanos;
        double memberSeconds = plan.members() * nanos / NANOS_PER_SECOND;
        return new TrialResult(
                knownMillis,
                (cluster.sent() - sentFrom) / memberSeconds,
                (cluster.received() - receivedFrom) / memberSeconds,
                cores,
                watch.falseAccusations());
    }
}
