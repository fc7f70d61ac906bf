package io.dmodc.ctl;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.ibnet.IbnetWriter;
import io.dmodc.topology.pgft.Degradation;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fabricctl topology degrade}. */
@Command(
        name = "degrade",
        description = "Takes random switches above the leaves, then random cables between switches, out of a fabric.")
final class DegradeCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @ArgGroup(multiplicity = "1")
    private CabledOrigin origin = new CabledOrigin();

    @Option(
            names = "--switches",
            paramLabel = "K",
            defaultValue = "0",
            description = "how many switches (default: ${DEFAULT-VALUE})")
    private int switches;

    @Option(
            names = "--links",
            paramLabel = "K",
            defaultValue = "0",
            description = "how many cables (default: ${DEFAULT-VALUE})")
    private int links;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "the same seed takes the same (default: ${DEFAULT-VALUE})")
    private long seed;

    @Option(names = "--out", paramLabel = "F", required = true, description = "file to write; - is standard output")
    private String out = "";

    @Override
    public Integer call() throws IOException {
        Source source = origin.source();
        source.remarks().forEach(spec.commandLine().getErr()::println);
        Degradation.apply(source.fabric(), switches, links, new SplittableRandom(seed));
        FabricView view = source.fabric().build(0, new NodeIndexMap(), new GuidNumbers());
        OutputFile.write(
                out, spec.commandLine().getOut(), to -> IbnetWriter.write(view, source.lids(), source.rates(), to));
        return Main.YES;
    }
}
