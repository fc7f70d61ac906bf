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
 * @param report absent if nobody gave a design and none could be guessed
 * @param why none could be guessed; empty otherwise
 */
record DesignDifferences(@Nullable DesignReport report, String why) {
    static DesignDifferences of(ReportInput input) {
        FabricView view = input.builder().build(0, new NodeIndexMap(), new GuidNumbers());
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
