package io.dmodc.detector.peers;

import io.dmodc.detector.peers.TrialPlan.Contender;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the ring, JGroups FD_ALL3 + VERIFY_SUSPECT2 and a Pekko cluster in turns with an equal budget of silence and prints
 * JSON lines.
 *
 * <p>Each trial has a JVM of its own and the machine to itself: ring, FD_ALL3, Pekko, ring, .. Two at a time would take
 * processor time from each other, and the peers take all there is. CONTRIBUTING.md has the command.
 */
public final class PeerBenchmark {
    /** A peer whose members did not stay together is asked again; the ring is not. */
    private static final int PEER_TRIES = 3;

    /** Runs one plan, in this process or in another. */
    interface Runner {
        TrialResult run(TrialPlan plan) throws TrialNotRunException;
    }

    private final PeerOptions options;
    private final Runner runner;
    private final PrintStream out;

    /** The smallest size at which each peer could not be run: larger groups of it are not tried. */
    private final Map<Contender, Integer> tooLarge = new EnumMap<>(Contender.class);

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
        out.println(PeerReport.absent());
    }

    private List<String> compare(int size) {
        List<Tally> tallies = Stream.of(Contender.values())
                .map(contender -> new Tally(contender, size))
                .toList();
        for (int round = 0; round < options.rounds(); round++) {
            for (Tally tally : tallies) {
                tally.run(options.plan(tally.contender, size, round));
            }
        }
        List<PeerOutcome> outcomes = tallies.stream().map(Tally::outcome).toList();
        outcomes.stream()
                .filter(outcome -> outcome.result() == null)
                .forEach(outcome -> tooLarge.merge(outcome.contender(), size, Math::min));
        return PeerReport.lines(
                size, options.timing().forMembers(size), outcomes.get(0), outcomes.subList(1, outcomes.size()));
    }

    /** The rounds of one system at one size. */
    private final class Tally {
        private final Contender contender;
        private final List<TrialResult> results = new ArrayList<>();
        private @Nullable String reason;
        private int failures;

        Tally(Contender contender, int size) {
            this.contender = contender;
            Integer before = contender == Contender.RING ? null : tooLarge.get(contender);
            reason = before == null || before > size
                    ? null
                    : "not tried, as it could not be run with " + before + " members";
        }

        /** Nothing after a round that could not be held: no figures are better than some of them. */
        void run(TrialPlan plan) {
            int tries = contender == Contender.RING ? 1 : PEER_TRIES;
            boolean done = reason != null;
            for (int i = 1; i <= tries && !done; i++) {
                try {
                    results.add(runner.run(plan));
                    done = true;
                } catch (TrialNotRunException e) {
                    failures++;
                    reason = i == tries ? String.valueOf(e.getMessage()) : null;
                }
            }
        }

        PeerOutcome outcome() {
            return reason == null
                    ? new PeerOutcome(contender, TrialResult.merge(results), "", failures)
                    : new PeerOutcome(contender, null, reason, failures);
        }
    }
}
