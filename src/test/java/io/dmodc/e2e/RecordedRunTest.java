package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.dmodc.agent.plane.Cable;
import io.dmodc.manager.app.Main;
import io.dmodc.manager.core.EpochRecord;
import io.dmodc.manager.recording.Replay;
import io.dmodc.routing.Parallel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A running manager writes down what it is told, and {@code state replay} makes the same of it. */
class RecordedRunTest {
    private static final String PGFT = "2;2,4;1,2;1,2";

    @TempDir
    Path directory;

    private List<Path> recordings() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("recordings"))) {
            return files.sorted().toList();
        }
    }

    private static int replay(Path file) {
        return Main.run("state", "replay", file.toString());
    }

    @Test
    void shouldReplayBothRunsOfAFabricWithFaultsAndRefuseADamagedRecording() throws Exception {
        Map<String, String> settings = new TreeMap<>();
        settings.put("recording.directory", directory.resolve("recordings").toString());
        List<EpochRecord> epochs;
        RunningManager manager = RunningManager.open(directory, Site.guidsOf(PGFT), settings);
        try (Site site = Site.of(PGFT, manager.southbound()).startAgents()) {
            manager.awaitAllServed(site);
            Cable cable = site.firstBundleUp(site.leaf(0)).get(0);
            site.cut(cable);
            manager.awaitCalm("the loss", state -> state.linkTotals().down() == 1);
            site.mend(cable);
            manager.awaitCalm("the return", state -> state.linkTotals().down() == 0 && state.heldDownCount() == 0);
            site.powerOff(site.spine(0));
            manager.awaitCalm(
                    "the loss of a spine", state -> state.switchTotals().down() == 1);
            epochs = manager.ask(state -> List.copyOf(state.epochs()));
            manager.close();
            settings.put(
                    "southbound.listen", "127.0.0.1:" + manager.southbound().getPort());
            try (RunningManager second = RunningManager.open(directory, Set.of(), settings)) {
                site.powerOn(site.spine(0));
                second.awaitAllServed(site);
            }
        } finally {
            manager.close();
        }

        assertThat(recordings())
                .hasSize(2)
                .allSatisfy(file -> assertThat(replay(file)).isZero());
        List<Replay.Epoch> replayed = new ArrayList<>();
        Replay.run(recordings().get(0), Parallel.sequential(), replayed::add);
        assertThat(replayed)
                .hasSizeGreaterThan(3)
                .extracting(Replay.Epoch::epoch, Replay.Epoch::cause, Replay.Epoch::switches, Replay.Epoch::blocks)
                .as("in any order: one that is superseded may be over before the one before it")
                .containsExactlyInAnyOrderElementsOf(epochs.stream()
                        .map(it -> tuple(it.epoch(), it.cause(), it.switchesPushed(), it.blocksPushed()))
                        .toList());

        Path damaged = directory.resolve("damaged.events");
        byte[] bytes = Files.readAllBytes(recordings().get(0));
        bytes[bytes.length / 2] ^= 1;
        Files.write(damaged, bytes);
        assertThat(replay(damaged)).isEqualTo(2);
        assertThat(replay(directory.resolve("none"))).isEqualTo(2);
    }
}
