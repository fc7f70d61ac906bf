package io.dmodc.manager.opensm;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.subnet.OpenSmSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OpenSM as a file: it answers while that is there. */
class OpenSmPresenceTest {
    @TempDir
    private Path directory = Path.of("");

    private Path opensm = Path.of("");

    @BeforeEach
    void start() throws IOException {
        opensm = Files.createFile(directory.resolve("opensm"));
    }

    @Test
    void shouldTellOfAnOpenSmThatDoesNotAnswerTwiceInARow() throws Exception {
        Troubles troubles = new Troubles(FakeSubnet.restingLoop(() -> 0));
        try (OpenSmPresence presence = new OpenSmPresence("ls " + opensm, OpenSmSettings.defaults(), troubles)) {
            Files.delete(opensm);
            presence.ask();
            assertThat(troubles.has(Troubles.Kind.PRESENCE)).isFalse();
            Files.createFile(opensm);
            presence.ask();
            Files.delete(opensm);
            presence.ask();
            assertThat(troubles.has(Troubles.Kind.PRESENCE)).isFalse();

            presence.ask();
            assertThat(troubles.has(Troubles.Kind.PRESENCE)).isTrue();

            Files.createFile(opensm);
            presence.ask();
            assertThat(troubles.has(Troubles.Kind.PRESENCE)).isFalse();
        }
    }

    @Test
    void shouldRaiseAnAlarmThoughNothingHasToBeSentAndEndItWhenOpenSmIsBack() throws Exception {
        try (FakeSubnet subnet = new FakeSubnet(directory)) {
            subnet.start(FakeSubnet.askingBy(subnet.settings(), "ls " + opensm));
            subnet.awaitServed();
            assertThat(subnet.opensmAlarm()).isEmpty();

            Files.delete(opensm);
            subnet.await("alarm", () -> subnet.opensmAlarm().startsWith("OpenSM does not answer"));
            assertThat(subnet.opensmAlarm()).contains("'ls " + opensm + "': exit code 2");

            Files.createFile(opensm);
            subnet.await("end of alarm", () -> subnet.opensmAlarm().isEmpty());
        }
    }
}
