package io.dmodc.ctl;

import io.dmodc.ctl.QualityPattern.Risk;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.quality.CongestionRisk;
import io.dmodc.routing.quality.GroupRisk;
import io.dmodc.routing.quality.PatternRisk;
import io.dmodc.routing.quality.Progress;
import io.dmodc.routing.throughput.FlowRoutes;
import io.dmodc.routing.throughput.Fraction;
import io.dmodc.routing.throughput.TableRoutes;
import io.dmodc.routing.throughput.Throughput;
import io.dmodc.routing.traffic.Endpoints;
import io.dmodc.routing.traffic.TrafficPattern;
import io.dmodc.routing.vtftr.traffic.DetourChoice;
import io.dmodc.routing.vtftr.traffic.TurnForwarding;
import io.dmodc.routing.vtftr.traffic.TurnRoutes;
import io.dmodc.topology.FabricView;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fabricctl quality}. */
@Command(
        name = "quality",
        description = {
            "Says how evenly forwarding tables spread traffic: the congestion risk of the worst port when every node sends"
                    + " to every other, under random permutations and under all shifts, what the cuts of the fabric allow at best,"
                    + " and what a flow meets on its way.",
            "If asked, also how much of a pattern they carry: exact max-min fair throughput, without queues.",
            "The exit code is 1 only if no tables can be made at all."
        })
final class QualityCommand implements Callable<Integer> {
    /** Enough for any median, little enough that their seeds fit into memory. */
    private static final int PATTERNS_MAX = 1_000_000;

    private static final int ALL = -1;

    private static final int PERMUTATIONS = 1000;

    /** Of larger fabrics nobody waits for all shifts: a sample, if nothing else is asked for. */
    private static final int NODES_ALL = 131_072;

    private static final int SAMPLE = 100;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private Inputs inputs = new Inputs();

    @Mixin
    private SlowLinkOption slowLinks = new SlowLinkOption();

    @ArgGroup
    private TableChoice tables = new TableChoice();

    @Mixin
    private RootsOption roots = new RootsOption();

    @Mixin
    private RebalanceOption rebalance = new RebalanceOption();

    @Mixin
    private GridFaults faults = new GridFaults();

    @Option(
            names = "--patterns",
            split = ",",
            paramLabel = "PATTERN",
            converter = QualityPattern.Converter.class,
            description = {
                "only these, separated by commas (default: a2a,rp,sp)",
                "congestion risk: a2a (all-to-all), rp (random permutations), sp (shifts)",
                "max-min fair throughput: uniform, permutation (drawn by --seed), shift:K, bit-complement, bit-reverse,"
                        + " shuffle, transpose"
            })
    private List<QualityPattern> patterns = QualityPattern.ALL_RISKS;

    @Option(
            names = "--offered",
            paramLabel = "L",
            defaultValue = "1",
            converter = LoadConverter.class,
            description = "what each node asks for in throughput, of what its link carries (default: ${DEFAULT-VALUE})")
    private BigDecimal offered = BigDecimal.ONE;

    @Option(
            names = "--shifts",
            paramLabel = "K",
            description = "only K shifts, drawn by --seed; 0 leaves them out (default: all, of more than " + NODES_ALL
                    + " nodes " + SAMPLE + ")")
    private @Nullable Integer shiftsAsked;

    @Option(
            names = "--permutations",
            paramLabel = "K",
            description = "how many, drawn by --seed; 0 leaves them out (default: " + PERMUTATIONS + ", of more than "
                    + NODES_ALL + " nodes " + SAMPLE + ")")
    private @Nullable Integer permutationsAsked;

    @Mixin
    private TypePair types = new TypePair();

    @Mixin
    private Threads threads = new Threads();

    @Option(
            names = "--format",
            paramLabel = "text|json",
            defaultValue = "text",
            description = "for people or for programs (default: ${DEFAULT-VALUE})")
    private Format format = Format.TEXT;

    @Override
    public Integer call() throws IOException {
        if (types.asked() && (asksForPatterns() || tables.vtftr())) {
            throw new IllegalArgumentException(
                    "--from and --to have all-to-all traffic of forwarding tables alone; expected"
                            + " no --patterns, --shifts, --permutations nor engine " + TableChoice.VTFTR);
        }
        int permutations = count("--permutations", permutationsAsked, Risk.RP, PERMUTATIONS);
        int shifts = count("--shifts", shiftsAsked, Risk.SP, ALL);
        try (Workers workers = threads.start()) {
            rebalance.require(tables.maker());
            Fabric known = faults.known(slowLinks.applied(inputs.load()), inputs.name());
            if (tables.vtftr()) {
                print(turns(known, workers.threads()));
                return Main.YES;
            }
            faults.requireNoBursts(tables.name());
            Endpoints nodes = new Endpoints(known.view());
            List<TrafficPattern> traffic = traffic(nodes.count());
            long start = System.nanoTime();
            LftSet made =
                    tables.tables(known, roots, workers, spec.commandLine().getErr(), "quality");
            if (made == null) {
                return Main.NO;
            }
            LftSet routed = rebalance.applied(known.view(), tables.maker(), made, workers);
            if (types.asked()) {
                print(between(known, routed, workers));
                return Main.YES;
            }
            if (patterns.stream().allMatch(pattern -> pattern.risk() == null)) {
                print(carried(known, routed, workers, start, nodes, traffic));
                return Main.YES;
            }
            QualityReport risks = study(
                    known,
                    routed,
                    workers,
                    start,
                    sampled(known, permutationsAsked, permutations),
                    sampled(known, shiftsAsked, shifts));
            print(
                    traffic.isEmpty()
                            ? risks
                            : risks.with(throughput(nodes, traffic, new TableRoutes(known.view(), routed))));
            return Main.YES;
        }
    }

    private boolean asksForPatterns() {
        return !QualityPattern.ALL_RISKS.equals(patterns) || shiftsAsked != null || permutationsAsked != null;
    }

    private GroupQualityReport between(Fabric known, LftSet routed, Workers workers) {
        BitSet from = types.from(known);
        BitSet to = types.to(known);
        CongestionRisk risk = watched(
                "all-to-all", progress -> CongestionRisk.of(known.view(), routed, workers.parallel(), progress));
        GroupRisk found = watched("between types", progress -> risk.between(from, to, progress));
        return GroupQualityReport.of(tables.name(), types.fromName(), types.toName(), found);
    }

    private void print(GroupQualityReport report) {
        PrintWriter out = spec.commandLine().getOut();
        if (format == Format.JSON) {
            out.println(Json.print(report));
        } else {
            report.print(out);
        }
    }

    /** Tables whose choices are not by destination alone have throughput, but no congestion risk. */
    private QualityReport turns(Fabric known, int threads) {
        for (QualityPattern pattern : patterns) {
            if (pattern.risk() != null) {
                throw new IllegalArgumentException("--patterns " + pattern.risk() + " with engine " + TableChoice.VTFTR
                        + ", which has no congestion risk; expected uniform or another pattern of throughput");
            }
        }
        long start = System.nanoTime();
        GridFaults.Routed routed = faults.route(
                known.whole(), known.view(), inputs.name(), spec.commandLine().getErr());
        Fabric fabric = faults.all(known, inputs.name());
        Endpoints nodes = new Endpoints(fabric.view());
        List<TrafficPattern> traffic = traffic(nodes.count());
        TurnRoutes routes = new TurnRoutes(new TurnForwarding(fabric.view(), routed.tables(), DetourChoice.RANDOM));
        double millis = millis(start, System.nanoTime());
        return QualityReport.ofThroughput(
                fabric,
                tables.name() + ", " + faults.spares() + " spares",
                nodes.count(),
                routes.unroutedPairs(),
                new QualityReport.Millis(millis, 0, 0, 0, threads),
                throughput(nodes, traffic, routes));
    }

    /** Throughput alone: no flow is followed for a risk that nobody asked for. */
    private QualityReport carried(
            Fabric fabric, LftSet routed, Workers workers, long start, Endpoints nodes, List<TrafficPattern> traffic) {
        double millis = millis(start, System.nanoTime());
        return QualityReport.ofThroughput(
                fabric,
                tables.name(),
                nodes.count(),
                CongestionRisk.unroutedPairs(fabric.view(), routed, workers.parallel()),
                new QualityReport.Millis(millis, 0, 0, 0, workers.threads()),
                throughput(nodes, traffic, new TableRoutes(fabric.view(), routed)));
    }

    private boolean asks(Risk risk) {
        return patterns.stream().anyMatch(pattern -> pattern.risk() == risk);
    }

    /** The patterns whose throughput is asked for; made before anything long, since they may not fit the nodes. */
    private List<TrafficPattern> traffic(int nodes) {
        return patterns.stream()
                .flatMap(pattern -> Stream.ofNullable(pattern.traffic()))
                .map(name -> TrafficPattern.named(name, nodes, inputs.seed()))
                .toList();
    }

    private List<PatternThroughput> throughput(Endpoints nodes, List<TrafficPattern> traffic, FlowRoutes routes) {
        List<PatternThroughput> answers = new ArrayList<>();
        for (TrafficPattern pattern : traffic) {
            long start = System.nanoTime();
            Throughput found = Throughput.of(nodes, pattern, routes, Fraction.of(offered));
            answers.add(PatternThroughput.of(found, millis(start, System.nanoTime())));
        }
        return answers;
    }

    /** Number of patterns of one kind; none if the kind was left out. */
    private int count(String option, @Nullable Integer asked, Risk pattern, int standard) {
        if (asked == null) {
            return asks(pattern) ? standard : 0;
        }
        if (asked < 0 || asked > PATTERNS_MAX) {
            throw new IllegalArgumentException(option + " " + asked + "; expected 0.." + PATTERNS_MAX);
        }
        if (!asks(pattern)) {
            throw new IllegalArgumentException(
                    option + " " + asked + " beside --patterns without " + pattern + "; expected only one of the two");
        }
        return asked;
    }

    private static int sampled(Fabric fabric, @Nullable Integer asked, int standard) {
        boolean large = fabric.view().nodeCount() > NODES_ALL;
        return asked == null && standard != 0 && large ? SAMPLE : standard;
    }

    private QualityReport study(
            Fabric fabric, LftSet routed, Workers workers, long start, int permutations, int shifts) {
        FabricView view = fabric.view();
        long tablesDone = System.nanoTime();
        CongestionRisk risk =
                watched("all-to-all", progress -> CongestionRisk.of(view, routed, workers.parallel(), progress));
        AllToAllStudy allToAll = asks(Risk.A2A) ? AllToAllStudy.of(risk) : null;
        long allToAllDone = System.nanoTime();
        PatternStudy drawn =
                study("permutations", progress -> risk.permutations(permutations, inputs.seed(), progress));
        long permutationsDone = System.nanoTime();
        PatternStudy shifted = study(
                "shifts",
                progress -> shifts == ALL ? risk.shifts(progress) : risk.shifts(shifts, inputs.seed(), progress));
        long shiftsDone = System.nanoTime();
        return QualityReport.of(
                fabric,
                tables.name(),
                risk,
                allToAll,
                drawn,
                shifted,
                new QualityReport.Millis(
                        millis(start, tablesDone),
                        millis(tablesDone, allToAllDone),
                        millis(allToAllDone, permutationsDone),
                        millis(permutationsDone, shiftsDone),
                        workers.threads()));
    }

    private PatternStudy study(String what, Function<Progress, PatternRisk> patterns) {
        PatternRisk risk = watched(what, patterns);
        return watched("flows of " + what, progress -> PatternStudy.of(risk, progress));
    }

    private static double millis(long from, long to) {
        return Math.round((to - from) / 1e3) / 1e3;
    }

    private <T> T watched(String what, Function<Progress, T> study) {
        ProgressLine line =
                new ProgressLine(what, spec.commandLine().getErr(), ProgressLine.onTerminal(), System::nanoTime);
        try {
            return study.apply(line::reached);
        } finally {
            line.end();
        }
    }

    private void print(QualityReport report) {
        PrintWriter out = spec.commandLine().getOut();
        if (format == Format.JSON) {
            out.println(Json.print(report));
        } else {
            report.print(out);
        }
    }
}
