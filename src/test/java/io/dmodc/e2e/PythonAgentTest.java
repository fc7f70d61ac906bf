package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dmodc.e2e.TrialFabric.TrialCable;
import io.dmodc.manager.app.Main;
import io.dmodc.manager.state.LeaderEpochs;
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
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A fabric whose first leaf and first spine have an agent that shares no code with ours: written in Python from
 * docs/southbound-protocol.md, plain or with what that leaves to agents. The other switches have ours. All are processes of their
 * own, with certificates.
 */
class PythonAgentTest {
    /** Three leaves with four hosts each, two cables from each to each of two spines. */
    private static final String PGFT = "2;4,3;1,2;1,2";

    private static final String LEAF = "leaf0";
    private static final String SPINE = "l2s0";

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
    private static final Pattern WELCOME = Pattern.compile("welcome by leader epoch (\\d+)");
    private static final Pattern IN_FORCE = Pattern.compile("^table (.* in force.*)");
    private static final Pattern ALTERNATIVES = Pattern.compile("^alternatives (.*)");
    private static final Pattern TOLD = Pattern.compile("^destinations (.*)");
    private static final Pattern NEWS = Pattern.compile("^((?:table|destinations) .*)");
    private static final Pattern REFUSED = Pattern.compile("^no session: refused, (.*)");

    @TempDir
    private Path directory = Path.of("");

    private TrialFabric fabric;
    private final Map<Long, PythonAgent> pythons = new HashMap<>();
    private final List<ProcessLog> processes = new ArrayList<>();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private String southbound = "127.0.0.1:0";
    private String administrators = "";

    @BeforeAll
    static void needPython() throws InterruptedException {
        assumeTrue(
                PythonAgent.isInstalled(),
                "python3 with TLS 1.3 is not installed: no agent in another language, skipped");
    }

    @BeforeEach
    void makeKeys() throws IOException {
        fabric = new TrialFabric(PGFT, directory.resolve("fabric.txt"));
        SiteKeys.make(directory, fabric.guids().stream().map(Guid::format).toList());
        Files.createFile(directory.resolve("agent.yaml"));
    }

    @AfterEach
    void stop() {
        processes.forEach(ProcessLog::close);
        pythons.values().forEach(PythonAgent::close);
    }

    private Path keys(String whose) {
        return directory.resolve("keys").resolve(whose);
    }

    private ProcessLog startManager() throws IOException {
        TlsFiles files = TlsFiles.in(keys("manager"));
        String keys = "{certificate: %s, private-key: %s, authority: %s}"
                .formatted(files.certificate(), files.privateKey(), files.authority());
        Path settings = Files.writeString(
                directory.resolve("fabric-manager.yaml"),
                SETTINGS.formatted(
                        directory.resolve("state"), keys, keys("manager").resolve("detector.key")));
        ProcessLog manager = ProcessLog.start(
                Main.class, "run", "--config", settings.toString(), "--set", "southbound.listen=" + southbound);
        processes.add(manager);
        RunningManager.await("a manager that listens")
                .untilAsserted(() ->
                        assertThat(manager.found(LISTENING)).as(manager::text).isNotEmpty());
        Matcher addresses = ADDRESSES.matcher(manager.found(LISTENING).get(0));
        assertThat(addresses.matches()).isTrue();
        southbound = addresses.group(1);
        administrators = addresses.group(2);
        return manager;
    }

    private PythonAgent python(String script, long guid) throws IOException {
        return python(script, 2, guid, guid);
    }

    private PythonAgent python(String script, int protocol, long guid, long keysOf) throws IOException {
        PythonAgent agent =
                new PythonAgent(script, protocol, directory, fabric, guid, southbound, keys(Guid.format(keysOf)));
        pythons.put(guid, agent);
        return agent;
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

    private JsonNode get(String path) throws IOException {
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
    private void awaitServed(int cables) {
        RunningManager.await(cables + " cables, and the tables for them").untilAsserted(() -> {
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

    private String logs() {
        StringBuilder all = new StringBuilder();
        pythons.forEach((guid, agent) -> all.append(fabric.name(guid))
                .append('\n')
                .append(agent.log().text())
                .append('\n'));
        return all.toString();
    }

    private String last(PythonAgent agent, Pattern pattern) {
        List<String> found = agent.log().found(pattern);
        assertThat(found).as(this::logs).isNotEmpty();
        return found.get(found.size() - 1);
    }

    private PythonAgent pythonOf(String name) {
        return Objects.requireNonNull(pythons.get(named(name)));
    }

    /** The table without alternatives, of which administrators see nothing. */
    private static List<String> routes(PythonAgent agent) throws IOException {
        if (agent.isPlain()) {
            return agent.table();
        }
        return agent.table().stream()
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .toList();
    }

    private static List<String> alternatives(PythonAgent agent) throws IOException {
        return agent.table().stream()
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .toList();
    }

    private static List<String> ports(PythonAgent agent) throws IOException {
        return agent.table().stream().map(line -> line.split(" ")[1]).toList();
    }

    private static boolean isSwitch(TrialCable cable) {
        return cable.far() instanceof ToSwitch;
    }

    private TrialCable cable(long leaf, long spine) {
        return fabric.cables().stream()
                .filter(cable -> isSwitch(cable) && cable.touches(leaf) && cable.touches(spine))
                .findFirst()
                .orElseThrow();
    }

    private static int portAt(TrialCable cable, long guid) {
        return cable.guid() == guid ? cable.port() : ((ToSwitch) Objects.requireNonNull(cable.far())).port();
    }

    private long named(String name) {
        return fabric.guids().stream()
                .filter(guid -> fabric.name(guid).equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Starts all agents and waits for the first tables. */
    private void startAll(String script) throws IOException {
        startManager();
        for (long guid : fabric.guids()) {
            if (guid == named(LEAF) || guid == named(SPINE)) {
                python(script, guid);
            } else {
                startOurs(guid);
            }
        }
        awaitServed(12);
    }

    @Test
    void shouldGiveSwitchesOfAnotherAgentTheTablesAndDestinationsThatAdministratorsSee() throws Exception {
        startAll(PythonAgent.WITH_DESTINATIONS);

        // awaitServed has compared what the switches hold.
        for (PythonAgent agent : pythons.values()) {
            JsonNode lft = get("lft/" + Guid.format(agent.guid()));
            assertThat(last(agent, IN_FORCE))
                    .contains(" of 12 entries digest " + lft.at("/digest").asText() + " in force");
            assertThat(last(agent, TOLD)).contains(" 12 held,");
            assertThat(agent.log().text()).doesNotContain("no session");
        }
        assertThat(ports(pythonOf(LEAF))).doesNotContain("-");
        // What one Python agent has said of its hosts the other one was told.
        assertThat(pythonOf(SPINE).table())
                .anySatisfy(line -> assertThat(line).contains(" 101 10.0.0.1 fd00::1 02:00:00:00:00:01 "));
        ProcessLog status = ProcessLog.start(io.dmodc.ctl.Main.class, "status", "--manager", administrators);
        processes.add(status);
        assertThat(status.exitCode()).as(status::text).isZero();
        assertThat(status.text()).contains("5 connected", "complete");
    }

    /** No destinations and no alternatives are asked for: what is read here is all that a switch needs to be served. */
    @Test
    void shouldServeAPlainAgentWithATableAndADifferenceOfIt() throws Exception {
        startAll(PythonAgent.PLAIN);
        PythonAgent leaf = pythonOf(LEAF);
        PythonAgent spine = pythonOf(SPINE);
        List<String> whole = routes(leaf);
        assertThat(ports(leaf)).hasSize(12).doesNotContain("-");
        assertThat(leaf.log().found(IN_FORCE).get(0)).endsWith(", whole");

        TrialCable cut = cable(leaf.guid(), spine.guid());
        leaf.plug(Set.of(cut));
        awaitServed(11);
        assertThat(ports(leaf)).doesNotContain("" + portAt(cut, leaf.guid()));
        assertThat(ports(spine)).doesNotContain("" + portAt(cut, spine.guid()));
        assertThat(last(leaf, IN_FORCE)).endsWith(", a difference");
        assertThat(last(spine, IN_FORCE)).endsWith(", a difference");
        leaf.plug(Set.of());
        awaitServed(12);
        assertThat(routes(leaf)).isEqualTo(whole);

        processes.get(0).kill();
        startManager();
        awaitServed(12);
        pythons.values().forEach(this::assertNextTerm);
        assertThat(leaf.log().found(TOLD)).isEmpty();
        assertThat(leaf.log().found(ALTERNATIVES)).isEmpty();
    }

    private void assertNextTerm(PythonAgent agent) {
        List<Long> leaders =
                agent.log().found(WELCOME).stream().map(Long::valueOf).toList();
        assertThat(leaders).as(this::logs).hasSize(2);
        assertThat(leaders.get(1) - leaders.get(0))
                .as("the same manager in its next term")
                .isEqualTo(LeaderEpochs.NUMBERS);
    }

    /** A leaf climbs by any of its four cables; a spine descends to a leaf by both that lead there. */
    @Test
    void shouldTellAnotherAgentByWhichOtherPortsDestinationsAreReached() throws Exception {
        startAll(PythonAgent.WITH_DESTINATIONS);
        PythonAgent leaf = pythonOf(LEAF);
        PythonAgent spine = pythonOf(SPINE);
        List<Integer> up = portsTo(leaf.guid(), other -> true);

        RunningManager.await("alternatives").untilAsserted(() -> {
            for (int index = 0; index < 12; index++) {
                boolean own = node(index).at("/switchName").asText().equals(LEAF);
                assertThat(alternatives(leaf).get(index)).as("node %d", index).isEqualTo(own ? "-" : text(up));
                long home = named(node(index).at("/switchName").asText());
                assertThat(alternatives(spine).get(index))
                        .as("node %d", index)
                        .isEqualTo(text(portsTo(spine.guid(), other -> other == home)));
            }
        });
        String before = last(leaf, ALTERNATIVES);

        TrialCable cut = cable(leaf.guid(), spine.guid());
        leaf.plug(Set.of(cut));
        awaitServed(11);
        RunningManager.await("alternatives without the cable that was cut").untilAsserted(() -> {
            assertThat(alternatives(leaf)).contains(text(without(up, portAt(cut, leaf.guid()))));
            assertThat(alternatives(leaf)).doesNotContain(text(up));
            assertThat(last(leaf, ALTERNATIVES)).endsWith(routesDigest(leaf));
        });
        assertThat(last(leaf, ALTERNATIVES)).contains("a difference").isNotEqualTo(before);
        assertThat(leaf.log().found(ALTERNATIVES).get(0)).contains("whole");
        assertThat(logs()).doesNotContain("no session");
    }

    private List<Integer> portsTo(long guid, LongPredicate other) {
        return fabric.cables().stream()
                .filter(cable -> isSwitch(cable) && cable.touches(guid) && other.test(farFrom(cable, guid)))
                .map(cable -> portAt(cable, guid))
                .sorted()
                .toList();
    }

    private static long farFrom(TrialCable cable, long guid) {
        return cable.guid() == guid ? ((ToSwitch) Objects.requireNonNull(cable.far())).guid() : cable.guid();
    }

    private static List<Integer> without(List<Integer> ports, int port) {
        return ports.stream().filter(other -> other != port).toList();
    }

    private static String text(List<Integer> ports) {
        return ports.isEmpty() ? "-" : ports.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private JsonNode node(int index) throws IOException {
        for (JsonNode node : get("nodes").at("/nodes")) {
            if (node.at("/index").asInt() == index) {
                return node;
            }
        }
        throw new AssertionError("no node " + index);
    }

    private String routesDigest(PythonAgent agent) throws IOException {
        return get("lft/" + Guid.format(agent.guid())).at("/digest").asText();
    }

    @Test
    void shouldTakeADifferenceWhenEitherEndOfACableSaysItIsDown() throws Exception {
        startAll(PythonAgent.WITH_DESTINATIONS);
        PythonAgent leaf = pythonOf(LEAF);
        PythonAgent spine = pythonOf(SPINE);
        List<String> whole = routes(leaf);
        List<String> wholeSpine = routes(spine);

        TrialCable own = cable(leaf.guid(), spine.guid());
        leaf.plug(Set.of(own));
        awaitServed(11);
        assertThat(ports(leaf)).doesNotContain("" + portAt(own, leaf.guid()));
        assertThat(ports(spine)).doesNotContain("" + portAt(own, spine.guid()));
        assertThat(last(leaf, IN_FORCE)).endsWith("a difference");
        leaf.plug(Set.of());
        awaitServed(12);
        assertThat(routes(leaf)).isEqualTo(whole);

        TrialCable theirs = cable(named("leaf1"), spine.guid());
        fabric.plug(Set.of(theirs));
        awaitServed(11);
        assertThat(ports(spine)).doesNotContain("" + portAt(theirs, spine.guid()));
        assertThat(last(spine, IN_FORCE)).endsWith("a difference");
        fabric.plug(Set.of());
        awaitServed(12);
        assertThat(routes(spine)).isEqualTo(wholeSpine);
        assertThat(logs()).doesNotContain("no session");
    }

    @Test
    void shouldTellAnotherAgentNothingThatItHoldsFromTheManagerBefore() throws Exception {
        startAll(PythonAgent.WITH_DESTINATIONS);
        Map<Long, List<String>> told = new HashMap<>();
        pythons.forEach((guid, agent) -> told.put(guid, agent.log().found(NEWS)));

        processes.get(0).kill();
        startManager();
        awaitServed(12);

        pythons.forEach((guid, agent) -> {
            assertNextTerm(agent);
            assertThat(agent.log().found(NEWS)).as(this::logs).isEqualTo(told.get(guid));
        });
    }

    @Test
    void shouldRefuseAnotherAgentOfTheVersionBefore() throws Exception {
        startManager();

        PythonAgent agent = python(PythonAgent.PLAIN, 1, named(LEAF), named(LEAF));

        RunningManager.await("a refusal")
                .until(() -> !agent.log().found(REFUSED).isEmpty());
        assertThat(agent.log().found(REFUSED)).startsWith("WRONG_VERSION: agent speaks versions 1..1, manager 2..2");
    }

    @Test
    void shouldRefuseAnotherAgentWithTheCertificateOfASecondSwitch() throws Exception {
        startManager();

        PythonAgent agent = python(PythonAgent.PLAIN, 2, named(LEAF), named(SPINE));

        RunningManager.await("a refusal")
                .until(() -> !agent.log().found(REFUSED).isEmpty());
        assertThat(agent.log().found(REFUSED).get(0)).startsWith("WRONG_CERTIFICATE: ");
    }
}
