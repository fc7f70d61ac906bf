package io.dmodc.detector.acceptance;

import io.dmodc.detector.acceptance.RingChild.Heard;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Rows A4 and A9: what calm costs, and that only those are suspected that cannot be heard. */
final class FalseSuspicions {
    private static final double CORES = 0.10;
    private static final int CALM_MEMBERS = 64;
    private static final int APART_PROCESSES = 16;
    private static final int APART_MEMBERS = 4;
    private static final int BUSY_LOOPS = 4;
    private static final double STOP_DELTA = 1.5;
    private static final double SHORT_STOP_DELTA = 0.8;
    private static final double REST_DELTA = 3;
    private static final int AGENTS = 8;
    private static final int STORM_MIB = 200;
    private static final int STORM_SECONDS_MOST = 20;
    private static final String NONE = "0 suspicions";

    private FalseSuspicions() {}

    /** A4: processor time of 64 members. */
    static void cpu(ProbeContext context) throws IOException, InterruptedException {
        int seconds = context.effort().calmSeconds();
        context.tell("%d calm members in one process for %d s", CALM_MEMBERS, seconds);
        RingPace pace =
                new RingPace(context.effort().heartbeatNanos(), context.effort().suspicionNanos());
        try (ProcessRing ring = ProcessRing.start(context.children(), pace, 1, CALM_MEMBERS, 0)) {
            double cores = CalmRun.measure(ring, seconds).cores();
            context.judge(
                    "A4",
                    "processor time of 64 members in one process",
                    cores <= CORES,
                    "<= 0.10 core",
                    "%.3f core over %d s",
                    cores,
                    seconds);
        }
    }

    /** A9, one line after the other. */
    static void run(ProbeContext context) throws IOException, InterruptedException {
        for (long delta : context.effort().apartDeltas()) {
            apart(context, RingPace.ofSuspicion(delta));
        }
        wholeProcess(context);
        oneAgent(context);
        storm(context);
    }

    /**
     * One ring, watched in quiet and then beside busy loops. Its members are in several processes: in one, an emitter that
     * is late and the observer that waits for it would be late together, and none accused.
     */
    private static void apart(ProbeContext context, RingPace pace) throws IOException, InterruptedException {
        int seconds = context.effort().apartSeconds();
        context.tell(
                "%d members in %d processes, delta %d ms, for %d s in quiet and %d s beside %d busy loops",
                APART_PROCESSES * APART_MEMBERS,
                APART_PROCESSES,
                millis(pace.suspicionNanos()),
                seconds,
                seconds,
                BUSY_LOOPS);
        try (ProcessRing ring = ProcessRing.start(context.children(), pace, APART_PROCESSES, APART_MEMBERS, 0)) {
            apart(context, pace, "in quiet", CalmRun.measure(ring, seconds));
            Process load = context.children().java(ProcessRing.SMALL_JVM, BusyLoops.class, String.valueOf(BUSY_LOOPS));
            try {
                String how = "beside " + BUSY_LOOPS + " busy loops at equal priority";
                apart(context, pace, how, CalmRun.measure(ring, seconds));
            } finally {
                ChildProcesses.end(load);
            }
        }
    }

    /** A δ below the shipped one is there to compare with. */
    private static void apart(ProbeContext context, RingPace pace, String how, CalmRun run) {
        boolean judged = pace.suspicionNanos() >= RingPace.SHIPPED.suspicionNanos();
        context.judge(
                "A9",
                String.format(
                        Locale.ROOT,
                        "%d members in %d processes, delta %d ms, eta %d ms, %d s %s",
                        APART_PROCESSES * APART_MEMBERS,
                        APART_PROCESSES,
                        millis(pace.suspicionNanos()),
                        millis(pace.heartbeatNanos()),
                        context.effort().apartSeconds(),
                        how),
                !judged || run.rate().events() == 0,
                judged ? "0 accusations" : "none, below the shipped delta",
                "%s",
                run.text());
    }

    private static void none(ProbeContext context, String claim, int suspicions, long late) {
        context.judge("A9", claim, suspicions == 0, NONE, "%d suspicions, %d late wake-ups", suspicions, late);
    }

    private static void wholeProcess(ProbeContext context) throws IOException, InterruptedException {
        int stops = context.effort().stops();
        context.tell("%d stops of a whole ring", stops);
        try (ProcessRing ring = ProcessRing.start(context.children(), RingPace.SHIPPED, 1, CALM_MEMBERS, 0)) {
            for (int i = 0; i < stops; i++) {
                ring.child(0).stopFor(deltas(STOP_DELTA));
                ring.waitDeltas(REST_DELTA);
            }
            String claim = "64 members in one process, stopped " + stops + " times for 1.5 delta";
            none(context, claim, ring.suspicions().size(), ring.lateWakeUps());
        }
    }

    private static void oneAgent(ProbeContext context) throws IOException, InterruptedException {
        context.tell("one of %d agent processes stopped", AGENTS);
        try (ProcessRing ring = ProcessRing.start(context.children(), RingPace.SHIPPED, AGENTS, 1, 0)) {
            int stopped = AGENTS / 2;
            ring.child(stopped).stopFor(deltas(SHORT_STOP_DELTA));
            ring.waitDeltas(REST_DELTA);
            none(
                    context,
                    "one of " + AGENTS + " agent processes stopped for 0.8 delta",
                    ring.suspicions().size(),
                    ring.lateWakeUps());
            ring.forget();
            long goesOn = ring.child(stopped).stopFor(deltas(STOP_DELTA));
            ring.waitDeltas(REST_DELTA);
            refutation(context, ring, stopped, goesOn);
        }
    }

    /**
     * All others hold the stopped one dead while it is stopped, and alive within δ of its waking; nobody else is
     * touched.
     */
    private static void refutation(ProbeContext context, ProcessRing ring, int stopped, long goesOn) {
        List<Heard> suspicions = ring.suspicions();
        long of =
                suspicions.stream().filter(heard -> heard.subject() == stopped).count();
        long ofOthers = suspicions.size() - of;
        List<Heard> returns = ring.returns().stream()
                .filter(heard -> heard.subject() == stopped)
                .toList();
        long believers = returns.stream().map(Heard::member).distinct().count();
        long known = returns.stream().mapToLong(Heard::nanos).max().orElse(Long.MAX_VALUE);
        double last = ((double) known - goesOn) / RingPace.SHIPPED.suspicionNanos();
        context.judge(
                "A9",
                "one of " + AGENTS + " agent processes stopped for 1.5 delta",
                of == AGENTS - 1 && ofOthers == 0 && believers == AGENTS - 1 && last <= 1,
                "suspected by all, refutes, alive for all <= 1 delta after waking, nobody else suspected",
                "suspected by %d, alive again for %d after %.3f delta, %d others suspected",
                of,
                believers,
                last,
                ofOthers);
    }

    private static void storm(ProbeContext context) throws IOException, InterruptedException {
        int seconds = Math.min(STORM_SECONDS_MOST, context.effort().apartSeconds());
        context.tell("allocation storm of %d MiB/s in 32 MiB for %d s", STORM_MIB, seconds);
        try (ProcessRing ring = ProcessRing.start(context.children(), RingPace.SHIPPED, AGENTS, 1, STORM_MIB)) {
            TimeUnit.SECONDS.sleep(seconds);
            String claim = "one of " + AGENTS + " agent processes makes " + STORM_MIB
                    + " MiB/s of garbage in a heap of 32 MiB, " + seconds + " s";
            none(context, claim, ring.suspicions().size(), ring.lateWakeUps());
        }
    }

    private static long deltas(double deltas) {
        return (long) (deltas * RingPace.SHIPPED.suspicionNanos());
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
