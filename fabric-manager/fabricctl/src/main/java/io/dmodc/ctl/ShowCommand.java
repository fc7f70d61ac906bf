package io.dmodc.ctl;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fabricctl topology show}. */
@Command(
        name = "show",
        description = "Shows the levels of a fabric, where its hosts are, and what could not be taken from the file.")
final class ShowCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @ArgGroup(multiplicity = "1")
    private CabledOrigin origin = new CabledOrigin();

    @Mixin
    private Design design = new Design();

    @Option(
            names = "--format",
            defaultValue = "text",
            paramLabel = "text|json",
            description = "for people or for programs (default: ${DEFAULT-VALUE})")
    private Format format = Format.TEXT;

    @Override
    public Integer call() throws IOException {
        Source source = origin.source();
        source.lack().ifPresent(spec.commandLine().getErr()::println);
        NodeIndexMap nodes = new NodeIndexMap();
        FabricView view = design.draw(source.fabric(), source.fabric().build(0, nodes, new GuidNumbers()), nodes);
        FabricReport report = FabricReport.of(view, Objects.requireNonNull(source.summary()), source.rates());
        PrintWriter out = spec.commandLine().getOut();
        if (format == Format.JSON) {
            out.println(Json.print(report));
        } else {
            new FabricPicture(report).lines().forEach(out::println);
        }
        return Main.YES;
    }
}
