package io.dmodc.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.southbound.tls.TlsFiles;
import io.dmodc.southbound.tls.TlsKeyReader;
import io.dmodc.southbound.tls.TlsKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What both programs read of the files that {@code fabric-manager keys} writes, and of files that are not such. */
class TlsKeysTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @TempDir
    Path dir;

    private final Authority authority = Authority.create("site", Instant.now());
    private TlsFiles files = new TlsFiles(Path.of(""), Path.of(""), Path.of(""));

    @BeforeEach
    void write() throws IOException {
        files = TlsFiles.in(dir);
        fill(1);
    }

    private void fill(long guid) throws IOException {
        new KeyDirectory(dir).fill(authority.forSwitch(guid, Instant.now(), Duration.ofDays(1)), "none\n");
    }

    private void assertRefused(String expected) {
        assertThatThrownBy(() -> TlsKeys.read(files))
                .isInstanceOf(IOException.class)
                .message()
                .startsWith(expected)
                .doesNotContain("\n");
    }

    @Test
    void shouldReadWhatWasWritten() throws IOException {
        assertThat(TlsKeys.read(files).own().getSubjectX500Principal().getName())
                .isEqualTo("CN=switch 0x0000000000000001");
    }

    @Test
    void shouldReadAChainAndSeveralAuthorities() throws IOException {
        String other = Files.readString(files.authority());
        Files.writeString(files.certificate(), Files.readString(files.certificate()) + other);
        Files.writeString(files.authority(), "# the old one\n" + other + "# the new one\n" + other);

        TlsKeys keys = TlsKeys.read(files);

        assertThat(keys.chain()).hasSize(2);
        assertThat(keys.authorities()).hasSize(2);
    }

    @Test
    void shouldRefuseFilesThatAreNoKeysInOneLine() throws IOException {
        Files.writeString(files.certificate(), "garbage");
        assertRefused(files.certificate() + ": no certificate");
        Files.writeString(files.certificate(), "");
        assertRefused(files.certificate() + ": no certificate");
        Files.writeString(files.certificate(), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        assertRefused(files.certificate() + ": no certificate");
        fill(1);
        Files.writeString(files.privateKey(), "-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n");
        assertRefused(files.privateKey() + ": no private key, expected PKCS #8 without a password");
        Files.writeString(files.privateKey(), "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
        assertRefused(files.privateKey() + ": no private key of EC or RSA");
        Files.write(files.privateKey(), new byte[(1 << 20) + 1]);
        assertRefused(files.privateKey() + ": cannot be read (more than 1048576 bytes)");
        fill(1);
        Files.delete(files.authority());
        assertRefused(files.authority() + ": no such file, expected a certificate; fabric-manager keys makes them");
    }

    @Test
    void shouldRefuseAKeyThatOthersMayRead() throws IOException {
        Files.setPosixFilePermissions(files.privateKey(), PosixFilePermissions.fromString("rw-r--r--"));

        assertRefused(files.privateKey() + ": permissions rw-r--r--, expected none for others");
    }

    @Test
    void shouldRefuseAKeyOfAnotherCertificate() throws IOException {
        byte[] certificate = Files.readAllBytes(files.certificate());
        fill(2);
        Files.write(files.certificate(), certificate);

        assertRefused(files.privateKey() + ": not the key of the certificate in " + files.certificate());
    }

    @Test
    void shouldTakeNewFilesUpAndKeepTheOldKeysWhileTheyAreOfTwoMinds() throws IOException {
        AtomicLong now = new AtomicLong();
        TlsKeyReader reader = new TlsKeyReader(files, now::get);
        TlsKeys first = reader.get();

        byte[] oldCertificate = Files.readAllBytes(files.certificate());
        fill(2);
        byte[] newCertificate = Files.readAllBytes(files.certificate());
        Files.write(files.certificate(), oldCertificate);
        now.addAndGet(SECOND);
        assertThat(reader.get()).as("a new key beside an old certificate").isSameAs(first);

        Files.write(files.certificate(), newCertificate);
        assertThat(reader.get()).as("looks once in a second").isSameAs(first);
        now.addAndGet(SECOND);
        assertThat(reader.get().own()).isNotEqualTo(first.own());

        Files.delete(files.authority());
        now.addAndGet(SECOND);
        assertThat(reader.get().own()).as("keys in force stay").isNotEqualTo(first.own());
    }
}
