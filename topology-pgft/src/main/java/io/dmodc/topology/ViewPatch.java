package io.dmodc.topology;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Draws the next view out of the last one when only links, switches and hosts went or came in between.
 *
 * <p><b>Idea.</b> With the same cables between switches, switch indices and places of ports cannot change. What is left
 * are the live links: the ports that spoke and the ports of switches that died or came back are looked at again, and the
 * rows of the switches at both ends of a link that changed are drawn anew ({@link LinkEdit}). Ranks are assigned as for
 * a fresh view and kept when they come out the same. So nothing is assumed about levels; when all are known, ranks are cheap. Of nodes only those are looked at that came, went or moved
 * ({@link NodePlaces}); targets are ordered again where ranks or nodes changed, and kept when they come out the same.
 *
 * <p><b>Cost.</b> O(ports of these switches), and O(switches) for ranks and where rows lie; O(nodes) more if one of them
 * changed. What the views do not differ in they share. At most {@link #PLACES_MAX} changed ports: beyond, drawing afresh is cheaper.
 */
final class ViewPatch {
    static final int PLACES_MAX = 4096;

    private final ResolvedCabling cabling;
    private final FabricTables before;

    /** Switches that have another name, died or came back since. */
    private final BitSet changed = new BitSet();

    /** Places of the ports that changed what they say, some more than once. */
    private int[] places = {};

    private int placeCount;

    /** @param before tables of the last view, drawn from this cabling */
    ViewPatch(ResolvedCabling cabling, FabricTables before) {
        this.cabling = cabling;
        this.before = before;
    }

    /** A known switch has another name, died or came back. */
    void switchChanged(KnownSwitch known) {
        changed.set(known.index);
    }

    /** A port of a known switch went up or down. */
    void portChanged(KnownSwitch known, int at) {
        add(cabling.portBase[known.index] + at);
    }

    /** Counts on to one more than fit, which means too many. */
    private void add(int place) {
        if (placeCount == places.length && placeCount < PLACES_MAX) {
            places = Arrays.copyOf(places, Math.max(16, 2 * placeCount));
        }
        if (placeCount < PLACES_MAX) {
            places[placeCount] = place;
        }
        placeCount = Math.min(placeCount + 1, PLACES_MAX + 1);
    }

    /**
     * The tables of the fabric as it is known now, the same as drawn afresh; null where too much changed for that.
     */
    @Nullable
    FabricTables draw(NodeIndexMap nodes, GuidNumbers levels, boolean levelsOnly) {
        FabricTables t = new FabricTables(before);
        takeSwitches(t);
        if (placeCount > PLACES_MAX) {
            return null;
        }
        t.links = relinked();
        Ranks.assign(t, cabling.hostCount, cabling.levels(levels), levelsOnly);
        if (Arrays.equals(t.rank, before.rank)) {
            t.rank = before.rank;
        }
        cabling.placeNodes(t, nodes);
        if (t.rank != before.rank || t.nodeHost != before.nodeHost) {
            t.orderTargets();
            t.shareTargets(before);
        }
        return t;
    }

    /** Takes over names and liveness; all ports of a switch that died or came back have changed. */
    private void takeSwitches(FabricTables t) {
        for (int s = changed.nextSetBit(0); s >= 0; s = changed.nextSetBit(s + 1)) {
            KnownSwitch known = cabling.switches[s];
            if (!known.name.equals(before.switchName[s])) {
                t.switchName = t.switchName == before.switchName ? t.switchName.clone() : t.switchName;
                t.switchName[s] = known.name;
            }
            if (known.alive != before.alive[s]) {
                t.alive = t.alive == before.alive ? t.alive.clone() : t.alive;
                t.alive[s] = known.alive;
                for (int place = t.portBase[s]; place < t.portBase[s + 1]; place++) {
                    add(place);
                }
            }
        }
    }

    /** Connects and cuts what came and went. */
    private LinkRows relinked() {
        LinkEdit links = new LinkEdit(before);
        for (int i = 0; i < placeCount; i++) {
            int place = places[i];
            int far = cabling.farEnd(place);
            if (far >= 0) {
                int s = cabling.farSwitch(far);
                int port = place - cabling.portBase[s] + 1;
                boolean live = cabling.isLive(cabling.switches[s], place);
                boolean wasLive = links.peerSwitch(s, port) >= 0;
                if (live && !wasLive) {
                    links.connect(s, port, cabling.farSwitch(place), cabling.farPort(place));
                } else if (!live && wasLive) {
                    links.cut(s, port);
                }
            }
        }
        return links.rows();
    }
}
