package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dmodc.manager.app.Main;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A daemon without {@code southbound.opensm} has nothing of the bridge in it, and who asks a daemon sees no other one with it. */
class WithoutOpenSmTest {
    private static final String SETTINGS = """
            state-dir: %s
            southbound:
              listen: 127.0.0.1:0
              authentication: off
              opensm: %s
            northbound: {listen: '127.0.0.1:0'}
            detector: {enabled: false}
            """;
    private static final Pattern ADMINISTRATORS = Pattern.compile("administrators at (http://\\S+)");
    private static final Pattern LOADED =
            Pattern.compile("(io\\.dmodc\\.(?:manager\\.opensm|subnet)\\.[\\w.$]+) source:");

    @TempDir
    private Path directory = Path.of("");

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private @Nullable ProcessLog daemon;

    /** What a daemon shows. */
    private record Shown(Set<String> classes, Set<String> status, Set<String> metrics, String page, Set<String> api) {}

    @AfterEach
    void stop() throws InterruptedException {
        if (daemon != null) {
            daemon.kill();
        }
    }

    private Shown shownBy(String name, String opensm) throws IOException, InterruptedException {
        Path config = Files.writeString(
                directory.resolve(name + ".yaml"), SETTINGS.formatted(directory.resolve(name), opensm));
        Path classes = directory.resolve(name + ".classes");
        ProcessLog started = ProcessLog.start(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xlog:class+load:file=" + classes,
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "run",
                "--config",
                config.toString()));
        daemon = started;
        ProcessSite.await("a manager that listens").until(() -> {
            assertThat(started.alive()).as(started.text()).isTrue();
            return !started.found(ADMINISTRATORS).isEmpty();
        });
        String url = started.found(ADMINISTRATORS).get(0);
        Shown shown = new Shown(
                new TreeSet<>(),
                fields(new ObjectMapper().readTree(get(url + "/api/v1/status")), ""),
                get(url + "/metrics")
                        .lines()
                        .filter(line -> line.startsWith("# TYPE"))
                        .map(line -> line.split(" ")[2])
                        .collect(Collectors.toCollection(TreeSet::new)),
                get(url + "/"),
                fields(new ObjectMapper().readTree(get(url + "/api/v1")), ""));
        started.kill();
        try (Stream<String> lines = Files.lines(classes)) {
            lines.map(LOADED::matcher)
                    .filter(match -> match.find())
                    .forEach(match -> shown.classes.add(match.group(1)));
        }
        return shown;
    }

    private String get(String url) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                client.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(url).isEqualTo(200);
        return Objects.requireNonNull(answer.body());
    }

    /** Names with dots of all that has one, but for what is in lists. */
    private static Set<String> fields(JsonNode of, String path) {
        Set<String> fields = new TreeSet<>();
        of.properties().forEach(each -> {
            fields.add(path + each.getKey());
            fields.addAll(fields(each.getValue(), path + each.getKey() + "."));
        });
        return fields;
    }

    @Test
    void shouldLoadNothingOfTheBridgeAndShowTheSame() throws IOException, InterruptedException {
        Shown without = shownBy("without", "null");
        // A look, and a question to OpenSM, that have not come to their end yet: nothing to say, and no alarm.
        Shown with = shownBy(
                "with",
                "{dump: '" + directory.resolve("dump")
                        + "', discovery: sleep 100, sm-query: sleep 100, command-timeout: 120s, hup-command: 'false', read-back: 'false {lid}'}");

        // The settings have a place for it.
        assertThat(without.classes).containsExactly("io.dmodc.subnet.OpenSmSettings");
        assertThat(with.classes).contains("io.dmodc.manager.opensm.OpenSmBridge", "io.dmodc.subnet.DiscoverySource");
        assertThat(with.metrics).containsAll(without.metrics);
        with.metrics.removeAll(without.metrics);
        assertThat(with.metrics).isNotEmpty().allMatch(name -> name.startsWith("fabric_opensm_"));
        assertThat(with.status).isEqualTo(without.status);
        assertThat(with.api).isEqualTo(without.api);
        assertThat(with.page).isEqualTo(without.page);
    }
}
