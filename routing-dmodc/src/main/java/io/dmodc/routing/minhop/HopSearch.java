package io.dmodc.routing.minhop;

/** Finds the paths from everywhere to one target. Called from several threads at once. */
@FunctionalInterface
public interface HopSearch {
    /**
     * Fills in one target's part.
     *
     * @param target live switch index
     * @param hops by switch; every entry is written, {@link MinHopTables#NO_PATH} where there is no path
     * @param masks the view's port groups as bits
     * @param portSets zero at first; gets the groups that begin a shortest path
     */
    void search(int target, byte[] hops, PortMasks masks, long[] portSets);
}
