package io.dmodc.keys;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.detector.net.RingKey;
import io.dmodc.settings.FreshFiles;
import io.dmodc.settings.cli.Program;
import io.dmodc.southbound.tls.CertificateNames;
import io.dmodc.southbound.tls.TlsFiles;
import io.dmodc.southbound.tls.TlsKeys;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code fabric-manager keys} as a site uses it. */
class KeysCommandTest {
    private static final String SWITCH = "0x00000000000000a1";

    @TempDir
    Path dir;

    private final StringWriter err = new StringWriter();

    private int keys(String command, String... more) {
        String[] words = Stream.concat(
                        Stream.of(
                                command, "--authority", dir.resolve("authority").toString()),
                        Stream.of(more))
                .toArray(String[]::new);
        return Program.run(
                new KeysCommand(), List.of(), new PrintWriter(new StringWriter()), new PrintWriter(err, true), words);
    }

    private TlsKeys issued(String whose) throws IOException {
        return TlsKeys.read(TlsFiles.in(dir.resolve("authority/issued").resolve(whose)));
    }

    private String error() {
        return err.toString().strip();
    }

    @Test
    void shouldMakeAllThatASwitchNeeds() throws IOException {
        assertThat(keys("init")).isZero();
        assertThat(keys("issue", "0xA1", "fm1", "10.0.0.1")).as(error()).isZero();

        TlsKeys ofSwitch = issued(SWITCH);
        assertThat(CertificateNames.of(ofSwitch.own())).containsExactly(0xa1L);
        assertThat(issued("manager").authorities()).isEqualTo(ofSwitch.authorities());
        Path directory = dir.resolve("authority/issued").resolve(SWITCH);
        assertThat(RingKey.read(directory.resolve("detector.key")).authenticates())
                .isTrue();
        assertThat(directory.resolve("detector.key")).hasSameBinaryContentAs(dir.resolve("authority/detector.key"));
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files)
                    .hasSize(4)
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));
        }
    }

    @Test
    void shouldNotTouchAnAuthorityThatIsThere() throws IOException {
        keys("init");
        byte[] before = Files.readAllBytes(dir.resolve("authority/authority.pem"));

        assertThat(keys("init")).isEqualTo(2);

        assertThat(error())
                .endsWith("authority-key.pem: there is an authority already; expected a directory without one");
        assertThat(dir.resolve("authority/authority.pem")).hasBinaryContent(before);
    }

    /** The key of the authority may be elsewhere; its certificate, or keys of a manager, are not for a new one to replace. */
    @Test
    void shouldNotTouchWhatIsLeftOfAnAuthorityOrOtherKeys() throws IOException {
        for (String name : List.of("authority.pem", "certificate.pem", "private-key.pem")) {
            Path authority = Files.createDirectories(dir.resolve("authority"));
            Path left = Files.writeString(authority.resolve(name), "what is left");

            assertRefused(name + ": there is an authority already; expected a directory without one", "init");

            assertThat(left).hasContent("what is left");
            Files.delete(left);
            assertThat(authority).isEmptyDirectory();
        }
    }

    /** As an init that was killed between the two files leaves it: one command must not say that there is none, and another that there is one. */
    @Test
    void shouldSayHowToGoOnWithHalfAnAuthority() throws IOException {
        keys("init");
        Path authority = dir.resolve("authority");
        byte[] key = Files.readAllBytes(authority.resolve("authority-key.pem"));
        Files.delete(authority.resolve("authority.pem"));
        String half = authority.resolve("authority-key.pem")
                + ": the key of an authority without its authority.pem: an init was ended, or a file was lost;"
                + " expected both: put that one back, or take this one away for a new authority";

        assertRefused(half, "init");
        assertRefused(half, "issue", "0xa1");
        assertThat(authority.resolve("authority-key.pem")).hasBinaryContent(key);

        Files.delete(authority.resolve("authority-key.pem"));
        assertThat(keys("init")).isZero();
        assertThat(keys("issue", "0xa1")).as(error()).isZero();
    }

    @Test
    void shouldIssueWithAnRsaAuthorityAndWithNoneThatIsNotOne() throws Exception {
        Path authority = dir.resolve("authority");
        keys("init");
        KeyPair pair = OddKeys.pair("RSA2048");
        Files.writeString(
                authority.resolve("authority.pem"),
                pem(
                        "CERTIFICATE",
                        OddKeys.authority(pair, "site", Instant.now()).getEncoded()));
        Files.writeString(
                authority.resolve("authority-key.pem"),
                pem("PRIVATE KEY", pair.getPrivate().getEncoded()));

        assertThat(keys("issue", SWITCH)).as(error()).isZero();
        assertThat(issued(SWITCH).own().getSigAlgName()).isEqualTo("SHA256withRSA");

        Path issued = authority.resolve("issued").resolve(SWITCH);
        Files.copy(issued.resolve("certificate.pem"), authority.resolve("authority.pem"), REPLACE_EXISTING);
        Files.copy(issued.resolve("private-key.pem"), authority.resolve("authority-key.pem"), REPLACE_EXISTING);
        assertRefused("authority.pem: is not that of an authority", "issue", "0xa2");
    }

    private static String pem(String kind, byte[] bytes) {
        return "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + kind
                + "-----\n";
    }

    @Test
    void shouldNotTakeTheKeysOfAManagerAwayForOneOfAnotherName() throws IOException {
        keys("init");
        keys("issue", "fm1", "fd00::1");
        TlsKeys first = issued("manager");

        assertRefused(
                "there are keys of the manager fd00:0:0:0:0:0:0:1, fm1; expected all these names", "issue", "fm2");
        assertThat(issued("manager")).isEqualTo(first);

        assertThat(keys("issue", "fm1", "fd00::1", "fm1.example.org")).isZero();
        assertThat(issued("manager").own()).isNotEqualTo(first.own());
    }

    @Test
    void shouldRefuseSwitchesThatCannotBeOrAreNamedTwice() throws IOException {
        keys("init");
        Path twice = Files.writeString(dir.resolve("twice"), "0xa1\n0xa2\na1\n");
        Path none = Files.writeString(dir.resolve("none"), "0x0\n");
        String out = dir.resolve("out").toString();

        assertRefused("0x0000000000000000: no identity", "issue", "0xa1", "0x0");
        assertRefused("0xff4d475200000001: kept for managers", "issue", "0xff4d475200000001");
        assertRefused("0x00000000000000a1: named twice", "issue", "0xa1", "0xA1");
        assertRefused(
                "twice:3: 0x00000000000000a1: named twice", "bundle", "--switches", "" + twice, "--manager", "f", out);
        assertRefused(
                "none:1: 0x0000000000000000: no identity", "bundle", "--switches", "" + none, "--manager", "f", out);
        assertThat(dir.resolve("out")).doesNotExist();
        assertThat(dir.resolve("authority/issued")).doesNotExist();
    }

    @Test
    void shouldMakeABundleWholeOrNotAtAll() throws IOException {
        keys("init");
        Path list = Files.writeString(dir.resolve("list"), "0xa1\n");
        Path out = Files.createDirectory(dir.resolve("out"));
        Path here = Files.createDirectory(dir.resolve("here"));
        try (FreshDirectory fresh = new FreshDirectory(here.resolve("out"))) {
            Files.writeString(
                    Files.createDirectory(fresh.path().resolve("0xa1")).resolve("certificate.pem"), "half");
        }
        assertThat(here).isEmptyDirectory();

        assertThat(keys("bundle", "--switches", "" + list, "--manager", "fm1", "" + out))
                .isZero();
        assertThat(out.resolve("manager/certificate.pem")).exists();
        assertRefused(
                "out: there is something already", "bundle", "--switches", "" + list, "--manager", "fm1", "" + out);
    }

    /** Secrets are in them, whoever made them. */
    @Test
    void shouldTakeAwayWhatRunsLeftThatWereKilled() throws IOException {
        long nobody = 1 << 23; // No process has a number above 2^22.
        Path authority = Files.createDirectory(dir.resolve("authority"));
        Path left = FreshFiles.beside(authority.resolve("authority-key.pem"), nobody);
        Files.writeString(left, "a secret");

        assertThat(keys("init")).as(error()).isZero();
        assertThat(left).doesNotExist();
        Files.writeString(left, "a secret");
        assertThat(keys("init")).isEqualTo(2);
        assertThat(left).doesNotExist();
        Files.writeString(left, "a secret");
        Path leftOfSwitch = FreshFiles.beside(
                Files.createDirectories(authority.resolve("issued").resolve(SWITCH))
                        .resolve("private-key.pem"),
                nobody);
        Files.writeString(leftOfSwitch, "a secret");
        assertThat(keys("issue", SWITCH)).as(error()).isZero();
        assertThat(left).doesNotExist();
        assertThat(leftOfSwitch).doesNotExist();
        Path list = Files.writeString(dir.resolve("list"), "0xa1\n");
        Path leftBundle = FreshFiles.beside(dir.resolve("out"), nobody);
        Files.writeString(Files.createDirectory(leftBundle).resolve("private-key.pem"), "a secret");
        assertThat(keys("bundle", "--switches", "" + list, "--manager", "fm1", "" + dir.resolve("out")))
                .isZero();
        assertThat(leftBundle).doesNotExist();
    }

    /** One of the same number may have been killed, or somebody wants to have the key. */
    @Test
    void shouldWriteNoSecretToWhatIsThere() throws IOException {
        Path authority = Files.createDirectory(dir.resolve("authority"));
        Path theirs = Files.writeString(dir.resolve("theirs"), "whole");
        Files.createSymbolicLink(FreshFiles.beside(authority.resolve("authority-key.pem")), theirs);
        Path open = Files.writeString(FreshFiles.beside(authority.resolve("detector.key")), "a secret");
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-rw-rw-"));

        assertThat(keys("init")).as(error()).isZero();

        assertThat(theirs).hasContent("whole");
        try (Stream<Path> files = Files.list(authority)) {
            assertThat(files)
                    .hasSize(3)
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(
                                    Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS)))
                            .isEqualTo("rw-------"));
        }
    }

    @Test
    void shouldReplaceACertificateByANewerOne() throws IOException {
        keys("init");
        keys("issue", SWITCH);
        TlsKeys before = issued(SWITCH);

        assertThat(keys("issue", "--days", "30", SWITCH)).isZero();

        assertThat(issued(SWITCH).own()).isNotEqualTo(before.own());
        assertThat(issued(SWITCH).own().getNotAfter()).isBefore(before.own().getNotAfter());
    }

    @Test
    void shouldMakeBundlesForAListOfSwitches() throws IOException {
        keys("init");
        Path list = Files.writeString(dir.resolve("list"), "# the first rack\n0xa1  \n\na2 # spine\n");
        Path out = dir.resolve("out");

        assertThat(keys("bundle", "--switches", "" + list, "--manager", "fm1,10.0.0.1", "" + out))
                .as(error())
                .isZero();

        try (Stream<Path> made = Files.list(out)) {
            assertThat(made.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("manager", SWITCH, "0x00000000000000a2");
        }
        assertThat(error()).contains("keys of the manager and of 2 switches made in " + out);
    }

    @Test
    void shouldMakeBundlesForTheSwitchesOfAFabric() throws IOException {
        keys("init");
        Path fabric = Files.writeString(dir.resolve("fabric"), """
                vendid=0x2c9
                devid=0xc738
                sysimgguid=0xa1
                switchguid=0xa1(a1)
                Switch	2 "S-00000000000000a1"		# "leaf" enhanced port 0 lid 1 lmc 0
                [1]	"H-00000000000000b0"[1](b1) 		# "node1" lid 2 4xEDR

                vendid=0x2c9
                devid=0x1017
                sysimgguid=0xb0
                caguid=0xb0
                Ca	1 "H-00000000000000b0"		# "node1"
                [1](b1) 	"S-00000000000000a1"[1]		# lid 2 lmc 0 "leaf" lid 1 4xEDR
                """);

        assertThat(keys("bundle", "--switches", "" + fabric, "--manager", "fm1", "" + dir.resolve("out")))
                .as(error())
                .isZero();

        assertThat(dir.resolve("out").resolve(SWITCH).resolve("certificate.pem"))
                .exists();
    }

    @Test
    void shouldRefuseBadInputInOneLineAndMakeNothing() throws IOException {
        keys("init");
        Path bad = Files.writeString(dir.resolve("bad"), "0xa1\nleaf\n");
        Path empty = Files.writeString(dir.resolve("empty"), "# none\n");
        String out = dir.resolve("out").toString();

        assertRefused("'leaf' is not a GUID", "bundle", "--switches", "" + bad, "--manager", "fm1", out);
        assertRefused("empty: no GUID; expected", "bundle", "--switches", "" + empty, "--manager", "fm1", out);
        assertRefused("none: cannot be read", "bundle", "--switches", dir + "/none", "--manager", "fm1", out);
        assertRefused("'0xzz' is not a GUID", "issue", "0xzz");
        assertRefused("'a b': expected the GUID of a switch", "issue", "a b");
        assertRefused("--days 0: expected 1..3650", "issue", "--days", "0", "0xa1");
        assertThat(dir.resolve("out")).doesNotExist();
        assertThat(dir.resolve("authority/issued")).doesNotExist();
    }

    @Test
    void shouldSayThatThereIsNoAuthority() {
        assertRefused(
                "authority.pem: no such file, expected an authority; fabric-manager keys init makes one",
                "issue",
                "0x1");
    }

    private void assertRefused(String expected, String command, String... more) {
        err.getBuffer().setLength(0);
        assertThat(keys(command, more)).as(List.of(more).toString()).isEqualTo(2);
        assertThat(error()).contains(expected).hasLineCount(1);
    }
}
