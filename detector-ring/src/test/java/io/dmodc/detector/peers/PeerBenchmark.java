package io.dmodc.detector.peers;

import io.dmodc.detector.peers.TrialPlan.Contender;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Runs the ring and JGroups FD_ALL3 + VERIFY_SUSPECT2 in turns with an equal budget of silence and prints JSON lines.
 *
 * <p>Each trial has a JVM of its own and the machine to itself: ring, peer, ring, peer, .. Two at a time would take
 * processor time from each other, and FD_ALL3 takes all there is. CONTRIBUTING.md has the command.
 */
public final class PeerBenchmark {
    /** Runs one plan, in this process or in another. */
    interface Runner {
        TrialResult run(TrialPlan plan) throws NotRun;
    }

    private final PeerOptions options;
    private final Runner runner;
    private final PrintStream out;

    PeerBenchmark(PeerOptions options, Runner runner, PrintStream out) {
        this.options = options;
        this.runner = runner;
        this.out = out;
    }

    @SuppressWarnings("SystemOut")
    public static void main(String[] args) {
        PeerOptions options;
        try {
            options = PeerOptions.parse(args);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        new PeerBenchmark(options, TrialProcess::run, System.out).run();
    }

    void run() {
        out.println(PeerReport.machine(options));
        for (int size : options.sizes()) {
            compare(size).forEach(out::println);
        }
    }

    private List<String> compare(int size) {
        Map<Contender, List<TrialResult>> trials = new EnumMap<>(Contender.class);
        Map<Contender, String> notRun = new EnumMap<>(Contender.class);
        for (int round = 0; round < options.rounds(); round++) {
            for (Contender contender : Contender.values()) {
                if (!notRun.containsKey(contender)) {
                    runOne(options.plan(contender, size, round), trials, notRun);
                }
            }
        }
        return PeerReport.lines(
                size,
                options.pace(),
                outcome(Contender.RING, trials, notRun),
                outcome(Contender.FD_ALL3, trials, notRun));
    }

    /** A system that failed one round is not asked again: its figures would be those of its better moments. */
    private void runOne(TrialPlan plan, Map<Contender, List<TrialResult>> trials, Map<Contender, String> notRun) {
        try {
            trials.computeIfAbsent(plan.contender(), s -> new ArrayList<>()).add(runner.run(plan));
        } catch (NotRun e) {
            notRun.put(plan.contender(), String.valueOf(e.getMessage()));
        }
    }

    private static Outcome outcome(
            Contender contender, Map<Contender, List<TrialResult>> trials, Map<Contender, String> notRun) {
        String reason = notRun.get(contender);
        return reason == null
                ? new Outcome(contender, TrialResult.merge(trials.getOrDefault(contender, List.of())), "")
                : new Outcome(contender, null, reason);
    }
}
