package io.dmodc.ctl;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.design.DesignReport;
import io.dmodc.topology.design.Deviation;
import io.dmodc.topology.rates.SlowLinks;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What {@code topology verify} answers; its components are the fields of the JSON form.
 *
 * @param design the shape compared with; of several parts all, each once; empty where none can be guessed
 * @param inferred true if the shape was guessed from the fabric
 * @param asDesigned true if there is no difference
 * @param placedSwitches switches that have a place in the design
 * @param deviationCount all differences
 * @param deviations the first of them
 * @param slowLinks links between switches slower than most of the same two ranks, which are no difference
 * @param problem why no shape can be guessed of a part; left out where there is one
 * @param parts the same of each part, where there are several that were never cabled together; left out else. Figures,
 *     deviations and slow links are those of all then
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
        List<SlowRanks> slowLinks,
        @Nullable String problem,
        @Nullable List<VerifyReport> parts) {

    static VerifyReport of(FabricView view, DesignReport report, int most, SlowLinks slow) {
        return new VerifyReport(
                report.design().toString(),
                report.inferred(),
                report.asDesigned(),
                view.switchCount(),
                report.levels().size(),
                view.linkCount(),
                view.hostCount(),
                report.deviationCount(),
                report.deviations().stream().limit(most).toList(),
                SlowRanks.of(view, slow),
                null,
                null);
    }

    /** Of a part that resembles no design. */
    static VerifyReport unlike(FabricView view, String problem, SlowLinks slow) {
        return new VerifyReport(
                "",
                true,
                false,
                view.switchCount(),
                0,
                view.linkCount(),
                view.nodeCount(),
                0,
                List.of(),
                SlowRanks.of(view, slow),
                problem,
                null);
    }

    static VerifyReport ofParts(List<VerifyReport> parts) {
        return new VerifyReport(
                parts.stream()
                        .map(VerifyReport::design)
                        .filter(design -> !design.isEmpty())
                        .distinct()
                        .collect(Collectors.joining(", ")),
                parts.stream().anyMatch(VerifyReport::inferred),
                parts.stream().allMatch(VerifyReport::asDesigned),
                parts.stream().mapToInt(VerifyReport::switches).sum(),
                parts.stream().mapToInt(VerifyReport::placedSwitches).sum(),
                parts.stream().mapToInt(VerifyReport::cables).sum(),
                parts.stream().mapToInt(VerifyReport::hostPorts).sum(),
                parts.stream().mapToInt(VerifyReport::deviationCount).sum(),
                parts.stream().flatMap(part -> part.deviations.stream()).toList(),
                parts.stream().flatMap(part -> part.slowLinks.stream()).toList(),
                null,
                parts);
    }

    /** A list to walk with: one numbered line a difference. */
    List<String> lines(String source) {
        List<String> lines = new ArrayList<>();
        lines.add(source + ": " + switches + " switches, " + cables + " cables between switches, " + hostPorts
                + " host ports");
        if (parts != null) {
            lines.add(SeparateParts.text(
                    parts.stream().map(VerifyReport::switches).toList()));
            for (int i = 0; i < parts.size(); i++) {
                lines.addAll(parts.get(i).lines("part " + (i + 1)));
            }
            return lines;
        }
        if (problem != null) {
            lines.add("no shape can be guessed (" + problem + "); --design says it");
            slowLinks.forEach(ranks -> lines.addAll(ranks.lines()));
            return lines;
        }
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
