package io.dmodc.manager.northbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.RevokeHeard;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is answered of switches that do not count, and by a manager that another one took over from. */
class StrangersAndLeadersTest {
    private TestFabric fabric;
    private NorthboundServer server;
    private Client client;

    @BeforeEach
    void start() throws IOException {
        fabric = TestFabric.of("2;2,3;1,3;1,1");
        server = fabric.serve();
        client = new Client(server);
    }

    @AfterEach
    void stop() {
        server.close();
        fabric.close();
    }

    @Test
    void shouldListUnattachedSwitchesOnlyWhenAskedFor() {
        int before = client.json("/api/v1/switches").at("/switches").size();
        fabric.loop.offer(new AgentJoined(
                fabric.loop.nowNanos(),
                900,
                0xabcL,
                "lost",
                8,
                1,
                new HeldTable(0, 0, 0, 0),
                new RingAddress("127.0.0.1", 0)));
        fabric.calm();

        JsonNode unattached = client.json("/api/v1/switches?state=unattached").at("/switches");
        JsonNode all = client.json("/api/v1/switches").at("/switches");
        JsonNode status = client.json("/api/v1/status");

        assertThat(unattached).hasSize(1);
        assertThat(unattached.at("/0/guid").asText()).isEqualTo("0x0000000000000abc");
        assertThat(unattached.at("/0/condition").asText()).isEqualTo("unattached");
        assertThat(unattached.at("/0/attached").asBoolean()).isFalse();
        assertThat(all)
                .hasSize(before)
                .allSatisfy(row -> assertThat(row.at("/attached").asBoolean()).isTrue());
        assertThat(status.at("/switches/unattached").asInt()).isEqualTo(1);
        assertThat(status.at("/switches/total").asInt()).isEqualTo(before);
        assertThat(status.at("/alarms").asInt()).isZero();
    }

    @Test
    void shouldSayThatItSteppedDown() {
        assertThat(client.json("/api/v1/status").at("/role").asText()).isEqualTo("leading");

        fabric.loop.offer(new RevokeHeard(fabric.loop.nowNanos(), 9, 0));
        fabric.calm();

        JsonNode status = client.json("/api/v1/status");
        JsonNode alarm = client.json("/api/v1/alarms").at("/alarms/0");
        assertThat(status.at("/role").asText()).isEqualTo("deposed");
        assertThat(alarm.at("/kind").asText()).isEqualTo("leader-conflict");
        assertThat(alarm.at("/text").asText())
                .isEqualTo(
                        "stepped down: another manager leads with leader epoch 9, this one has 1 and pushes nothing");
    }
}
