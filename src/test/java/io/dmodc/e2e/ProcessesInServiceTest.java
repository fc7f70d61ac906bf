package io.dmodc.e2e;

import static io.dmodc.e2e.OperatorsSite.AGENT_ADDRESS;
import static io.dmodc.e2e.OperatorsSite.GUIDS;
import static io.dmodc.e2e.OperatorsSite.LEADER;
import static io.dmodc.e2e.OperatorsSite.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.state.LeaderEpochs;
import io.dmodc.manager.store.StateStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What an operator does to a daemon and its agents while they run: one site for all, in any order. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProcessesInServiceTest {
    private static final Pattern KEY_TAKEN = Pattern.compile("detector\\.key: read again: (ring key .*)");
    private static final Pattern ADMINISTRATORS = Pattern.compile("administrators at (http://[0-9.:]+)");

    private Path directory;
    private OperatorsSite site;
    private ProcessLog daemon;
    private List<ProcessLog> agents;

    @BeforeAll
    void start(@TempDir Path fresh) throws IOException {
        directory = fresh;
        site = new OperatorsSite(directory);
        daemon = site.daemon(0);
        int port = Integer.parseInt(await(daemon, AGENT_ADDRESS));
        agents = List.of(site.agent(0, port), site.agent(1, port), site.agent(2, port));
        agents.forEach(agent -> await(agent, LEADER));
    }

    @AfterAll
    void stop() {
        site.close();
    }

    @Test
    void shouldReadSettingsAgainOnHangUpAndGoOn() throws Exception {
        ProcessLog agent = agents.get(0);
        Path file = site.settings();
        String before = Files.readString(file);

        Files.writeString(file, before + "push: {tries: 9}\nrouting: {threads: 3}\n");
        daemon.hangUp();
        assertThat(await(daemon, Pattern.compile("settings read again: (.*); asking all ports")))
                .isEqualTo("push.tries changed; needs a restart: routing.threads");

        Files.writeString(file, "push: [");
        daemon.hangUp();
        assertThat(await(
                        daemon,
                        Pattern.compile("settings not read again, those in force stay: (.*); asking all ports")))
                .contains("fabric-manager.yaml:1: ");

        agent.hangUp();
        await(agent, Pattern.compile("(SIGHUP: cables are read again, all ports are told)"));
        assertThat(daemon.alive()).as(daemon::text).isTrue();
        assertThat(agent.alive()).as(agent::text).isTrue();
    }

    /** All three steps, the daemon and the agents one after another; the last one of each step is told by a signal. */
    @Test
    void shouldChangeTheRingsKeyWithoutASilentAgent() throws Exception {
        String old = Files.readString(site.key("manager", "detector.key"));
        String fresh = "5a".repeat(32) + "\n";
        List<ProcessLog> all = List.of(daemon, agents.get(0), agents.get(1), agents.get(2));
        List<String> places = new ArrayList<>(List.of("manager"));
        GUIDS.forEach(guid -> places.add("0x00000000000000" + guid));

        List<Integer> before =
                all.stream().map(process -> process.found(KEY_TAKEN).size()).toList();

        int taken = 0;
        for (String step : List.of(old + fresh, fresh + old, fresh)) {
            taken++;
            for (int i = 0; i < all.size(); i++) {
                replace(site.key(places.get(i), "detector.key"), step);
                if (i == all.size() - 1) {
                    all.get(i).hangUp();
                }
                ProcessLog process = all.get(i);
                int expected = before.get(i) + taken;
                RunningManager.await("a key taken")
                        .untilAsserted(() -> assertThat(process.found(KEY_TAKEN))
                                .as(process::text)
                                .hasSize(expected));
            }
        }
        replace(site.key("manager", "detector.key"), old + fresh + fresh);
        assertThat(await(daemon, Pattern.compile("ring key not read again, the one in force stays: (.*)")))
                .isEqualTo(site.key("manager", "detector.key")
                        + ":3: a third key, expected the one that sends and one more that is accepted");
        replace(site.key("manager", "detector.key"), fresh);

        URI metrics = URI.create(await(daemon, ADMINISTRATORS) + "/metrics");
        String page = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .build()
                .send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        assertThat(page).contains("dmodc_ring_dropped_total{reason=\"mac\"} 0.0");
        assertThat(page).doesNotContain("dmodc_ring_received_total 0.0");
        assertThat(all).allMatch(ProcessLog::alive);
    }

    private void replace(Path file, String text) throws IOException {
        Path fresh = Files.writeString(directory.resolve("fresh.key"), text);
        Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-------"));
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }

    @Test
    void shouldRefuseASecondManagerOnTheSameStateDirectory() throws Exception {
        ProcessLog second = site.daemon(0);

        assertThat(await(second, Pattern.compile("(is in use by another manager \\(process \\d+\\))")))
                .isNotEmpty();
        assertThat(daemon.alive()).isTrue();
        assertThat(storedLeaderEpoch() / LeaderEpochs.NUMBERS)
                .as("the term of the first")
                .isEqualTo(1);
    }

    /** From a copy: it may not be read where it is in use. */
    private long storedLeaderEpoch() throws IOException {
        Path copy = Files.createDirectories(directory.resolve("copy"));
        for (String file : List.of("state.head", "state.mv")) {
            Files.copy(site.stateDirectory().resolve(file), copy.resolve(file));
        }
        return Objects.requireNonNull(StateStore.read(copy)).leaderEpoch();
    }
}
