package io.dmodc.manager.northbound;

import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.SwitchRecord;

/**
 * Agents of the switches that came in since the start, each counted once.
 *
 * @param connected neither silent nor flagged
 * @param silent connected, and found silent by the ring
 * @param flagged connected, not silent, and left all pushes of a table unanswered
 * @param gone without a connection
 */
record AgentCounts(int connected, int silent, int flagged, int gone) {
    /** Counts them; on the loop thread, in O(switches). */
    static AgentCounts of(FabricState state) {
        int[] counts = new int[4];
        for (SwitchRecord record : state.switches()) {
            counts[!record.agentConnected() ? 3 : record.agentSilent() ? 1 : record.flagged() ? 2 : 0]++;
        }
        return new AgentCounts(counts[0], counts[1], counts[2], counts[3]);
    }
}
