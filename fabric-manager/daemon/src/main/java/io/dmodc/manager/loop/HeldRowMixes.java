package io.dmodc.manager.loop;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the fabric may really hold when some switches cannot be told anything and it is not known which of two or three
 * tables each of them forwards by.
 *
 * <p>With up to {@value #UNCERTAIN_MAX} such switches every combination is one mix; with more, all first rows, then all
 * second, then all third. Mixes come one after the other so that an incremental check pays for what differs.
 */
final class HeldRowMixes {
    private static final int UNCERTAIN_MAX = 3;

    private final int[] switches;
    private final LftRow[][] rows;
    private final int[] choice;
    private final boolean together;

    /** @param heldRows by switch index: what it may hold, at least one row each */
    HeldRowMixes(Map<Integer, List<LftRow>> heldRows) {
        switches = new int[heldRows.size()];
        rows = new LftRow[switches.length][];
        int uncertain = 0;
        int i = 0;
        for (Map.Entry<Integer, List<LftRow>> held : new TreeMap<>(heldRows).entrySet()) {
            switches[i] = held.getKey();
            rows[i] = held.getValue().toArray(LftRow[]::new);
            uncertain += rows[i].length > 1 ? 1 : 0;
            i++;
        }
        choice = new int[switches.length];
        together = uncertain > UNCERTAIN_MAX;
    }

    /** The tables with the rows of this mix in place of those computed for a view. */
    LftSet mix(LftSet tables, FabricView view) {
        LftRow[] mixed = new LftRow[tables.switchCount()];
        for (int s = 0; s < mixed.length; s++) {
            mixed[s] = tables.row(s);
        }
        for (int i = 0; i < switches.length; i++) {
            LftRow held = rows[i][Math.min(choice[i], rows[i].length - 1)];
            LftRow computed = tables.row(switches[i]);
            mixed[switches[i]] = withoutDeadEnds(held.fittedTo(tables.entryCount()), computed, view, switches[i]);
        }
        return new LftSet(tables.epoch(), tables.entryCount(), mixed);
    }

    /**
     * A port without a live link drops what is sent there. Towards a destination to which nothing leads any more that is
     * as good as no entry, and no reason to lead all other traffic around the switch.
     */
    private static LftRow withoutDeadEnds(LftRow held, LftRow computed, FabricView view, int s) {
        if (held.sameEntries(computed)) {
            return held;
        }
        byte[] entries = held.toBytes();
        boolean changed = false;
        for (int d = 0; d < entries.length; d++) {
            int port = entries[d] & 0xff;
            boolean deadEnd = port >= 1
                    && port <= view.portCount(s)
                    && view.peerSwitch(s, port) < 0
                    && view.peerNode(s, port) < 0;
            if (deadEnd && computed.port(d) == LftSet.NO_ROUTE) {
                entries[d] = (byte) LftSet.NO_ROUTE;
                changed = true;
            }
        }
        return changed ? LftRow.of(entries) : held;
    }

    /** Goes to the next mix; false when there is none. */
    boolean next() {
        if (together) {
            int most = Arrays.stream(rows).mapToInt(held -> held.length).max().orElse(1);
            Arrays.fill(choice, choice[0] + 1);
            return choice[0] < most;
        }
        for (int i = 0; i < choice.length; i++) {
            choice[i]++;
            if (choice[i] < rows[i].length) {
                return true;
            }
            choice[i] = 0;
        }
        return false;
    }
}
