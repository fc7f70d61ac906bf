package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.topology.HostAddresses;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What lldpcli 1.0.16 writes, and what it may write. */
class LldpNeighbourTest {
    private static final String HOST = """
            {"name": "swp5", "via": "LLDP", "rid": "1", "age": "0 day, 00:00:04",
             "chassis": [{"id": [{"type": "mac", "value": "b2:40:28:b6:57:25"}], "name": [{"value": "node7"}],
               "descr": [{"value": "Debian"}],
               "mgmt-ip": [{"value": "127.0.0.1"}, {"value": "10.100.0.8"}, {"value": "fe80::7"}, {"value": "fd00::8"}],
               "mgmt-iface": [{"value": "1"}, {"value": "1"}],
               "capability": [{"type": "Bridge", "enabled": false}, {"type": "Router", "enabled": false},
                 {"type": "Station", "enabled": true}]}],
             "port": [{"id": [{"type": "mac", "value": "b2:40:28:b6:57:26"}], "descr": [{"value": "eth1"}]}]}
            """;

    private static List<LldpNeighbour> read(String... interfaces) throws IOException {
        String text = "{\"lldp\": [{\"interface\": [" + String.join(",", interfaces) + "]}]}";
        return LldpNeighbour.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void shouldKnowAHostByItsPortsMac() throws IOException {
        HostAddresses addresses = HostAddresses.parse(0, "10.100.0.8", "fd00::8", "b2:40:28:b6:57:26");

        assertThat(read(HOST))
                .containsExactly(new LldpNeighbour(
                        "swp5",
                        new FarEnd(
                                new HostPort(0xb24028fffeb65726L, 0xb24028fffeb65725L, 1, "node7", addresses),
                                "b2:40:28:b6:57:26"),
                        ""));
    }

    @Test
    void shouldTakeNobodyWhoForwards() throws IOException {
        String router = HOST.replace("\"Router\", \"enabled\": false", "\"Router\", \"enabled\": true");

        assertThat(read(router)).containsExactly(new LldpNeighbour("swp5", null, ""));
    }

    @Test
    void shouldSayWhatIsMissing() throws IOException {
        String byName = HOST.replace("\"mac\", \"value\": \"b2:40:28:b6:57:26\"", "\"ifname\", \"value\": \"eth1\"");
        String multicast = HOST.replace("b2:40:28:b6:57:26", "b3:40:28:b6:57:26");

        assertThat(read(byName).get(0).trouble())
                .isEqualTo("node7: its port has no MAC address as its id; expected lldpd's portidsubtype macaddress");
        assertThat(read(multicast).get(0).trouble()).isEqualTo("node7: MAC b3:40:28:b6:57:26 is no interface's");
    }

    @Test
    void shouldCutNamesThatAreTooLong() throws IOException {
        FarEnd far = read(HOST.replace("node7", "ü".repeat(40))).get(0).host();

        assertThat(((HostPort) Objects.requireNonNull(far).neighbour()).name()).isEqualTo("ü".repeat(32));
    }

    @Test
    void shouldReadThatThereIsNobody() throws IOException {
        assertThat(LldpNeighbour.read(new ByteArrayInputStream("{\"lldp\": [{}]}".getBytes(StandardCharsets.UTF_8))))
                .isEmpty();
        assertThat(read()).isEmpty();
    }

    @Test
    void shouldRefuseWhatIsNoJson() {
        assertThatThrownBy(() -> LldpNeighbour.read(
                        new ByteArrayInputStream("LLDP neighbors:".getBytes(StandardCharsets.UTF_8))))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> LldpNeighbour.read(new ByteArrayInputStream(new byte[LldpNeighbour.BYTES_MAX + 2])))
                .hasMessageStartingWith("more than ");
    }
}
