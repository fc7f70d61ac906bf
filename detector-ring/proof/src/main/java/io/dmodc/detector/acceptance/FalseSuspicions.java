package io.dmodc.detector.acceptance;

import io.dmodc.detector.acceptance.RingChild.Heard;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Rows A4 and A9: what calm costs, and that only those are suspected that cannot be heard. */
final class FalseSuspicions {
    private static final double CORES = 0.10;
    private static final int BUSY_LOOPS = 4;
    private static final double STOP_DELTA = 1.5;
    private static final double SHORT_STOP_DELTA = 0.8;
    private static final double REST_DELTA = 3;
    private static final int AGENTS = 8;
    private static final int STORM_MIB = 200;
    private static final String NONE = "0 suspicions";

    private FalseSuspicions() {}

    /** A4: processor time of 64 members. */
    static void cpu(ProbeContext context) throws IOException, InterruptedException {
        double cores = context.quiet().cores();
        context.judge(
                "A4",
                "processor time of 64 members in one process",
                cores <= CORES,
                "<= 0.10 core",
                "%.3f core over %d s",
                cores,
                context.effort().calmSeconds());
    }

    /** A9, one line after the other. */
    static void run(ProbeContext context) throws IOException, InterruptedException {
        calm(context, "in quiet", context.quiet());
        calm(context, "beside 4 busy loops at equal priority", CalmRun.measure(context, BUSY_LOOPS));
        wholeProcess(context);
        oneAgent(context);
        storm(context);
    }

    private static void calm(ProbeContext context, String how, CalmRun run) {
        none(
                context,
                "64 members, " + context.effort().calmSeconds() + " s " + how,
                run.suspicions(),
                run.lateWakeUps());
    }

    private static void none(ProbeContext context, String claim, int suspicions, long late) {
        context.judge("A9", claim, suspicions == 0, NONE, "%d suspicions, %d late wake-ups", suspicions, late);
    }

    private static void wholeProcess(ProbeContext context) throws IOException, InterruptedException {
        int stops = context.effort().stops();
        context.tell("%d stops of a whole ring", stops);
        try (ProcessRing ring = ProcessRing.start(context.children(), context.effort(), 1, CalmRun.MEMBERS, 0)) {
            for (int i = 0; i < stops; i++) {
                ring.child(0).stopFor(deltas(context, STOP_DELTA));
                ring.waitDeltas(REST_DELTA);
            }
            String claim = "64 members in one process, stopped " + stops + " times for 1.5 delta";
            none(context, claim, ring.suspicions().size(), ring.lateWakeUps());
        }
    }

    private static void oneAgent(ProbeContext context) throws IOException, InterruptedException {
        context.tell("one of %d agent processes stopped", AGENTS);
        try (ProcessRing ring = ProcessRing.start(context.children(), context.effort(), AGENTS, 1, 0)) {
            int stopped = AGENTS / 2;
            ring.child(stopped).stopFor(deltas(context, SHORT_STOP_DELTA));
            ring.waitDeltas(REST_DELTA);
            none(
                    context,
                    "one of " + AGENTS + " agent processes stopped for 0.8 delta",
                    ring.suspicions().size(),
                    ring.lateWakeUps());
            ring.forget();
            long goesOn = ring.child(stopped).stopFor(deltas(context, STOP_DELTA));
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
        double last = context.inDelta(
                returns.stream().mapToLong(Heard::nanos).max().orElse(Long.MAX_VALUE) - (double) goesOn);
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
        int seconds = Math.max(1, context.effort().calmSeconds() / 3);
        context.tell("allocation storm of %d MiB/s in 32 MiB for %d s", STORM_MIB, seconds);
        try (ProcessRing ring = ProcessRing.start(context.children(), context.effort(), AGENTS, 1, STORM_MIB)) {
            TimeUnit.SECONDS.sleep(seconds);
            String claim = "one of " + AGENTS + " agent processes makes " + STORM_MIB
                    + " MiB/s of garbage in a heap of 32 MiB, " + seconds + " s";
            none(context, claim, ring.suspicions().size(), ring.lateWakeUps());
        }
    }

    private static long deltas(ProbeContext context, double deltas) {
        return (long) (deltas * context.effort().suspicionNanos());
    }
}
