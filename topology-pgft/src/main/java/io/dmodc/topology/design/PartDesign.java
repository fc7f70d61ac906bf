package io.dmodc.topology.design;

import io.dmodc.topology.FabricParts;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftShape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one part of a fabric compares with its design. Parts that were never cabled together, as rails, are fabrics of their
 * own: each has a shape of its own, and no fault of one says anything of another.
 *
 * @param part drawn without known levels; its own switch indices
 * @param report absent if no shape was given and none can be guessed
 * @param why there is none; empty otherwise
 */
public record PartDesign(FabricView part, @Nullable DesignReport report, String why) {
    /**
     * Compares each part by itself.
     *
     * @param view of {@code fabric}, drawn without known levels
     * @param design shape of all parts; without one the most likely one of each
     * @return by number of the part; of a fabric of one part the fabric itself
     */
    public static List<PartDesign> of(FabricViewBuilder fabric, FabricView view, @Nullable PgftShape design) {
        if (view.partCount() <= 1) {
            return List.of(of(view, design));
        }
        return FabricParts.of(fabric, view).stream()
                .map(part -> of(part.build(view.epoch(), new NodeIndexMap(), new GuidNumbers()), design))
                .toList();
    }

    private static PartDesign of(FabricView part, @Nullable PgftShape design) {
        try {
            DesignReport report = design == null ? DesignCheck.verify(part) : DesignCheck.verify(part, design);
            return new PartDesign(part, report, "");
        } catch (IllegalArgumentException e) {
            return new PartDesign(part, null, String.valueOf(e.getMessage()));
        }
    }
}
