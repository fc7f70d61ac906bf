package io.dmodc.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.agent.linux.FarEnd;
import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.settings.Settings;
import io.dmodc.settings.SettingsException;
import io.dmodc.topology.HostAddresses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a Linux switch is told beside its ports: hosts that do not announce themselves, and whether routes stand behind others. */
class LinuxHostSettingsTest {
    @TempDir
    private Path dir = Path.of("");

    private AgentSettings.Plane plane(String plane) throws IOException {
        Path file = Files.writeString(dir.resolve("agent.yaml"), "{guid: 0x1, plane: {" + plane + "}}");
        return Settings.read(file, AgentSettings.class, Map.of()).plane();
    }

    @Test
    void shouldReadListedHostsAndThatLldpIsAsked() throws IOException {
        AgentSettings.Plane plane =
                plane("kind: linux, hosts-from-lldp: true, hosts: [{number: 5, host: 0x10007, name: node7,"
                        + " ipv4: 10.100.0.8, mac: '02:00:00:00:00:07'}]");

        HostAddresses addresses = HostAddresses.parse(0, "10.100.0.8", null, "02:00:00:00:00:07");
        assertThat(plane.hostsFromLldp()).isTrue();
        assertThat(plane.listedHosts())
                .isEqualTo(Map.of(
                        5, new FarEnd(new HostPort(0x10007, 0x10007, 1, "node7", addresses), "02:00:00:00:00:07")));
    }

    @Test
    void shouldHaveRoutesStandBehindOthersUnlessToldNotTo() throws IOException {
        assertThat(plane("kind: linux").standingRoutes()).isTrue();
        assertThat(plane("kind: linux, standing-routes: false").standingRoutes())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hosts-from-lldp: true | hosts-from-lldp: true; expected kind linux",
                "standing-routes: false | standing-routes: false; expected kind linux",
                "kind: linux, standing-routes: maybe | standing-routes",
                "hosts: [{number: 5, host: 0x7, mac: '02:00:00:00:00:07'}] | hosts: expected kind linux",
                "kind: linux, hosts: [{number: 5, host: 0x7}] | hosts: port 5: expected a host with its mac",
                "kind: linux, hosts: [{number: 5, switch: 0x7, port: 1}] | hosts: port 5: expected a host with its mac",
                "kind: linux, hosts: [{number: 99, host: 0x7, mac: '02:00:00:00:00:07'}] | hosts: 99 is outside 1..36"
            })
    void shouldRefuse(String settings, String why) {
        assertThatThrownBy(() -> plane(settings))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining(why);
    }
}
