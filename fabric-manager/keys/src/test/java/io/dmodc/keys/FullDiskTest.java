package io.dmodc.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dmodc.settings.cli.Program;
import io.dmodc.southbound.tls.TlsFiles;
import io.dmodc.southbound.tls.TlsKeys;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code fabric-manager keys} on a disk that takes some pages and no more, or nothing: for root, who can mount one. */
class FullDiskTest {
    private static final String SWITCH = "0x00000000000000a1";

    @TempDir
    private Path dir;

    private Path disk;
    private Path authority;
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(dir.resolve("disk"));
        authority = disk.resolve("authority");
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", disk.toString()) == 0, "mount needs root");
    }

    @AfterEach
    void unmount() throws Exception {
        if (authority != null && run("mountpoint", "-q", disk.toString()) == 0) {
            assertThat(run("umount", disk.toString())).isZero();
        }
    }

    private static int run(String... words) throws Exception {
        return new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    private void remount(String how) throws Exception {
        assertThat(run("mount", "-o", "remount," + how, disk.toString())).isZero();
    }

    private int keys(String command, String... more) {
        err.getBuffer().setLength(0);
        String[] words = Stream.concat(Stream.of(command, "--authority", authority.toString()), Arrays.stream(more))
                .toArray(String[]::new);
        return Program.run(
                new KeysCommand(), List.of(), new PrintWriter(new StringWriter()), new PrintWriter(err, true), words);
    }

    private static List<Path> files(Path below) throws IOException {
        if (Files.notExists(below)) {
            return List.of();
        }
        try (Stream<Path> walk = Files.walk(below)) {
            return walk.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private void assertRefusedInOneLine(String why) {
        assertThat(err.toString().strip())
                .contains(why)
                .contains(disk.toString())
                .hasLineCount(1);
    }

    private void makeAuthority() throws Exception {
        remount("size=64k");
        assertThat(keys("init")).isZero();
    }

    @Test
    void shouldMakeAnAuthorityWholeOrNotAtAll() throws Exception {
        int pages = 1;
        for (; keys("init") != 0; pages++) {
            assertRefusedInOneLine("cannot be written: No space left on device");
            assertThat(files(disk)).as("with %s pages", pages).isEmpty();
            assertThat(authority).doesNotExist();
            remount("size=" + 4 * (pages + 1) + "k");
        }

        assertThat(pages).as("pages for three files").isEqualTo(3);
        assertThat(files(authority)).hasSize(3);
        remount("size=64k");
        assertThat(keys("issue", "0xa1", "fm1")).as(err.toString()).isZero();
    }

    @Test
    void shouldLeaveADirectoryAndTheRingKeyThatWereThere() throws Exception {
        Files.createDirectory(authority);
        Path ring = Files.writeString(authority.resolve("detector.key"), "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0\n");

        assertThat(keys("init")).isEqualTo(2);

        assertRefusedInOneLine("authority-key.pem: cannot be written: No space left on device");
        assertThat(files(disk)).containsExactly(ring);
        assertThat(ring).hasContent("c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0\n");
    }

    /** New keys take as much again while the ones before are there: each size leaves the old four or the new four. */
    @Test
    void shouldReplaceKeysWholeOrNotAtAll() throws Exception {
        makeAuthority();
        assertThat(keys("issue", SWITCH)).isZero();
        Path issued = authority.resolve("issued").resolve(SWITCH);
        TlsKeys before = TlsKeys.read(TlsFiles.in(issued));
        int refused = 0;
        for (int pages = 8; pages <= 11; pages++) {
            remount("size=" + 4 * pages + "k");
            if (keys("issue", SWITCH) == 0) {
                assertThat(TlsKeys.read(TlsFiles.in(issued)).own()).isNotEqualTo(before.own());
            } else {
                refused++;
                assertRefusedInOneLine("cannot be written: No space left on device");
                assertThat(TlsKeys.read(TlsFiles.in(issued))).isEqualTo(before);
            }
            assertThat(files(issued)).hasSize(4);
        }
        assertThat(refused).isEqualTo(3);
    }

    @Test
    void shouldMakeABundleWholeOrNotAtAll() throws Exception {
        makeAuthority();
        Path list = Files.writeString(dir.resolve("list"), "0xa1\n0xa2\n");
        Path out = disk.resolve("out");
        List<Path> before = files(disk);
        remount("size=32k");

        assertThat(keys("bundle", "--switches", "" + list, "--manager", "fm1", "" + out))
                .isEqualTo(2);

        assertRefusedInOneLine("cannot be written: No space left on device");
        assertThat(files(disk)).isEqualTo(before);
        assertThat(out).doesNotExist();
    }

    @Test
    void shouldChangeNothingOnADiskThatIsReadOnly() throws Exception {
        remount("ro");
        assertThat(keys("init")).isEqualTo(2);
        assertRefusedInOneLine("Read-only file system");

        remount("rw");
        makeAuthority();
        assertThat(keys("issue", SWITCH)).isZero();
        List<Path> before = files(disk);
        remount("ro");

        assertThat(keys("issue", SWITCH)).isEqualTo(2);
        assertRefusedInOneLine("Read-only file system");
        assertThat(keys("issue", "0xa2")).isEqualTo(2);
        assertRefusedInOneLine("Read-only file system");
        Path list = Files.writeString(dir.resolve("list"), "0xa1\n");
        assertThat(keys("bundle", "--switches", "" + list, "--manager", "fm1", disk + "/out"))
                .isEqualTo(2);
        assertRefusedInOneLine("Read-only file system");
        remount("rw");
        assertThat(files(disk)).isEqualTo(before);
    }
}
