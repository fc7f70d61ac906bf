package io.dmodc.manager.store;

import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * How many entries there are, and the sum of their hashes: does not depend on their order, and follows each change without
 * reading the rest. An entry that is missing, doubled, old or changed gives another sum.
 *
 * @param count of entries
 * @param digest sum, modulo 2^64, of a mixed 64-bit hash (CRC-32C and CRC-32) of key and value
 */
record RecordSum(long count, long digest) {
    static final RecordSum ZERO = new RecordSum(0, 0);

    RecordSum plus(byte[] key, byte[] value) {
        return new RecordSum(count + 1, digest + hash(key, value));
    }

    RecordSum minus(byte[] key, byte[] value) {
        return new RecordSum(count - 1, digest - hash(key, value));
    }

    /** CRC-32C of the key and the first bytes of the value. */
    static int crc(byte[] key, byte[] value, int length) {
        return (int) checksum(new CRC32C(), key, value, length);
    }

    private static long hash(byte[] key, byte[] value) {
        long hash = (checksum(new CRC32C(), key, value, value.length) << 32)
                | checksum(new CRC32(), key, value, value.length);
        // Checksums are linear; their sum should not be. The finish of SplitMix64.
        hash += 0x9e3779b97f4a7c15L;
        hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
        hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
        return hash ^ (hash >>> 31);
    }

    private static long checksum(Checksum sum, byte[] key, byte[] value, int length) {
        sum.update(key);
        sum.update(value, 0, length);
        return sum.getValue();
    }
}
