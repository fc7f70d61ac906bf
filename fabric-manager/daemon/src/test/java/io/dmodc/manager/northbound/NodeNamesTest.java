package io.dmodc.manager.northbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Hosts that are down are found by whatever names them, also when nobody has seen them since the start. */
class NodeNamesTest {
    /** Between node0 and node1 in the index space, and seen by the manager before this one only. */
    private static final Host LOST = new Host(0x4711, 0x4710, 2, "7", HostAddresses.parse(12, null, "fd00::7", null));

    private TestFabric fabric;
    private NorthboundServer server;
    private Client client;

    @BeforeEach
    void open() throws IOException {
        fabric = TestFabric.restarted("2;4,4;1,2;1,1", "leaf0", 1, LOST);
        server = fabric.serve();
        client = new Client(server);
    }

    @AfterEach
    void close() {
        server.close();
        fabric.close();
    }

    private JsonNode path(String to) {
        return client.json("/api/v1/path?from=node15&to=" + to);
    }

    @Test
    void shouldSayThatAHostIsDownByIndexPortOrAdapter() {
        JsonNode node = client.json("/api/v1/nodes?state=down").at("/nodes/0");
        assertThat(node.at("/name").asText()).isEqualTo("7");
        assertThat(node.at("/lid").asInt()).as("as when it was up").isEqualTo(12);
        assertThat(node.at("/ipv6").asText()).isEqualTo("fd00::7");
        assertThat(node.has("ipv4") || node.has("mac")).isFalse();

        for (String text : new String[] {"0", "0x4711", Guid.format(0x4711), "0X4711", "0x4710"}) {
            JsonNode path = path(text);
            assertThat(path.at("/end").asText()).as(text).isEqualTo("host 7 at leaf0 port 1 down");
            assertThat(path.at("/to/name").asText()).isEqualTo("7");
            assertThat(path.at("/to/guid").asText()).isEqualTo(Guid.format(0x4711));
        }
    }

    @Test
    void shouldTakeDigitsForAnIndexAlsoWhenAHostThatIsDownIsCalledSo() {
        assertThat(path("7").at("/to/index").asInt()).isEqualTo(7);
        assertThat(path("7").at("/delivered").asBoolean()).isTrue();
    }
}
