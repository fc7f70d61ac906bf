package io.dmodc.ctl.report;

import io.dmodc.routing.opensm.OpenSmTables;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.LinkRates;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.PlaneNumbers;
import io.dmodc.topology.ibnet.ImportSummary;
import io.dmodc.topology.pgft.PgftShape;
import io.dmodc.topology.rates.SlowLinkUse;
import io.dmodc.topology.rates.SlowLinks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a report is about.
 *
 * @param name of the fabric: file or shape
 * @param builder the fabric; changed while the study runs and then as it was
 * @param nodes indices that {@code view} uses
 * @param levels known ranks that {@code view} uses
 * @param planes plane numbers that {@code view} uses
 * @param rates width and speed of links, as far as they are known
 * @param slowLinks whether our tables may use those that are slower than most
 * @param imported what was taken from the file; absent for a generated fabric
 * @param remarks lines for the reader: what was taken out of the fabric before, and the like
 * @param design what it was built as, if somebody said so
 * @param tables the tables it has at present, if given
 * @param tablesName file they came from; empty without tables
 * @param version of this program
 */
public record ReportInput(
        String name,
        FabricViewBuilder builder,
        NodeIndexMap nodes,
        GuidNumbers levels,
        PlaneNumbers planes,
        FabricView view,
        LinkRates rates,
        SlowLinkUse slowLinks,
        @Nullable ImportSummary imported,
        List<String> remarks,
        @Nullable PgftShape design,
        @Nullable OpenSmTables tables,
        String tablesName,
        String version) {
    public ReportInput {
        remarks = List.copyOf(remarks);
    }

    /** What our tables are made for, of a view of the fabric. */
    FabricView routed(FabricView of) {
        return SlowLinks.routed(of, rates, slowLinks);
    }

    /** The fabric as it is by now. */
    FabricView draw() {
        return planes.number(builder.build(view.epoch(), nodes, levels));
    }
}
