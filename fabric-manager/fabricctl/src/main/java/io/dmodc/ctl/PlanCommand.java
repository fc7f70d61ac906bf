package io.dmodc.ctl;

import io.dmodc.detector.Membership;
import io.dmodc.detector.RingRules;
import io.dmodc.detector.theory.SimultaneousFaultRisk;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fabricctl detector plan}. */
@Command(
        name = "plan",
        description = {
            "Tells before anything runs what a ring of N agents will do: how soon a silent one is known, what that costs,"
                    + " how long f faults at once take, and how likely more happen than the theorem covers.",
            "Durations are written as 100ms, 1s, 5min."
        })
final class PlanCommand implements Callable<Integer> {
    private static final double YEARS_MAX = 1e6;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--nodes", paramLabel = "N", required = true, description = "agents on the ring, 2..1048576")
    private int nodes;

    @Option(
            names = "--eta",
            paramLabel = "D",
            required = true,
            converter = NanosConverter.class,
            description = "time between two heartbeats")
    private long eta;

    @Option(
            names = "--delta",
            paramLabel = "D",
            required = true,
            converter = NanosConverter.class,
            description = "silence after which an agent is given up")
    private long delta;

    @Option(
            names = "--tau",
            paramLabel = "D",
            defaultValue = "1ms",
            converter = NanosConverter.class,
            description = "longest delay of one datagram (default: ${DEFAULT-VALUE})")
    private long tau;

    @Option(
            names = "--mu",
            paramLabel = "Y",
            defaultValue = "45",
            description = "years between two faults of one node (default: ${DEFAULT-VALUE})")
    private double mu;

    @Option(
            names = "--faults",
            paramLabel = "F",
            description = "agents that fall silent at once (default: the most the theorem covers)")
    private @Nullable Integer faults;

    @Option(
            names = "--format",
            defaultValue = "text",
            paramLabel = "text|json",
            description = "for people or for programs (default: ${DEFAULT-VALUE})")
    private Format format = Format.TEXT;

    @Override
    public Integer call() {
        PlanReport report = report();
        PrintWriter out = spec.commandLine().getOut();
        if (format == Format.JSON) {
            out.println(Json.print(report));
        } else {
            new PlanText(report).lines().forEach(out::println);
        }
        return Main.YES;
    }

    private PlanReport report() {
        check("--nodes", nodes, 2, Membership.SLOT_COUNT_MAX);
        if (faults != null) {
            check("--faults", faults, 1, nodes - 1);
        }
        if (!(mu > 0 && mu <= YEARS_MAX)) {
            throw new IllegalArgumentException("--mu " + mu + "; expected above 0 and at most " + (int) YEARS_MAX);
        }
        RingRules rules = RingRules.standard(eta, delta, nodes);
        return PlanReport.of(nodes, rules, tau, mu * SimultaneousFaultRisk.yearNanos(), faults);
    }

    private static void check(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(option + " " + value + "; expected " + least + ".." + most);
        }
    }
}
