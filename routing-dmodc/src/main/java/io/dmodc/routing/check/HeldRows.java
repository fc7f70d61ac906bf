package io.dmodc.routing.check;

import io.dmodc.routing.LftDelta;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/**
 * The rows of switches that cannot be told anything: each forwards by one of its own, and nobody knows by which. Immutable.
 */
public final class HeldRows {
    private static final int BLOCK = 64;

    private static final LftRow[] NONE = {};

    /** By switch; empty for those that can be told what to hold. */
    private final LftRow[][] rows;

    /** Those that cannot be told what to hold, ascending. */
    private final int[] switches;

    private final int columns;

    /**
     * @param held by switch index of the view: at least one row each, of any length
     * @param columns entries of the tables of the others
     */
    public HeldRows(FabricView view, Map<Integer, List<LftRow>> held, int columns) {
        this.columns = columns;
        rows = new LftRow[view.switchCount()][];
        Arrays.fill(rows, NONE);
        held.forEach((s, all) -> rows[s] = LftRow.distinct(all, columns));
        switches = held.keySet().stream().mapToInt(s -> s).sorted().toArray();
    }

    /** Those that cannot be told what to hold, by index, ascending; read only. */
    public int[] switches() {
        return switches;
    }

    /** What a switch may forward by; empty if it can be told what to hold. Read only. */
    public LftRow[] of(int s) {
        return rows[s];
    }

    /**
     * Adds to {@code misfits} the switches that may forward otherwise than they should, and returns for which destinations.
     *
     * @param tables what they should hold
     */
    public BitSet differing(LftSet tables, BitSet misfits) {
        BitSet differing = new BitSet();
        for (int s : switches) {
            LftRow should = tables.row(s);
            for (LftRow row : rows[s]) {
                if (compare(row, should, differing)) {
                    misfits.set(s);
                }
            }
        }
        return differing;
    }

    /** True if this switch may send packets to {@code d} by another port than it should. */
    public boolean differs(int s, int d, int should) {
        for (LftRow row : rows[s]) {
            if (row.port(d) != should) {
                return true;
            }
        }
        return false;
    }

    private boolean compare(LftRow held, LftRow should, BitSet differing) {
        int[] blocks = LftDelta.changedBlocks(held, should);
        for (int block : blocks) {
            for (int d = block * BLOCK; d < Math.min(columns, (block + 1) * BLOCK); d++) {
                if (held.port(d) != should.port(d)) {
                    differing.set(d);
                }
            }
        }
        return blocks.length > 0;
    }
}
