package io.dmodc.detector.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransitHelloTest {
    /** 0x…b2c3 asks through 0x…b2c4, to be answered by the route to destination 300. */
    private static final String EXAMPLE = "d37e0101" + "0000002a" + "0002c90300a1b2c3" + "0002c90300a1b2c4"
            + "1122334455667788" + "0000012c" + "00000000";

    private static TransitHello example() {
        TransitHello hello = new TransitHello();
        hello.cluster = 42;
        hello.askerGuid = 0x0002c90300a1b2c3L;
        hello.subjectGuid = 0x0002c90300a1b2c4L;
        hello.number = 0x1122334455667788L;
        hello.back = 300;
        return hello;
    }

    private static ByteBuffer bytes(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    }

    private static String written(TransitHello hello) {
        ByteBuffer out = ByteBuffer.allocate(TransitHello.LENGTH);
        hello.write(out);
        assertThat(out.hasRemaining()).isFalse();
        return HexFormat.of().formatHex(out.array());
    }

    @Test
    void shouldWriteTheDocumentedBytesAndReadThemAgain() {
        assertThat(written(example())).isEqualTo(EXAMPLE);
        TransitHello read = new TransitHello();
        assertThat(read.read(bytes(EXAMPLE))).isNull();
        assertThat(read).usingRecursiveComparison().isEqualTo(example());

        TransitHello answer = example();
        answer.answer = true;
        assertThat(written(answer)).isEqualTo(EXAMPLE.replace("d37e0101", "d37e0102"));
    }

    @ParameterizedTest
    @CsvSource({
        "0, d37d, MAGIC",
        "2, 02, VERSION",
        "3, 00, FIELD",
        "3, 03, FIELD",
        "8, 0000000000000000, FIELD",
        "16, 0000000000000000, FIELD",
        "32, 00080000, FIELD",
        "32, ffffffff, FIELD",
        "36, 00000001, FIELD"
    })
    void shouldRefuseAFieldOutOfRange(int at, String hex, HelloDropReason expected) {
        String damaged = EXAMPLE.substring(0, 2 * at) + hex + EXAMPLE.substring(2 * at + hex.length());

        assertThat(new TransitHello().read(bytes(damaged))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"''", "d37e01", "d37e0101000000"})
    void shouldRefuseAnotherLength(String hex) {
        assertThat(new TransitHello().read(bytes(hex))).isEqualTo(HelloDropReason.LENGTH);
        assertThat(new TransitHello().read(bytes(EXAMPLE + "00"))).isEqualTo(HelloDropReason.LENGTH);
    }

    @Test
    void shouldSurviveAnyBytesAndWriteBackWhatItAccepts() {
        SplittableRandom random = new SplittableRandom(11);
        TransitHello hello = new TransitHello();
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
