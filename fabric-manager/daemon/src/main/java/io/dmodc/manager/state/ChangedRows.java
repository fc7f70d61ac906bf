package io.dmodc.manager.state;

import io.dmodc.topology.Guid;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tables of some switches that differ from other ones of theirs in the same entries.
 *
 * @param switches GUIDs
 * @param blocks in which they differ, of {@value KeptRow#BLOCK} entries each, ascending
 * @param entries of all these blocks, one after the other, as in a {@link KeptRow}. The arrays are shared: read only
 */
public record ChangedRows(long[] switches, int[] blocks, byte[] entries) {
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ChangedRows rows
                && Arrays.equals(switches, rows.switches)
                && Arrays.equals(blocks, rows.blocks)
                && Arrays.equals(entries, rows.entries);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Arrays.hashCode(switches) + Arrays.hashCode(blocks)) + Arrays.hashCode(entries);
    }

    @Override
    public String toString() {
        return "ChangedRows[switches="
                + Arrays.stream(switches).mapToObj(Guid::format).collect(Collectors.joining(", ")) + ", blocks="
                + Arrays.toString(blocks) + ", entries=" + Arrays.toString(entries) + "]";
    }
}
