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
    static void cpu(Workbench bench) throws IOException, InterruptedException {
        double cores = bench.quiet().cores();
        bench.judge(
                "A4",
                "processor time of 64 members in one process",
                cores <= CORES,
                "<= 0.10 core",
                "%.3f core over %d s",
                cores,
                bench.effort().calmSeconds());
    }

    /** A9, one line after the other. */
    static void run(Workbench bench) throws IOException, InterruptedException {
        calm(bench, "in quiet", bench.quiet());
        calm(bench, "beside 4 busy loops at equal priority", CalmRun.measure(bench, BUSY_LOOPS));
        wholeProcess(bench);
        oneAgent(bench);
        storm(bench);
    }

    private static void calm(Workbench bench, String how, CalmRun run) {
        none(bench, "64 members, " + bench.effort().calmSeconds() + " s " + how, run.suspicions(), run.lateWakeUps());
    }

    private static void none(Workbench bench, String claim, int suspicions, long late) {
        bench.judge("A9", claim, suspicions == 0, NONE, "%d suspicions, %d late wake-ups", suspicions, late);
    }

    private static void wholeProcess(Workbench bench) throws IOException, InterruptedException {
        int stops = bench.effort().stops();
        bench.tell("%d stops of a whole ring", stops);
        try (ProcessRing ring = ProcessRing.start(bench.children(), bench.effort(), 1, CalmRun.MEMBERS, 0)) {
            for (int i = 0; i < stops; i++) {
                ring.child(0).stopFor(deltas(bench, STOP_DELTA));
                ring.waitDeltas(REST_DELTA);
            }
            String claim = "64 members in one process, stopped " + stops + " times for 1.5 delta";
            none(bench, claim, ring.suspicions().size(), ring.lateWakeUps());
        }
    }

    private static void oneAgent(Workbench bench) throws IOException, InterruptedException {
        bench.tell("one of %d agent processes stopped", AGENTS);
        try (ProcessRing ring = ProcessRing.start(bench.children(), bench.effort(), AGENTS, 1, 0)) {
            int stopped = AGENTS / 2;
            ring.child(stopped).stopFor(deltas(bench, SHORT_STOP_DELTA));
            ring.waitDeltas(REST_DELTA);
            none(
                    bench,
                    "one of " + AGENTS + " agent processes stopped for 0.8 delta",
                    ring.suspicions().size(),
                    ring.lateWakeUps());
            ring.forget();
            long goesOn = ring.child(stopped).stopFor(deltas(bench, STOP_DELTA));
            ring.waitDeltas(REST_DELTA);
            refutation(bench, ring, stopped, goesOn);
        }
    }

    /** All others hold the stopped one dead while it is stopped, and alive within δ of its waking; nobody else is touched. */
    private static void refutation(Workbench bench, ProcessRing ring, int stopped, long goesOn) {
        List<Heard> suspicions = ring.suspicions();
        long of =
                suspicions.stream().filter(heard -> heard.subject() == stopped).count();
        long ofOthers = suspicions.size() - of;
        List<Heard> returns = ring.returns().stream()
                .filter(heard -> heard.subject() == stopped)
                .toList();
        long believers = returns.stream().map(Heard::member).distinct().count();
        double last =
                bench.inDelta(returns.stream().mapToLong(Heard::nanos).max().orElse(Long.MAX_VALUE) - (double) goesOn);
        bench.judge(
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

    private static void storm(Workbench bench) throws IOException, InterruptedException {
        int seconds = Math.max(1, bench.effort().calmSeconds() / 3);
        bench.tell("allocation storm of %d MiB/s in 32 MiB for %d s", STORM_MIB, seconds);
        try (ProcessRing ring = ProcessRing.start(bench.children(), bench.effort(), AGENTS, 1, STORM_MIB)) {
            TimeUnit.SECONDS.sleep(seconds);
            String claim = "one of " + AGENTS + " agent processes makes " + STORM_MIB
                    + " MiB/s of garbage in a heap of 32 MiB, " + seconds + " s";
            none(bench, claim, ring.suspicions().size(), ring.lateWakeUps());
        }
    }

    private static long deltas(Workbench bench, double deltas) {
        return (long) (deltas * bench.effort().suspicionNanos());
    }
}
