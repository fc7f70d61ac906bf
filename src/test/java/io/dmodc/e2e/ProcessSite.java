package io.dmodc.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dmodc.e2e.TrialFabric.Damage;
import io.dmodc.manager.state.StoredState;
import io.dmodc.manager.store.StateStore;
import io.dmodc.topology.Guid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

/**
 * A manager and an agent for each switch of a {@link TrialFabric}, each a process of its own, with an {@link AgentTap}
 * between them, which reads along: so they speak in clear text.
 */
final class ProcessSite implements AutoCloseable {
    private static final String SETTINGS = """
            state-dir: %s
            southbound: {listen: '127.0.0.1:0', authentication: off}
            northbound: {listen: '127.0.0.1:0'}
            detector: {heartbeat: 100ms, suspicion: 10s, listen: '127.0.0.1:0', key-file: %s}
            links: {hold-down: 20ms, hold-down-max: 100ms}
            """;

    private static final Pattern LISTENING =
            Pattern.compile("(agents at 127\\.0\\.0\\.1:\\d+, administrators at http://127\\.0\\.0\\.1:\\d+)");
    private static final Pattern PORTS = Pattern.compile(".*:(\\d+), .*:(\\d+)");
    private static final Duration ANSWER_MAX = Duration.ofSeconds(20);

    /** Without a push for so long, with nothing left to do, nothing more comes. */
    private static final int REST_MILLIS = 300;

    /** It ends a trial that would hang, it measures nothing. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    static final Duration POLL = Duration.ofMillis(100);

    private final Path directory;
    private final TrialFabric fabric;
    private final AgentTap tap = new AgentTap();
    private final Map<Long, ProcessLog> agents = new HashMap<>();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private volatile @Nullable ProcessLog manager;
    private volatile String administrators = "";

    ProcessSite(Path directory, String pgft) throws IOException {
        this.directory = directory;
        fabric = new TrialFabric(pgft, directory.resolve("fabric.txt"));
        Files.createFile(directory.resolve("agent.yaml"));
        Files.writeString(
                directory.resolve("fabric-manager.yaml"),
                SETTINGS.formatted(stateDirectory(), RunningManager.keyFile(directory)));
    }

    /** Not too often: each question takes a processor from those who are waited for. */
    static ConditionFactory await(String what) {
        return RunningManager.await(what).atMost(PATIENCE).pollInterval(POLL);
    }

    TrialFabric fabric() {
        return fabric;
    }

    AgentTap tap() {
        return tap;
    }

    Path stateDirectory() {
        return directory.resolve("state");
    }

    /** What the manager has kept so far, from a copy: it may run. */
    StoredState stored() throws IOException {
        Path copy = Files.createTempDirectory(directory, "state-copy");
        for (String file : List.of("state.head", "state.mv")) {
            Files.copy(stateDirectory().resolve(file), copy.resolve(file));
        }
        return Objects.requireNonNull(StateStore.read(copy));
    }

    /** Starts a manager on this site's state directory, which does not become its manager. */
    ProcessLog anotherManager() throws IOException {
        return ProcessLog.start(
                io.dmodc.manager.app.Main.class,
                "run",
                "--config",
                directory.resolve("fabric-manager.yaml").toString());
    }

    /** Starts a manager and waits until it listens. */
    void startManager() throws IOException {
        ProcessLog started = anotherManager();
        manager = started;
        await("a manager that listens").until(() -> {
            if (!started.alive()) {
                throw new AssertionError(started.text());
            }
            return !started.found(LISTENING).isEmpty();
        });
        Matcher ports = PORTS.matcher(started.found(LISTENING).get(0));
        if (!ports.matches()) {
            throw new AssertionError(started.text());
        }
        administrators = "http://127.0.0.1:" + ports.group(2);
        tap.leadTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(ports.group(1))));
    }

    /** SIGKILL. */
    void killManager() throws InterruptedException {
        tap.leadTo(null);
        manager().kill();
    }

    ProcessLog manager() {
        return Objects.requireNonNull(manager);
    }

    /** A switch of this kind has an empty table when its agent starts. */
    void startAgent(long guid) {
        startAgent(guid, "plane.topology=" + fabric.file());
    }

    /** Starts an agent with these settings besides those that all have. */
    void startAgent(long guid, String... more) {
        try {
            List<String> settings = new ArrayList<>(List.of(
                    "guid=" + Guid.format(guid),
                    "manager=127.0.0.1:" + tap.port(),
                    "authentication=off",
                    "detector.key-file=" + RunningManager.keyFile(directory),
                    "detector.listen=127.0.0.1:0"));
            settings.addAll(List.of(more));
            String[] arguments = new String[3 + 2 * settings.size()];
            arguments[0] = "run";
            arguments[1] = "--config";
            arguments[2] = directory.resolve("agent.yaml").toString();
            for (int i = 0; i < settings.size(); i++) {
                arguments[3 + 2 * i] = "--set";
                arguments[4 + 2 * i] = settings.get(i);
            }
            agents.put(guid, ProcessLog.start(io.dmodc.agent.Main.class, arguments));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SIGKILL: the switch, which is in the agent's memory, forwards nothing any more. */
    void killAgent(long guid) {
        try {
            Objects.requireNonNull(agents.remove(guid)).kill();
            tap.lost(guid);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    ProcessLog agent(long guid) {
        return Objects.requireNonNull(agents.get(guid));
    }

    /** URL of the manager for administrators. */
    String administrators() {
        return administrators;
    }

    /** What {@code /api/v1/status} says; nothing while nobody answers. */
    @Nullable
    JsonNode status() {
        return get("status");
    }

    /** What is below {@code /api/v1/}; nothing while nobody answers. */
    @Nullable
    JsonNode get(String path) {
        HttpResponse<String> answer = send("GET", path, null);
        try {
            return answer != null && answer.statusCode() == 200 ? new ObjectMapper().readTree(answer.body()) : null;
        } catch (IOException e) {
            return null;
        }
    }

    /** Asks for something below {@code /api/v1/}; nothing while nobody answers. */
    @Nullable
    HttpResponse<String> send(String method, String path, @Nullable String json) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(administrators + "/api/v1/" + path))
                .timeout(ANSWER_MAX)
                .method(method, json == null ? BodyPublishers.noBody() : BodyPublishers.ofString(json));
        if (json != null) {
            request.header("Content-Type", "application/json");
        }
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Number of the last view, −1 while nobody answers. */
    long epoch() {
        JsonNode status = status();
        return status == null ? -1 : status.at("/epoch").asLong();
    }

    /** Waits until every switch holds a table and nothing is left to do; from then on node indices and levels are known. */
    void awaitFirstTables() throws IOException {
        await("tables in all switches").until(() -> {
            Map<Long, Long> held = tap.held();
            return calm() && held.size() == fabric.guids().size() && !held.containsValue(0L);
        });
        fabric.dealt(stored());
    }

    /**
     * Waits until the manager has nothing left to do and all switches with power hold what is wanted, and longer than
     * anything takes if they do not.
     *
     * @return names of those that do not
     */
    List<String> awaitRest(Damage damage) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end) {
            boolean rests = calm() && different(damage).isEmpty();
            if (!tap.awaitPushes(tap.pushCount() + 1, REST_MILLIS) && rests) {
                return List.of();
            }
        }
        List<String> different = different(damage);
        return different.isEmpty() ? List.of("the manager does not come to rest") : different;
    }

    /** Names of the switches that do not hold the table computed afresh for these cables. */
    List<String> different(Damage damage) {
        Map<Long, Long> held = tap.held();
        List<String> names = new ArrayList<>();
        fabric.wanted(damage).forEach((guid, digest) -> {
            if (!digest.equals(held.get(guid))) {
                names.add(fabric.name(guid));
            }
        });
        return names;
    }

    /** True if all agents that may be are in, and nothing is left to compute, to push or to wait for. */
    boolean calm() {
        JsonNode status = status();
        return status != null
                && !status.at("/discovering").asBoolean()
                && !status.at("/computing").asBoolean()
                && status.at("/outstanding").asInt() == 0
                && status.at("/links/heldDownPorts").asInt() == 0
                && status.at("/agents/connected").asInt() == agents.size() - tap.awayCount();
    }

    @Override
    public void close() throws IOException {
        ProcessLog last = manager;
        if (last != null) {
            last.close();
        }
        agents.values().forEach(ProcessLog::close);
        tap.close();
    }
}
