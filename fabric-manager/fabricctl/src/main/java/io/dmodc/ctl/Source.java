package io.dmodc.ctl;

import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.LinkRates;
import io.dmodc.topology.grid.GridGenerator;
import io.dmodc.topology.grid.GridShape;
import io.dmodc.topology.ibnet.IbnetFabric;
import io.dmodc.topology.ibnet.IbnetReader;
import io.dmodc.topology.ibnet.ImportSummary;
import io.dmodc.topology.ibnet.LidMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A fabric before anything was done to it.
 *
 * @param lids addresses the source gave; empty for a generated fabric
 * @param design its shape, if it was generated as a PGFT
 * @param summary what was taken from a file
 * @param rates width and speed of links, as far as a file told; empty for a generated fabric
 * @param complaint what the command that showed the fabric said of it beside; empty if nothing, or if none did
 */
record Source(
        FabricViewBuilder fabric,
        LidMap lids,
        @Nullable PgftShape design,
        @Nullable ImportSummary summary,
        LinkRates rates,
        String complaint) {
    private static final String STANDARD_INPUT = "-";

    static Source generated(PgftShape shape) {
        return new Source(PgftGenerator.generate(shape), new LidMap(), shape, null, new LinkRates(), "");
    }

    static Source generated(GridShape shape) {
        return new Source(GridGenerator.generate(shape), new LidMap(), null, null, new LinkRates(), "");
    }

    /** @param file path, or {@code -} for standard input */
    static Source read(String file) throws IOException {
        IbnetFabric read = file.equals(STANDARD_INPUT)
                ? IbnetReader.read("standard input", System.in)
                : IbnetReader.read(Path.of(file));
        return new Source(read.fabric(), read.lids(), null, read.summary(), read.rates(), "");
    }

    /** What an operator should know before anything is made of it, a line each; none of a generated fabric. */
    List<String> remarks() {
        List<String> remarks = new ArrayList<>(summary == null ? List.of() : Remarks.of(summary));
        lack().ifPresent(remarks::add);
        return remarks;
    }

    /** That more may be there than was found. */
    Optional<String> lack() {
        return complaint.isEmpty() ? Optional.empty() : Optional.of("what was found may lack something: " + complaint);
    }
}
