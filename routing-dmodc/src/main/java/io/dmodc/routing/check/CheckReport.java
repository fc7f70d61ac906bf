package io.dmodc.routing.check;

import io.dmodc.routing.UpperPairs;
import io.dmodc.routing.check.CutOffSearch.Cut;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What the check found.
 *
 * @param epoch of the view the tables were checked against
 * @param failures properties that do not hold, in the order of {@link TableProperty}; empty when all hold
 * @param deadLeaves switch indices of leaves that are down, ascending
 * @param cutOffLeaves a small set of live leaves, ascending, that every unreachable pair has a member of. No failure:
 *     tables cannot route where no legal path exists
 * @param unreachableLeafPairs ordered pairs of live leaves without a legal path
 * @param upperPairs the same of pairs with a switch above the leaves that has hosts: no failure either
 * @param surplusEntries entries where no legal path exists
 * @param entries entries of live switches that were looked at
 * @param pairs (switch with hosts, destination) pairs with a legal path whose delivery was proved or refuted
 */
public record CheckReport(
        long epoch,
        List<Failure> failures,
        List<Integer> deadLeaves,
        List<Integer> cutOffLeaves,
        long unreachableLeafPairs,
        UpperPairs upperPairs,
        long surplusEntries,
        long entries,
        long pairs) {

    /** Most examples a failure keeps. */
    public static final int EXAMPLES_MAX = 10;

    public CheckReport {
        failures = List.copyOf(failures);
        deadLeaves = List.copyOf(deadLeaves);
        cutOffLeaves = List.copyOf(cutOffLeaves);
    }

    /**
     * A property that does not hold.
     *
     * @param count how often: entries; pairs; loops, and switches that turn, per destination; separate tangles of
     *     channels
     * @param examples the first {@link #EXAMPLES_MAX} of them, as text
     */
    public record Failure(TableProperty property, long count, List<String> examples) {
        public Failure {
            examples = List.copyOf(examples);
        }
    }

    /** True if every property holds. Pairs without a legal path do not make tables invalid. */
    public boolean valid() {
        return failures.isEmpty();
    }

    /** The report as text: a verdict, every failure with its examples, and the cut-off leaves by name. */
    public List<String> lines(FabricView view) {
        List<String> lines = new ArrayList<>();
        lines.add((valid() ? "valid" : "INVALID") + ": epoch " + epoch + ", " + entries + " entries, " + pairs
                + " pairs with a legal path");
        for (Failure failure : failures) {
            lines.add(failure.property + " (" + failure.property.claim() + ") fails " + failure.count + " times:");
            failure.examples.forEach(example -> lines.add("  " + example));
        }
        if (surplusEntries > 0) {
            lines.add(surplusEntries + " entries where no legal path exists");
        }
        if (!deadLeaves.isEmpty()) {
            lines.add("dead leaves: " + names(view, deadLeaves));
        }
        if (!cutOffLeaves.isEmpty()) {
            lines.add("cut-off leaves: " + names(view, cutOffLeaves) + " (" + unreachableLeafPairs
                    + " ordered leaf pairs have no legal path)");
        }
        if (!upperPairs.isEmpty()) {
            lines.add(upperPairs.text(s -> FindingText.name(view, s)));
        }
        return lines;
    }

    private static String names(FabricView view, List<Integer> switches) {
        return switches.stream().map(s -> FindingText.name(view, s)).collect(Collectors.joining(", "));
    }

    static CheckReport of(FabricView view, List<Failure> failures, Cut cut, Findings findings, long entries) {
        return new CheckReport(
                view.epoch(),
                failures,
                cut.deadLeaves(),
                cut.cover(),
                cut.pairs(),
                cut.upper(),
                findings.surplusEntries,
                entries,
                findings.pairs);
    }
}
