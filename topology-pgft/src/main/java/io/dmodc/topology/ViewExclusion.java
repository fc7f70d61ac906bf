package io.dmodc.topology;

import java.util.BitSet;
import java.util.List;

/**
 * Draws a view again without some of its switches and links, as if they were down. Levels stay what they are, so what is left goes up and down as
 * it did. Arrays in which the views do not differ are shared.
 */
final class ViewExclusion {
    private final FabricTables before;
    private final FabricTables t;
    private final BitSet relinked = new BitSet();

    private ViewExclusion(FabricTables before) {
        this.before = before;
        t = new FabricTables(before);
    }

    /** @param links by either end; what is not there is not looked for */
    static FabricTables without(FabricTables before, BitSet switches, List<PortPlace> links) {
        ViewExclusion exclusion = new ViewExclusion(before);
        exclusion.excludeSwitches(switches);
        for (PortPlace link : links) {
            exclusion.excludeLink(before.switchOf(link.guid()), link.port());
        }
        if (!exclusion.relinked.isEmpty()) {
            int[] relinked = exclusion.relinked.stream().toArray();
            new GroupSplice(before, exclusion.t, relinked).splice();
        }
        return exclusion.t;
    }

    private void excludeSwitches(BitSet switches) {
        int count = before.switchGuid.length;
        for (int s = switches.nextSetBit(0); s >= 0 && s < count; s = switches.nextSetBit(s + 1)) {
            t.alive = t.alive == before.alive ? t.alive.clone() : t.alive;
            t.alive[s] = false;
            for (int place = t.portBase[s]; place < t.portBase[s + 1]; place++) {
                cut(s, place);
            }
        }
    }

    private void excludeLink(int s, int port) {
        if (s >= 0 && port >= 1 && port <= t.portBase[s + 1] - t.portBase[s]) {
            cut(s, t.portBase[s] + port - 1);
        }
    }

    private void cut(int s, int place) {
        int remote = t.peerSwitch[place];
        if (remote < 0) {
            return;
        }
        if (t.peerSwitch == before.peerSwitch) {
            t.peerSwitch = t.peerSwitch.clone();
            t.peerPort = t.peerPort.clone();
        }
        int far = t.portBase[remote] + (t.peerPort[place] & 0xff) - 1;
        for (int end : new int[] {place, far}) {
            t.peerSwitch[end] = -1;
            t.peerPort[end] = 0;
        }
        t.linkCount--;
        relinked.set(s);
        relinked.set(remote);
    }
}
