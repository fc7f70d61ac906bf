package io.dmodc.topology;

import java.util.ArrayList;
import java.util.List;

/** All a view says of its live switches, as lines by GUID: two views are the same when their texts are. */
public final class ViewText {
    private ViewText() {}

    public static List<String> of(FabricView view) {
        List<String> lines = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.alive(s)) {
                lines.add(switchLine(view, s));
                for (int port = 1; port <= view.portCount(s); port++) {
                    if (view.peerSwitch(s, port) >= 0) {
                        lines.add("  " + port + " " + Guid.format(view.switchGuid(view.peerSwitch(s, port))) + " "
                                + view.peerPort(s, port));
                    }
                }
            }
        }
        for (int node = 0; node < view.nodeCount(); node++) {
            int s = view.nodeSwitch(node);
            lines.add(node + " " + view.host(node) + " " + (s < 0 ? "" : Guid.format(view.switchGuid(s))) + " "
                    + view.nodePort(node));
        }
        lines.add(view.linkCount() + " links, " + view.leafCount() + " leaves, " + view.targetCount() + " targets");
        return lines;
    }

    private static String switchLine(FabricView view, int s) {
        return Guid.format(view.switchGuid(s)) + " " + view.switchName(s) + " ports " + view.portCount(s) + " rank "
                + view.rank(s) + " target " + view.targetOfSwitch(s);
    }
}
