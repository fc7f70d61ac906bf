package io.dmodc.ctl.study;

import io.dmodc.ctl.study.StudyFigure.Curve;
import io.dmodc.routing.cycles.LoadResult;
import io.dmodc.routing.cycles.RunResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a study leaves behind: a CSV and an SVG for each figure, for the table of probabilities, and for damage. */
public final class StudyFiles {
    private StudyFiles() {}

    /** Contents by file name. */
    public static Map<String, String> of(VtftrStudy.Answer answer) {
        Map<String, String> files = new LinkedHashMap<>();
        for (StudyFigure figure : answer.figures()) {
            files.put(figure.fileName() + ".csv", csv(figure));
            files.put(figure.fileName() + ".svg", FigurePlot.draw(figure));
        }
        List<CoverageTable.Row> coverage = CoverageTable.rows();
        files.put("coverage-16x16.csv", csv(coverage));
        files.put("coverage-16x16.svg", FigurePlot.draw(coverage));
        return files;
    }

    /** Contents by file name. */
    public static Map<String, String> of(DamageStudy.Answer answer) {
        Map<String, String> files = new LinkedHashMap<>();
        files.put("damage.csv", csv(answer));
        files.put("damage.svg", DamagePlot.draw(answer));
        return files;
    }

    /** A line for each engine and fabric; no figures where there are no tables. */
    private static String csv(DamageStudy.Answer answer) {
        StringBuilder out = new StringBuilder("engine,percent,lost,seed,a2a,rp_median,sp_max,sp_mean,unrouted_pairs\n");
        for (DamageStudy.Row row : answer.rows()) {
            DamageStudy.Risk risk = row.risk();
            out.append(String.format(Locale.ROOT, "%s,%d,%d,%d,", row.engine(), row.percent(), row.lost(), row.seed()));
            out.append(
                    risk == null
                            ? ",,,,\n"
                            : String.format(
                                    Locale.ROOT,
                                    "%d,%d,%d,%.4f,%d\n",
                                    risk.allToAll(),
                                    risk.permutations(),
                                    risk.shiftsMax(),
                                    risk.shiftsMean(),
                                    risk.unrouted()));
        }
        return out.toString();
    }

    /** A line for each run. */
    private static String csv(StudyFigure figure) {
        StringBuilder out = new StringBuilder(
                "scenario,faults,fault_tolerant_vcs,load,seed,accepted,accepted_min,latency_mean,latency_median,latency_p99,"
                        + "delivered,dropped,warm_up,cycles\n");
        for (Curve curve : figure.curves()) {
            for (LoadResult load : curve.loads()) {
                for (RunResult run : load.runs()) {
                    out.append(String.format(
                            Locale.ROOT,
                            "\"%s\",%d,%d,%.2f,%d,%.6f,%.6f,%.3f,%d,%d,%d,%d,%d,%d\n",
                            curve.scenario().name(),
                            curve.scenario().faults(),
                            curve.scenario().faultTolerantVcs(),
                            run.load(),
                            run.seed(),
                            run.accepted(),
                            run.acceptedMin(),
                            run.meanLatency(),
                            run.medianLatency(),
                            run.p99Latency(),
                            run.delivered(),
                            run.dropped(),
                            figure.warmUp(),
                            figure.measured()));
                }
            }
        }
        return out.toString();
    }

    private static String csv(List<CoverageTable.Row> rows) {
        StringBuilder out = new StringBuilder("dead_leaves,exact,paper\n");
        rows.forEach(row ->
                out.append(String.format(Locale.ROOT, "%d,%.9e,%.9e\n", row.faults(), row.exact(), row.paper())));
        return out.toString();
    }
}
