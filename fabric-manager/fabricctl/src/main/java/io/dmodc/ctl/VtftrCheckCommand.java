package io.dmodc.ctl;

import io.dmodc.routing.vtftr.check.TurnCheck;
import io.dmodc.routing.vtftr.check.TurnCheck.Bursts;
import io.dmodc.routing.vtftr.check.TurnCheckReport;
import io.dmodc.routing.vtftr.check.TurnDump;
import io.dmodc.routing.vtftr.check.TurnDumpReader;
import io.dmodc.routing.vtftr.check.ZeroLoadLatency;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fabricctl vtftr check}. */
@Command(
        name = "check",
        description = {
            "Proves tables of the form vtftr 1, whoever wrote them, or prints every property that fails: on every choice"
                    + " among spares packets arrive, without loop or deadlock.",
            "Exit code 0: all hold, 1: some property fails."
        })
final class VtftrCheckCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "F", description = "the tables; - reads standard input")
    private String file = "";

    @Option(
            names = "--bursts",
            paramLabel = "single|none",
            defaultValue = "none",
            description = "also with each live leaf dead that the tables think alive, one at a time (default:"
                    + " ${DEFAULT-VALUE})")
    private Bursts bursts = Bursts.NONE;

    @Option(
            names = "--union",
            paramLabel = "G",
            description = "tables that are in force on some switches meanwhile: no mixture may deadlock; may be given"
                    + " several times")
    private List<String> others = List.of();

    @Option(names = "--strict", description = "tables must also be, entry by entry, those of the rules")
    private boolean strict;

    @Option(
            names = "--format",
            paramLabel = "text|json",
            defaultValue = "text",
            description = "for people or for programs (default: ${DEFAULT-VALUE})")
    private Format format = Format.TEXT;

    @Override
    public Integer call() throws IOException {
        TurnDump dump = read(file);
        List<TurnDump> union = new ArrayList<>();
        for (String other : others) {
            union.add(read(other));
        }
        TurnCheckReport report = TurnCheck.check(dump, union, bursts, strict);
        if (format == Format.JSON) {
            spec.commandLine().getOut().println(Json.print(TurnCheckAnswer.of(file, dump, report)));
        } else {
            print(dump, report);
        }
        return report.valid() ? Main.YES : Main.NO;
    }

    private static TurnDump read(String name) throws IOException {
        if (name.equals("-")) {
            return TurnDumpReader.read("standard input", new InputStreamReader(System.in, StandardCharsets.UTF_8));
        }
        try (Reader text = Files.newBufferedReader(Path.of(name))) {
            return TurnDumpReader.read(name, text);
        } catch (NoSuchFileException e) {
            throw new IOException(name + ": no such file", e);
        }
    }

    private void print(TurnDump dump, TurnCheckReport report) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(file + ": " + dump.rows() + "x" + dump.columns() + " leaves, " + dump.faultCount()
                + " known faults; " + report.burstCases() + " sets of unknown ones gone through");
        report.text().forEach(out::println);
        report.pairsByRoutings()
                .forEach((routings, pairs) -> out.println("pairs of " + routings + " routings: " + pairs + ", "
                        + ZeroLoadLatency.nanos(routings) + " ns without load"));
        out.println("pairs declared to have no route: " + report.declared());
    }
}
