package io.dmodc.routing.check;

import io.dmodc.routing.LftDelta;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows of switches that cannot be told anything: each forwards by one of its own, and nobody knows by which. And those of switches that do not give up
 * single entries: for these destinations each forwards by its own row, or as it is told. Immutable.
 */
public final class HeldRows {
    private static final int BLOCK = 64;

    private static final LftRow[] NONE = {};

    /** By switch; empty for those that can be told what to hold. */
    private final LftRow[][] rows;

    /** By switch that can be told and has a row: for which destinations that counts. */
    private final @Nullable BitSet[] kept;

    /** Those with rows, ascending. */
    private final int[] switches;

    private final int columns;

    /**
     * @param held by switch index of the view: at least one row each, of any length
     * @param kept of these, those that can be told what to hold: destinations whose entries they may keep; for all others the row is as it should be
     * @param columns entries of the tables of the others
     */
    public HeldRows(FabricView view, Map<Integer, List<LftRow>> held, Map<Integer, BitSet> kept, int columns) {
        this.columns = columns;
        rows = new LftRow[view.switchCount()][];
        Arrays.fill(rows, NONE);
        held.forEach((s, all) -> rows[s] = LftRow.distinct(all, columns));
        this.kept = new BitSet[view.switchCount()];
        kept.forEach((s, destinations) -> this.kept[s] = (BitSet) destinations.clone());
        switches = held.keySet().stream().mapToInt(s -> s).sorted().toArray();
    }

    /** Those with rows, by index, ascending; read only. */
    int[] switches() {
        return switches;
    }

    /** By what a switch may forward packets to {@code d} besides as it is told; empty for nothing. Read only. */
    public LftRow[] of(int s, int d) {
        BitSet destinations = kept[s];
        return destinations == null || destinations.get(d) ? rows[s] : NONE;
    }

    /** True if it can be told what to hold, and may hold that. */
    public boolean isTold(int s) {
        return rows[s].length == 0 || kept[s] != null;
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
