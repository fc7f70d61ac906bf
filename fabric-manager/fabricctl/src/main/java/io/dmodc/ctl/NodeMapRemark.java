package io.dmodc.ctl;

import io.dmodc.topology.FabricView;

/** What an operator should know of a node map that is not this fabric's. */
final class NodeMapRemark {
    private NodeMapRemark() {}

    /**
     * Whether a fabric has none of the hosts a map named.
     *
     * @param known size of the map's index space before the fabric was drawn: hosts new to it have higher indices
     */
    static boolean noneIn(FabricView view, int known) {
        for (int node = 0; node < Math.min(known, view.nodeCount()); node++) {
            if (view.nodeSwitch(node) >= 0) {
                return false;
            }
        }
        return view.nodeCount() > known;
    }

    static String text(String nodeMap, FabricView view, int known) {
        return nodeMap + ": none of its GUIDs is a host port of this fabric; all " + (view.nodeCount() - known)
                + " host ports got new indices, from " + known + " on";
    }
}
