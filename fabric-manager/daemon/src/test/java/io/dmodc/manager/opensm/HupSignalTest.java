package io.dmodc.manager.opensm;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.loop.FabricLoop;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/** By a pid file, to real processes that are scripts of that name. */
class HupSignalTest {
    @TempDir
    private Path directory = Path.of("");

    private final FabricLoop loop = FakeSubnet.restingLoop(System::nanoTime);
    private final Troubles troubles = new Troubles(loop);
    private FakeSubnet subnet;
    private HupSignal hup;

    @BeforeEach
    void set() throws IOException {
        subnet = new FakeSubnet(directory);
        hup = new HupSignal(
                FakeSubnet.signallingBy(subnet.settings(), directory.resolve("pid")), troubles, Troubles.Kind.SIGNAL);
    }

    /** It says a line when it is as far as it will be. */
    private Process started(String name, String before) throws IOException {
        subnet.script(name, before + "\necho up\nread line || :\n");
        Process process = new ProcessBuilder(directory.resolve(name).toString()).start();
        assertThat(process.inputReader().readLine()).isEqualTo("up");
        Files.writeString(directory.resolve("pid"), process.pid() + "\n");
        return process;
    }

    private static void end(Process process) throws IOException, InterruptedException {
        process.getOutputStream().close();
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void shouldReachTheProcessOfThePidFile() throws Exception {
        Process opensm = started("opensm", "trap 'echo got' HUP");
        BufferedReader said = opensm.inputReader();

        assertThat(hup.send()).isTrue();

        opensm.getOutputStream().close();
        assertThat(said.readLine()).isEqualTo("got");
        opensm.waitFor();
        assertThat(troubles.has(Troubles.Kind.SIGNAL)).isFalse();
    }

    /** It would end it: OpenSM takes the signal some fifty milliseconds after its start. */
    @Test
    void shouldNotSignalAnOpenSmThatDoesNotTakeItYet() throws Exception {
        Process opensm = started("opensm", "trap : USR1");

        assertThat(hup.send()).isFalse();

        assertThat(troubles.has(Troubles.Kind.SIGNAL)).isTrue();
        end(opensm);
    }

    /** It has the number of one that has ended. */
    @Test
    void shouldNotSignalAnotherProgram() throws Exception {
        Process other = started("other", "trap : HUP");

        assertThat(hup.send()).isFalse();

        end(other);
    }

    @Test
    void shouldNoticeThatThePidFileNamesOpenSmByNow() throws Exception {
        assertThat(hup.isMended()).isFalse();
        assertThat(hup.send()).isFalse();
        assertThat(hup.isMended()).isFalse();

        Process other = started("other", "trap : HUP");
        assertThat(hup.isMended()).isFalse();
        end(other);
        Process opensm = started("opensm", "trap : HUP");
        assertThat(hup.isMended()).isTrue();

        assertThat(hup.send()).isTrue();
        assertThat(hup.isMended()).isFalse();
        opensm.getOutputStream().close();
        opensm.waitFor();
    }

    /** Whoever opened a pipe to read it would wait for somebody to write. */
    @Test
    @Timeout(value = 20, threadMode = ThreadMode.SEPARATE_THREAD)
    void shouldNotWaitForAPidFileThatIsAPipe() throws Exception {
        Path pid = directory.resolve("pid");
        assertThat(new ProcessBuilder("mkfifo", pid.toString()).start().waitFor())
                .isZero();

        assertThat(hup.send()).isFalse();
        assertThat(troubles.has(Troubles.Kind.SIGNAL)).isTrue();
    }
}
