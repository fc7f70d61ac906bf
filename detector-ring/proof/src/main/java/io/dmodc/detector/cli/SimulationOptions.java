package io.dmodc.detector.cli;

import io.dmodc.detector.FailureDomains;
import io.dmodc.detector.Overlay;
import io.dmodc.detector.RingOrder;
import io.dmodc.detector.RingRules;
import io.dmodc.detector.sim.NetworkConditions;
import io.dmodc.detector.sim.Scenario;
import io.dmodc.detector.sim.Trial;
import io.dmodc.detector.sim.TrialPlan;
import io.dmodc.detector.sim.TrialReport;
import io.dmodc.detector.sim.VirtualRing;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The options of {@code detector simulate} and what they do, for a command to mix in.
 *
 * <p>Answers: one line of JSON a seed, or a table a seed. Keys are those of {@link TrialReport#fields}, then {@code
 * wallSeconds} and {@code heapMiB}, the heap the virtual machine has taken so far.
 */
@Command(
        description = {
            "Runs a whole ring in virtual time, lets nodes fail, and checks that all live nodes know all the dead, that"
                    + " nobody else was accused, that the ring is closed again and that heartbeats stayed constant.",
            "Durations are written as 5us, 100ms or 1s. The same seed gives the same run."
        })
public final class SimulationOptions {
    /** The parts of one trial that progress is told in. */
    private static final int PARTS = 1_000;

    /** Where the members of a failure domain sit on the ring. */
    enum Order {
        /** By RingOrder: no two neighbours in one domain. */
        SCATTERED,
        /** Side by side. */
        INDEX
    }

    enum Format {
        TEXT,
        JSON
    }

    @Option(
            names = "--nodes",
            paramLabel = "N",
            defaultValue = "1024",
            description = "nodes on the ring, 4..1048576 (default: ${DEFAULT-VALUE})")
    private int nodes;

    @Option(
            names = "--faults",
            paramLabel = "F",
            defaultValue = "1",
            description = "what it counts is said by the scenario (default: ${DEFAULT-VALUE})")
    private int faults;

    @Option(
            names = "--scenario",
            paramLabel = "NAME",
            defaultValue = "burst",
            description = "one of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private Scenario scenario = Scenario.BURST;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            converter = SeedRange.Converter.class,
            description = "a number, or a range as 1..100: one run each (default: ${DEFAULT-VALUE})")
    private SeedRange seeds = new SeedRange(1, 1);

    @Option(
            names = "--eta",
            paramLabel = "D",
            defaultValue = "50ms",
            converter = MicrosConverter.class,
            description = "time between two heartbeats (default: ${DEFAULT-VALUE})")
    private int eta;

    @Option(
            names = "--delta",
            paramLabel = "D",
            defaultValue = "500ms",
            converter = MicrosConverter.class,
            description = "silence after which a node is suspected (default: ${DEFAULT-VALUE})")
    private int delta;

    @Option(
            names = "--width",
            paramLabel = "auto|K",
            defaultValue = "auto",
            converter = WidthConverter.class,
            description = "nodes asked at the same time after a loss; 0 as published, auto 2 log2 N (default:"
                    + " ${DEFAULT-VALUE})")
    private int width;

    @Option(
            names = "--opinions",
            paramLabel = "K",
            defaultValue = "" + RingRules.OPINIONS_STANDARD,
            description = "others asked about a suspect; 0 as published (default: ${DEFAULT-VALUE})")
    private int opinions;

    @Option(
            names = "--overlay",
            paramLabel = "NAME",
            defaultValue = "binomial",
            description = "how news travels: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private Overlay.Kind overlay = Overlay.Kind.BINOMIAL;

    @Option(
            names = "--tau",
            paramLabel = "D",
            defaultValue = "1ms",
            converter = MicrosConverter.class,
            description = "longest delay of a datagram, at most 100ms (default: ${DEFAULT-VALUE})")
    private int tau;

    @Option(
            names = "--send-cost",
            paramLabel = "D",
            defaultValue = "5us",
            converter = MicrosConverter.class,
            description = "time a node's port needs for a datagram (default: ${DEFAULT-VALUE})")
    private int sendCost;

    @Option(names = "--loss", paramLabel = "P", defaultValue = "0", description = "share of datagrams that get lost")
    private double loss;

    @Option(names = "--duplicate", paramLabel = "P", defaultValue = "0", description = "share that arrive twice")
    private double duplicate;

    @Option(
            names = "--reorder",
            paramLabel = "P",
            defaultValue = "0",
            description = "share that are held back for up to 10 tau more")
    private double reorder;

    @Option(
            names = "--lock-step",
            description = "each datagram takes exactly tau: then hops are rounds, and their bound is checked")
    private boolean lockStep;

    @Option(
            names = "--order",
            paramLabel = "NAME",
            defaultValue = "scattered",
            description = "where the members of a failure domain sit: ${COMPLETION-CANDIDATES} (default:"
                    + " ${DEFAULT-VALUE})")
    private Order order = Order.SCATTERED;

    @Option(
            names = "--length",
            paramLabel = "X",
            defaultValue = "" + TrialPlan.LENGTH_STANDARD,
            description = "deltas for which nodes are deaf, mute or isolated, 1..600 (default: ${DEFAULT-VALUE})")
    private int length;

    @Option(
            names = "--bound",
            paramLabel = "X",
            defaultValue = "0",
            description = "deltas after which all must know all the dead (default: T(f) of the source, where it proves"
                    + " one)")
    private double bound;

    @Option(
            names = "--format",
            paramLabel = "text|json",
            defaultValue = "text",
            description = "for people, or one line of JSON a seed (default: ${DEFAULT-VALUE})")
    private Format format = Format.TEXT;

    /** Lists the scenarios at the end of the help text of the command that mixes this in. */
    @Spec(Spec.Target.MIXEE)
    void explain(CommandSpec command) {
        Stream<String> scenarios =
                Arrays.stream(Scenario.values()).map(each -> String.format("  %-17s%s", each, each.description()));
        command.usageMessage()
                .footer(Stream.concat(Stream.of("", "Scenarios:"), scenarios).toArray(String[]::new));
    }

    /**
     * Runs one trial a seed and prints each as it ends.
     *
     * @param progress told how much of all trials is done
     * @param nanoTime the wall clock
     * @param heapBytes the heap taken so far
     * @return true if in all trials everything held
     */
    public boolean run(PrintWriter out, Trial.Progress progress, LongSupplier nanoTime, LongSupplier heapBytes) {
        boolean holds = true;
        int done = 0;
        for (Iterator<Long> left = seeds.stream().iterator(); left.hasNext(); done++) {
            TrialPlan plan = plan(left.next());
            long start = nanoTime.getAsLong();
            TrialReport report = Trial.run(plan, domains(plan), partOf(progress, done));
            Map<String, Object> fields = report.fields();
            fields.put("wallSeconds", Math.round((nanoTime.getAsLong() - start) / 1e7) / 1e2);
            fields.put("heapMiB", heapBytes.getAsLong() >> 20);
            print(out, fields);
            holds &= report.holds();
        }
        return holds;
    }

    private Trial.Progress partOf(Trial.Progress progress, int done) {
        int all = seeds.count();
        return all == 1
                ? progress
                : (periods, expected) ->
                        progress.reached((int) ((done + (double) periods / expected) / all * PARTS) + 1, PARTS + 1);
    }

    private TrialPlan plan(long seed) {
        int asked = width == WidthConverter.AUTO ? RingRules.askingWidthFor(nodes) : width;
        RingRules rules = new RingRules(eta * 1_000L, delta * 1_000L, asked, opinions, overlay);
        NetworkConditions conditions = new NetworkConditions(tau, sendCost, loss, duplicate, reorder, lockStep);
        return new TrialPlan(nodes, faults, scenario, seed, rules, conditions, length, bound);
    }

    /** Domains of as many members as there are faults; only one scenario asks for them. */
    private int[] domains(TrialPlan plan) {
        if (scenario != Scenario.POD || order == Order.INDEX) {
            return IntStream.range(0, nodes).map(slot -> slot / plan.faults()).toArray();
        }
        FailureDomains domains = new FailureDomains(nodes);
        for (int member = 0; member < nodes; member++) {
            domains.put(member, "pod", Integer.toString(member / plan.faults()));
        }
        long[] guids = IntStream.range(0, nodes).mapToLong(VirtualRing::guid).toArray();
        RingOrder ring = RingOrder.of(plan.seed(), guids, domains);
        return IntStream.range(0, nodes)
                .map(slot -> ring.member(slot) / plan.faults())
                .toArray();
    }

    private void print(PrintWriter out, Map<String, Object> fields) {
        if (format == Format.JSON) {
            out.println(TrialText.json(fields));
        } else {
            out.println(TrialText.table(fields));
        }
        out.flush();
    }
}
