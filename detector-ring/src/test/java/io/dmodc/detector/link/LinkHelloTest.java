package io.dmodc.detector.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkHelloTest {
    /** Port 2 of 0x…b2c3 is UP after it heard nothing once, 3 x 100 ms. */
    private static final String EXAMPLE = "d37d0103" + "0000002a" + "0002c90300a1b2c3" + "02010300" + "11223344"
            + "55667788" + "000186a0" + "000186a0" + "00000009";

    private static LinkHello example() {
        LinkHello hello = new LinkHello();
        hello.cluster = 42;
        hello.senderGuid = 0x0002c90300a1b2c3L;
        hello.senderPort = 2;
        hello.state = LinkState.UP;
        hello.diagnosis = LinkDiagnosis.EXPIRED;
        hello.multiplier = 3;
        hello.ownDiscriminator = 0x11223344;
        hello.yourDiscriminator = 0x55667788;
        hello.transmitNanos = 100_000_000;
        hello.receiveNanos = 100_000_000;
        hello.sequence = 9;
        return hello;
    }

    private static ByteBuffer bytes(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    }

    private static String written(LinkHello hello) {
        ByteBuffer out = ByteBuffer.allocate(LinkHello.LENGTH);
        hello.write(out);
        assertThat(out.hasRemaining()).isFalse();
        return HexFormat.of().formatHex(out.array());
    }

    @Test
    void shouldWriteTheDocumentedBytes() {
        assertThat(written(example())).isEqualTo(EXAMPLE);
    }

    @Test
    void shouldReadWhatItWrites() {
        LinkHello read = new LinkHello();

        assertThat(read.read(bytes(EXAMPLE))).isNull();

        assertThat(read).usingRecursiveComparison().isEqualTo(example());
    }

    @ParameterizedTest
    @CsvSource({
        "0, d37c, MAGIC",
        "2, 02, VERSION",
        "3, 00, FIELD",
        "3, 04, FIELD",
        "16, 00, FIELD",
        "16, ff, FIELD",
        "17, 02, FIELD",
        "18, 00, FIELD",
        "18, 33, FIELD",
        "19, 01, FIELD",
        "19, 80, FIELD",
        "20, 00000000, FIELD",
        "28, 00000000, FIELD",
        "28, 00989681, FIELD",
        "28, ffffffff, FIELD",
        "32, 00000000, FIELD",
        "32, 00989681, FIELD"
    })
    void shouldRefuseAFieldOutOfRange(int at, String hex, HelloDropReason expected) {
        String damaged = EXAMPLE.substring(0, 2 * at) + hex + EXAMPLE.substring(2 * at + hex.length());

        assertThat(new LinkHello().read(bytes(damaged))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"''", "d37d01", "d37d0103000000"})
    void shouldRefuseAnotherLength(String hex) {
        assertThat(new LinkHello().read(bytes(hex))).isEqualTo(HelloDropReason.LENGTH);
        assertThat(new LinkHello().read(bytes(EXAMPLE + "00"))).isEqualTo(HelloDropReason.LENGTH);
    }

    @Test
    void shouldSurviveAnyBytesAndWriteBackWhatItAccepts() {
        SplittableRandom random = new SplittableRandom(11);
        LinkHello hello = new LinkHello();
        int accepted = 0;
        for (int i = 0; i < 200_000; i++) {
            byte[] raw = HexFormat.of().parseHex(EXAMPLE);
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                raw[3 + random.nextInt(raw.length - 3)] ^= (byte) (1 << random.nextInt(8));
            }
            if (hello.read(ByteBuffer.wrap(raw)) == null) {
                accepted++;
                assertThat(written(hello)).isEqualTo(HexFormat.of().formatHex(raw));
            }
        }
        assertThat(accepted).isBetween(50_000, 199_000);
    }
}
