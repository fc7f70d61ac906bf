package io.dmodc.ctl.report;

import io.dmodc.topology.Guid;
import io.dmodc.topology.design.DesignReport;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What {@code report --format json} answers; its components are the fields.
 *
 * @param verdict the worst of the verdicts: none, good, attention or bad
 * @param verdicts the cards of the page
 * @param parts one, or several that were never cabled together
 */
public record ReportAnswer(String fabric, String verdict, List<Card> verdicts, List<Part> parts) {
    private static final int DIFFERENCES_MAX = 100;

    /** One verdict about the whole, in plain words. */
    public record Card(String about, String verdict, String title, String text) {}

    /** A switch by its GUID and name. */
    public record Named(String guid, String name) {}

    /**
     * One part by itself.
     *
     * @param verdict bad if leaves are cut off or there are no tables, attention if anything differs from its shape or pairs
     *     above the leaves have no path, none if it has no shape, good else
     * @param design empty if none was given and none can be guessed
     * @param problem why there is none
     * @param differences the first of them
     * @param shiftsMean with tables of dmodc, of the hosts of this part alone: worst port, mean over shifts
     */
    public record Part(
            String verdict,
            int switches,
            int leaves,
            int hostPorts,
            int cables,
            String design,
            boolean inferred,
            @Nullable String problem,
            boolean asDesigned,
            int deviationCount,
            List<String> differences,
            List<Named> cutOffLeaves,
            long unreachableLeafPairs,
            long unreachableUpperPairs,
            @Nullable String unroutable,
            @Nullable Integer allToAll,
            @Nullable Integer permutations,
            @Nullable Integer shiftsMax,
            @Nullable Double shiftsMean) {}

    /** All that the page says in its cards, and of each part. */
    public static ReportAnswer of(ReportAnalysis study) {
        List<Verdict> verdicts = Verdict.of(study);
        return new ReportAnswer(
                study.input.name(),
                word(Verdict.worst(verdicts)),
                verdicts.stream()
                        .map(card -> new Card(card.anchor(), word(card.mark()), card.title(), card.text()))
                        .toList(),
                study.parts.stream().map(part -> part(study, part)).toList());
    }

    private static Part part(ReportAnalysis study, PartFinding part) {
        DesignReport report = part.design().report();
        Congestion measured =
                part.congestion() == null && study.parts.size() == 1 ? study.ourCongestion : part.congestion();
        Congestion.Figures figures = measured == null ? null : measured.whole();
        return new Part(
                word(mark(part)),
                part.view().switchCount(),
                part.view().leafCount(),
                part.view().hostCount(),
                part.view().linkCount(),
                report == null ? "" : report.design().toString(),
                report == null || report.inferred(),
                report == null ? part.design().why() : null,
                part.asDesigned(),
                part.deviationCount(),
                report == null
                        ? List.of()
                        : report.deviations().stream()
                                .limit(DIFFERENCES_MAX)
                                .map(deviation -> deviation.text())
                                .toList(),
                part.cutOffLeaves().stream()
                        .map(s -> new Named(
                                Guid.format(part.view().switchGuid(s)),
                                part.view().switchName(s)))
                        .toList(),
                part.unreachableLeafPairs(),
                part.upperPairs().count(),
                part.unroutable().isEmpty() ? null : part.unroutable(),
                figures == null ? null : figures.allToAll(),
                figures == null ? null : figures.permutations(),
                figures == null ? null : figures.shiftsMax(),
                figures == null ? null : figures.shiftsMean());
    }

    private static Verdict.Mark mark(PartFinding part) {
        if (!part.unroutable().isEmpty() || !part.cutOffLeaves().isEmpty()) {
            return Verdict.Mark.BAD;
        }
        if (part.deviationCount() > 0 || !part.upperPairs().isEmpty()) {
            return Verdict.Mark.ATTENTION;
        }
        return part.asDesigned() ? Verdict.Mark.GOOD : Verdict.Mark.NONE;
    }

    private static String word(Verdict.Mark mark) {
        return mark.name().toLowerCase(Locale.ROOT);
    }
}
