package io.dmodc.ctl;

import io.dmodc.routing.vtftr.check.TurnCheckReport;
import io.dmodc.routing.vtftr.check.TurnDump;
import io.dmodc.routing.vtftr.check.ZeroLoadLatency;
import java.util.List;

/**
 * What was proven of tables of VTFTR; the JSON of {@code vtftr check --format json}.
 *
 * @param tables the file they came from
 * @param faults known dead leaves
 * @param bursts sets of unknown dead leaves that were gone through, the empty one too
 * @param properties all that were checked, in their order
 * @param pairsByRoutings ordered pairs of live leaves, while nothing died unknown
 * @param declared ordered pairs of live leaves without a route
 */
record TurnCheckAnswer(
        String tables,
        boolean valid,
        int rows,
        int columns,
        int faults,
        int bursts,
        List<Property> properties,
        List<Routings> pairsByRoutings,
        int declared) {

    /** @param examples the first few failures */
    record Property(String property, String claim, boolean holds, int failures, List<String> examples) {}

    /** @param nanos what a packet takes that meets nobody */
    record Routings(int routings, int pairs, int nanos) {}

    static TurnCheckAnswer of(String tables, TurnDump dump, TurnCheckReport report) {
        return new TurnCheckAnswer(
                tables,
                report.valid(),
                dump.rows(),
                dump.columns(),
                dump.faultCount(),
                report.burstCases(),
                report.findings().stream().map(TurnCheckAnswer::property).toList(),
                report.pairsByRoutings().entrySet().stream()
                        .map(entry ->
                                new Routings(entry.getKey(), entry.getValue(), ZeroLoadLatency.nanos(entry.getKey())))
                        .toList(),
                report.declared());
    }

    private static Property property(TurnCheckReport.Finding finding) {
        String text = finding.property().text();
        int end = text.indexOf(' ');
        return new Property(
                text.substring(0, end),
                text.substring(end + 1),
                finding.failures() == 0,
                finding.failures(),
                finding.examples());
    }
}
