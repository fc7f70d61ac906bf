package io.dmodc.ctl;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.design.DesignCheck;
import io.dmodc.topology.design.DesignReport;
import io.dmodc.topology.design.PartDesign;
import io.dmodc.topology.pgft.PgftShape;
import io.dmodc.topology.rates.SlowLinks;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fabricctl topology verify}. */
@Command(
        name = "verify",
        description = "Compares a fabric with its design and names every difference: missing, swapped and misplaced"
                + " cables, unequal bundles, missing and extra switches, hosts. Exit code 1 if there are any. Parts that"
                + " were never cabled together, as rails, are compared each by itself. Links that are slower than most are"
                + " named, too, and make no difference.")
final class VerifyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @ArgGroup(multiplicity = "1")
    private CabledOrigin origin = new CabledOrigin();

    @Option(
            names = "--design",
            paramLabel = "SPEC",
            description = "PGFT it was built as, h;m1,..,mh;w1,..,wh;p1,..,ph (default: the most likely one)")
    private @Nullable String design;

    @Option(
            names = "--lines",
            paramLabel = "N",
            defaultValue = "100",
            description = "differences printed at most, of each part (default: ${DEFAULT-VALUE})")
    private int lines;

    @Option(
            names = "--format",
            defaultValue = "text",
            paramLabel = "text|json",
            description = "for people or for programs (default: ${DEFAULT-VALUE})")
    private Format format = Format.TEXT;

    @Override
    public Integer call() throws IOException {
        if (lines < 1) {
            throw new ParameterException(spec.commandLine(), "--lines " + lines + "; expected 1 or more");
        }
        PgftShape shape = design == null ? null : PgftShape.parse(design);
        Source source = origin.source();
        source.remarks().forEach(spec.commandLine().getErr()::println);
        FabricView view = source.fabric().build(0, new NodeIndexMap(), new GuidNumbers());
        VerifyReport answer = view.partCount() < 2
                ? VerifyReport.of(
                        view,
                        shape == null ? guessed(view) : DesignCheck.verify(view, shape),
                        lines,
                        SlowLinks.of(view, source.rates()))
                : VerifyReport.ofParts(PartDesign.of(source.fabric(), view, shape).stream()
                        .map(part -> ofPart(part, source))
                        .toList());
        PrintWriter out = spec.commandLine().getOut();
        if (format == Format.JSON) {
            out.println(Json.print(answer));
        } else {
            answer.lines(origin.name()).forEach(out::println);
        }
        return answer.asDesigned() ? Main.YES : Main.NO;
    }

    /** A part that resembles no design is told as such, beside those that do. */
    private VerifyReport ofPart(PartDesign part, Source source) {
        SlowLinks slow = SlowLinks.of(part.part(), source.rates());
        return part.report() == null
                ? VerifyReport.unlike(part.part(), part.why(), slow)
                : VerifyReport.of(part.part(), part.report(), lines, slow);
    }

    private DesignReport guessed(FabricView view) {
        try {
            return DesignCheck.verify(view);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    origin.name() + ": no shape can be guessed (" + e.getMessage() + "); expected --design", e);
        }
    }
}
