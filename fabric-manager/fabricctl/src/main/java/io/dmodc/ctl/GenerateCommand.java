package io.dmodc.ctl;

import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.ibnet.IbnetWriter;
import io.dmodc.topology.ibnet.LidMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fabricctl topology generate}. */
@Command(name = "generate", description = "Writes a whole PGFT as ibnetdiscover text.")
final class GenerateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--pgft", paramLabel = "SPEC", required = true, description = "shape, h;m1,..,mh;w1,..,wh;p1,..,ph")
    private String pgft = "";

    @Option(
            names = "--shuffle-guids",
            paramLabel = "SEED",
            description = "deal switch GUIDs in random order, as in a real fabric")
    private @Nullable Long shuffleSeed;

    @Option(names = "--out", paramLabel = "F", required = true, description = "file to write; - is standard output")
    private String out = "";

    @Override
    public Integer call() throws IOException {
        PgftShape shape = PgftShape.parse(pgft);
        FabricViewBuilder fabric = shuffleSeed == null
                ? PgftGenerator.generate(shape)
                : PgftGenerator.generateShuffled(shape, new SplittableRandom(shuffleSeed));
        var view = fabric.build(0, new NodeIndexMap(), new GuidNumbers());
        OutputFile.write(out, spec.commandLine().getOut(), to -> IbnetWriter.write(view, new LidMap(), to));
        return Main.YES;
    }
}
