package io.dmodc.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.settings.FileStamp;
import io.dmodc.southbound.tls.CertificateNames;
import io.dmodc.southbound.tls.TlsEndpoint;
import io.dmodc.southbound.tls.TlsFiles;
import io.dmodc.southbound.tls.TlsKeyReader;
import io.dmodc.southbound.tls.TlsKeyUse;
import io.dmodc.southbound.tls.TlsKeys;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLException;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What both programs read of the files that {@code fabric-manager keys} writes, and of files that are not such. */
class TlsKeysTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final long SEED = 20261123;
    private static final int MUTANTS = 200 * Integer.getInteger("more", 1);

    /** Every how many characters one is damaged, in turn each of the four that make three bytes. */
    private static final int STEP = System.getProperty("more") == null ? 5 : 1;

    private static final ByteBufAllocator BUFFERS = UnpooledByteBufAllocator.DEFAULT;

    @TempDir
    Path dir;

    private final Authority authority = Authority.create("site", Instant.now());
    private final AtomicLong now = new AtomicLong();
    private TlsFiles files = new TlsFiles(Path.of(""), Path.of(""), Path.of(""));

    @BeforeEach
    void write() throws IOException {
        files = TlsFiles.in(dir);
        fill(1);
    }

    private void fill(long guid) throws IOException {
        new KeyDirectory(dir).fill(authority.forSwitch(guid, Instant.now(), Duration.ofDays(1)), "none\n");
    }

    private TlsKeyReader reader(TlsKeyUse use) throws IOException {
        return new TlsKeyReader(files, use, now::get, InstantSource.system());
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
    void shouldTellInOneLineWhoseACertificateIs() throws Exception {
        TlsKeys keys = OddKeys.issued(
                authority,
                OddKeys.pair("secp256r1"),
                "leaf\n2026-01-01 INFO all is well",
                null,
                List.of(),
                Instant.now());

        assertThat(keys.toString()).hasLineCount(1).contains("leaf?2026-01-01 INFO all is well");
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
        TlsKeyReader reader = reader(TlsKeyUse.ofAgent(null));
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

    /** One damaged character must not end a manager that runs, nor one that starts without a file being named. */
    @Test
    void shouldSayInOneLineWhichFileIsDamagedOrTakeItForWhatItIs() throws IOException {
        mutate(TlsKeyUse.ofAgent(1L), keys -> TlsEndpoint.ofAgent(() -> keys).to("fm1", 1, BUFFERS));
        TlsKeys ofManager = authority.forManager(List.of("fm1"), Instant.now(), DAY);
        new KeyDirectory(dir).fill(ofManager, "none\n");
        mutate(TlsKeyUse.ofManager(), keys -> TlsEndpoint.ofManager(() -> keys).accepted(BUFFERS));
    }

    private interface Connecting {
        void with(TlsKeys keys) throws SSLException;
    }

    private void mutate(TlsKeyUse use, Connecting connecting) throws IOException {
        Random random = new Random(SEED);
        int usable = 0;
        for (int i = 0; i < MUTANTS / 2; i++) {
            Path file = List.of(files.certificate(), files.privateKey(), files.authority())
                    .get(i % 3);
            byte[] whole = Files.readAllBytes(file);
            Files.write(file, damaged(whole, random));
            try {
                connecting.with(reader(use).get());
                usable++;
            } catch (SSLException noneValid) {
                assertThat(noneValid).as("seed %d, mutant %d", SEED, i).hasMessageStartingWith("no authority is valid");
            } catch (IOException e) {
                assertThat(e)
                        .as("seed %d, mutant %d", SEED, i)
                        .hasMessageContaining(file.toString())
                        .message()
                        .hasLineCount(1);
            }
            Files.write(file, whole);
        }
        assertThat(usable).isBetween(1, MUTANTS / 4);
    }

    private static byte[] damaged(byte[] whole, Random random) {
        byte[] letters = "ABCabc019+/=".getBytes(StandardCharsets.US_ASCII);
        byte[] mutant = whole.clone();
        int place = random.nextInt(whole.length);
        switch (random.nextInt(4)) {
            case 0 -> mutant = Arrays.copyOf(whole, place);
            case 1 -> mutant[place] = (byte) random.nextInt(256);
            case 2 -> {
                mutant = new byte[whole.length - 1];
                System.arraycopy(whole, 0, mutant, 0, place);
                System.arraycopy(whole, place + 1, mutant, place, mutant.length - place);
            }
            default -> mutant[place] = letters[random.nextInt(letters.length)];
        }
        return mutant;
    }

    @Test
    void shouldKeepTheOldKeysWhileTheNewOneIsDamagedAndWarnOnce() throws IOException {
        TlsKeyReader reader = reader(TlsKeyUse.ofAgent(1L));
        TlsKeys first = reader.get();
        String key = Files.readString(files.privateKey());
        try (LoggedLines lines = new LoggedLines(TlsKeyReader.class)) {
            Files.writeString(files.privateKey(), key.replaceFirst("\n(.....).", "\n$1="));
            for (int i = 0; i < 3; i++) {
                now.addAndGet(SECOND);
                assertThat(reader.get()).isSameAs(first);
            }

            assertThat(lines.all())
                    .singleElement()
                    .asString()
                    .contains(files.privateKey().toString());
        }
    }

    @Test
    void shouldTakeNewKeysUpOnceOthersMayNoMoreReadThem() throws IOException {
        TlsKeyReader reader = reader(TlsKeyUse.ofAgent(1L));
        TlsKeys first = reader.get();
        fill(1);
        Files.setPosixFilePermissions(files.privateKey(), PosixFilePermissions.fromString("rw-r--r--"));
        now.addAndGet(SECOND);
        assertThat(reader.get()).isSameAs(first);

        Files.setPosixFilePermissions(files.privateKey(), PosixFilePermissions.fromString("rw-------"));
        now.addAndGet(SECOND);

        assertThat(reader.get().own()).isNotEqualTo(first.own());
    }

    @Test
    void shouldNoticeThatOnlyThePermissionsChanged() throws IOException {
        FileStamp before = FileStamp.of(files.privateKey());

        Files.setPosixFilePermissions(files.privateKey(), PosixFilePermissions.fromString("rw-r-----"));

        assertThat(FileStamp.of(files.privateKey())).isNotEqualTo(before);
    }

    @Test
    void shouldNotReplaceKeysByThoseThatCannotWork() throws Exception {
        GeneralName named = new GeneralName(GeneralName.uniformResourceIdentifier, CertificateNames.uri(1));
        List<GeneralName> names = List.of(named);
        KeyPurposeId clients = KeyPurposeId.id_kp_clientAuth;
        Instant today = Instant.now().minus(Duration.ofHours(1));
        Instant before = today.minus(Duration.ofDays(9));
        TlsKeyReader reader = reader(TlsKeyUse.ofAgent(1L));

        assertKept(
                reader, authority.forSwitch(2, today, DAY), "is not for switch 0x0000000000000001; expected the name");
        assertKept(reader, authority.forManager(List.of("fm1"), today, DAY), "is not for TLS clients; expected that");
        assertKept(reader, authority.forSwitch(1, before, DAY), "CN=switch 0x0000000000000001 is valid from ");
        assertKept(reader, authority.forSwitch(1, today.plus(Duration.ofDays(9)), DAY), " is valid from ");
        for (String kind : List.of("secp521r1", "RSA1024")) {
            TlsKeys odd = OddKeys.issued(authority, OddKeys.pair(kind), "odd", clients, names, today);
            assertKept(reader, odd, "expected a key of P-256, P-384, or RSA of at least 2048 bits");
        }
        X509Certificate over = OddKeys.authority(OddKeys.pair("secp256r1"), "old", before);
        TlsKeys good = authority.forSwitch(1, today, DAY);
        assertKept(
                reader,
                new TlsKeys(good.chain(), good.privateKey(), List.of(over)),
                "no authority is valid now: CN=old is valid from ");
        for (String kind : List.of("secp384r1", "RSA2048")) {
            TlsKeys odd = OddKeys.issued(authority, OddKeys.pair(kind), "odd", clients, names, today);
            new KeyDirectory(dir).fill(odd, "none\n");
            now.addAndGet(SECOND);
            assertThat(reader.get()).as(kind).isEqualTo(odd);
        }
    }

    private void assertKept(TlsKeyReader reader, TlsKeys fresh, String why) throws IOException {
        fill(1);
        now.addAndGet(SECOND);
        TlsKeys before = reader.get();
        try (LoggedLines lines = new LoggedLines(TlsKeyReader.class)) {
            new KeyDirectory(dir).fill(fresh, "none\n");
            now.addAndGet(SECOND);

            assertThat(reader.get()).isSameAs(before);
            assertThat(lines.all()).singleElement().asString().contains(why);
        }
    }

    /** Where its name changed it is one that did not sign itself, as some sites have, and there is nothing to compare. */
    @Test
    void shouldNotBelieveAnAuthorityThatWasDamaged() throws IOException {
        TlsKeyReader reader = reader(TlsKeyUse.ofAgent(1L));
        byte[] own = authority.own().own().getPublicKey().getEncoded();
        String text = Files.readString(files.authority());
        int tried = 0;
        int kept = 0;
        for (int i = text.indexOf('\n') + 1; i < text.indexOf("-----END") - 4; i += STEP) {
            if (text.charAt(i) == '\n') {
                continue;
            }
            tried++;
            TlsKeys before = reader.get();
            StringBuilder mutant = new StringBuilder(text);
            mutant.setCharAt(i, text.charAt(i) == 'A' ? 'B' : 'A');
            Files.writeString(files.authority(), mutant);
            now.addAndGet(SECOND);
            X509Certificate believed = reader.get().authorities().get(0);
            kept += reader.get().equals(before) ? 1 : 0;
            assertThat(believed.getPublicKey().getEncoded())
                    .as("character %d", i)
                    .isEqualTo(own);
        }
        assertThat(kept).isGreaterThan(tried * 3 / 4);
    }

    /** The clock of a switch may be set only after its agent has started. */
    @Test
    void shouldStartWithACertificateThatIsNotValidAndWarn() throws IOException {
        TlsKeys later = authority.forSwitch(1, Instant.now().plus(Duration.ofDays(9)), DAY);
        new KeyDirectory(dir).fill(later, "none\n");
        try (LoggedLines lines = new LoggedLines(TlsKeyReader.class)) {
            assertThat(reader(TlsKeyUse.ofAgent(1L)).get()).isEqualTo(later);

            assertThat(lines.all()).singleElement().asString().startsWith("keys are of no use now: ");
        }
    }
}
