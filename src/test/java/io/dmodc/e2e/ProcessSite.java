package io.dmodc.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A manager and an agent for each switch of a {@link TrialFabric}, each a process of its own, with an {@link AgentTap} between them. */
final class ProcessSite implements AutoCloseable {
    private static final String SETTINGS = """
            state-dir: %s
            southbound: {listen: '127.0.0.1:0'}
            northbound: {listen: '127.0.0.1:0'}
            detector: {heartbeat: 100ms, suspicion: 10s, listen: '127.0.0.1:0', key-file: %s}
            links: {hold-down: 20ms, hold-down-max: 100ms}
            """;

    private static final Pattern LISTENING =
            Pattern.compile("(agents at 127\\.0\\.0\\.1:\\d+, administrators at http://127\\.0\\.0\\.1:\\d+)");
    private static final Pattern PORTS = Pattern.compile(".*:(\\d+), .*:(\\d+)");
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);

    private final Path directory;
    private final TrialFabric fabric;
    private final AgentTap tap = new AgentTap();
    private final Map<Long, ProcessLog> agents = new HashMap<>();
    private final HttpClient client = HttpClient.newHttpClient();
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

    /** Starts a manager and waits until it listens. */
    void startManager() throws IOException {
        ProcessLog started = ProcessLog.start(
                io.dmodc.manager.app.Main.class,
                "run",
                "--config",
                directory.resolve("fabric-manager.yaml").toString());
        manager = started;
        RunningManager.await("a manager that listens").until(() -> {
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
        try {
            List<String> settings = List.of(
                    "guid=" + Guid.format(guid),
                    "manager=127.0.0.1:" + tap.port(),
                    "plane.topology=" + fabric.file(),
                    "detector.key-file=" + RunningManager.keyFile(directory),
                    "detector.listen=127.0.0.1:0");
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

    /** What {@code /api/v1/status} says; nothing while nobody answers. */
    @Nullable
    JsonNode status() {
        HttpRequest request = HttpRequest.newBuilder(URI.create(administrators + "/api/v1/status"))
                .timeout(ANSWER_MAX)
                .build();
        try {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() == 200 ? new ObjectMapper().readTree(answer.body()) : null;
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

    /** True if all agents are in, and nothing is left to compute, to push or to wait for. */
    boolean calm() {
        JsonNode status = status();
        return status != null
                && !status.at("/discovering").asBoolean()
                && !status.at("/computing").asBoolean()
                && status.at("/outstanding").asInt() == 0
                && status.at("/links/heldDownPorts").asInt() == 0
                && status.at("/agents/connected").asInt() == agents.size();
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
