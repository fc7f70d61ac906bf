package io.dmodc.routing.check;

import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The live links of a view as the check reads them.
 *
 * <p>{@code upPeer[s << 8 | port]} and {@code downPeer[…]} give the switch a table entry leads to when the link climbs
 * or descends, {@link #none} otherwise: every byte is a valid index, so the hot loop needs no test. 2 KiB per switch.
 */
final class Wiring {
    final FabricView view;
    /** Stands for "no switch": one behind the last index. */
    final int none;

    final int[] upPeer;
    final int[] downPeer;
    /** Upper neighbours of s, each once: {@code upRemote[upBase[s] .. upBase[s + 1]]}. */
    final int[] upBase;

    final int[] upRemote;
    /** Live ranked switches, highest rank first. */
    final int[] fromTop;

    Wiring(FabricView view) {
        this.view = view;
        none = view.switchCount();
        if (view.rankMax() >= TurnRanks.NONE) {
            throw new IllegalArgumentException(
                    "rank " + view.rankMax() + " of a switch; expected at most " + (TurnRanks.NONE - 1));
        }
        upPeer = new int[none << 8];
        downPeer = new int[none << 8];
        upBase = new int[none + 1];
        upRemote = new int[view.groupStart(none)];
        Arrays.fill(upPeer, none);
        Arrays.fill(downPeer, none);
        for (int s = 0; s < none; s++) {
            upBase[s + 1] = upBase[s];
            for (int group = view.groupStart(s); group < view.groupStart(s + 1); group++) {
                addGroup(s, group);
            }
        }
        fromTop = IntStream.range(0, none)
                .filter(s -> view.alive(s) && view.rank(s) >= 0)
                .boxed()
                .sorted(Comparator.comparing((Integer s) -> -view.rank(s)))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private void addGroup(int s, int group) {
        int remote = view.groupRemote(group);
        boolean up = view.isUp(s, remote);
        if (up) {
            upRemote[upBase[s + 1]++] = remote;
        }
        if (up || view.isDown(s, remote)) {
            int[] peer = up ? upPeer : downPeer;
            for (int i = 0; i < view.groupSize(group); i++) {
                peer[s << 8 | view.groupPort(group, i)] = remote;
            }
        }
    }

    /** Switch behind a live link of this port, or −1; any byte is a valid port here. */
    int peer(int s, int port) {
        return port >= 1 && port <= view.portCount(s) ? view.peerSwitch(s, port) : -1;
    }
}
