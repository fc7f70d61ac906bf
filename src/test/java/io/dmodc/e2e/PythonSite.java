package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dmodc.e2e.TrialFabric.TrialCable;
import io.dmodc.manager.app.Main;
import io.dmodc.southbound.tls.TlsFiles;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Guid;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A manager and a fabric whose first leaf and first spine have an agent that shares no code with ours: written in Python from
 * docs/southbound-protocol.md, plain or with what that leaves to agents. The other switches have ours. All are processes of their
 * own, with certificates.
 */
final class PythonSite implements AutoCloseable {
    /** Cables between switches. */
    static final int CABLES = 12;

    /** Three leaves with four hosts each, two cables from each to each of two spines. */
    private static final String PGFT = "2;4,3;1,2;1,2";

    static final String LEAF = "leaf0";
    static final String SPINE = "l2s0";

    private static final String SETTINGS = """
            state-dir: %s
            southbound: {listen: '127.0.0.1:0', keys: %s}
            northbound: {listen: '127.0.0.1:0'}
            detector: {heartbeat: 100ms, suspicion: 10s, listen: '127.0.0.1:0', key-file: %s}
            discovery: {quiet: 500ms, timeout: 60s}
            links: {hold-down: 20ms, hold-down-max: 100ms}
            """;

    private static final Pattern LISTENING =
            Pattern.compile("agents at (127\\.0\\.0\\.1:\\d+, administrators at http://127\\.0\\.0\\.1:\\d+)");
    private static final Pattern ADDRESSES = Pattern.compile("(.*), administrators at (.*)");
    static final Pattern IN_FORCE = Pattern.compile("^table (.* in force.*)");

    private final Path directory;
    private final TrialFabric fabric;
    private final Map<Long, PythonAgent> pythons = new HashMap<>();
    private final List<ProcessLog> processes = new ArrayList<>();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private String southbound = "127.0.0.1:0";
    private String administrators = "";
    private @Nullable ProcessLog manager;

    /** Starts a manager and all agents, and waits for the first tables. */
    PythonSite(Path directory, String script) throws IOException {
        this.directory = directory;
        fabric = new TrialFabric(PGFT, directory.resolve("fabric.txt"));
        SiteKeys.make(directory, fabric.guids().stream().map(Guid::format).toList());
        Files.createFile(directory.resolve("agent.yaml"));
        try {
            startManager();
            for (long guid : fabric.guids()) {
                if (guid == named(LEAF) || guid == named(SPINE)) {
                    pythons.put(guid, python(script, 2, guid, guid));
                } else {
                    startOurs(guid);
                }
            }
            awaitServed(CABLES);
            assertThat(logs()).doesNotContain("no session");
        } catch (AssertionError | IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private Path keys(String whose) {
        return directory.resolve("keys").resolve(whose);
    }

    private void startManager() throws IOException {
        TlsFiles files = TlsFiles.in(keys("manager"));
        String keys = "{certificate: %s, private-key: %s, authority: %s}"
                .formatted(files.certificate(), files.privateKey(), files.authority());
        Path settings = Files.writeString(
                directory.resolve("fabric-manager.yaml"),
                SETTINGS.formatted(
                        directory.resolve("state"), keys, keys("manager").resolve("detector.key")));
        ProcessLog started = ProcessLog.start(
                Main.class, "run", "--config", settings.toString(), "--set", "southbound.listen=" + southbound);
        processes.add(started);
        manager = started;
        ProcessSite.await("a manager that listens")
                .untilAsserted(() ->
                        assertThat(started.found(LISTENING)).as(started::text).isNotEmpty());
        Matcher addresses = ADDRESSES.matcher(started.found(LISTENING).get(0));
        assertThat(addresses.matches()).isTrue();
        southbound = addresses.group(1);
        administrators = addresses.group(2);
    }

    /** Kills the manager, starts it anew, and waits until the fabric is served. */
    void restartManager() throws InterruptedException, IOException {
        Objects.requireNonNull(manager).kill();
        startManager();
        awaitServed(CABLES);
    }

    /** Starts one more agent in Python that speaks this version alone, with the keys of any switch. */
    PythonAgent python(String script, int protocol, long guid, long keysOf) throws IOException {
        return new PythonAgent(script, protocol, directory, fabric, guid, southbound, keys(Guid.format(keysOf)));
    }

    private void startOurs(long guid) throws IOException {
        TlsFiles files = TlsFiles.in(keys(Guid.format(guid)));
        List<String> arguments = new ArrayList<>(
                List.of("run", "--config", directory.resolve("agent.yaml").toString()));
        for (String setting : List.of(
                "guid=" + Guid.format(guid),
                "manager=" + southbound,
                "keys.certificate=" + files.certificate(),
                "keys.private-key=" + files.privateKey(),
                "keys.authority=" + files.authority(),
                "plane.topology=" + fabric.file(),
                "detector.key-file=" + keys(Guid.format(guid)).resolve("detector.key"),
                "detector.listen=127.0.0.1:0")) {
            arguments.addAll(List.of("--set", setting));
        }
        processes.add(ProcessLog.start(io.dmodc.agent.Main.class, arguments.toArray(String[]::new)));
    }

    JsonNode get(String path) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(administrators + "/api/v1/" + path))
                .build();
        try {
            return new ObjectMapper()
                    .readTree(client.send(request, BodyHandlers.ofString()).body());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What a Python switch should hold, line by line, from the two lists that administrators see. */
    private List<String> wanted(PythonAgent agent) throws IOException {
        JsonNode lft = get("lft/" + Guid.format(agent.guid()));
        List<String> lines =
                new ArrayList<>(Collections.nCopies(lft.at("/entries").asInt(), ""));
        assertThat(lft.at("/acked").asBoolean()).as(lft::toPrettyString).isTrue();
        for (JsonNode run : lft.at("/runs")) {
            for (int i = run.at("/from").asInt(); i <= run.at("/to").asInt(); i++) {
                lines.set(i, run.has("port") ? run.at("/port").asText() : "-");
            }
        }
        for (JsonNode node : get("nodes").at("/nodes")) {
            int i = node.at("/index").asInt();
            assertThat(lines).as("a table that has all nodes").hasSizeGreaterThan(i);
            lines.set(i, i + " " + lines.get(i));
            for (String what :
                    agent.isPlain() ? List.<String>of() : List.of("guid", "lid", "ipv4", "ipv6", "mac", "name")) {
                lines.set(
                        i,
                        lines.get(i) + " "
                                + (node.has(what) ? node.at("/" + what).asText() : "-"));
            }
        }
        return lines;
    }

    /** Waits until so many cables between switches are live, all agents are in, and each switch holds what the manager wants. */
    void awaitServed(int cables) {
        ProcessSite.await(cables + " cables, and the tables for them").untilAsserted(() -> {
            JsonNode status = get("status");
            assertThat(status.at("/discovering").asBoolean()).isFalse();
            assertThat(status.at("/computing").asBoolean()).isFalse();
            assertThat(status.at("/agents/connected").asInt())
                    .as(this::logs)
                    .isEqualTo(fabric.guids().size());
            assertThat(status.at("/links/live").asInt())
                    .as(status::toPrettyString)
                    .isEqualTo(cables);
            assertThat(status.at("/outstanding").asInt()).as(this::logs).isZero();
            assertThat(status.at("/lastEpoch/stage").asText()).isEqualTo("complete");
            for (PythonAgent python : pythons.values()) {
                assertThat(routes(python)).as(this::logs).isNotEmpty().isEqualTo(wanted(python));
                // Its log reaches us later than its answer reaches the manager.
                assertThat(last(python, IN_FORCE)).contains(routesDigest(python));
            }
        });
    }

    String logs() {
        StringBuilder all = new StringBuilder();
        pythons.forEach((guid, agent) -> all.append(fabric.name(guid))
                .append('\n')
                .append(agent.log().text())
                .append('\n'));
        return all.toString();
    }

    String last(PythonAgent agent, Pattern pattern) {
        List<String> found = agent.log().found(pattern);
        assertThat(found).as(this::logs).isNotEmpty();
        return found.get(found.size() - 1);
    }

    PythonAgent pythonOf(String name) {
        return Objects.requireNonNull(pythons.get(named(name)));
    }

    /** The table without alternatives, of which administrators see nothing. */
    static List<String> routes(PythonAgent agent) throws IOException {
        if (agent.isPlain()) {
            return agent.table();
        }
        return agent.table().stream()
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .toList();
    }

    static List<String> ports(PythonAgent agent) throws IOException {
        return agent.table().stream().map(line -> line.split(" ")[1]).toList();
    }

    static boolean isSwitch(TrialCable cable) {
        return cable.far() instanceof ToSwitch;
    }

    TrialCable cable(long leaf, long spine) {
        return fabric.cables().stream()
                .filter(cable -> isSwitch(cable) && cable.touches(leaf) && cable.touches(spine))
                .findFirst()
                .orElseThrow();
    }

    static int portAt(TrialCable cable, long guid) {
        return cable.guid() == guid ? cable.port() : ((ToSwitch) Objects.requireNonNull(cable.far())).port();
    }

    long named(String name) {
        return fabric.guids().stream()
                .filter(guid -> fabric.name(guid).equals(name))
                .findFirst()
                .orElseThrow();
    }

    String routesDigest(PythonAgent agent) throws IOException {
        return get("lft/" + Guid.format(agent.guid())).at("/digest").asText();
    }

    TrialFabric fabric() {
        return fabric;
    }

    /** The agents in Python, by the GUID of their switch. */
    Map<Long, PythonAgent> pythons() {
        return pythons;
    }

    /** What {@code fabricctl} says, asked for with the manager's address. */
    String fabricctl(String... command) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(command));
        words.addAll(List.of("--manager", administrators));
        ProcessLog asked = ProcessLog.start(io.dmodc.ctl.Main.class, words.toArray(String[]::new));
        processes.add(asked);
        assertThat(asked.exitCode()).as(asked::text).isZero();
        return asked.text();
    }

    @Override
    public void close() {
        processes.forEach(ProcessLog::close);
        pythons.values().forEach(PythonAgent::close);
    }
}
