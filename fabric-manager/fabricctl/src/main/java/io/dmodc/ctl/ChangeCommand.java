package io.dmodc.ctl;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.change.ChangePlan;
import io.dmodc.routing.change.ChangePlan.Verdict;
import io.dmodc.routing.change.ChangeTerms;
import io.dmodc.routing.change.ChangeWatch;
import io.dmodc.routing.change.RowsInForce;
import io.dmodc.routing.check.TableCheck;
import io.dmodc.routing.opensm.OpenSmTables;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.PlaneNumbers;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fabricctl change}. */
@Command(
        name = "change",
        description = {
            "Plans how tables are replaced after the fabric changed, so that no packet loops, turns or is lost while old and"
                    + " new ones mix.",
            "What worked goes on working, through any order of writes that the plan allows. Needs no manager.",
            "The plan has lines 'drain ROUND', 'drop GUID INDEX...' (no route in round 1) and 'later ROUND GUID INDEX...';"
                    + " every other entry changes in round 1. No lines: any order will do.",
            "Exit code 0: proven safe, 1: not provable, and no plan is written."
        })
final class ChangeCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--from",
            paramLabel = "TOPO",
            required = true,
            description = "the fabric that the tables in force were made for, as ibnetdiscover text")
    private String from = "";

    @ArgGroup(multiplicity = "1")
    private Now now = new Now();

    /** The options that say where the fabric as it is now comes from; one of them is given. */
    static final class Now {
        @Option(
                names = "--to",
                paramLabel = "TOPO",
                required = true,
                description = "the fabric as it is now, whose links work; - reads standard input")
        private String to = "";

        @Option(
                names = "--opensm",
                paramLabel = "CONFIG",
                required = true,
                description =
                        "the same, of a subnet, by the commands of southbound.opensm in these settings of a manager; reads"
                                + " only")
        private @Nullable Path opensm;

        private Source source() throws IOException {
            return opensm != null ? PresentSubnet.look(opensm).source() : Source.read(to);
        }
    }

    @Option(
            names = "--from-lft",
            paramLabel = "LFT",
            description = "the tables in force, as OpenSM dumps them (default: those of the engine)")
    private @Nullable String fromLft;

    @Option(
            names = "--to-lft",
            paramLabel = "LFT",
            description = "the tables that shall follow, as OpenSM dumps them (default: those of the engine)")
    private @Nullable String toLft;

    @Mixin
    private NodeMap nodeMap = new NodeMap();

    @Mixin
    private PlaneMap planeMap = new PlaneMap();

    @Mixin
    private EngineChoice engine = new EngineChoice();

    @Mixin
    private SlowLinkOption slowLinks = new SlowLinkOption();

    @Mixin
    private Design design = new Design();

    @Option(
            names = "--quiesce",
            description = {
                "if no order is proven: hosts may be kept from sending to the nodes concerned while their entries change, for two"
                        + " round trips and a drain. What they send there meanwhile is lost."
            })
    private boolean quiesce;

    @Option(names = "--out", paramLabel = "PLAN", description = "file for the plan; - is standard output")
    private @Nullable String out;

    @Option(
            names = "--format",
            defaultValue = "text",
            paramLabel = "text|json",
            description = "the verdict for people or for programs (default: ${DEFAULT-VALUE})")
    private Format format = Format.TEXT;

    @Mixin
    private Threads threads = new Threads();

    @Override
    public Integer call() throws IOException {
        try (Workers workers = threads.start()) {
            Source first = told(Source.read(from));
            Source second = told(now.source());
            NodeIndexMap nodes = nodeMap.read();
            int known = nodes.size();
            PlaneNumbers planes = planeMap.read(nodeMap);
            TwoFabrics drawn = TwoFabrics.of(first, second, nodes, design);
            nodeMap.keep(nodes, known, drawn.before());
            FabricView before = planeMap.number(planes, drawn.before());
            TwoFabrics fabrics = new TwoFabrics(before, planeMap.number(planes, drawn.after()));
            Parallel parallel = workers.parallel();
            LftSet inForce = tables(fromLft, fabrics.before(), first, parallel);
            LftSet tables = tables(toLft, fabrics.after(), second, parallel);
            ChangePlan plan = plan(fabrics, inForce, tables, ChangeTerms.UNBOUNDED.withQuiesce(quiesce), parallel);
            boolean proven = plan.verdict() != Verdict.NOT_PROVABLE;
            String file = out;
            if (proven && file != null) {
                OutputFile.write(file, spec.commandLine().getOut(), to -> PlanFile.write(plan, fabrics.after(), to));
            }
            print(ChangeReport.of(plan));
            return proven ? Main.YES : Main.NO;
        }
    }

    private Source told(Source source) {
        source.remarks().forEach(spec.commandLine().getErr()::println);
        return source;
    }

    private LftSet tables(@Nullable String lft, FabricView view, Source source, Parallel parallel) throws IOException {
        if (lft != null) {
            OpenSmTables read = TableFile.read(lft, view, source);
            read.remarks(view).forEach(spec.commandLine().getErr()::println);
            return read.nodeTables();
        }
        // What routes lead around works all the same: the plan is made for the whole view.
        FabricView routed = slowLinks.applied(view, source.rates());
        return EngineChoice.tables(engine.engine(design.shape(source), routed), routed, parallel);
    }

    /** Of a switch that was not there, nothing is known. */
    private static ChangePlan plan(
            TwoFabrics fabrics, LftSet inForce, LftSet tables, ChangeTerms terms, Parallel parallel) {
        List<List<LftRow>> rows = new ArrayList<>();
        for (int s = 0; s < inForce.switchCount(); s++) {
            rows.add(fabrics.before().alive(s) ? List.of(inForce.row(s)) : List.of());
        }
        RowsInForce held = RowsInForce.of(tables.entryCount(), rows);
        BitSet notRight = TableCheck.notRight(fabrics.before(), inForce, parallel);
        return new ChangeWatch(fabrics.before(), inForce, notRight)
                .plan(fabrics.after(), held, tables, TableCheck.notRight(fabrics.after(), tables, parallel), terms);
    }

    /** To standard output, unless the plan goes there. */
    private void print(ChangeReport report) {
        boolean planOnOutput = OutputFile.STANDARD_OUTPUT.equals(out);
        PrintWriter to =
                planOnOutput ? spec.commandLine().getErr() : spec.commandLine().getOut();
        to.println(format == Format.JSON ? Json.print(report) : report.text());
    }
}
