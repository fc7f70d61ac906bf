package io.dmodc.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.agent.plane.MemoryPlane;
import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.settings.Settings;
import io.dmodc.topology.HostAddresses;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What the process adds to the agent: settings, command line, incarnation, cables moved by an editor. */
class AgentProcessTest {
    private static final Path SHIPPED = Path.of("../../conf/switch-agent.yaml");

    @TempDir
    Path dir;

    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine command = Main.commandLine();
        command.setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }

    @Test
    void shouldShipSettingsThatShowTheDefaults() {
        AgentSettings shipped = Settings.read(SHIPPED, AgentSettings.class, Map.of());

        assertThat(shipped.guid()).isEqualTo(1);
        assertThat(shipped).usingRecursiveComparison().ignoringFields("guid").isEqualTo(AgentSettings.defaults());
        assertThat(shipped.links().rules().detectionNanos()).isEqualTo(150_000_000);
    }

    /** Twice as slow as shipped, for a switch whose agent is starved now and then. */
    @Test
    void shouldTakeSlowerHellos() {
        String slower = "links: {interval: 100ms, multiplier: 3}";

        AgentSettings settings = Settings.parse(slower, "agent.yaml", AgentSettings.class, Map.of());

        assertThat(settings.links().rules().detectionNanos()).isEqualTo(300_000_000);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        guid: 0x0                                                          | 1: guid: 0 is no identity; expected the GUID of the switch
        plane: {port-count: 255}                                           | 1: plane.port-count: 255 is outside 1..254
        plane: {port-count: 2, ports: [{number: 3, host: 0x1}]}            | 1: plane.ports: 3 is outside 1..2
        plane: {ports: [{number: 3, host: 0x1}, {number: 3, host: 0x2}]}   | 1: plane.ports: port 3 is listed twice
        plane: {ports: [{number: 3}]}                                      | 1: plane.ports[0]: expected either switch or host at the far end
        plane: {ports: [{number: 3, switch: 0x1}]}                         | 1: plane.ports[0].port: missing; expected the port of the switch at the far end
        plane: {ports: [{number: 3, switch: 0x1, port: 0}]}                | 1: plane.ports[0].port: 0 is outside 1..254
        plane: {topology: f.txt, ports: [{number: 3, host: 0x1}]}          | 1: plane.topology: f.txt beside a list of ports; expected only one of the two
        plane: {ports: [{number: 3, host: 0x1, lid: 0}]}                   | 1: plane.ports[0].lid: 0 is outside 1..49151
        plane: {ports: [{number: 3, host: 0x1, lid: 49152}]}               | 1: plane.ports[0].lid: 49152 is outside 1..49151
        plane: {ports: [{number: 3, host: 0x1, ipv4: 10.0.0}]}             | 1: plane.ports[0].ipv4: '10.0.0' is no IPv4 address; expected four numbers 0..255 with dots, as 10.0.0.7, not all of them 0
        plane: {ports: [{number: 3, host: 0x1, ipv4: node7}]}              | 1: plane.ports[0].ipv4: 'node7' is no IPv4 address; expected four numbers 0..255 with dots, as 10.0.0.7, not all of them 0
        plane: {ports: [{number: 3, host: 0x1, ipv6: '::'}]}               | 1: plane.ports[0].ipv6: '::' is no IPv6 address; expected groups of hexadecimal digits with colons, as fd00::7, not all of them 0
        plane: {ports: [{number: 3, host: 0x1, mac: 2}]}                   | 1: plane.ports[0].mac: '2' is no MAC address; expected six pairs of hexadecimal digits with colons, as 02:00:00:00:00:07, not all of them 0
        plane: {ports: [{number: 3, switch: 0x1, port: 1, lid: 12}]}       | 1: plane.ports[0].lid: 12 beside a switch; expected it of a host only
        plane: {ports: [{number: 3, switch: 0x1, port: 1, ipv4: 1.2.3.4}]} | 1: plane.ports[0].ipv4: 1.2.3.4 beside a switch; expected it of a host only
        plane: {ports: [{number: 3, switch: 0x1, port: 1, ipv6: '::1'}]}   | 1: plane.ports[0].ipv6: ::1 beside a switch; expected it of a host only
        plane: {ports: [{number: 3, switch: 0x1, port: 1, mac: '02:00:00:00:00:07'}]} | 1: plane.ports[0].mac: 02:00:00:00:00:07 beside a switch; expected it of a host only
        plane: {kind: exec}                                                | 1: plane.command: [] with kind exec; expected a program and its arguments for exec, and none for others
        plane: {command: [plane]}                                          | 1: plane.command: [plane] with kind memory; expected a program and its arguments for exec, and none for others
        plane: {kind: exec, command: [plane], answer-timeout: 99ms}        | 1: plane.answer-timeout: 99ms is outside 100ms..10min
        plane: {kind: linux, command: [plane]}                             | 1: plane.command: [plane] with kind linux; expected a program and its arguments for exec, and none for others
        plane: {kind: linux, ports: [{number: 3, host: 0x1}]}              | 1: plane.ports: with kind linux, which finds out by itself what is plugged in; expected hosts at most
        plane: {kind: linux, topology: /t}                                 | 1: plane.topology: with kind linux, which finds out by itself what is plugged in; expected hosts at most
        plane: {kind: linux, interface-prefix: swp1}                       | 1: plane.interface-prefix: 'swp1'; expected a letter, at most 11 letters, digits, '_', '.' or '-' behind it, and no digit at the end
        plane: {kind: linux, route-protocol: 4}                            | 1: plane.route-protocol: 4 is outside 5..255
        plane: {ports-from: program}                                       | 1: plane.ports-from: program; expected kind exec, and neither ports nor a topology
        detector: {heartbeat: 1s}                                          | 1: detector.heartbeat: unknown key; expected one of enabled, listen, authentication, key-file
        links: {interval: 9ms}                                             | 1: links.interval: 9ms is outside 10ms..1s
        links: {multiplier: 2}                                             | 1: links.multiplier: 2 is outside 3..50
        links: {interval: 500ms, handshake: 400ms}                         | 1: links.handshake: 400ms is outside 500ms..10s
        {}                                                                 | ' guid: missing; expected the GUID of the switch, as 0x…'
        """)
    void shouldEndWithTwoAndOneLineOnBadSettings(String yaml, String message) throws Exception {
        Path file = Files.writeString(dir.resolve("agent.yaml"), yaml);

        assertThat(run("run", "--config", file.toString())).isEqualTo(2);

        assertThat(err.toString()).isEqualTo("switch-agent: " + file + ":" + message + "\n");
    }

    @Test
    void shouldEndWithTwoOnBadUsage() {
        assertThat(run("run")).isEqualTo(2);
        assertThat(run("run", "--config", dir.resolve("none").toString())).isEqualTo(2);
        assertThat(err.toString()).contains("no such file");
    }

    @Test
    void shouldEndWithTwoWhenTheDetectorAddressIsNotOurs() throws Exception {
        Path file = Files.writeString(
                dir.resolve("agent.yaml"),
                "{guid: 0x1, authentication: off, detector: {listen: '192.0.2.1:9', authentication: off}}");

        assertThat(run("run", "--config", file.toString())).isEqualTo(2);

        assertThat(err.toString()).startsWith("switch-agent: detector socket").contains("192.0.2.1");
    }

    @Test
    void shouldEndWithTwoAndSayHowToMakeAKeyWhenThereIsNone() throws Exception {
        Path key = dir.resolve("detector.key");
        Path file = Files.writeString(dir.resolve("agent.yaml"), "{guid: 0x1, detector: {key-file: " + key + "}}");

        assertThat(run("run", "--config", file.toString())).isEqualTo(2);

        assertThat(err.toString())
                .isEqualTo(
                        "switch-agent: detector.key-file: " + key + ": no such file, expected the ring's key, the same"
                                + " for the manager and all agents; fabric-manager keys makes it\n");
    }

    @Test
    void shouldEndWithTwoWhenTheKeyIsTooShort() throws Exception {
        Path key = Files.createFile(
                dir.resolve("detector.key"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(key, "c2hvcnQ=\n");
        Path file = Files.writeString(dir.resolve("agent.yaml"), "{guid: 0x1, detector: {key-file: " + key + "}}");

        assertThat(run("run", "--config", file.toString())).isEqualTo(2);

        assertThat(err.toString())
                .startsWith("switch-agent: detector.key-file: " + key + ":1: 5 bytes, expected 16..64");
    }

    @Test
    void shouldCountStarts() {
        IncarnationFile file = new IncarnationFile(dir.resolve("state"));

        assertThat(file.next(100)).isEqualTo(100);
        assertThat(file.next(100)).isEqualTo(101);
        file.store(500);
        assertThat(file.next(100)).isEqualTo(501);
        assertThat(file.next(1000)).isEqualTo(1000);
    }

    @Test
    void shouldRefuseAnIncarnationThatHasNoneAbove() throws Exception {
        Path file = dir.resolve("incarnation");
        for (String last : List.of("4294967293", "4294967294", "4294967295")) {
            Files.writeString(file, last);

            assertThatThrownBy(() -> new IncarnationFile(dir).next(1))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageEndingWith(file + ": no incarnation is left above " + last
                            + "; expected one below 4294967293, or no file: it begins by the time then");
        }
        Files.writeString(file, "4294967292");
        assertThat(Integer.toUnsignedString(new IncarnationFile(dir).next(1))).isEqualTo("4294967293");
    }

    /** A switch without its agent is worse than a number that the ring has to raise. */
    @Test
    void shouldBeginByTheTimeWhereTheIncarnationCannotBeReadOrStored() throws Exception {
        Files.writeString(dir.resolve("incarnation"), "seven");
        assertThat(new IncarnationFile(dir).next(100)).isEqualTo(100);
        assertThat(new IncarnationFile(dir).next(1)).as("is whole again").isEqualTo(101);
        for (String none : List.of("4294967296", "9999999999", "-1", "")) {
            Files.writeString(dir.resolve("incarnation"), none);
            assertThat(new IncarnationFile(dir).next(100)).as(none).isEqualTo(100);
        }

        Path occupied = Files.writeString(dir.resolve("occupied"), "a file");
        assertThat(new IncarnationFile(occupied).next(100)).isEqualTo(100);
        new IncarnationFile(occupied).store(200);
    }

    private static HostPort host(MemoryPlane plane, int port) {
        return (HostPort) Objects.requireNonNull(plane.portState(port).neighbour());
    }

    @Test
    void shouldTakeAddressesOfHostsFromTheFile() throws Exception {
        String known = "{guid: 0x1, plane: {ports: [{number: 1, host: 0x9, name: node7, lid: 12, ipv4: 10.0.0.7,"
                + " ipv6: 'FD00::0:7', mac: '02:00:00:00:00:07'}, {number: 2, host: 0x8}]}}";
        Path file = Files.writeString(dir.resolve("agent.yaml"), known);
        CableList cables = CableList.open(1, Settings.read(file, AgentSettings.class, Map.of()), file, Map.of());
        MemoryPlane plane = cables.plane();
        List<Integer> told = new ArrayList<>();
        plane.listen(told::add);

        assertThat(host(plane, 1).addresses())
                .isEqualTo(HostAddresses.parse(12, "10.0.0.7", "fd00::7", "02:00:00:00:00:07"));
        assertThat(host(plane, 2).addresses()).isSameAs(HostAddresses.NONE);

        Files.writeString(file, known.replace("lid: 12", "lid: 131"));
        cables.look();
        assertThat(told).as("an address alone is news").containsExactly(1);
        assertThat(plane.portState(1).up()).isTrue();
        assertThat(host(plane, 1).addresses().lid()).isEqualTo(131);
        assertThat(host(plane, 1).addresses().ipv4Text()).isEqualTo("10.0.0.7");
    }

    @Test
    void shouldMoveCablesWhenTheFileIsEdited() throws Exception {
        Path file = Files.writeString(
                dir.resolve("agent.yaml"),
                "{guid: 0x1, plane: {ports: [{number: 1, switch: 0x2, port: 3}, {number: 2, host: 0x9}]}}");
        CableList cables = CableList.open(1, Settings.read(file, AgentSettings.class, Map.of()), file, Map.of());
        MemoryPlane plane = cables.plane();
        List<Integer> told = new ArrayList<>();
        plane.listen(told::add);
        assertThat(plane.portState(1).up()).isTrue();

        cables.look();
        assertThat(told).as("nothing was edited").isEmpty();

        Files.writeString(file, "{guid: 0x1, plane: {ports: [{number: 2, host: 0x9}, {number: 4, host: 0x8}]}}");
        cables.look();
        assertThat(told).containsExactly(1, 4);
        assertThat(plane.portState(1).up()).isFalse();
        assertThat(plane.portState(1).neighbour()).as("the last one seen").isNotNull();
        assertThat(plane.portState(4).up()).isTrue();

        Files.writeString(file, "guid: nonsense, not usable at all");
        cables.look();
        Files.writeString(file, "{guid: 0x1, plane: {topology: fabric.txt}}");
        cables.look();
        assertThat(told).hasSize(2);
        assertThat(plane.portState(4).up()).isTrue();
    }
}
