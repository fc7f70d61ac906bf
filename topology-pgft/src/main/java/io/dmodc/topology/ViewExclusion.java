package io.dmodc.topology;

import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;

/**
 * Draws a view again without some of its switches and links, as if they were down, or with links that it has not, as if they were up. Levels stay what
 * they are, so what is left goes up and down as it did. Arrays in which the views do not differ are shared.
 */
final class ViewExclusion {
    private final FabricTables before;
    private final FabricTables t;
    private final LinkEdit links;

    private ViewExclusion(FabricTables before) {
        this.before = before;
        t = new FabricTables(before);
        links = new LinkEdit(before);
    }

    /** @param links by either end; what is not there is not looked for */
    static FabricTables without(FabricTables before, BitSet switches, List<PortPlace> links) {
        ViewExclusion exclusion = new ViewExclusion(before);
        exclusion.excludeSwitches(switches);
        for (PortPlace link : links) {
            if (exclusion.isPort(link)) {
                exclusion.cut(before.switchOf(link.guid()), link.port());
            }
        }
        return exclusion.drawn();
    }

    /** @param links from one end to the other; where either has a link, or not both switches are alive, there is none */
    static FabricTables with(FabricTables before, SortedMap<PortPlace, PortPlace> links) {
        ViewExclusion more = new ViewExclusion(before);
        links.forEach((near, far) -> {
            if (more.isPort(near) && more.isPort(far)) {
                more.join(before.switchOf(near.guid()), near.port(), before.switchOf(far.guid()), far.port());
            }
        });
        return more.drawn();
    }

    private FabricTables drawn() {
        t.links = links.rows();
        return t;
    }

    private boolean isPort(PortPlace link) {
        int s = before.switchOf(link.guid());
        return s >= 0 && link.port() >= 1 && link.port() <= t.portBase[s + 1] - t.portBase[s];
    }

    private void excludeSwitches(BitSet switches) {
        int count = before.switchGuid.length;
        for (int s = switches.nextSetBit(0); s >= 0 && s < count; s = switches.nextSetBit(s + 1)) {
            t.alive = t.alive == before.alive ? t.alive.clone() : t.alive;
            t.alive[s] = false;
            for (int port = 1; port <= t.portBase[s + 1] - t.portBase[s]; port++) {
                cut(s, port);
            }
        }
    }

    private void cut(int s, int port) {
        if (links.peerSwitch(s, port) >= 0) {
            links.cut(s, port);
        }
    }

    private void join(int s, int port, int remote, int remotePort) {
        boolean free = links.peerSwitch(s, port) < 0 && links.peerSwitch(remote, remotePort) < 0;
        if (free && s != remote && t.alive[s] && t.alive[remote]) {
            links.connect(s, port, remote, remotePort);
        }
    }
}
