package io.dmodc.topology.design;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import java.util.Optional;

/**
 * Levels that switches keep whatever is lost: those of a design where it has a place for a switch, hops to the nearest
 * leaf where it has none. Whoever draws a fabric by a design does it by these, so that all draw it alike.
 */
public final class SwitchLevels {
    /** A design fits while at most one of so many cabled switches has no place in it. */
    private static final int MISFIT_PARTS = 10;

    private SwitchLevels() {}

    /**
     * The level of every switch that has one.
     *
     * @param view drawn without known levels
     * @param known levels that win over the ranks of the view; those of switches that are not in it are left out
     */
    public static GuidNumbers of(FabricView view, GuidNumbers known) {
        GuidNumbers levels = new GuidNumbers();
        for (int s = 0; s < view.switchCount(); s++) {
            int level = known.getOrDefault(view.switchGuid(s), view.rank(s));
            if (level >= 0) {
                levels.put(view.switchGuid(s), level);
            }
        }
        return levels;
    }

    /**
     * Why a fabric was not built as a design, in one line; empty if it may have been, however much is lost or cabled
     * wrongly. It was not if more than one in {@value #MISFIT_PARTS} of the switches with cables has no place in the
     * design, or if more than half of the design's places are empty.
     *
     * @param report of this view
     */
    public static Optional<String> misfit(FabricView view, DesignReport report) {
        int cabled = 0;
        int placeless = 0;
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.groupStart(s) < view.groupEnd(s)) {
                cabled++;
                placeless += report.levels().get(view.switchGuid(s)).isEmpty() ? 1 : 0;
            }
        }
        int places = report.design().switchCount();
        int empty = places - report.levels().size();
        if (MISFIT_PARTS * placeless > cabled) {
            return Optional.of(placeless + " of " + cabled + " switches with cables have no place in it");
        }
        return 2 * empty > places
                ? Optional.of(empty + " of its " + places + " switches are missing")
                : Optional.empty();
    }
}
