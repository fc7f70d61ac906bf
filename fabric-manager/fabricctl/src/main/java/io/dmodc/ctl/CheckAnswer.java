package io.dmodc.ctl;

import io.dmodc.routing.check.CheckReport;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a check found; the JSON of {@code check --format json}.
 *
 * @param entries looked at
 * @param pairs of leaves, or of a leaf and a switch, that have a legal path
 * @param failures properties that do not hold; none if valid
 * @param surplusEntries entries where no legal path exists
 * @param deadLeaves leaves that are down
 * @param cutOffLeaves live leaves that every pair without a legal path has a member of
 * @param unreachableLeafPairs ordered pairs of live leaves without a legal path
 * @param upperPairs the same of pairs with a switch above the leaves that has hosts; left out where there are none
 * @param switchTables the same for the tables towards switches, if asked for; {@code valid} counts it, too
 */
record CheckAnswer(
        boolean valid,
        long entries,
        long pairs,
        List<Failure> failures,
        long surplusEntries,
        List<Leaf> deadLeaves,
        List<Leaf> cutOffLeaves,
        long unreachableLeafPairs,
        @Nullable UpperPairsAnswer upperPairs,
        @Nullable CheckAnswer switchTables) {

    /** @param examples the first ten */
    record Failure(String property, String claim, long count, List<String> examples) {}

    record Leaf(String guid, String name) {}

    static CheckAnswer of(FabricView view, CheckReport report, @Nullable CheckReport towardsSwitches) {
        CheckAnswer switches = towardsSwitches == null ? null : of(view, towardsSwitches, null);
        return new CheckAnswer(
                report.valid() && (switches == null || switches.valid),
                report.entries(),
                report.pairs(),
                report.failures().stream()
                        .map(each -> new Failure(
                                each.property().toString(), each.property().claim(), each.count(), each.examples()))
                        .toList(),
                report.surplusEntries(),
                leaves(view, report.deadLeaves()),
                leaves(view, report.cutOffLeaves()),
                report.unreachableLeafPairs(),
                UpperPairsAnswer.of(view, report.upperPairs()),
                switches);
    }

    private static List<Leaf> leaves(FabricView view, List<Integer> switches) {
        return switches.stream()
                .map(s -> new Leaf(Guid.format(view.switchGuid(s)), view.switchName(s)))
                .toList();
    }
}
