package io.dmodc.southbound;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * 64-bit digest of a forwarding table: tells whether two tables are equal without sending them.
 *
 * <p>Idea: the sum (mod 2^64) of one hash per 64-entry block plus one of the entry count. A sum lets a manager that knows
 * which blocks change compute the new digest from these alone ({@link #replace}). A block is eight little-endian words,
 * each multiplied, xored and rotated into the state, which starts from the block's index, so that equal blocks at
 * different places count differently; different blocks do not wait for each other, so a processor overlaps them. Entries
 * past the end count as 255. It guards against mistakes, not against an attacker.
 *
 * <p>Cost: one pass, 17 multiplications per 64 entries. {@code docs/southbound-protocol.md} has the definition for other
 * languages and test vectors.
 */
public final class TableDigest {
    static final long P1 = 0x9E3779B185EBCA87L;
    static final long P2 = 0xC2B2AE3D27D4EB4FL;
    static final long P3 = 0x165667B19E3779F9L;

    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private TableDigest() {}

    /** Returns the digest of a whole array; 0 for an empty one. */
    public static long of(byte[] table) {
        return count(table.length) + range(table, 0, 0, table.length);
    }

    /**
     * Returns what a range of blocks adds to the digest: the digest of a table is {@link #count} plus the sum of the
     * ranges it is cut into, so one that is kept need not be looked at again.
     *
     * @param span holds the entries of the range from {@code offset} on
     * @param firstBlock index in the table of the block that starts there
     * @param entries length of the range; a multiple of 64 unless it ends with the table
     */
    public static long range(byte[] span, int offset, int firstBlock, int entries) {
        int whole = entries / SouthboundProtocol.BLOCK_ENTRIES;
        long sum = 0;
        for (int block = 0; block < whole; block++) {
            sum += wholeBlock(span, offset + block * SouthboundProtocol.BLOCK_ENTRIES, firstBlock + block);
        }
        int at = whole * SouthboundProtocol.BLOCK_ENTRIES;
        return at == entries ? sum : sum + wholeBlock(padded(span, offset + at, entries - at), 0, firstBlock + whole);
    }

    private static byte[] padded(byte[] bytes, int from, int present) {
        byte[] padded = new byte[SouthboundProtocol.BLOCK_ENTRIES];
        System.arraycopy(bytes, from, padded, 0, present);
        Arrays.fill(padded, present, padded.length, SouthboundProtocol.NO_ROUTE);
        return padded;
    }

    /** Returns the digest of a table of the same length in which one block was exchanged. */
    public static long replace(long digest, long blockBefore, long blockAfter) {
        return digest - blockBefore + blockAfter;
    }

    /** Returns what the number of entries adds to the digest. */
    public static long count(int entryCount) {
        long h = entryCount * P1;
        h = (h ^ h >>> 32) * P2;
        return h ^ h >>> 29;
    }

    private static long wholeBlock(byte[] bytes, int at, int block) {
        long h = (block + 1L) * P3;
        for (int i = 0; i < SouthboundProtocol.BLOCK_ENTRIES; i += Long.BYTES) {
            h = Long.rotateLeft(h ^ (long) WORDS.get(bytes, at + i) * P1, 29) * P2;
        }
        h = (h ^ h >>> 32) * P1;
        return h ^ h >>> 29;
    }
}
