package io.dmodc.detector.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatagramMacTest {
    /** RFC 4231, sections 4.2 to 4.5: the test cases whose key is no longer than a block; first 64 of 256 bits. */
    @ParameterizedTest
    @CsvSource({
        "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b, 4869205468657265, b0344c61d8db3853",
        "4a656665, 7768617420646f2079612077616e7420666f72206e6f7468696e673f, 5bdcc146bf60754e",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, " + "dddddddddddddddddddddddddddddddddddddddddddddddddd"
                + "dddddddddddddddddddddddddddddddddddddddddddddddddd, 773ea91e36800e46",
        "0102030405060708090a0b0c0d0e0f10111213141516171819, " + "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd"
                + "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd, 82558a389a443c0e"
    })
    void shouldGiveTheStandardsValues(String key, String text, String expected) {
        DatagramMac mac = new DatagramMac(HexFormat.of().parseHex(key), new byte[0]);

        assertThat(HexFormat.of().toHexDigits(seal(mac, HexFormat.of().parseHex(text))))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldAgreeWithTheJdksSlowTwin(long seed) throws GeneralSecurityException {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 2_000; i++) {
            byte[] key = new byte[random.nextInt(RingKey.BYTES_MIN, RingKey.BYTES_MAX + 1)];
            byte[] text = new byte[random.nextInt(Datagram.LENGTH_MAX - DatagramMac.BYTES + 1)];
            random.nextBytes(key);
            random.nextBytes(text);
            long receiver = random.nextLong();

            assertThat(seal(RingKey.of(key).newMac(), text, receiver))
                    .as("seed %d, text %d of %d bytes, key of %d", seed, i, text.length, key.length)
                    .isEqualTo(twin(keyFor(key, receiver), text));
        }
    }

    @Test
    void shouldFitOnlyItsOwnText() {
        DatagramMac mac = RingKey.random().newMac();
        ByteBuffer text = ByteBuffer.allocate(22).put("slot 3 is dead".getBytes(StandardCharsets.US_ASCII));
        mac.seal(text, 0, 7);
        text.flip();

        assertThat(mac.fits(text, 0, 7)).isTrue();
        assertThat(mac.fits(text.put(5, (byte) '4'), 0, 7)).isFalse();
        assertThat(mac.fits(text.put(5, (byte) '3'), 0, 7)).isTrue();
        assertThat(mac.fits(text, 0, 6)).as("of another receiver").isFalse();
    }

    @Test
    void shouldBeZeroWithoutAKey() {
        assertThat(seal(RingKey.none().newMac(), new byte[] {1, 2, 3})).isZero();
    }

    private static byte[] keyFor(byte[] key, long receiver) {
        ByteBuffer block = ByteBuffer.wrap(Arrays.copyOf(key, 64));
        return block.putLong(56, block.getLong(56) ^ receiver).array();
    }

    private static long seal(DatagramMac mac, byte[] text) {
        return seal(mac, text, 0);
    }

    private static long seal(DatagramMac mac, byte[] text, long receiver) {
        ByteBuffer buffer = ByteBuffer.allocate(text.length + DatagramMac.BYTES).put(text);
        mac.seal(buffer, 0, receiver);
        return buffer.getLong(text.length);
    }

    private static long twin(byte[] key, byte[] text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return ByteBuffer.wrap(mac.doFinal(text)).getLong();
    }
}
