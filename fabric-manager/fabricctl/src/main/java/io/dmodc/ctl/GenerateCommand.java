package io.dmodc.ctl;

import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.grid.GridGenerator;
import io.dmodc.topology.grid.GridShape;
import io.dmodc.topology.ibnet.IbnetWriter;
import io.dmodc.topology.ibnet.LidMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fabricctl topology generate}. */
@Command(name = "generate", description = "Writes a whole PGFT or grid as ibnetdiscover text.")
final class GenerateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @ArgGroup(multiplicity = "1")
    private Shape shape = new Shape();

    /** One of them is given. */
    static final class Shape {
        @Option(
                names = "--pgft",
                paramLabel = "SPEC",
                required = true,
                description = "shape, h;m1,..,mh;w1,..,wh;p1,..,ph")
        private @Nullable String pgft;

        @Option(
                names = "--grid",
                paramLabel = "SHAPE",
                required = true,
                description = "grid of leaves, ROWSxCOLUMNS;hosts=H;roots=OF_A_ROW,OF_A_COLUMN")
        private @Nullable String grid;
    }

    @Option(
            names = "--shuffle-guids",
            paramLabel = "SEED",
            description = "deal switch GUIDs in random order, as in a real fabric")
    private @Nullable Long shuffleSeed;

    @Option(names = "--out", paramLabel = "F", required = true, description = "file to write; - is standard output")
    private String out = "";

    @Override
    public Integer call() throws IOException {
        var view = generate().build(0, new NodeIndexMap(), new GuidNumbers());
        OutputFile.write(out, spec.commandLine().getOut(), to -> IbnetWriter.write(view, new LidMap(), to));
        return Main.YES;
    }

    private FabricViewBuilder generate() {
        SplittableRandom random = shuffleSeed == null ? null : new SplittableRandom(shuffleSeed);
        if (shape.grid != null) {
            GridShape grid = GridShape.parse(shape.grid);
            return random == null ? GridGenerator.generate(grid) : GridGenerator.generateShuffled(grid, random);
        }
        PgftShape pgft = PgftShape.parse(String.valueOf(shape.pgft));
        return random == null ? PgftGenerator.generate(pgft) : PgftGenerator.generateShuffled(pgft, random);
    }
}
