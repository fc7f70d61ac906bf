package io.dmodc.routing.check;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.topology.FabricView;
import java.util.Arrays;

/**
 * Which link waits for which: a packet that came in by one port of a switch and leaves by another holds a buffer of the
 * first link while it waits for one of the second (Dally and Seitz: no circle, no deadlock).
 *
 * <p>Channels are directed links, numbered {@code portBase[s] + port − 1} by the end they leave. Per switch one bit
 * matrix, arriving port × leaving port, filled from what packets of all sources to all destinations do: O(switches ×
 * destinations) time, ports² / 8 bytes per switch for each of {@link #PIECES} pieces of work.
 */
final class ChannelDependencies {
    private static final int PIECES = 8;

    private final FabricView view;
    private final PortPeers peers;
    private final LftSet tables;
    private final boolean[] source;
    private final int[] portBase;
    private final int[] wordBase;
    private final long[] bits;

    ChannelDependencies(PortPeers peers, LftSet tables, boolean[] source, Parallel parallel) {
        this.view = peers.view;
        this.peers = peers;
        this.tables = tables;
        this.source = source;
        int switchCount = view.switchCount();
        portBase = new int[switchCount + 1];
        wordBase = new int[switchCount + 1];
        for (int s = 0; s < switchCount; s++) {
            portBase[s + 1] = portBase[s] + view.portCount(s);
            wordBase[s + 1] = Math.addExact(wordBase[s], view.portCount(s) * rowWords(s));
        }
        bits = collect(parallel);
    }

    private int rowWords(int s) {
        return (view.portCount(s) >> 6) + 1;
    }

    private int rowStart(int s, int inPort) {
        return wordBase[s] + (inPort - 1) * rowWords(s);
    }

    private long[] collect(Parallel parallel) {
        long[][] pieces = new long[PIECES][];
        int columns = tables.entryCount();
        parallel.forEach(PIECES, piece -> {
            long[] found = new long[wordBase[wordBase.length - 1]];
            int[] seen = new int[view.switchCount()];
            Arrays.fill(seen, -1);
            int end = (int) ((piece + 1L) * columns / PIECES);
            int[] block = new int[ColumnBlock.COLUMNS_MAX];
            for (int d = (int) ((long) piece * columns / PIECES); d < end; d += block.length) {
                int first = d;
                Arrays.setAll(block, i -> first + i);
                int count = Math.min(block.length, end - d);
                ColumnBlock entries = new ColumnBlock(tables, block, 0, count);
                for (int i = 0; i < count; i++) {
                    addDestination(d + i, entries.column(i), seen, found);
                }
            }
            pieces[piece] = found;
        });
        for (int piece = 1; piece < PIECES; piece++) {
            for (int i = 0; i < pieces[0].length; i++) {
                pieces[0][i] |= pieces[piece][i];
            }
        }
        return pieces[0];
    }

    private void addDestination(int d, byte[] entries, int[] seen, long[] found) {
        for (int start = 0; start < source.length; start++) {
            int at = source[start] ? start : -1;
            while (at >= 0 && seen[at] != d) {
                seen[at] = d;
                int port = entries[at] & 0xff;
                int to = peers.peer(at, port);
                int leaving = to < 0 ? 0 : entries[to] & 0xff;
                if (to >= 0 && peers.peer(to, leaving) >= 0) {
                    found[rowStart(to, view.peerPort(at, port)) + (leaving >> 6)] |= 1L << leaving;
                }
                at = to;
            }
        }
    }

    int channelCount() {
        return portBase[portBase.length - 1];
    }

    /** Switch a channel leaves. */
    int channelSwitch(int channel) {
        int at = Arrays.binarySearch(portBase, channel);
        while (at >= 0 && portBase[at + 1] == channel) {
            at++;
        }
        return at >= 0 ? at : -at - 2;
    }

    /** Port a channel leaves by. */
    int channelPort(int channel) {
        return channel - portBase[channelSwitch(channel)] + 1;
    }

    /** Channels that packets in this one may wait for. */
    int[] successors(int channel) {
        int s = channelSwitch(channel);
        int port = channel - portBase[s] + 1;
        int to = view.peerSwitch(s, port);
        int[] found = new int[to < 0 ? 0 : view.portCount(to)];
        int count = 0;
        for (int leaving = 1; leaving <= found.length; leaving++) {
            long word = bits[rowStart(to, view.peerPort(s, port)) + (leaving >> 6)];
            if ((word >>> leaving & 1) != 0) {
                found[count++] = portBase[to] + leaving - 1;
            }
        }
        return Arrays.copyOf(found, count);
    }
}
