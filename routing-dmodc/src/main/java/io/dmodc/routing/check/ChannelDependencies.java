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
    private final boolean[] source;
    private final int[] portBase;
    private final int[] wordBase;
    private final long[] bits;

    /** By switch, the last destination whose packets were followed from it. */
    private final int[] seen;

    private final int[] open;
    private int followed;

    /**
     * None yet.
     *
     * @param source switches where packets begin
     */
    ChannelDependencies(PortPeers peers, boolean[] source) {
        this.view = peers.view;
        this.peers = peers;
        this.source = source;
        int switchCount = view.switchCount();
        portBase = new int[switchCount + 1];
        wordBase = new int[switchCount + 1];
        for (int s = 0; s < switchCount; s++) {
            portBase[s + 1] = portBase[s] + view.portCount(s);
            wordBase[s + 1] = Math.addExact(wordBase[s], view.portCount(s) * rowWords(s));
        }
        bits = new long[wordBase[switchCount]];
        seen = new int[switchCount];
        open = new int[switchCount];
    }

    /** Those of these tables. */
    static ChannelDependencies of(PortPeers peers, LftSet tables, boolean[] source, Parallel parallel) {
        ChannelDependencies[] pieces = new ChannelDependencies[PIECES];
        int columns = tables.entryCount();
        parallel.forEach(PIECES, piece -> {
            ChannelDependencies found = new ChannelDependencies(peers, source);
            int end = (int) ((piece + 1L) * columns / PIECES);
            int[] block = new int[ColumnBlock.COLUMNS_MAX];
            for (int d = (int) ((long) piece * columns / PIECES); d < end; d += block.length) {
                int first = d;
                Arrays.setAll(block, i -> first + i);
                int count = Math.min(block.length, end - d);
                ColumnBlock entries = new ColumnBlock(tables, block, 0, count);
                for (int i = 0; i < count; i++) {
                    found.add(true, entries.column(i));
                }
            }
            pieces[piece] = found;
        });
        for (int piece = 1; piece < PIECES; piece++) {
            for (int i = 0; i < pieces[0].bits.length; i++) {
                pieces[0].bits[i] |= pieces[piece].bits[i];
            }
        }
        return pieces[0];
    }

    private int rowWords(int s) {
        return (view.portCount(s) >> 6) + 1;
    }

    private int rowStart(int s, int inPort) {
        return wordBase[s] + (inPort - 1) * rowWords(s);
    }

    /**
     * Adds those of packets to one destination, where each switch forwards by any of several entries, now by one and now by another.
     *
     * @param turns whether packets may turn from down to up, or stay in a rank; if not, such ways count for nothing
     * @param entries by alternative, by switch; unsigned
     */
    void add(boolean turns, byte[]... entries) {
        followed++;
        int depth = 0;
        for (int start = 0; start < source.length; start++) {
            if (source[start]) {
                seen[start] = followed;
                open[depth++] = start;
            }
        }
        while (depth > 0) {
            int at = open[--depth];
            for (int i = 0; i < entries.length; i++) {
                int port = entries[i][at] & 0xff;
                int to = i > 0 && entries[i][at] == entries[0][at] ? -1 : peers.peer(at, port);
                if (to >= 0) {
                    addHop(at, port, to, turns, entries);
                    if (seen[to] != followed) {
                        seen[to] = followed;
                        open[depth++] = to;
                    }
                }
            }
        }
    }

    /** Adds all that packets can do which climb, then descend. */
    void addAllClimbs() {
        for (int to = 0; to < source.length; to++) {
            for (int inPort = 1; inPort <= view.portCount(to); inPort++) {
                int at = peers.peer(to, inPort);
                for (int leaving = 1; at >= 0 && leaving <= view.portCount(to); leaving++) {
                    int next = peers.peer(to, leaving);
                    if (next >= 0 && climbsThenDescends(at, to, next)) {
                        bits[rowStart(to, inPort) + (leaving >> 6)] |= 1L << leaving;
                    }
                }
            }
        }
    }

    private void addHop(int at, int port, int to, boolean turns, byte[][] entries) {
        int row = rowStart(to, view.peerPort(at, port));
        for (byte[] some : entries) {
            int leaving = some[to] & 0xff;
            int next = peers.peer(to, leaving);
            if (next >= 0 && (turns || climbsThenDescends(at, to, next))) {
                bits[row + (leaving >> 6)] |= 1L << leaving;
            }
        }
    }

    private boolean climbsThenDescends(int at, int to, int next) {
        return view.isUp(at, to)
                ? view.isUp(to, next) || view.isDown(to, next)
                : view.isDown(at, to) && view.isDown(to, next);
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
