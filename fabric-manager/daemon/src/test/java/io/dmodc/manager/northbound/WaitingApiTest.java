package io.dmodc.manager.northbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.dmodc.topology.Guid;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who waits for whom, by REST. */
class WaitingApiTest {
    private static final String PATH = "/api/v1/waiting";

    private TestFabric fabric;
    private NorthboundServer server;
    private Client client;

    @BeforeEach
    void start() throws IOException {
        fabric = TestFabric.planned("3;4,4,4;1,4,4;1,1,1");
        server = fabric.serve();
        client = new Client(server);
    }

    @AfterEach
    void stop() {
        server.close();
        fabric.close();
    }

    /** A cable comes back, and the switch at its upper end does not acknowledge what it is sent. */
    private void plugIntoSilence() {
        fabric.cut("leaf0", 5);
        fabric.mute("l2s0");
        fabric.plugIn("leaf0", 5);
        for (int i = 0; i < 10_000 && fabric.known().waiting().switchCount() == 0; i++) {
            fabric.clockMoves(1);
        }
        while (fabric.known().outstanding() > 1 + fabric.known().waiting().switchCount()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldNameNobodyWhileNobodyWaits() {
        JsonNode answer = client.json(PATH);

        assertThat(answer.at("/switches").asInt()).isZero();
        assertThat(answer.at("/waiting")).isEmpty();
        assertThat(answer.at("/waitedFor")).isEmpty();
    }

    @Test
    void shouldNameWhoWaitsForASwitchThatDoesNotAnswer() throws IOException {
        plugIntoSilence();

        JsonNode answer = client.json(PATH);

        assertThat(answer.at("/switches").asInt()).isPositive();
        assertThat(answer.at("/entries").asInt()).isPositive();
        assertThat(answer.at("/waiting/0/round").asInt()).isEqualTo(2);
        assertThat(answer.at("/waiting/0/waitsFor/0/name").asText()).isEqualTo("l2s0");
        assertThat(answer.at("/waiting/0/since").asText()).endsWith("Z");
        assertThat(answer.at("/awaited").asInt()).isEqualTo(1);
        assertThat(answer.at("/waitedFor/0/guid").asText()).isEqualTo(Guid.format(fabric.guid("l2s0")));
        assertThat(answer.at("/waitedFor/0/switches")).isEqualTo(answer.at("/switches"));
        assertThat(answer.at("/waitedFor/0/pushInFlight").asBoolean()).isTrue();
        JsonNode document =
                new YAMLMapper().readTree(Path.of("../../docs/openapi.yaml").toFile());
        assertThat(SchemaCheck.mistakes(document, document.at("/components/schemas/Waiting"), answer))
                .isEmpty();
    }
}
