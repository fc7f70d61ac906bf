package io.dmodc.detector.acceptance;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Rows A2, A13 and A14, which other programs measure: they print JSON lines, and what they print is passed on. */
final class ExternalPrograms {
    private static final int LIMIT_MINUTES = 45;
    private static final String PEERS = "beside JGroups and Pekko, same run";
    private static final String LINKS = "link events at a switch agent";
    private static final String HEADLESS = "agent killed while its links are up";

    private ExternalPrograms() {}

    /** A2: the peer benchmark, which needs Maven and the sources, for no shipped program holds the peers. */
    static void peers(ProbeContext context) throws IOException, InterruptedException {
        Optional<Path> checkout = ProgramPaths.checkout();
        Optional<Path> maven = ProgramPaths.onPath("mvn");
        if (checkout.isEmpty() || maven.isEmpty()) {
            context.put(AcceptanceRow.notRun(
                    "A2", PEERS, checkout.isEmpty() ? "needs a source checkout" : "needs mvn on the path"));
            return;
        }
        String sizes = context.effort().whole() ? "16,64,128" : "16,64";
        run(
                context,
                "A2",
                PEERS,
                checkout.get(),
                List.of(
                        maven.get().toString(),
                        "-q",
                        "-pl",
                        "detector-ring/proof",
                        "-am",
                        "-Dlint.skip",
                        "-Dpeers",
                        "-Dpeers.sizes=" + sizes,
                        "-Dpeers.rounds=1",
                        "process-test-classes"));
    }

    /** A13: port down to manager. */
    static void links(ProbeContext context) throws IOException, InterruptedException {
        trial(context, "A13", LINKS);
    }

    /** A14: agent dead is not switch dead. */
    static void headless(ProbeContext context) throws IOException, InterruptedException {
        trial(context, "A14", HEADLESS);
    }

    private static void trial(ProbeContext context, String row, String claim) throws IOException, InterruptedException {
        Optional<Path> launcher = ProgramPaths.managerLauncher();
        if (launcher.isEmpty()) {
            context.put(AcceptanceRow.notRun(row, claim, "no bin/fabric-manager beside this program"));
            return;
        }
        run(
                context,
                row,
                claim,
                Path.of("").toAbsolutePath(),
                List.of(launcher.get().toString(), "trial"));
    }

    private static void run(ProbeContext context, String row, String claim, Path directory, List<String> command)
            throws IOException, InterruptedException {
        List<AcceptanceRow> rows = context.printed(directory, command).stream()
                .filter(printed -> printed.row().equals(row))
                .toList();
        if (rows.isEmpty()) {
            throw new IllegalStateException(claim + ": '" + String.join(" ", command) + "' printed no row " + row);
        }
        rows.forEach(context::put);
    }

    /** Runs a program to its end and returns the rows among the lines it printed. */
    static List<AcceptanceRow> rows(ChildProcesses children, Path directory, List<String> command)
            throws IOException, InterruptedException {
        Process process = children.program(directory, command);
        process.onExit()
                .completeOnTimeout(process, LIMIT_MINUTES, TimeUnit.MINUTES)
                .thenAccept(ChildProcesses::end);
        List<AcceptanceRow> rows = new ArrayList<>();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                AcceptanceRow.parse(line).ifPresent(rows::add);
            }
        }
        process.waitFor();
        return rows;
    }
}
