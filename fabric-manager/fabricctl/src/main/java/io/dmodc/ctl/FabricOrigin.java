package io.dmodc.ctl;

import io.dmodc.topology.grid.GridShape;
import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say where a fabric comes from; one of them is given. */
final class FabricOrigin {
    @Option(
            names = "--topology",
            paramLabel = "F",
            required = true,
            description = "ibnetdiscover text; - reads standard input")
    private @Nullable String topology;

    @Option(
            names = "--pgft",
            paramLabel = "SPEC",
            required = true,
            description = "generated PGFT, h;m1,..,mh;w1,..,wh;p1,..,ph")
    private @Nullable String pgft;

    @Option(
            names = "--grid",
            paramLabel = "SHAPE",
            required = true,
            description = "generated grid of leaves, ROWSxCOLUMNS;hosts=H;roots=OF_A_ROW,OF_A_COLUMN")
    private @Nullable String grid;

    @Option(
            names = "--opensm",
            paramLabel = "CONFIG",
            required = true,
            description =
                    "the subnet as it is now, by the commands of southbound.opensm in these settings of a manager;"
                            + " reads only")
    private @Nullable Path opensm;

    private @Nullable PresentSubnet present;

    /** The fabric as it was named on the command line; a subnet by what shows it, once it was looked at. */
    String name() {
        if (present != null) {
            return present.name();
        }
        return pgft != null ? pgft : String.valueOf(grid != null ? grid : topology);
    }

    /**
     * Reads or generates it.
     *
     * @throws IOException in one line, if the file cannot be read
     * @throws IllegalArgumentException in one line, if it cannot be understood
     */
    Source source() throws IOException {
        if (opensm != null) {
            present = PresentSubnet.look(opensm);
            return present.source();
        }
        if (pgft != null) {
            return Source.generated(PgftShape.parse(pgft));
        }
        return grid != null ? Source.generated(GridShape.parse(grid)) : Source.read(String.valueOf(topology));
    }

    /** The subnet that was looked at; null for other fabrics. */
    @Nullable
    PresentSubnet present() {
        return present;
    }
}
