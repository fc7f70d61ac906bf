package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dmodc.e2e.TrialFabric.Damage;
import io.dmodc.e2e.TrialFabric.TrialCable;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Guid;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A manager, agents and the shipped program of an exec plane beside each, all of them processes of their own: what is in the programs'
 * directories is what the manager wants to be there.
 */
class ExecPlaneSiteTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path PROGRAM =
            Path.of("../../conf/examples/exec-plane-directory").toAbsolutePath().normalize();

    /** Two leaves with two hosts each, two spines. */
    private static final String PGFT = "2;2,2;1,2;1,1";

    @TempDir
    private static Path directory = Path.of("");

    private static @Nullable ProcessSite running;

    private final ProcessSite site = Objects.requireNonNull(running);
    private final TrialFabric fabric = site.fabric();

    @BeforeAll
    static void start() throws Exception {
        boolean python = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(place -> Files.isExecutable(Path.of(place, "python3")));
        assumeTrue(python, "Python is not on this machine; to have it: apt-get install python3");
        ProcessSite site = new ProcessSite(directory, PGFT);
        running = site;
        plug(site.fabric(), Set.of());
        site.startManager();
        site.fabric().guids().forEach(guid -> startAgent(site, guid));
        site.awaitFirstTables();
    }

    /** All cables are in, and all switches have their tables and what else leads on, whatever was tried before. */
    @BeforeEach
    void rest() throws Exception {
        plug(Set.of());
        assertRests(Damage.NONE);
        for (long guid : fabric.guids()) {
            boolean leaf = fabric.cables().stream().anyMatch(cable -> cable.toHost() && cable.guid() == guid);
            ProcessSite.await("alternatives of " + fabric.name(guid))
                    .until(() -> kept(guid).stream().anyMatch(entry -> entry.has("alternatives")) == leaf);
        }
    }

    private static void startAgent(ProcessSite site, long guid) {
        site.startAgent(
                guid,
                "name=" + site.fabric().name(guid),
                "plane.kind=exec",
                "plane.command=[python3, '" + PROGRAM + "', '" + of(guid) + "']",
                "plane.alternatives=true",
                "plane.ports-from=program",
                "plane.port-count=8");
    }

    @AfterAll
    static void stop() throws IOException {
        if (running != null) {
            running.close();
        }
    }

    private static Path of(long guid) {
        return directory.resolve("switch-" + Guid.format(guid));
    }

    /** Writes for each switch which of its ports have a cable. */
    private void plug(Set<TrialCable> out) throws IOException {
        plug(fabric, out);
    }

    private static void plug(TrialFabric fabric, Set<TrialCable> out) throws IOException {
        Map<Long, List<String>> ports = new HashMap<>();
        for (TrialCable cable : fabric.cables()) {
            if (out.contains(cable)) {
                continue;
            }
            if (cable.far() instanceof ToSwitch to) {
                lines(ports, cable.guid()).add(toSwitch(cable.port(), to.guid(), to.port()));
                lines(ports, to.guid()).add(toSwitch(to.port(), cable.guid(), cable.port()));
            } else if (cable.far() instanceof ToHost to) {
                String host = "{\"port\": %d, \"up\": true, \"host\": \"%s\", \"name\": \"%s\", \"ipv4\": \"%s\"}";
                lines(ports, cable.guid())
                        .add(host.formatted(
                                cable.port(),
                                Guid.format(to.host().portGuid()),
                                to.host().name(),
                                address(to.host().portGuid())));
            }
        }
        for (long guid : fabric.guids()) {
            Path written = Files.write(directory.resolve("ports"), lines(ports, guid));
            Files.createDirectories(of(guid));
            Files.move(written, of(guid).resolve("ports"), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private static List<String> lines(Map<Long, List<String>> ports, long guid) {
        return ports.computeIfAbsent(guid, unlisted -> new ArrayList<>());
    }

    private static String address(long portGuid) {
        return "10.0." + (portGuid >> 8 & 255) + "." + (portGuid & 255);
    }

    private static String toSwitch(int port, long guid, int far) {
        return "{\"port\": %d, \"up\": true, \"switch\": \"%s\", \"far\": %d}".formatted(port, Guid.format(guid), far);
    }

    /** The manager has nothing left to do, and all switches say to hold what is computed afresh. */
    private void assertRests(Damage damage) throws Exception {
        assertThat(site.awaitRest(damage))
                .as(() -> "switches without the table computed afresh\n"
                        + site.manager().text())
                .isEmpty();
    }

    /** A line for each entry, as the program keeps them. */
    private List<JsonNode> kept(long guid) throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : Files.readAllLines(of(guid).resolve("table"))) {
            lines.add(JSON.readTree(line));
        }
        return lines;
    }

    private Map<Integer, Integer> keptPorts(long guid) throws IOException {
        Map<Integer, Integer> ports = new TreeMap<>();
        kept(guid).stream()
                .skip(1)
                .forEach(entry ->
                        ports.put(entry.at("/index").asInt(), entry.at("/port").asInt()));
        return ports;
    }

    private Map<Integer, Integer> wantedPorts(long guid) {
        JsonNode lft = Objects.requireNonNull(site.get("lft/" + Guid.format(guid)));
        Map<Integer, Integer> ports = new TreeMap<>();
        for (JsonNode run : lft.at("/runs")) {
            for (int index = run.at("/from").asInt(); index <= run.at("/to").asInt(); index++) {
                if (run.hasNonNull("port")) {
                    ports.put(index, run.at("/port").asInt());
                }
            }
        }
        return ports;
    }

    private void assertDirectoriesAreRight() throws IOException {
        for (long guid : fabric.guids()) {
            assertThat(keptPorts(guid)).as(fabric.name(guid)).isNotEmpty().isEqualTo(wantedPorts(guid));
        }
    }

    private ProcessHandle program(long guid) {
        return site.agent(guid)
                .handle()
                .descendants()
                .filter(child -> child.info().arguments().stream()
                        .flatMap(Arrays::stream)
                        .anyMatch(of(guid).toString()::equals))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldHaveInTheDirectoriesWhatTheManagerWants() throws Exception {
        assertDirectoriesAreRight();
        long leaf = fabric.guids().stream()
                .filter(guid -> fabric.cables().stream().anyMatch(cable -> cable.toHost() && cable.guid() == guid))
                .findFirst()
                .orElseThrow();
        assertThat(kept(leaf).stream().skip(1)).hasSize(4).allSatisfy(entry -> {
            assertThat(entry.at("/name").asText()).startsWith("node");
            assertThat(entry.at("/ipv4").asText())
                    .isEqualTo(address(Guid.parse(entry.at("/guid").asText())));
        });
        List<JsonNode> before = kept(leaf);

        TrialCable cable = fabric.cables().stream()
                .filter(some -> !some.toHost() && some.touches(leaf))
                .findFirst()
                .orElseThrow();
        plug(Set.of(cable));
        ProcessSite.await("another table").until(() -> !kept(leaf).equals(before));
        assertRests(new Damage(Set.of(cable), Set.of(), Set.of()));
        assertDirectoriesAreRight();
        assertThat(keptPorts(leaf).values()).doesNotContain(cable.port());
        assertThat(kept(leaf).get(0).at("/epoch").asLong())
                .isGreaterThan(before.get(0).at("/epoch").asLong());

        plug(Set.of());
        ProcessSite.await("the table as before").until(() -> keptPorts(leaf).containsValue(cable.port()));
        assertRests(Damage.NONE);
        assertDirectoriesAreRight();
    }

    /** A leaf with two cables up: a host behind another leaf is reached by either. */
    @Test
    void shouldHaveInTheDirectoriesByWhichOtherPortsHostsAreReached() throws Exception {
        List<TrialCable> up = fabric.cables().stream()
                .filter(cable -> !cable.toHost() && cable.touches(fabric.guids().get(0)))
                .toList();
        long leaf = up.get(0).guid();
        assertThat(up).hasSize(2).allMatch(cable -> cable.guid() == leaf);
        Set<Integer> ports = Set.of(up.get(0).port(), up.get(1).port());

        ProcessSite.await("alternatives").untilAsserted(() -> {
            assertThat(kept(leaf).stream().skip(1)).hasSize(4).allSatisfy(entry -> {
                List<Integer> others = new ArrayList<>();
                entry.path("alternatives").forEach(port -> others.add(port.asInt()));
                boolean far = ports.contains(entry.at("/port").asInt());
                assertThat(others).hasSize(far ? 2 : 0).isSubsetOf(ports);
            });
        });

        plug(Set.of(up.get(0)));
        ProcessSite.await("no alternative")
                .until(() -> kept(leaf).stream().noneMatch(entry -> entry.has("alternatives")));
        assertRests(new Damage(Set.of(up.get(0)), Set.of(), Set.of()));
        assertDirectoriesAreRight();
    }

    @Test
    void shouldRestoreWhatIsMissingAfterTheProgramWasKilled() throws Exception {
        long guid = fabric.guids().get(0);
        Map<Integer, Integer> wanted = keptPorts(guid);
        ProcessHandle first = program(guid);

        // As a switch that lost power: its table is gone, and the program that wrote it.
        Files.delete(of(guid).resolve("table"));
        first.destroyForcibly();

        ProcessSite.await("the table restored")
                .until(() -> Files.exists(of(guid).resolve("table"))
                        && keptPorts(guid).equals(wanted));
        assertRests(Damage.NONE);
        assertThat(program(guid).pid()).isNotEqualTo(first.pid());

        // Killed without a loss: nothing is written again.
        JsonNode head = kept(guid).get(0);
        int pushes = site.tap().pushCount();
        ProcessHandle second = program(guid);
        second.destroyForcibly();
        second.onExit().get(1, TimeUnit.MINUTES);
        ProcessSite.await("the program started again")
                .ignoreExceptions()
                .until(() -> program(guid).isAlive());
        assertRests(Damage.NONE);
        assertThat(site.tap().pushCount()).isEqualTo(pushes);
        assertThat(kept(guid).get(0)).isEqualTo(head);
    }

    @Test
    void shouldGoOnWithTheTableInTheDirectoryWhenTheAgentIsKilled() throws Exception {
        long guid = fabric.guids().get(0);
        List<JsonNode> before = kept(guid);
        Map<Integer, Integer> ports = keptPorts(guid);
        ProcessHandle program = program(guid);

        site.killAgent(guid);
        program.onExit().get(1, TimeUnit.MINUTES);
        ProcessSite.await("the loss noticed")
                .until(() -> Objects.requireNonNull(site.status())
                                .at("/agents/connected")
                                .asInt()
                        == fabric.guids().size() - 1);
        int pushes = site.tap().pushCount();
        startAgent(site, guid);
        assertRests(Damage.NONE);

        assertThat(keptPorts(guid)).isEqualTo(ports);
        ProcessSite.await("alternatives told again, which come behind the routes")
                .untilAsserted(() ->
                        assertThat(kept(guid).subList(1, before.size())).isEqualTo(before.subList(1, before.size())));
        assertThat(site.tap().pushCount() - pushes).as("tables written").isLessThanOrEqualTo(1);
    }
}
