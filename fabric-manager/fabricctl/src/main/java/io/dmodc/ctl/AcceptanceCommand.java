package io.dmodc.ctl;

import io.dmodc.detector.acceptance.Acceptance;
import io.dmodc.detector.acceptance.AcceptanceEffort;
import io.dmodc.detector.acceptance.AcceptanceRow;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fabricctl detector acceptance}. */
@Command(
        name = "acceptance",
        description = {
            "Proves on this machine what the detector promises: a line for each claim with what came out, the bound and"
                    + " the verdict. Exit code 0 if none fails.",
            "Takes some minutes, and needs the machine for itself: times are measured."
        })
final class AcceptanceCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--rows",
            split = ",",
            paramLabel = "ROW",
            description = "only these, as A1,A9 (default: A1 to A15)")
    private List<String> rows = List.of();

    @Option(names = "--full", description = "every size and length the table names; takes much longer")
    private boolean full;

    @Option(
            names = "--format",
            defaultValue = "text",
            paramLabel = "text|json",
            description = "json prints one object a line (default: ${DEFAULT-VALUE})")
    private Format format = Format.TEXT;

    @Override
    public Integer call() throws InterruptedException {
        List<String> wanted = wanted();
        PrintWriter out = spec.commandLine().getOut();
        boolean holds = Acceptance.run(
                wanted,
                full ? AcceptanceEffort.full() : AcceptanceEffort.standard(),
                row -> print(out, row),
                this::tell);
        return holds ? Main.YES : Main.NO;
    }

    private List<String> wanted() {
        List<String> known = Acceptance.rows();
        List<String> wanted =
                rows.stream().map(row -> row.strip().toUpperCase(Locale.ROOT)).toList();
        wanted.stream().filter(row -> !known.contains(row)).findFirst().ifPresent(row -> {
            throw new IllegalArgumentException("--rows '" + row + "'; expected some of " + String.join(",", known));
        });
        return wanted.isEmpty() ? known : wanted;
    }

    private void print(PrintWriter out, AcceptanceRow row) {
        if (format == Format.JSON) {
            out.println(row.toJson());
        } else {
            out.printf(Locale.ROOT, "%-4s %-7s %s%n", row.row(), row.verdict(), row.claim());
            out.printf(Locale.ROOT, "             %s%n", row.figure());
            if (!row.bound().isEmpty()) {
                out.printf(Locale.ROOT, "             bound: %s%n", row.bound());
            }
        }
        out.flush();
    }

    /** To standard error: the table alone is on standard output. */
    private void tell(String what) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("acceptance: " + what + " …");
        err.flush();
    }
}
