package io.dmodc.ctl.report;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.design.DesignCheck;
import io.dmodc.topology.design.DesignReport;
import org.jspecify.annotations.Nullable;

/**
 * How the cabling compares with a design.
 *
 * @param report absent if nobody gave a design and none could be guessed, or the fabric is several
 * @param why there is none; empty otherwise
 */
record DesignDifferences(@Nullable DesignReport report, String why) {
    /** Parts that were never cabled together are no one shape: none is guessed, and none compared. */
    static DesignDifferences of(ReportInput input) {
        FabricView view = input.builder().build(0, new NodeIndexMap(), new GuidNumbers());
        if (view.partCount() > 1) {
            return new DesignDifferences(
                    null,
                    view.partCount()
                            + " separate parts were never cabled together; 'fabricctl topology verify' compares each with a shape of its own");
        }
        if (input.design() != null) {
            return new DesignDifferences(DesignCheck.verify(view, input.design()), "");
        }
        try {
            return new DesignDifferences(DesignCheck.verify(view), "");
        } catch (IllegalArgumentException e) {
            return new DesignDifferences(null, String.valueOf(e.getMessage()));
        }
    }
}
