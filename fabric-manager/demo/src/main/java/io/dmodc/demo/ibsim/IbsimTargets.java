package io.dmodc.demo.ibsim;

import io.dmodc.topology.FabricView;

/**
 * What is broken: a cable above a leaf that has others, and a switch without hosts none of whose neighbours hangs on it alone.
 *
 * @param linkCount cables between switches of the whole fabric
 * @param topLinks of these, the ones of the switch that is broken
 */
record IbsimTargets(
        int linkCount, long cableSwitch, int cablePort, String cableText, long top, String topText, int topLinks) {
    /** @throws IllegalArgumentException in one line if nothing in this fabric can be broken and healed */
    static IbsimTargets of(FabricView view) {
        for (int leaf = 0; leaf < view.switchCount(); leaf++) {
            int port = uplink(view, leaf);
            int top = top(view);
            if (port > 0 && top >= 0) {
                int peer = view.peerSwitch(leaf, port);
                return new IbsimTargets(
                        view.linkCount(),
                        view.switchGuid(leaf),
                        port,
                        view.switchName(leaf) + " port " + port + " to " + view.switchName(peer),
                        view.switchGuid(top),
                        view.switchName(top),
                        links(view, top));
            }
        }
        throw new IllegalArgumentException(
                "the fabric has no leaf with two uplinks, or no switch above the leaves that others stand beside;"
                        + " expected one in which something can heal");
    }

    /** Of a leaf with several; else 0. */
    private static int uplink(FabricView view, int leaf) {
        if (!view.isLeaf(leaf) || links(view, leaf) < 2) {
            return 0;
        }
        int port = 1;
        while (view.peerSwitch(leaf, port) < 0) {
            port++;
        }
        return port;
    }

    private static int links(FabricView view, int s) {
        int links = 0;
        for (int port = 1; port <= view.portCount(s); port++) {
            links += view.peerSwitch(s, port) >= 0 ? 1 : 0;
        }
        return links;
    }

    /** The last of the highest that are no leaves, where there are two. */
    private static int top(FabricView view) {
        int last = -1;
        int count = 0;
        for (int s = 0; s < view.switchCount(); s++) {
            if (!view.isLeaf(s) && view.rank(s) == view.rankMax()) {
                last = s;
                count++;
            }
        }
        return count > 1 ? last : -1;
    }
}
