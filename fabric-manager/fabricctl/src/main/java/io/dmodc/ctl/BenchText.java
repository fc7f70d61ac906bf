package io.dmodc.ctl;

import io.dmodc.ctl.client.TextTable;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A {@link BenchReport} for people: the full reroute, where its time goes, and a line a kind of fault. */
final class BenchText {
    private static final String NONE = "–";

    private final BenchReport report;
    private final PrintWriter out;

    BenchText(BenchReport report, PrintWriter out) {
        this.report = report;
        this.out = out;
    }

    void print() {
        line(
                "%s: %,d nodes, %,d switches, %,d links; %s on %d threads, medians of %d rounds",
                report.fabric(),
                report.nodes(),
                report.switches(),
                report.links(),
                report.engine(),
                report.threads(),
                report.rounds());
        line("");
        full();
        if (!report.faults().isEmpty()) {
            line("");
            faults();
        }
        if (report.degraded() != null) {
            line("");
            degraded(report.degraded());
        }
        line("");
        line(
                "memory: tables %s as bytes, %s kept by the rerouter, at most %s of heap in use",
                bytes(report.tableBytes()), bytes(report.extraBytes()), bytes(report.peakHeapBytes()));
    }

    private void full() {
        TextTable table = new TextTable("full reroute", "time", "x memory floor");
        table.row("first of this process", millis(report.coldMs()), "–");
        if (report.fullMedianMs() != null) {
            table.row("everything, rows written out", millis(report.fullMedianMs()), times(report.ratio()));
        }
        table.row("routes, as runs", millis(report.routesMedianMs()), "–");
        table.row("  costs and dividers", millis(report.phases().costsMs()), "–");
        table.row("  rows as runs", millis(report.phases().rowsMs()), "–");
        if (report.fullMedianMs() != null) {
            table.row("distinct rows as bytes", millis(report.phases().bytesMs()), "–");
            table.row(
                    "all rows as bytes",
                    millis(report.phases().unsharedBytesMs()),
                    times(report.phases().unsharedRatio()));
            table.row("filling as much memory (the floor)", millis(report.floorMedianMs()), times(1.0));
        }
        table.print(out);
        line("%,d rows are distinct", report.phases().distinctRows());
    }

    private void faults() {
        TextTable table = new TextTable(
                "one fault", "count", "median", "p99", "delta", "heal", "view", "check", "tables", "blocks");
        for (Map.Entry<String, BenchReport.Fault> kind : report.faults().entrySet()) {
            row(table, words(kind.getKey()), kind.getValue());
        }
        table.print(out);
    }

    private static void row(TextTable table, String kind, BenchReport.Fault fault) {
        table.row(
                kind,
                fault.count(),
                millis(fault.medianMs()),
                millis(fault.p99Ms()),
                millis(fault.deltaMs()),
                millis(fault.healMedianMs()),
                millis(fault.viewMs()),
                millis(fault.checkMs()),
                fault.rows(),
                fault.blocks());
    }

    private void degraded(BenchReport.Degraded lost) {
        line(
                "with %,d switches and %,d links lost: full reroute %s as runs (%,d rounds), %s kept",
                lost.lostSwitches(),
                lost.lostLinks(),
                millis(lost.fullMedianMs()),
                lost.rounds(),
                bytes(lost.extraBytes()));
        if (lost.floorMedianMs() != null) {
            line(
                    "%s of the floor of %s; distinct rows as bytes %s, with these %s of the floor",
                    times(lost.ratio()),
                    millis(lost.floorMedianMs()),
                    millis(lost.bytesMs()),
                    times(lost.bytesRatio()));
        }
        BenchReport.Fault fault = lost.linkFault();
        if (fault != null) {
            line("one more lost link: median %s, p99 %s", millis(fault.medianMs()), millis(fault.p99Ms()));
        }
    }

    /** {@code leafUplink} as "leaf uplink". */
    private static String words(String kind) {
        return kind.replaceAll("([a-z])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT);
    }

    private static String millis(@Nullable Double millis) {
        return millis == null
                ? NONE
                : String.format(Locale.ROOT, millis < 1 ? "%.3f ms" : millis < 100 ? "%.2f ms" : "%.0f ms", millis);
    }

    private static String times(@Nullable Double ratio) {
        return ratio == null ? NONE : String.format(Locale.ROOT, "%.2f", ratio);
    }

    private static String bytes(long bytes) {
        return bytes < 1 << 20
                ? String.format(Locale.ROOT, "%.1f KiB", bytes / 1024.0)
                : String.format(Locale.ROOT, "%,.1f MiB", bytes / 1048576.0);
    }

    private void line(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
    }
}
