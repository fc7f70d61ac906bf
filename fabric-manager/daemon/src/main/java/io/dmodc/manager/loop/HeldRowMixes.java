package io.dmodc.manager.loop;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
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

    /** The tables with the rows of this mix in place of the computed ones. */
    LftSet mix(LftSet tables) {
        LftRow[] mixed = new LftRow[tables.switchCount()];
        for (int s = 0; s < mixed.length; s++) {
            mixed[s] = tables.row(s);
        }
        for (int i = 0; i < switches.length; i++) {
            LftRow held = rows[i][Math.min(choice[i], rows[i].length - 1)];
            mixed[switches[i]] = held.fittedTo(tables.entryCount());
        }
        return new LftSet(tables.epoch(), tables.entryCount(), mixed);
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
