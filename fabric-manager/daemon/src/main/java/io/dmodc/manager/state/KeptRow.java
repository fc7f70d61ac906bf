package io.dmodc.manager.state;

import io.dmodc.topology.Guid;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A table of one switch, as the blocks in which it differs from another one.
 *
 * @param entryCount of this table
 * @param digest of this table
 * @param base digest of the other table; 0: the one without any route
 * @param blocks of {@value #BLOCK} entries each, ascending
 * @param entries of this table, one byte each: those of all these blocks, one after the other; the last block of the table
 *     may be shorter. Both arrays are shared: read only
 */
public record KeptRow(int entryCount, long digest, long base, int[] blocks, byte[] entries) {
    /** Entries of a block. */
    public static final int BLOCK = 64;

    /** @throws IllegalArgumentException in a few words when the parts do not fit together */
    public KeptRow {
        requireFitting(entryCount, blocks, entries);
    }

    /** @throws IllegalArgumentException in a few words when these are not the entries of these blocks of such a table */
    static void requireFitting(int entryCount, int[] blocks, byte[] entries) {
        int before = -1;
        int size = 0;
        for (int block : blocks) {
            if (block <= before || (long) block * BLOCK >= entryCount) {
                throw new IllegalArgumentException("block " + block + " after block " + before + " of a table of "
                        + entryCount + " entries; expected ascending ones inside");
            }
            before = block;
            size += end(block, entryCount) - block * BLOCK;
        }
        if (size != entries.length) {
            throw new IllegalArgumentException(entries.length + " entries; expected " + size + " in these blocks");
        }
    }

    /** One after the last entry of a block of a table. */
    public static int end(int block, int entryCount) {
        return Math.min((block + 1) * BLOCK, entryCount);
    }

    /** True if the base is the table without any route: then the row is known without another one. */
    public boolean whole() {
        return base == 0;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KeptRow row
                && entryCount == row.entryCount
                && digest == row.digest
                && base == row.base
                && Arrays.equals(blocks, row.blocks)
                && Arrays.equals(entries, row.entries);
    }

    @Override
    public int hashCode() {
        return Objects.hash(entryCount, digest, base, Arrays.hashCode(blocks), Arrays.hashCode(entries));
    }

    @Override
    public String toString() {
        return "KeptRow[entryCount=" + entryCount + ", digest=" + Guid.format(digest) + ", base=" + Guid.format(base)
                + ", blocks=" + Arrays.toString(blocks) + ", entries=" + Arrays.toString(entries) + "]";
    }
}
