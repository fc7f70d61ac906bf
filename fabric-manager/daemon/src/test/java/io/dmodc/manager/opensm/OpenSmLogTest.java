package io.dmodc.manager.opensm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.dmodc.manager.opensm.OpenSmLog.Kind;
import io.dmodc.manager.opensm.OpenSmLog.News;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/** The lines are those of opensm 3.3.23. */
class OpenSmLogTest {
    private static final String TRAP =
            "Nov 26 00:52:08 317184 [D8E5E6C0] 0x01 -> log_trap_info: Received Generic Notice type:1"
                    + " num:128 (Link state change) Producer:2 (Switch) from LID:100 TID:0x0000000000000000\n";
    private static final String FILE =
            "Nov 26 00:52:08 327535 [D66596C0] 0x02 -> osm_ucast_mgr_process: file tables configured on"
                    + " all switches\n";
    private static final String UP = "Nov 26 00:52:08 331942 [D66596C0] 0x02 -> SUBNET UP\n";

    @TempDir
    private Path directory = Path.of("");

    private long nowNanos = TimeUnit.HOURS.toNanos(1);

    private void write(Path log, String text) throws IOException {
        Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Test
    void shouldTellWhatIsWrittenFromNowOn() throws IOException {
        Path log = directory.resolve("log");
        write(log, TRAP);
        OpenSmLog follower = new OpenSmLog(log, () -> nowNanos);
        assertThat(follower.news()).isEmpty();

        write(log, TRAP + "something else\n" + FILE + UP.substring(0, 20));
        assertThat(follower.news())
                .containsExactly(new News(Kind.CHANGED, "", 100), new News(Kind.CONFIGURED, "file", 0));
        write(log, UP.substring(20));
        assertThat(follower.news()).containsExactly(new News(Kind.SWEPT, "", 0));
        assertThat(follower.news()).isEmpty();
    }

    @Test
    void shouldBeginAnewWithALogThatIsNewOrCut() throws IOException {
        Path log = directory.resolve("log");
        OpenSmLog follower = new OpenSmLog(log, () -> nowNanos);
        assertThat(follower.news()).isEmpty();
        write(log, TRAP + FILE);
        assertThat(follower.news()).hasSize(2);

        Files.writeString(log, UP);
        assertThat(follower.news()).containsExactly(new News(Kind.SWEPT, "", 0));

        Files.move(log, directory.resolve("log.1"));
        write(log, TRAP + TRAP + TRAP);
        assertThat(follower.news()).hasSize(3);
    }

    /** OpenSM has it open, and is told some time later. */
    @Test
    void shouldFollowALogThatWasRotatedUntilTheNewOneIsWrittenTo() throws IOException {
        Path log = directory.resolve("log");
        write(log, UP);
        OpenSmLog follower = new OpenSmLog(log, () -> nowNanos);
        write(log, TRAP);
        Path rotated = Files.move(log, directory.resolve("log.1"));
        write(rotated, FILE);
        assertThat(follower.news()).hasSize(2);

        Files.createFile(log);
        assertThat(follower.news()).isEmpty();
        write(rotated, UP);
        assertThat(follower.news()).containsExactly(new News(Kind.SWEPT, "", 0));

        write(rotated, TRAP);
        write(log, FILE);
        assertThat(follower.news())
                .containsExactly(new News(Kind.CHANGED, "", 100), new News(Kind.CONFIGURED, "file", 0));
    }

    @Test
    void shouldReadABoundedPartOfALogThatGrewMuch() throws IOException {
        Path log = directory.resolve("log");
        OpenSmLog follower = new OpenSmLog(log, () -> nowNanos);
        write(log, TRAP.repeat(10) + "x".repeat(OpenSmLog.READ_MAX) + "\n" + UP);

        assertThat(follower.news()).containsExactly(new News(Kind.SWEPT, "", 0));
    }

    /** A host has another name, or a subnet manager came: no cable, but OpenSM would sweep by itself. */
    @Test
    void shouldTellApartWhatNeedsASweepAndNoLook() throws IOException {
        Path log = directory.resolve("log");
        OpenSmLog follower = new OpenSmLog(log, () -> nowNanos);
        write(log, TRAP.replace("type:1 num:128 (Link state change)", "type:4 num:144 (Local Changes)"));
        write(log, TRAP.replace("type:1 num:128 (Link state change)", "type:4 num:145 (Image GUID change)"));

        write(log, TRAP.replace("num:128 (Link state change)", "num:129 (Link integrity)"));

        assertThat(follower.news()).containsExactly(new News(Kind.LOCAL, "", 100), new News(Kind.ERRORS, "", 0));
    }

    /** Another notice, and the same one by a host. */
    @Test
    void shouldNameASwitchOnlyWhereALinkOfItChanged() throws IOException {
        Path log = directory.resolve("log");
        OpenSmLog follower = new OpenSmLog(log, () -> nowNanos);
        write(log, TRAP.replace("num:128 (Link state change)", "num:144 (Local changes)"));
        write(log, TRAP.replace("Producer:2 (Switch)", "Producer:1 (CA)"));

        assertThat(follower.news()).containsExactly(new News(Kind.CHANGED, "", 0), new News(Kind.CHANGED, "", 0));
    }

    private void later() {
        nowNanos += TimeUnit.SECONDS.toNanos(OpenSmLog.AGAIN_SECONDS);
    }

    private List<News> newsOf(OpenSmLog follower, String trouble) {
        List<News> news = follower.news();
        assertThat(follower.trouble()).isEqualTo(trouble);
        return news;
    }

    /** OpenSM writes to what it has open, whatever it is called by then. */
    @Test
    void shouldTellThatThereIsNoLogUntilThereIs() throws IOException {
        Path log = directory.resolve("log");
        OpenSmLog follower = new OpenSmLog(log, () -> nowNanos);
        assertThat(newsOf(follower, log + ": not there")).isEmpty();

        write(log, UP);
        assertThat(newsOf(follower, "")).hasSize(1);

        Files.delete(log);
        assertThat(newsOf(follower, "")).isEmpty();
    }

    /** Whoever opened a pipe to read it would wait for somebody to write. */
    @Test
    @Timeout(value = 20, threadMode = ThreadMode.SEPARATE_THREAD)
    void shouldTellThatWhatIsThereIsNoLog() throws Exception {
        Path log = directory.resolve("log");
        assertThat(new ProcessBuilder("mkfifo", log.toString()).start().waitFor())
                .isZero();
        OpenSmLog follower = new OpenSmLog(log, () -> nowNanos);
        assertThat(newsOf(follower, log + ": no regular file")).isEmpty();

        Files.delete(log);
        Files.createDirectory(log);
        later();
        assertThat(newsOf(follower, log + ": no regular file")).isEmpty();

        Files.delete(log);
        write(log, UP);
        later();
        assertThat(newsOf(follower, "")).hasSize(1);
    }

    /** As by a network file system: what was heard of is not told again. */
    @Test
    void shouldGoOnWhereItWasWhenTheSameLogCanBeReadAgain() throws IOException {
        Path real = directory.resolve("real");
        write(real, TRAP);
        Path log = Files.createSymbolicLink(directory.resolve("log"), real);
        OpenSmLog follower = new OpenSmLog(log, () -> nowNanos);
        write(real, FILE + UP.substring(0, 20));
        assertThat(newsOf(follower, "")).hasSize(1);

        Files.delete(log);
        Files.createSymbolicLink(log, log);
        assertThat(newsOf(
                        follower,
                        log + ": Too many levels of symbolic links or unable to access attributes of symbolic link"))
                .isEmpty();
        write(real, UP.substring(20));
        Files.delete(log);
        Files.createSymbolicLink(log, real);
        later();
        assertThat(newsOf(follower, "")).containsExactly(new News(Kind.SWEPT, "", 0));
    }

    /** What happened before the manager was there is over; root opens any. */
    @Test
    void shouldNotTellWhatWasThereWhenTheLogCouldNotBeOpenedAtTheStart() throws IOException {
        Path log = directory.resolve("log");
        write(log, TRAP);
        Files.setPosixFilePermissions(log, PosixFilePermissions.fromString("-w-------"));
        assumeThat(Files.isReadable(log))
                .as("a log without permission is readable")
                .isFalse();
        OpenSmLog follower = new OpenSmLog(log, () -> nowNanos);
        write(log, UP);
        assertThat(newsOf(follower, log + ": no permission")).isEmpty();

        Files.setPosixFilePermissions(log, PosixFilePermissions.fromString("rw-------"));
        later();
        assertThat(newsOf(follower, "")).containsExactly(new News(Kind.SWEPT, "", 0));
    }

    /** A file of the kernel that says how long it is and cannot be read. */
    @Test
    void shouldOpenALogAnewThatCannotBeReadNoMoreThanOnceASecond() throws IOException {
        Path unreadable = Path.of("/sys/class/net/lo/speed");
        Path log = directory.resolve("log");
        OpenSmLog follower = new OpenSmLog(log, () -> nowNanos);
        Files.createSymbolicLink(log, unreadable);
        assertThat(newsOf(follower, log + ": Invalid argument")).isEmpty();

        Files.delete(log);
        write(log, UP);
        assertThat(newsOf(follower, log + ": Invalid argument")).isEmpty();
        later();
        assertThat(newsOf(follower, "")).hasSize(1);
    }
}
