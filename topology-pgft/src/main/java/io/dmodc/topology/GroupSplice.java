package io.dmodc.topology;

import java.util.Arrays;

/**
 * Gathers the port groups of a few switches anew and puts them between the groups of all others, which are copied in
 * long runs. {@code groupBase} and {@code groupRemote} stay shared when no bundle came or went altogether.
 */
final class GroupSplice {
    private final FabricTables before;
    private final FabricTables t;
    private final int[] relinked;

    /** Groups of each relinked switch: remote switches ascending, and where each one's ports begin and end. */
    private final int[][] remotes;

    private final int[][] portEnds;

    /** Ports of each relinked switch, group by group. */
    private final byte[][] ports;

    /**
     * @param t tables whose links are new and whose groups are still those of {@code before}
     * @param relinked switches whose links differ, ascending, at least one
     */
    GroupSplice(FabricTables before, FabricTables t, int[] relinked) {
        this.before = before;
        this.t = t;
        this.relinked = relinked;
        remotes = new int[relinked.length][];
        portEnds = new int[relinked.length][];
        ports = new byte[relinked.length][];
    }

    void splice() {
        boolean sameRemotes = true;
        for (int i = 0; i < relinked.length; i++) {
            gather(i);
            int s = relinked[i];
            sameRemotes &=
                    Arrays.equals(remotes[i], 0, remotes[i].length, t.groupRemote, t.groupBase[s], t.groupBase[s + 1]);
        }
        if (!sameRemotes) {
            spliceRemotes();
        }
        splicePorts();
    }

    /** Sorts the live ports of a switch by remote switch, then by number. */
    private void gather(int i) {
        int base = t.portBase[relinked[i]];
        int portCount = t.portBase[relinked[i] + 1] - base;
        long[] live = new long[portCount];
        int liveCount = 0;
        for (int at = 0; at < portCount; at++) {
            if (t.peerSwitch[base + at] >= 0) {
                live[liveCount++] = (long) t.peerSwitch[base + at] << Byte.SIZE | (at + 1);
            }
        }
        Arrays.sort(live, 0, liveCount);
        int[] remote = new int[liveCount];
        int[] end = new int[liveCount];
        byte[] port = new byte[liveCount];
        int groups = 0;
        for (int k = 0; k < liveCount; k++) {
            int to = (int) (live[k] >> Byte.SIZE);
            if (groups == 0 || remote[groups - 1] != to) {
                remote[groups++] = to;
            }
            end[groups - 1] = k + 1;
            port[k] = (byte) live[k];
        }
        remotes[i] = Arrays.copyOf(remote, groups);
        portEnds[i] = Arrays.copyOf(end, groups);
        ports[i] = port;
    }

    private void spliceRemotes() {
        int[] groupBase = before.groupBase.clone();
        int grown = 0;
        int next = 0;
        for (int s = 0; s < groupBase.length; s++) {
            groupBase[s] += grown;
            if (next < relinked.length && relinked[next] == s) {
                grown += remotes[next].length - (before.groupBase[s + 1] - before.groupBase[s]);
                next++;
            }
        }
        int[] groupRemote = new int[groupBase[groupBase.length - 1]];
        int from = 0;
        for (int i = 0; i < relinked.length; i++) {
            int s = relinked[i];
            int to = before.groupBase[s];
            System.arraycopy(before.groupRemote, from, groupRemote, groupBase[s] - (to - from), to - from);
            System.arraycopy(remotes[i], 0, groupRemote, groupBase[s], remotes[i].length);
            from = before.groupBase[s + 1];
        }
        int left = before.groupRemote.length - from;
        System.arraycopy(before.groupRemote, from, groupRemote, groupRemote.length - left, left);
        t.groupBase = groupBase;
        t.groupRemote = groupRemote;
    }

    /** Copies runs of unchanged groups, their ports' places moved by what was spliced in before them. */
    private void splicePorts() {
        int[] portBase = new int[t.groupRemote.length + 1];
        byte[] port = new byte[portTotal()];
        int from = 0;
        int group = 0;
        int place = 0;
        for (int i = 0; i < relinked.length; i++) {
            int to = before.groupBase[relinked[i]];
            copyRun(portBase, port, from, to, group, place);
            group += to - from;
            place += before.groupPortBase[to] - before.groupPortBase[from];
            System.arraycopy(ports[i], 0, port, place, ports[i].length);
            for (int g = 0; g < remotes[i].length; g++) {
                portBase[group++] = place + (g == 0 ? 0 : portEnds[i][g - 1]);
            }
            place += ports[i].length;
            from = before.groupBase[relinked[i] + 1];
        }
        copyRun(portBase, port, from, before.groupRemote.length, group, place);
        portBase[t.groupRemote.length] = port.length;
        t.groupPortBase = portBase;
        t.groupPort = port;
    }

    private int portTotal() {
        int total = before.groupPort.length;
        for (int i = 0; i < relinked.length; i++) {
            int s = relinked[i];
            total += ports[i].length
                    - (before.groupPortBase[before.groupBase[s + 1]] - before.groupPortBase[before.groupBase[s]]);
        }
        return total;
    }

    /** Old groups {@code from .. to} become the groups from {@code group} on, their ports go to {@code place} on. */
    private void copyRun(int[] portBase, byte[] port, int from, int to, int group, int place) {
        int firstPlace = before.groupPortBase[from];
        int moved = place - firstPlace;
        for (int g = 0; g < to - from; g++) {
            portBase[group + g] = before.groupPortBase[from + g] + moved;
        }
        System.arraycopy(before.groupPort, firstPlace, port, place, before.groupPortBase[to] - firstPlace);
    }
}
