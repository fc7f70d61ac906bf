package io.dmodc.manager.opensm;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.subnet.OpenSmSettings;
import io.dmodc.topology.FabricView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A manager that starts where the dump of one before lies, and cannot see the fabric as it is. */
class OpenSmStartTest {
    @TempDir
    private Path directory = Path.of("");

    private FakeSubnet subnet;
    private OpenSmSettings settings;
    private FabricView whole;
    private String text;
    private byte[] good;

    @BeforeEach
    void serveAndEnd() throws Exception {
        DrawnSubnet drawn = new DrawnSubnet("2;2,8;1,6;1,1");
        whole = drawn.view();
        text = "# Initiated from node 02c0000000000000 port 02c0000000000001\n" + drawn.text();
        subnet = new FakeSubnet(directory, text);
        settings = FakeSubnet.withdrawingAfter(subnet.lookingAtSwitches(), Duration.ofMillis(200));
        subnet.start(settings);
        subnet.awaitServed();
        subnet.close();
        good = Files.readAllBytes(subnet.dump);
    }

    @AfterEach
    void close() throws InterruptedException {
        subnet.close();
    }

    private int leaf() {
        return whole.nodeSwitch(whole.nodeCount() - 1);
    }

    /** Discovery leaves out the last leaf, which is there, and the manager has started. */
    private void startWithALeafLeftOut() throws Exception {
        subnet.kill(whole.switchGuid(leaf()));
        Files.copy(directory.resolve("net"), directory.resolve("part"));
        subnet.mend();
        subnet.script("discover", "exec cat " + directory + "/part");
        subnet.start(settings);
        subnet.await(
                "alarm",
                () -> subnet.opensmAlarm().contains("is down in it, and its switch says that it is not")
                        && subnet.opensmAlarm().contains("no tables are made until it does"));
    }

    @Test
    void shouldKeepTheDumpThoughDiscoveryLeavesASwitchOutThatAnswers() throws Exception {
        startWithALeafLeftOut();
        assertThat(subnet.alarms()).hasSize(1);
        assertThat(Files.readAllBytes(subnet.dump)).isEqualTo(good);

        subnet.goodDiscover();
        subnet.await("an end of the alarm", () -> subnet.alarms().isEmpty());
        subnet.awaitServed();

        assertThat(Files.readAllBytes(subnet.dump)).isEqualTo(good);
        assertThat(subnet.view().linkCount()).isEqualTo(48);
    }

    /** It is good no longer: OpenSM's next engine serves until the fabric is seen. */
    @Test
    void shouldTakeADumpAwayThatUsesADeadPortMeanwhileAndBelieveDiscoveryNoMore() throws Exception {
        startWithALeafLeftOut();
        int port = 1;
        while (whole.peerSwitch(0, port) < 0) {
            port++;
        }
        subnet.put(Files.readString(directory.resolve("part")));
        cut(port);
        Files.copy(directory.resolve("net"), directory.resolve("less"));
        subnet.put(text);
        cut(port);
        subnet.script("discover", "exec cat " + directory + "/less");

        subnet.await("an alarm", () -> subnet.opensmAlarm().contains("was removed: it used a dead port, leaf0"));
        assertThat(subnet.dump).doesNotExist();
        assertThat(subnet.opensmAlarm()).contains("its switch says that it is not");
        assertThat(subnet.now().discovering()).isTrue();

        subnet.goodDiscover();
        subnet.awaitServed();
        subnet.await("an end of the alarm", () -> subnet.opensmAlarm().isEmpty());
        assertThat(subnet.view().linkCount()).isEqualTo(47);
        assertThat(subnet.dumpsDesired()).isTrue();
    }

    private void cut(int port) throws Exception {
        subnet.cut(whole.switchGuid(0), port, whole.switchGuid(whole.peerSwitch(0, port)), whole.peerPort(0, port));
    }

    /** The third look is 3 s after the start, and nobody is waited for longer than 2. */
    @Test
    void shouldHaveOneAlarmWhileDiscoveryFailsAndMissNoSwitch() throws Exception {
        Path tried = directory.resolve("tried");
        subnet.script("discover", "echo >>" + tried + "; exit 1");
        subnet.start(settings);
        subnet.await("three looks", () -> Files.exists(tried) && lines(tried) >= 3);
        assertThat(subnet.alarms()).hasSize(1);
        assertThat(subnet.opensmAlarm()).contains("cannot be looked at");

        subnet.goodDiscover();
        subnet.awaitServed();
        assertThat(subnet.alarms()).isEmpty();
    }

    private static long lines(Path file) {
        try {
            return Files.readAllLines(file).size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
