package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.dmodc.e2e.TrialFabric.TrialCable;
import io.dmodc.manager.state.LeaderEpochs;
import io.dmodc.topology.FabricChange.ToSwitch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Agents in another language at a {@link PythonSite}, which all tests of a script share: each begins with all cables plugged in, and
 * others may have been there before.
 */
class PythonAgentTest {
    private static final Pattern WELCOME = Pattern.compile("welcome by leader epoch (\\d+)");
    private static final Pattern ALTERNATIVES = Pattern.compile("^alternatives (.*)");
    private static final Pattern TOLD = Pattern.compile("^destinations (.*)");
    private static final Pattern NEWS = Pattern.compile("^((?:table|destinations) .*)");
    private static final Pattern REFUSED = Pattern.compile("^no session: refused, (.*)");

    /** By the script of its agents. */
    private static final Map<String, PythonSite> SITES = new HashMap<>();

    @TempDir
    private static Path directory = Path.of("");

    @BeforeAll
    static void needPython() throws InterruptedException {
        assumeTrue(
                PythonAgent.isInstalled(),
                "python3 with TLS 1.3 is not installed: no agent in another language, skipped");
    }

    @AfterAll
    static void stop() {
        SITES.values().forEach(PythonSite::close);
        SITES.clear();
    }

    private static PythonSite site(String script) throws IOException {
        PythonSite site = SITES.get(script);
        if (site == null) {
            site = new PythonSite(Files.createTempDirectory(directory, "site"), script);
            SITES.put(script, site);
        }
        site.fabric().plug(Set.of());
        for (PythonAgent python : site.pythons().values()) {
            python.plug(Set.of());
        }
        site.awaitServed(PythonSite.CABLES);
        return site;
    }

    private static PythonAgent leaf(PythonSite site) {
        return site.pythonOf(PythonSite.LEAF);
    }

    private static PythonAgent spine(PythonSite site) {
        return site.pythonOf(PythonSite.SPINE);
    }

    private static List<Long> terms(PythonAgent agent) {
        return agent.log().found(WELCOME).stream().map(Long::valueOf).toList();
    }

    /** How many sessions each agent in Python has had. */
    private static Map<Long, Integer> sessions(PythonSite site) {
        return site.pythons().values().stream()
                .collect(Collectors.toMap(
                        PythonAgent::guid, agent -> terms(agent).size()));
    }

    private static void assertNextTerm(PythonSite site, Map<Long, Integer> sessionsBefore) {
        site.pythons().forEach((guid, agent) -> {
            List<Long> terms = terms(agent);
            int last = Objects.requireNonNull(sessionsBefore.get(guid));
            assertThat(terms).as(site::logs).hasSize(last + 1);
            assertThat(terms.get(last) - terms.get(last - 1))
                    .as("the same manager in its next term")
                    .isEqualTo(LeaderEpochs.NUMBERS);
        });
    }

    @Test
    void shouldGiveSwitchesOfAnotherAgentTheTablesAndDestinationsThatAdministratorsSee() throws Exception {
        PythonSite site = site(PythonAgent.WITH_DESTINATIONS);

        // The site has compared what the switches hold.
        for (PythonAgent agent : site.pythons().values()) {
            assertThat(site.last(agent, PythonSite.IN_FORCE))
                    .contains(" of 12 entries digest " + site.routesDigest(agent) + " in force");
            assertThat(site.last(agent, TOLD)).contains(" 12 held,");
        }
        assertThat(PythonSite.ports(leaf(site))).doesNotContain("-");
        // What one Python agent has said of its hosts the other one was told.
        assertThat(spine(site).table())
                .anySatisfy(line -> assertThat(line).contains(" 101 10.0.0.1 fd00::1 02:00:00:00:00:01 "));
        assertThat(site.fabricctl("status")).contains("5 connected", "complete");
    }

    /** No destinations and no alternatives are asked for: what is read here is all that a switch needs to be served. */
    @Test
    void shouldServeAPlainAgentWithATableAndADifferenceOfIt() throws Exception {
        PythonSite site = site(PythonAgent.PLAIN);
        PythonAgent leaf = leaf(site);
        PythonAgent spine = spine(site);
        List<String> whole = PythonSite.routes(leaf);
        assertThat(PythonSite.ports(leaf)).hasSize(12).doesNotContain("-");
        assertThat(leaf.log().found(PythonSite.IN_FORCE).get(0)).endsWith(", whole");

        TrialCable cut = site.cable(leaf.guid(), spine.guid());
        leaf.plug(Set.of(cut));
        site.awaitServed(PythonSite.CABLES - 1);
        assertThat(PythonSite.ports(leaf)).doesNotContain("" + PythonSite.portAt(cut, leaf.guid()));
        assertThat(PythonSite.ports(spine)).doesNotContain("" + PythonSite.portAt(cut, spine.guid()));
        assertThat(site.last(leaf, PythonSite.IN_FORCE)).endsWith(", a difference");
        assertThat(site.last(spine, PythonSite.IN_FORCE)).endsWith(", a difference");
        leaf.plug(Set.of());
        site.awaitServed(PythonSite.CABLES);
        assertThat(PythonSite.routes(leaf)).isEqualTo(whole);

        Map<Long, Integer> sessions = sessions(site);
        site.restartManager();
        assertNextTerm(site, sessions);
        assertThat(leaf.log().found(TOLD)).isEmpty();
        assertThat(leaf.log().found(ALTERNATIVES)).isEmpty();
    }

    /** A leaf climbs by any of its four cables; a spine descends to a leaf by both that lead there. */
    @Test
    void shouldTellAnotherAgentByWhichOtherPortsDestinationsAreReached() throws Exception {
        PythonSite site = site(PythonAgent.WITH_DESTINATIONS);
        Map<Long, Integer> sessions = sessions(site);
        PythonAgent leaf = leaf(site);
        PythonAgent spine = spine(site);
        List<Integer> up = portsTo(site, leaf.guid(), other -> true);

        ProcessSite.await("alternatives").untilAsserted(() -> {
            for (int index = 0; index < 12; index++) {
                String home = node(site, index).at("/switchName").asText();
                assertThat(alternatives(leaf).get(index))
                        .as("node %d", index)
                        .isEqualTo(home.equals(PythonSite.LEAF) ? "-" : text(up));
                assertThat(alternatives(spine).get(index))
                        .as("node %d", index)
                        .isEqualTo(text(portsTo(site, spine.guid(), other -> other == site.named(home))));
            }
        });
        String before = site.last(leaf, ALTERNATIVES);

        TrialCable cut = site.cable(leaf.guid(), spine.guid());
        leaf.plug(Set.of(cut));
        site.awaitServed(PythonSite.CABLES - 1);
        ProcessSite.await("alternatives without the cable that was cut").untilAsserted(() -> {
            assertThat(alternatives(leaf)).contains(text(without(up, PythonSite.portAt(cut, leaf.guid()))));
            assertThat(alternatives(leaf)).doesNotContain(text(up));
            assertThat(site.last(leaf, ALTERNATIVES)).endsWith(site.routesDigest(leaf));
        });
        assertThat(site.last(leaf, ALTERNATIVES)).contains("a difference").isNotEqualTo(before);
        assertThat(leaf.log().found(ALTERNATIVES).get(0)).contains("whole");
        assertThat(sessions(site)).as(site::logs).isEqualTo(sessions);
    }

    private static List<String> alternatives(PythonAgent agent) throws IOException {
        return agent.table().stream()
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .toList();
    }

    private static List<Integer> portsTo(PythonSite site, long guid, LongPredicate other) {
        return site.fabric().cables().stream()
                .filter(cable -> PythonSite.isSwitch(cable) && cable.touches(guid) && other.test(farFrom(cable, guid)))
                .map(cable -> PythonSite.portAt(cable, guid))
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

    private static JsonNode node(PythonSite site, int index) throws IOException {
        for (JsonNode node : site.get("nodes").at("/nodes")) {
            if (node.at("/index").asInt() == index) {
                return node;
            }
        }
        throw new AssertionError("no node " + index);
    }

    @Test
    void shouldTakeADifferenceWhenEitherEndOfACableSaysItIsDown() throws Exception {
        PythonSite site = site(PythonAgent.WITH_DESTINATIONS);
        Map<Long, Integer> sessions = sessions(site);
        PythonAgent leaf = leaf(site);
        PythonAgent spine = spine(site);
        List<String> whole = PythonSite.routes(leaf);
        List<String> wholeSpine = PythonSite.routes(spine);

        TrialCable own = site.cable(leaf.guid(), spine.guid());
        leaf.plug(Set.of(own));
        site.awaitServed(PythonSite.CABLES - 1);
        assertThat(PythonSite.ports(leaf)).doesNotContain("" + PythonSite.portAt(own, leaf.guid()));
        assertThat(PythonSite.ports(spine)).doesNotContain("" + PythonSite.portAt(own, spine.guid()));
        assertThat(site.last(leaf, PythonSite.IN_FORCE)).endsWith("a difference");
        leaf.plug(Set.of());
        site.awaitServed(PythonSite.CABLES);
        assertThat(PythonSite.routes(leaf)).isEqualTo(whole);

        TrialCable theirs = site.cable(site.named("leaf1"), spine.guid());
        site.fabric().plug(Set.of(theirs));
        site.awaitServed(PythonSite.CABLES - 1);
        assertThat(PythonSite.ports(spine)).doesNotContain("" + PythonSite.portAt(theirs, spine.guid()));
        assertThat(site.last(spine, PythonSite.IN_FORCE)).endsWith("a difference");
        site.fabric().plug(Set.of());
        site.awaitServed(PythonSite.CABLES);
        assertThat(PythonSite.routes(spine)).isEqualTo(wholeSpine);
        assertThat(sessions(site)).as(site::logs).isEqualTo(sessions);
    }

    @Test
    void shouldTellAnotherAgentNothingThatItHoldsFromTheManagerBefore() throws Exception {
        PythonSite site = site(PythonAgent.WITH_DESTINATIONS);
        Map<Long, Integer> sessions = sessions(site);
        Map<Long, List<String>> told = new HashMap<>();
        site.pythons().forEach((guid, agent) -> told.put(guid, agent.log().found(NEWS)));

        site.restartManager();

        assertNextTerm(site, sessions);
        site.pythons()
                .forEach((guid, agent) ->
                        assertThat(agent.log().found(NEWS)).as(site::logs).isEqualTo(told.get(guid)));
    }

    @Test
    void shouldRefuseAnotherAgentOfTheVersionBefore() throws Exception {
        PythonSite site = site(PythonAgent.PLAIN);
        long leaf = site.named(PythonSite.LEAF);

        assertThat(refusal(site, 1, leaf, leaf)).isEqualTo("WRONG_VERSION: agent speaks versions 1..1, manager 2..2");
    }

    @Test
    void shouldRefuseAnotherAgentWithTheCertificateOfASecondSwitch() throws Exception {
        PythonSite site = site(PythonAgent.PLAIN);

        assertThat(refusal(site, 2, site.named(PythonSite.LEAF), site.named(PythonSite.SPINE)))
                .startsWith("WRONG_CERTIFICATE: ");
    }

    /** Of an agent that comes beside the one which serves the switch, and takes nothing from it. */
    private static String refusal(PythonSite site, int protocol, long guid, long keysOf) throws Exception {
        Map<Long, Integer> sessions = sessions(site);
        try (PythonAgent agent = site.python(PythonAgent.PLAIN, protocol, guid, keysOf)) {
            ProcessSite.await("a refusal")
                    .until(() -> !agent.log().found(REFUSED).isEmpty());
            site.awaitServed(PythonSite.CABLES);
            assertThat(sessions(site)).as(site::logs).isEqualTo(sessions);
            return agent.log().found(REFUSED).get(0);
        }
    }
}
