package io.dmodc.ctl;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.design.DesignReport;
import io.dmodc.topology.design.Deviation;
import io.dmodc.topology.rates.SlowLinks;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code topology verify} answers; its components are the fields of the JSON form.
 *
 * @param design the shape compared with
 * @param inferred true if the shape was guessed from the fabric
 * @param asDesigned true if there is no difference
 * @param placedSwitches switches that have a place in the design
 * @param deviationCount all differences
 * @param deviations the first of them
 * @param slowLinks links between switches slower than most of the same two ranks, which are no difference
 */
record VerifyReport(
        String design,
        boolean inferred,
        boolean asDesigned,
        int switches,
        int placedSwitches,
        int cables,
        int hostPorts,
        int deviationCount,
        List<Deviation> deviations,
        List<SlowRanks> slowLinks) {

    static VerifyReport of(FabricView view, DesignReport report, int most, SlowLinks slow) {
        return new VerifyReport(
                report.design().toString(),
                report.inferred(),
                report.asDesigned(),
                view.switchCount(),
                report.levels().size(),
                view.linkCount(),
                view.nodeCount(),
                report.deviationCount(),
                report.deviations().stream().limit(most).toList(),
                SlowRanks.of(view, slow));
    }

    /** A list to walk with: one numbered line a difference. */
    List<String> lines(String source) {
        List<String> lines = new ArrayList<>();
        lines.add(source + ": " + switches + " switches, " + cables + " cables between switches, " + hostPorts
                + " host ports");
        lines.add("design: PGFT " + design + (inferred ? " (guessed from the fabric; --design says it for sure)" : ""));
        lines.add(
                asDesigned ? "as designed" : deviationCount + (deviationCount == 1 ? " difference:" : " differences:"));
        int width = Integer.toString(deviations.size()).length();
        for (int i = 0; i < deviations.size(); i++) {
            lines.add(
                    ("  %" + width + "d. %s").formatted(i + 1, deviations.get(i).text()));
        }
        if (deviationCount > deviations.size()) {
            lines.add("  and " + (deviationCount - deviations.size()) + " more");
        }
        slowLinks.forEach(ranks -> lines.addAll(ranks.lines()));
        return lines;
    }
}
