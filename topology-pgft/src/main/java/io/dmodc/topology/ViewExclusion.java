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
            int place = exclusion.place(link);
            if (place >= 0) {
                exclusion.cut(before.switchOf(link.guid()), place);
            }
        }
        return exclusion.spliced();
    }

    /** @param links from one end to the other; where either has a link, or not both switches are alive, there is none */
    static FabricTables with(FabricTables before, SortedMap<PortPlace, PortPlace> links) {
        ViewExclusion more = new ViewExclusion(before);
        links.forEach((near, far) -> {
            int place = more.place(near);
            int farPlace = more.place(far);
            if (place >= 0 && farPlace >= 0) {
                more.join(before.switchOf(near.guid()), place, before.switchOf(far.guid()), farPlace);
            }
        });
        return more.spliced();
    }

    private FabricTables spliced() {
        if (!relinked.isEmpty()) {
            new GroupSplice(before, t, relinked.stream().toArray()).splice();
        }
        return t;
    }

    /** −1 if there is no such port. */
    private int place(PortPlace link) {
        int s = before.switchOf(link.guid());
        boolean exists = s >= 0 && link.port() >= 1 && link.port() <= t.portBase[s + 1] - t.portBase[s];
        return exists ? t.portBase[s] + link.port() - 1 : -1;
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

    private void cut(int s, int place) {
        int remote = t.peerSwitch[place];
        if (remote < 0) {
            return;
        }
        ownLinks();
        int far = t.portBase[remote] + (t.peerPort[place] & 0xff) - 1;
        for (int end : new int[] {place, far}) {
            t.peerSwitch[end] = -1;
            t.peerPort[end] = 0;
        }
        t.linkCount--;
        relinked.set(s);
        relinked.set(remote);
    }

    private void join(int s, int place, int remote, int far) {
        boolean free = t.peerSwitch[place] < 0 && t.peerSwitch[far] < 0;
        if (!free || s == remote || !t.alive[s] || !t.alive[remote]) {
            return;
        }
        ownLinks();
        t.peerSwitch[place] = remote;
        t.peerPort[place] = (byte) (far - t.portBase[remote] + 1);
        t.peerSwitch[far] = s;
        t.peerPort[far] = (byte) (place - t.portBase[s] + 1);
        t.linkCount++;
        relinked.set(s);
        relinked.set(remote);
    }

    private void ownLinks() {
        if (t.peerSwitch == before.peerSwitch) {
            t.peerSwitch = t.peerSwitch.clone();
            t.peerPort = t.peerPort.clone();
        }
    }
}
