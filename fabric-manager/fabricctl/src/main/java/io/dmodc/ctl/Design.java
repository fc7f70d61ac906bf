package io.dmodc.ctl;

import io.dmodc.topology.pgft.PgftShape;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that says how a fabric was meant to be, of commands that route. */
final class Design {
    @Option(
            names = "--design",
            paramLabel = "SPEC",
            description = "the PGFT the fabric is meant to be: engine dmodk needs it")
    private @Nullable String design;

    /**
     * The shape that was given, or else the one the fabric was generated from.
     *
     * @throws IllegalArgumentException in one line, if it is no PGFT
     */
    @Nullable
    PgftShape shape(Source source) {
        return design == null ? source.design() : PgftShape.parse(design);
    }
}
