package io.dmodc.ctl;

import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
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

    /** The fabric as it was named on the command line. */
    String name() {
        return pgft != null ? pgft : String.valueOf(topology);
    }

    /**
     * Reads or generates it.
     *
     * @throws IOException in one line, if the file cannot be read
     * @throws IllegalArgumentException in one line, if it cannot be understood
     */
    Source source() throws IOException {
        if (pgft != null) {
            return Source.generated(PgftShape.parse(pgft));
        }
        return Source.read(topology == null ? "" : topology);
    }
}
