package io.dmodc.demo.linux;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The manager of a Linux fabric: a process on its management network, asked over REST as administrators do. */
final class ManagerProcess implements AutoCloseable {
    /** Where agents connect. */
    static final String AGENTS_DOOR = NamespaceFabric.MANAGER_ADDRESS + ":7470";

    /** Where people look. */
    static final String ADMINISTRATORS_DOOR = "http://" + NamespaceFabric.MANAGER_ADDRESS + ":7480";

    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);

    /** The daemon's own defaults but for what one has to wait for: hold-down of a link that came back, and the first discovery. */
    private static final String SETTINGS = """
            state-dir: %1$s/state
            southbound: {listen: '172.30.0.1:7470', authentication: %2$s, keys: {certificate: %3$s/certificate.pem, private-key: %3$s/private-key.pem, authority: %3$s/authority.pem}}
            northbound: {listen: '172.30.0.1:7480'}
            detector: {listen: '172.30.0.1:7471', key-file: %3$s/detector.key, heartbeat: %5$dms, suspicion: %6$dms}
            routing: {design: %4$s}
            links: {hold-down: 100ms, hold-down-max: 1s}
            discovery: {quiet: 2s, timeout: 60s}
            """;

    /**
     * It stands for a machine of its own, and those that stand for switches come first; but beside others that want both processors it
     * still gets enough of one to start, and to answer.
     */
    private static final int NICE = 5;

    /** Its fabric is small, and it runs for minutes. */
    private static final List<String> JVM =
            List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+ExitOnOutOfMemoryError");

    /** Silence is suspected after so many heartbeats, as by default. */
    private static final int SUSPICION_HEARTBEATS = 10;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ObjectMapper json = new ObjectMapper();
    private final JavaProcess process;

    /** Something that the manager wrote into its log of events. */
    record Event(long number, Instant time, String kind, String text) {}

    /**
     * Starts it.
     *
     * @param directory for settings, state and log
     * @param keys its own directory of keys
     * @param authentication of agents: certificate or off
     * @param design of the fabric or null
     * @param heartbeatMillis between the agents' heartbeats
     */
    ManagerProcess(Path directory, Path keys, String authentication, @Nullable String design, int heartbeatMillis)
            throws IOException {
        Path settings = Files.writeString(
                directory.resolve("fabric-manager.yaml"),
                SETTINGS.formatted(
                        directory,
                        authentication,
                        keys,
                        design == null ? "null" : "'" + design + "'",
                        heartbeatMillis,
                        SUSPICION_HEARTBEATS * heartbeatMillis));
        List<String> arguments = List.of("run", "--config", settings.toString());
        Path log = directory.resolve("manager.log");
        Path launcher = JavaProcess.launcher("fabric-manager");
        process = launcher == null
                ? new JavaProcess(NamespaceFabric.MANAGEMENT, NICE, JVM, "io.dmodc.manager.app.Main", arguments, log)
                : new JavaProcess(NamespaceFabric.MANAGEMENT, NICE, JVM, launcher, arguments, log);
    }

    JavaProcess process() {
        return process;
    }

    /** What is below {@code /api/v1/}; null while nobody answers. */
    @Nullable
    JsonNode get(String path) throws LinuxFailure {
        try {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create(ADMINISTRATORS_DOOR + "/api/v1/" + path))
                            .timeout(ANSWER_MAX)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() == 200 ? json.readTree(answer.body()) : null;
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LinuxFailure("interrupted");
        }
    }

    /** Events after that number, oldest first. */
    List<Event> eventsAfter(long number) throws LinuxFailure {
        List<Event> events = new ArrayList<>();
        JsonNode answer = get("events?limit=1000&after=" + number);
        if (answer != null) {
            answer.at("/events")
                    .forEach(event -> events.add(new Event(
                            event.at("/number").asLong(),
                            Instant.parse(event.at("/time").asText()),
                            event.at("/kind").asText(),
                            event.at("/text").asText())));
        }
        return events;
    }

    @Override
    public void close() {
        process.kill();
    }
}
