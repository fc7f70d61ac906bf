package io.dmodc.routing.change;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.change.ChangePlan.Delay;
import io.dmodc.routing.check.PortPeers;
import io.dmodc.topology.FabricView;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Lets columns stand still while they change: in round 1 every switch with hosts drops what they send there; when that is acknowledged, and what was sent before
 * has left, all other switches get their new entries; then those with hosts. So the old entries and the new ones never meet a packet together, and what is sent
 * meanwhile is lost.
 *
 * <p>The last switch before the host is left out, if it leads there: what comes to it is delivered. O(switches × columns).
 */
final class QuietColumns {
    static final int ROUNDS = 3;

    /** The round before which what was sent before must have left. */
    static final int DRAINED = 2;

    private final FabricView works;
    private final PortPeers peers;
    private final RowsInForce inForce;
    private final LftSet tables;

    QuietColumns(FabricView works, PortPeers peers, RowsInForce inForce, LftSet tables) {
        this.works = works;
        this.peers = peers;
        this.inForce = inForce;
        this.tables = tables;
    }

    /** Who cannot be kept from sending packets of these columns; empty if all can. */
    String obstacle(BitSet columns) {
        for (int target = 0; target < works.targetCount(); target++) {
            int s = works.targetSwitch(target);
            if (works.alive(s) && inForce.isUntold(s)) {
                if (inForce.of(s).length == 0) {
                    return works.switchName(s) + " has hosts, cannot be told anything, and nobody knows what it holds";
                }
                for (int d = columns.nextSetBit(0); d >= 0; d = columns.nextSetBit(d + 1)) {
                    if (maySend(s, d)) {
                        return works.switchName(s) + " has hosts, and cannot be told to drop what they send to node "
                                + d;
                    }
                }
            }
        }
        return "";
    }

    private boolean maySend(int s, int d) {
        boolean sends = false;
        for (LftRow row : inForce.of(s)) {
            sends |= peers.peer(s, row.port(d)) >= 0;
        }
        return sends;
    }

    /** Columns in which a switch that can be told something may get another entry. */
    BitSet changing() {
        BitSet changing = new BitSet();
        for (int s = 0; s < works.switchCount(); s++) {
            if (isTold(s) && inForce.mayDiffer(s, tables.row(s))) {
                inForce.addChanging(s, tables.row(s), changing);
            }
        }
        return changing;
    }

    private boolean isTold(int s) {
        return works.alive(s) && !inForce.isUntold(s);
    }

    /** Adds what waits to what switches do later, in place of what was there for these columns. */
    void addTo(BitSet columns, @Nullable Delay[] delays) {
        for (Delay delay : delays) {
            if (delay != null) {
                delay.forget(columns);
            }
        }
        BitSet dropping = new BitSet();
        BitSet others = new BitSet();
        for (int s = 0; s < works.switchCount(); s++) {
            if (isTold(s)) {
                BitSet waiting = (BitSet) columns.clone();
                boolean source = works.targetOfSwitch(s) >= 0;
                if (source) {
                    clearHarmless(s, waiting);
                } else {
                    BitSet changing = new BitSet();
                    inForce.addChanging(s, tables.row(s), changing);
                    waiting.and(changing);
                }
                if (!waiting.isEmpty()) {
                    Delay delay = Delay.of(s, delays);
                    delay.later(source ? ROUNDS : DRAINED).or(waiting);
                    if (source) {
                        delay.dropped.or(waiting);
                    }
                    (source ? dropping : others).set(s);
                }
            }
        }
        dropping.stream().forEach(s -> Delay.of(s, delays).awaited(ROUNDS).or(others));
        others.stream().forEach(s -> Delay.of(s, delays).awaited(DRAINED).or(dropping));
    }

    /** Takes out what leads to the host, or nowhere, from now on. */
    private void clearHarmless(int s, BitSet waiting) {
        byte[] ports = tables.row(s).toBytes();
        for (int d = waiting.nextSetBit(0); d >= 0; d = waiting.nextSetBit(d + 1)) {
            int port = Byte.toUnsignedInt(ports[d]);
            if (port == LftSet.NO_ROUTE || (s == works.nodeSwitch(d) && port == works.nodePort(d))) {
                waiting.clear(d);
            }
        }
    }
}
