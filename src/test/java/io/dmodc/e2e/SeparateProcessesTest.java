package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.app.Main;
import io.dmodc.manager.state.LeaderEpochs;
import io.dmodc.manager.store.StateStore;
import io.dmodc.southbound.tls.TlsFiles;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daemon and its agents as an operator runs them: a process each, told by a file each, watched by their logs. */
class SeparateProcessesTest {
    private static final String DAEMON = """
            state-dir: %s
            southbound: {listen: '127.0.0.1:0', keys: %s}
            northbound: {listen: '127.0.0.1:0'}
            detector: {heartbeat: 100ms, suspicion: 10s, listen: '127.0.0.1:0', key-file: %s}
            discovery: {quiet: 500ms, timeout: 60s}
            """;

    /** Two leaves with a host each on port 1, a spine above them. */
    private static final List<String> SWITCHES = List.of(
            "{name: leaf0, guid: 0x%s, keys: %s, plane: {port-count: 2, ports: ["
                    + "{number: 1, host: 0xa0}, {number: 2, switch: 0x20, port: 1}]}}",
            "{name: leaf1, guid: 0x%s, keys: %s, plane: {port-count: 2, ports: ["
                    + "{number: 1, host: 0xa1}, {number: 2, switch: 0x20, port: 2}]}}",
            "{name: spine, guid: 0x%s, keys: %s, plane: {port-count: 2, ports: ["
                    + "{number: 1, switch: 0x10, port: 2}, {number: 2, switch: 0x11, port: 2}]}}");

    private static final List<String> GUIDS = List.of("10", "11", "20");

    private static final Pattern AGENT_ADDRESS = Pattern.compile("agents at 127\\.0\\.0\\.1:(\\d+),");
    private static final Pattern COMPLETE = Pattern.compile("epoch \\d+ complete: (\\d+ tables, \\d+ blocks),");
    private static final Pattern KEPT = Pattern.compile("no session: .*; table (\\d+/\\d+) stays");
    private static final Pattern KEY_TAKEN = Pattern.compile("detector\\.key: read again: (ring key .*)");
    private static final Pattern ADMINISTRATORS = Pattern.compile("administrators at (http://[0-9.:]+)");
    private static final Pattern LEADER = Pattern.compile("in session with the manager of leader epoch (\\d+)");

    @TempDir
    Path directory;

    private final List<ProcessLog> processes = new ArrayList<>();

    @BeforeEach
    void makeKeys() throws IOException {
        SiteKeys.make(directory, List.of("0x10", "0x11", "0x20"));
    }

    private Path key(String whose, String file) {
        return directory.resolve("keys").resolve(whose).resolve(file);
    }

    private String keys(String whose) {
        TlsFiles files = TlsFiles.in(directory.resolve("keys").resolve(whose));
        return "{certificate: %s, private-key: %s, authority: %s}"
                .formatted(files.certificate(), files.privateKey(), files.authority());
    }

    @AfterEach
    void stop() {
        processes.forEach(ProcessLog::close);
    }

    private ProcessLog daemon(int port) throws IOException {
        Path file = directory.resolve("fabric-manager.yaml");
        Files.writeString(
                file, DAEMON.formatted(directory.resolve("state"), keys("manager"), key("manager", "detector.key")));
        String[] arguments = {"run", "--config", file.toString(), "--set", "southbound.listen=127.0.0.1:" + port};
        return started(ProcessLog.start(Main.class, arguments));
    }

    private ProcessLog agent(int i, int port) throws IOException {
        String keys = "0x00000000000000" + GUIDS.get(i);
        Path file = Files.writeString(
                directory.resolve("switch" + i + ".yaml"), SWITCHES.get(i).formatted(GUIDS.get(i), keys(keys)));
        String[] arguments = {
            "run",
            "--config",
            file.toString(),
            "--set",
            "manager=127.0.0.1:" + port,
            "--set",
            "detector.key-file=" + key(keys, "detector.key")
        };
        return started(ProcessLog.start(io.dmodc.agent.Main.class, arguments));
    }

    private ProcessLog started(ProcessLog log) {
        processes.add(log);
        return log;
    }

    private static String await(ProcessLog log, Pattern pattern) {
        return await(log, pattern, 0);
    }

    /** Returns what the log says after so many that it said before. */
    private static String await(ProcessLog log, Pattern pattern, int before) {
        RunningManager.await(pattern + " in a log")
                .untilAsserted(
                        () -> assertThat(log.found(pattern)).as(log::text).hasSizeGreaterThan(before));
        return log.found(pattern).get(before);
    }

    @Test
    void shouldWriteNothingAfterTheDaemonWasKilledAndStartedAgain() throws Exception {
        ProcessLog killed = daemon(0);
        int port = Integer.parseInt(await(killed, AGENT_ADDRESS));
        List<ProcessLog> agents = List.of(agent(0, port), agent(1, port), agent(2, port));
        // Whoever joins last changes the tables of all three.
        RunningManager.await("tables in all switches")
                .untilAsserted(() ->
                        assertThat(killed.found(COMPLETE)).as(killed::text).contains("3 tables, 3 blocks"));

        // An agent that lost a session before it had a table said so, too.
        List<Integer> losses =
                agents.stream().map(agent -> agent.found(KEPT).size()).toList();
        killed.kill();
        List<String> kept = new ArrayList<>();
        for (int i = 0; i < agents.size(); i++) {
            kept.add(await(agents.get(i), KEPT, losses.get(i)));
        }
        ProcessLog again = daemon(port);

        assertThat(await(again, COMPLETE)).as(again::text).isEqualTo("0 tables, 0 blocks");
        // Whoever is late to return is not waited for: the epoch may be complete without it.
        RunningManager.await("all agents in session again")
                .untilAsserted(() -> assertThat(agents)
                        .allSatisfy(agent ->
                                assertThat(terms(agent)).as(agent::text).containsExactly(1L, 2L)));
        assertThat(again.found(COMPLETE)).as(again::text).containsOnly("0 tables, 0 blocks");
        assertThat(agents).allMatch(ProcessLog::alive);
        assertThat(kept).as("leader and fabric epoch of the tables").doesNotContain("0/0");

        again.kill();
        for (int i = 0; i < agents.size(); i++) {
            ProcessLog agent = agents.get(i);
            RunningManager.await("the loss noticed")
                    .untilAsserted(() -> assertThat(agent.found(LEADER)).hasSize(2));
            assertThat(agent.found(KEPT)
                            .subList(losses.get(i), agent.found(KEPT).size()))
                    .as(agent::text)
                    .containsOnly(kept.get(i));
        }
        ProcessLog.stop(agents.stream());
        assertThat(agents).noneMatch(ProcessLog::alive);
    }

    @Test
    void shouldReadSettingsAgainOnHangUpAndGoOn() throws Exception {
        ProcessLog daemon = daemon(0);
        int port = Integer.parseInt(await(daemon, AGENT_ADDRESS));
        ProcessLog agent = agent(0, port);
        await(agent, LEADER);
        Path file = directory.resolve("fabric-manager.yaml");
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
        ProcessLog daemon = daemon(0);
        int port = Integer.parseInt(await(daemon, AGENT_ADDRESS));
        List<ProcessLog> agents = List.of(agent(0, port), agent(1, port), agent(2, port));
        agents.forEach(agent -> await(agent, LEADER));
        String old = Files.readString(key("manager", "detector.key"));
        String fresh = "5a".repeat(32) + "\n";
        List<ProcessLog> all = List.of(daemon, agents.get(0), agents.get(1), agents.get(2));
        List<String> places = new ArrayList<>(List.of("manager"));
        GUIDS.forEach(guid -> places.add("0x00000000000000" + guid));

        int taken = 0;
        for (String step : List.of(old + fresh, fresh + old, fresh)) {
            taken++;
            for (int i = 0; i < all.size(); i++) {
                replace(key(places.get(i), "detector.key"), step);
                if (i == all.size() - 1) {
                    all.get(i).hangUp();
                }
                ProcessLog process = all.get(i);
                int expected = taken;
                RunningManager.await("a key taken")
                        .untilAsserted(() -> assertThat(process.found(KEY_TAKEN))
                                .as(process::text)
                                .hasSize(expected));
            }
        }
        replace(key("manager", "detector.key"), old + fresh + fresh);
        assertThat(await(daemon, Pattern.compile("ring key not read again, the one in force stays: (.*)")))
                .isEqualTo(key("manager", "detector.key")
                        + ":3: a third key, expected the one that sends and one more that is accepted");

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
        ProcessLog first = daemon(0);
        await(first, AGENT_ADDRESS);

        ProcessLog second = daemon(0);

        assertThat(await(second, Pattern.compile("(is in use by another manager \\(process \\d+\\))")))
                .isNotEmpty();
        assertThat(first.alive()).isTrue();
        first.kill();
        assertThat(Objects.requireNonNull(StateStore.read(directory.resolve("state")))
                                .leaderEpoch()
                        / LeaderEpochs.NUMBERS)
                .as("the term of the first")
                .isEqualTo(1);
    }

    /** Of the managers it was in session with. */
    private static List<Long> terms(ProcessLog agent) {
        return agent.found(LEADER).stream()
                .map(epoch -> Long.parseLong(epoch) / LeaderEpochs.NUMBERS)
                .toList();
    }
}
