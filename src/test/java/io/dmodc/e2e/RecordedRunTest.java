package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.plane.Cable;
import io.dmodc.manager.app.Main;
import io.dmodc.manager.core.EpochRecord;
import io.dmodc.manager.core.EpochRecord.Stage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A running manager writes down what it is told, and {@code state replay} makes the same of it. */
class RecordedRunTest {
    private static final String PGFT = "2;2,4;1,2;1,2";

    @TempDir
    Path directory;

    private record Answer(int code, String text) {}

    private static Answer replay(Path file) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        System.setErr(System.out);
        try {
            return new Answer(Main.run("state", "replay", file.toString()), printed.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    private List<Path> recordings() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("recordings"))) {
            return files.sorted().toList();
        }
    }

    @Test
    void shouldReplayBothRunsOfAFabricWithFaultsAndRefuseADamagedRecording() throws Exception {
        Map<String, String> settings =
                Map.of("recording.directory", directory.resolve("recordings").toString());
        List<EpochRecord> first;
        RunningManager manager = RunningManager.open(directory, Site.guidsOf(PGFT), settings);
        try (Site site = Site.of(PGFT, manager.southbound()).startAgents()) {
            manager.awaitAllServed(site);
            Cable cable = site.firstBundleUp(site.leaf(0)).get(0);
            site.cut(cable);
            manager.awaitCalm("the loss", state -> state.linkTotals().down() == 1);
            site.dieSilently(site.spine(0));
            manager.awaitCalm(
                    "the loss of a spine", state -> state.switchTotals().down() == 1);
            site.mend(cable);
            manager.awaitCalm(
                    "the return",
                    state -> state.epochs().stream()
                            .anyMatch(epoch -> epoch.cause().endsWith(" up")));
            first = manager.ask(state -> List.copyOf(state.epochs()));
            manager.close();
            Map<String, String> again = new TreeMap<>(settings);
            again.put("southbound.listen", "127.0.0.1:" + manager.southbound().getPort());
            try (RunningManager second = RunningManager.open(directory, Set.of(), again)) {
                site.powerOn(site.spine(0));
                second.awaitAllServed(site);
            }
        } finally {
            manager.close();
        }

        assertThat(recordings()).hasSize(2);
        Answer answer = replay(recordings().get(0));
        assertThat(answer.text()).contains("end: closed").endsWith("the same as recorded\n");
        assertThat(answer.code()).isZero();
        for (EpochRecord epoch : first) {
            assertThat(epoch.stage()).isNotEqualTo(Stage.COMPUTING);
            assertThat(answer.text())
                    .containsPattern(
                            "Z +" + epoch.epoch() + "  " + epoch.stage().name().toLowerCase(Locale.ROOT)
                                    + " +" + epoch.switchesPushed() + " +" + epoch.blocksPushed() + "  0x[0-9a-f]{16}  "
                                    + Pattern.quote(epoch.cause()));
        }
        assertThat(replay(recordings().get(1)))
                .satisfies(second -> assertThat(second.code()).as(second.text()).isZero());

        Path damaged = directory.resolve("damaged.events");
        byte[] bytes = Files.readAllBytes(recordings().get(0));
        bytes[bytes.length / 2] ^= 1;
        Files.write(damaged, bytes);
        assertThat(replay(damaged)).satisfies(refused -> {
            assertThat(refused.code()).isEqualTo(2);
            assertThat(refused.text()).containsPattern("damaged\\.events: is damaged: .*, at byte \\d+, ");
        });
        assertThat(replay(directory.resolve("none")).code()).isEqualTo(2);
    }
}
