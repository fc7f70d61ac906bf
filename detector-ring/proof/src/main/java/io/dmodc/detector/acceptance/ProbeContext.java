package io.dmodc.detector.acceptance;

import io.dmodc.detector.RingRules;
import io.dmodc.detector.sim.Trial;
import io.dmodc.detector.sim.TrialPlan;
import io.dmodc.detector.sim.TrialReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/** What all probes work with, and where they put their rows. Used by one thread. */
final class ProbeContext implements AutoCloseable {
    private static final long SEED = 20_161_115;

    /** Runs a trial in virtual time. */
    interface Trials {
        TrialReport run(TrialPlan plan, int[] domainOfSlot);
    }

    /** A trial and how long it took on this machine. */
    record TimedTrial(TrialReport report, double seconds) {}

    private final AcceptanceEffort effort;
    private final Consumer<AcceptanceRow> rows;
    private final Consumer<String> progress;
    private final ChildProcesses children = new ChildProcesses();
    private final Map<Integer, List<KillTiming>> killsBySize = new HashMap<>();
    private final Map<List<String>, List<AcceptanceRow>> printed = new HashMap<>();
    private final Map<String, TimedTrial> trials = new HashMap<>();
    private final Trials runner;

    ProbeContext(AcceptanceEffort effort, Consumer<AcceptanceRow> rows, Consumer<String> progress) {
        this(effort, rows, progress, (plan, domains) -> Trial.run(plan, domains, (done, expected) -> {}));
    }

    /** One whose trials in virtual time may be run by another: so it is shown that each bound can be broken. */
    ProbeContext(AcceptanceEffort effort, Consumer<AcceptanceRow> rows, Consumer<String> progress, Trials runner) {
        this.effort = effort;
        this.rows = rows;
        this.progress = progress;
        this.runner = runner;
    }

    AcceptanceEffort effort() {
        return effort;
    }

    ChildProcesses children() {
        return children;
    }

    /** Says what begins now. */
    void tell(String form, Object... values) {
        progress.accept(String.format(Locale.ROOT, form, values));
    }

    void judge(String row, String claim, boolean holds, String bound, String form, Object... values) {
        put(AcceptanceRow.judged(row, claim, String.format(Locale.ROOT, form, values), bound, holds));
    }

    void put(AcceptanceRow row) {
        rows.accept(row);
    }

    RingRules rules(int members) {
        return RingRules.standard(effort.heartbeatNanos(), effort.suspicionNanos(), members);
    }

    double inDelta(double nanos) {
        return nanos / effort.suspicionNanos();
    }

    /** A series of kills in a real ring of this size; the same one whoever asks. */
    List<KillTiming> kills(int members) throws InterruptedException {
        List<KillTiming> known = killsBySize.get(members);
        if (known == null) {
            tell("%d silent kills among %d members", effort.kills(), members);
            known = KillSeries.run(members, effort.kills(), rules(members), SEED + members);
            killsBySize.put(members, known);
        }
        return known;
    }

    /** The rows another program prints; it is run once, whatever number of rows asks. */
    List<AcceptanceRow> printed(Path directory, List<String> command) throws IOException, InterruptedException {
        List<AcceptanceRow> known = printed.get(command);
        if (known == null) {
            tell("%s", String.join(" ", command));
            known = ExternalPrograms.rows(children, directory, command);
            printed.put(command, known);
        }
        return known;
    }

    /** A trial in virtual time; one with the same plan is run once. */
    TimedTrial timedTrial(TrialPlan plan, int[] domainOfSlot) {
        return trials.computeIfAbsent(plan + "/" + Arrays.hashCode(domainOfSlot), any -> {
            long start = System.nanoTime();
            TrialReport report = freshTrial(plan, domainOfSlot);
            return new TimedTrial(report, (System.nanoTime() - start) / 1e9);
        });
    }

    TrialReport trial(TrialPlan plan, int[] domainOfSlot) {
        return timedTrial(plan, domainOfSlot).report();
    }

    TrialReport freshTrial(TrialPlan plan, int[] domainOfSlot) {
        return runner.run(plan, domainOfSlot);
    }

    static double median(LongStream values) {
        long[] sorted = values.sorted().toArray();
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2.0;
    }

    @Override
    public void close() {
        children.close();
    }
}
