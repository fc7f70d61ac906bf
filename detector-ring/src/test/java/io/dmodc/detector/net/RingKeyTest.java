package io.dmodc.detector.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RingKeyTest {
    private static final byte[] SECRET = "0123456789abcdefghij!".getBytes(StandardCharsets.US_ASCII);
    private static final String HEX = HexFormat.of().formatHex(SECRET);
    private static final String BASE64 = Base64.getEncoder().encodeToString(SECRET);

    @TempDir
    Path folder;

    @Test
    void shouldReadHexAndBase64AmongComments() throws IOException {
        long expected = sealWith(RingKey.of(SECRET));

        assertThat(sealWith(read(HEX))).isEqualTo(expected);
        assertThat(sealWith(read("# the ring's key\n\n  " + HEX.toUpperCase(Locale.ROOT) + "  \n# end\n")))
                .isEqualTo(expected);
        assertThat(sealWith(read(BASE64 + "\n"))).isEqualTo(expected);
        assertThat(sealWith(read(BASE64.replace("=", "")))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                   | ': no key, expected a line of hex or base64'",
                "'# nothing\n'                        | ': no key, expected a line of hex or base64'",
                "'0011223344556677'                   | ':1: 8 bytes, expected 16..64'",
                "'#\n#\nzzzz'                         | ':3: 3 bytes, expected 16..64'",
                "'\nno key!'                          | ':2: neither hex nor base64, expected one of them'",
                "'00112233445566778899aabbccddeeff\nno key!' | ':2: neither hex nor base64, expected one of them'",
                "'00112233445566778899aabbccddeeff\n#\nABEiM0RVZneImaq7zN3u/w==' | ':3: the first key again, expected another one, or none'",
                "'00112233445566778899aabbccddeeff\nff112233445566778899aabbccddeeff\n\nee112233445566778899aabbccddeeff' | ':4: a third key, expected the one that sends and one more that is accepted'"
            })
    void shouldNameTheLineThatIsNoKey(String text, String problem) {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> read(text))
                .withMessage(folder.resolve("ring.key") + problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r--r--", "rw-----w-", "rw----r--"})
    void shouldRefuseAFileThatOthersMayReadOrWrite(String permissions) throws IOException {
        Path file = write(HEX, permissions);

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> RingKey.read(file))
                .withMessage(
                        file + ": permissions " + permissions + ", expected none for others (chmod o= " + file + ")");
    }

    @Test
    void shouldNameAFileThatCannotBeReadOrIsNoKey() throws IOException {
        Path missing = folder.resolve("missing");
        Path tooLong = write("#".repeat(5000), "rw-------");

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> RingKey.read(missing))
                .withMessage(
                        missing + ": no such file, expected the ring's key, the same for the manager and all agents;"
                                + " fabric-manager keys makes it");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> RingKey.read(tooLong))
                .withMessage(tooLong + ": cannot be read (more than 4096 bytes), expected a ring key");
    }

    @Test
    void shouldSendUnderTheFirstOfTwoKeysAndAcceptBoth() throws IOException {
        RingKey old = RingKey.of(SECRET);
        RingKey fresh = RingKey.random();
        RingKey both = old.accepting(fresh);

        assertThat(sealWith(both)).isEqualTo(sealWith(old));
        assertThat(accepts(both, old)).isTrue();
        assertThat(accepts(both, fresh)).isTrue();
        assertThat(accepts(both, RingKey.random())).isFalse();
        assertThat(accepts(old, both)).as("sent under the first").isTrue();
        assertThat(accepts(fresh, both)).isFalse();
        assertThat(read(HEX + "\n" + "ab".repeat(16))).isEqualTo(old.accepting(RingKey.of(bytes("ab".repeat(16)))));
        assertThat(read("ab".repeat(16) + "\n" + HEX)).isNotEqualTo(old.accepting(RingKey.of(bytes("ab".repeat(16)))));
    }

    @Test
    void shouldNotTakeNoKeyForOneOfTwo() {
        assertThatIllegalArgumentException().isThrownBy(() -> RingKey.random().accepting(RingKey.none()));
        assertThatIllegalArgumentException().isThrownBy(() -> RingKey.none().accepting(RingKey.random()));
    }

    @Test
    void shouldRefuseTooFewAndTooManyBytes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RingKey.of(new byte[15]))
                .withMessage("ring key: 15 bytes, expected 16..64");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RingKey.of(new byte[65]))
                .withMessage("ring key: 65 bytes, expected 16..64");
    }

    @Test
    void shouldNotShowItself() {
        assertThat(RingKey.of(SECRET)).hasToString("ring key of 21 bytes");
        assertThat(RingKey.of(SECRET).accepting(RingKey.random()))
                .hasToString("ring key of 21 bytes, one of 32 accepted too");
        assertThat(RingKey.none()).hasToString("no ring key");
    }

    @Test
    void shouldBeAnotherOneEachTimeItIsRandom() {
        assertThat(sealWith(RingKey.random())).isNotEqualTo(sealWith(RingKey.random()));
        assertThat(RingKey.random().authenticates()).isTrue();
        assertThat(RingKey.none().authenticates()).isFalse();
    }

    private RingKey read(String text) throws IOException {
        return RingKey.read(write(text, "rw-r-----"));
    }

    private Path write(String text, String permissions) throws IOException {
        Path file = Files.writeString(folder.resolve("ring.key"), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static boolean accepts(RingKey receiver, RingKey sender) {
        ByteBuffer bytes = ByteBuffer.allocate(16).putLong(42);
        sender.newMac().seal(bytes, 0, 7);
        return receiver.newMac().fits(bytes.flip(), 0, 7);
    }

    private static long sealWith(RingKey key) {
        ByteBuffer bytes = ByteBuffer.allocate(16).putLong(42);
        key.newMac().seal(bytes, 0, 7);
        return bytes.getLong(8);
    }
}
