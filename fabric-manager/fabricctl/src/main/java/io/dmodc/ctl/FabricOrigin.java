package io.dmodc.ctl;

import io.dmodc.topology.grid.GridShape;
import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say where a fabric comes from, be it generated; one of them is given. */
final class FabricOrigin extends CabledOrigin {
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

    @Override
    String name() {
        if (pgft != null) {
            return pgft;
        }
        return grid != null ? grid : super.name();
    }

    /** {@inheritDoc} Or generates it. */
    @Override
    Source source() throws IOException {
        if (pgft != null) {
            return Source.generated(PgftShape.parse(pgft));
        }
        return grid != null ? Source.generated(GridShape.parse(grid)) : super.source();
    }
}
