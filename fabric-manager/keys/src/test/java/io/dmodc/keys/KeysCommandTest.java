package io.dmodc.keys;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.detector.net.RingKey;
import io.dmodc.settings.cli.Program;
import io.dmodc.southbound.tls.CertificateNames;
import io.dmodc.southbound.tls.TlsFiles;
import io.dmodc.southbound.tls.TlsKeys;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
