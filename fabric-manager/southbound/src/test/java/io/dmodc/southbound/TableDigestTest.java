package io.dmodc.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TableDigestTest {
    /** The definition in the document, word by word, on big integers. */
    private static final class SlowDigest {
        private static final BigInteger MOD = BigInteger.ONE.shiftLeft(64);
        private static final BigInteger P1 = new BigInteger("9E3779B185EBCA87", 16);
        private static final BigInteger P2 = new BigInteger("C2B2AE3D27D4EB4F", 16);
        private static final BigInteger P3 = new BigInteger("165667B19E3779F9", 16);

        static long of(byte[] table) {
            BigInteger sum =
                    finish(BigInteger.valueOf(table.length).multiply(P1).mod(MOD), P2);
            for (int block = 0; block * 64 < table.length; block++) {
                sum = sum.add(block(table, block)).mod(MOD);
            }
            return sum.longValue();
        }

        private static BigInteger block(byte[] table, int block) {
            BigInteger h = BigInteger.valueOf(block + 1).multiply(P3).mod(MOD);
            for (int word = 0; word < 8; word++) {
                BigInteger w = BigInteger.ZERO;
                for (int i = 7; i >= 0; i--) {
                    int entry = block * 64 + word * 8 + i;
                    w = w.shiftLeft(8).or(BigInteger.valueOf(entry < table.length ? table[entry] & 0xff : 255));
                }
                BigInteger x = h.xor(w.multiply(P1).mod(MOD));
                BigInteger rotated = x.shiftLeft(29).mod(MOD).or(x.shiftRight(35));
                h = rotated.multiply(P2).mod(MOD);
            }
            return finish(h, P1);
        }

        private static BigInteger finish(BigInteger h, BigInteger prime) {
            BigInteger mixed = h.xor(h.shiftRight(32)).multiply(prime).mod(MOD);
            return mixed.xor(mixed.shiftRight(29));
        }
    }

    private static byte[] random(Random random, int length) {
        byte[] table = new byte[length];
        random.nextBytes(table);
        return table;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 64, 65, 127, 128, 1000, 4096})
    void shouldEqualTheDefinition(int length) {
        Random random = new Random(length);
        for (int round = 0; round < 5; round++) {
            byte[] table = random(random, length);
            assertThat(TableDigest.of(table)).isEqualTo(SlowDigest.of(table));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0000000000000000",
        "1, 154fed676dae8881",
        "64, e812478e2234eac2",
        "100, 888e9f99a523db19",
        "1000, a765ad463ba0109a",
    })
    void shouldGiveTheDocumentedVectors(int length, String digest) {
        byte[] table = new byte[length];
        for (int i = 0; i < length; i++) {
            table[i] = (byte) (i % 251);
        }

        assertThat(String.format("%016x", TableDigest.of(table))).isEqualTo(digest);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldNoticeEverySingleChangedEntryAndLength(long seed) {
        byte[] table = random(new Random(seed), 300);
        Set<Long> seen = new HashSet<>();
        seen.add(TableDigest.of(table));

        for (int entry = 0; entry < table.length; entry++) {
            byte[] changed = table.clone();
            changed[entry]++;
            assertThat(seen.add(TableDigest.of(changed))).isTrue();
            assertThat(seen.add(TableDigest.of(Arrays.copyOf(table, entry)))).isTrue();
        }
        byte[] padded = Arrays.copyOf(table, 310);
        Arrays.fill(padded, 300, 310, SouthboundProtocol.NO_ROUTE);
        assertThat(seen.add(TableDigest.of(padded))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldFollowAChangedBlock(long seed) {
        Random random = new Random(seed);
        byte[] table = random(random, 300);
        long digest = TableDigest.of(table);
        for (int block = 0; block < TableCodec.blockCount(300); block++) {
            int entries = Math.min(64, 300 - block * 64);
            long old = TableDigest.range(table, block * 64, block, entries);
            table[block * 64 + 3] ^= 0x55;
            digest = TableDigest.replace(digest, old, TableDigest.range(table, block * 64, block, entries));
        }

        assertThat(digest).isEqualTo(SlowDigest.of(table));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldBeTheSumOfTheRangesATableIsCutInto(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            byte[] table = random(random, random.nextInt(5000));
            long sum = TableDigest.count(table.length);
            int blocks = TableCodec.blockCount(table.length);
            int block = 0;
            while (block < blocks) {
                int more = 1 + random.nextInt(20);
                int end = Math.min(table.length, (block + more) * 64);
                byte[] span = new byte[5 + end - block * 64];
                System.arraycopy(table, block * 64, span, 5, end - block * 64);
                sum += TableDigest.range(span, 5, block, end - block * 64);
                block += more;
            }

            assertThat(sum).isEqualTo(SlowDigest.of(table));
        }
    }
}
