package io.dmodc.manager.core;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.design.SwitchLevels;

/**
 * Ranks of the switches as they were when each was learnt.
 *
 * <p>Ranks follow from hops to the nearest leaf, so a spine that lost all its leaf links would float up and turn its
 * links around. Levels learnt while nothing was missing keep it where it belongs.
 *
 * @param linkCount live links of the view they were learnt from; the most links a view had so far
 */
public record LearntLevels(int linkCount, GuidNumbers levels) {
    /** Nothing learnt yet. */
    public static LearntLevels none() {
        return new LearntLevels(0, new GuidNumbers());
    }

    /** These levels and that of one switch more, or another one for it. */
    LearntLevels with(long guid, int level) {
        GuidNumbers more = new GuidNumbers();
        levels.forEach(more::put);
        more.put(guid, level);
        return new LearntLevels(linkCount, more);
    }

    /**
     * These levels without one switch that will not come back.
     *
     * @param linksLeft cables that are still expected: a fabric with more of them than that teaches anew
     */
    LearntLevels without(long guid, int linksLeft) {
        GuidNumbers rest = new GuidNumbers();
        levels.forEach((known, level) -> {
            if (known != guid) {
                rest.put(known, level);
            }
        });
        return new LearntLevels(Math.min(linkCount, linksLeft), rest);
    }

    /** @param designed levels that are known, and win over the ranks of the view */
    static LearntLevels from(FabricView view, GuidNumbers designed) {
        return new LearntLevels(view.linkCount(), SwitchLevels.of(view, designed));
    }
}
