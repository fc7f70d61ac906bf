package io.dmodc.manager.northbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.Act.Verb;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.topology.PortPlace;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Why switches send where they do, and whether they do. The fixture's tables are not those of dmodc. */
class ExplainApiTest {
    private static final int NODES = 12;
    private static final String[] SWITCHES = {"leaf0", "leaf5", "l2s0", "l2s3", "l3s1"};

    private TestFabric fabric;
    private NorthboundServer server;
    private Client client;

    @BeforeEach
    void start() throws IOException {
        fabric = TestFabric.of("3;2,2,3;1,2,2;1,2,1");
        server = fabric.serve();
        client = new Client(server);
    }

    @AfterEach
    void stop() {
        server.close();
        fabric.close();
    }

    private JsonNode explain(String at, int node) {
        return client.json("/api/v1/explain?switch=" + at + "&node=" + node);
    }

    /** The entry is that of the table, the explanation that of the engine, and where they differ it says so. */
    @Test
    void shouldTellTheEntryBesideItsExplanation() {
        int different = 0;
        for (String at : SWITCHES) {
            JsonNode lft = client.json("/api/v1/lft/" + at);
            for (int node = 0; node < NODES; node++) {
                JsonNode answer = explain(at, node);
                int port = answer.at("/port").asInt();
                assertThat(port).isEqualTo(answer.at("/desiredPort").asInt()).isEqualTo(entry(lft, node));
                assertThat(answer.at("/acked").asBoolean()).isTrue();
                assertThat(answer.at("/state").asText()).isEqualTo(at + " holds its table, acknowledged in epoch 1");
                boolean same = answer.at("/explanation/port").asInt() == port;
                assertThat(answer.at("/difference").asText().isEmpty()).isEqualTo(same);
                different += same ? 0 : 1;
            }
        }
        assertThat(different).isPositive();
    }

    private static int entry(JsonNode lft, int node) {
        int port = 0;
        for (JsonNode run : lft.at("/runs")) {
            port = run.at("/from").asInt() <= node && node <= run.at("/to").asInt()
                    ? run.at("/port").asInt()
                    : port;
        }
        return port;
    }

    @Test
    void shouldSayThatTheTablesAreNotTheEngines() {
        JsonNode answer = explain("leaf0", 7);

        assertThat(answer.at("/explanation/text/0").asText())
                .isEqualTo("leaf0 sends packets to node7 out of port 6 to l2s1 port 3");
        assertThat(answer.at("/difference").asText())
                .isEqualTo(
                        "but by the tables of epoch 1 it sends out of port "
                                + answer.at("/port").asText()
                                + ": these tables were not made by dmodc, but by the fall-back engine or by the manager before");
        int lines = answer.at("/explanation/text").size();
        assertThat(answer.at("/text")).hasSize(lines + 3);
        assertThat(answer.at("/text/" + lines)).isEqualTo(answer.at("/difference"));
        assertThat(answer.at("/text/" + (lines + 1)).asText())
                .isEqualTo("the tables say so since epoch 1 or before: it is the oldest one kept");
        assertThat(answer.at("/text/" + (lines + 2))).isEqualTo(answer.at("/state"));
    }

    @Test
    void shouldSaySinceWhenAnEntryIsAsItIs() {
        JsonNode kept = explain("leaf0", 1);
        long before = fabric.snapshot().epoch();
        fabric.kill("leaf5");

        JsonNode lost = explain("leaf0", 11);
        // What its neighbours say of it may come in several epochs.
        long epoch = lost.at("/since/epoch").asLong();
        assertThat(epoch).isBetween(before + 1, fabric.snapshot().epoch());
        assertThat(lost.at("/since/orBefore").asBoolean()).isFalse();
        String accepted = lost.at("/since/accepted").asText();
        assertThat(client.json("/api/v1/epochs/kept").at("/epochs"))
                .filteredOn(one -> one.at("/epoch").asLong() == epoch)
                .singleElement()
                .satisfies(one -> assertThat(one.at("/accepted").asText()).isEqualTo(accepted));
        assertThat(lost.at("/text"))
                .extracting(JsonNode::asText)
                .contains("the tables say so since epoch " + epoch + " (" + accepted + ": "
                        + lost.at("/since/cause").asText() + ")");
        assertThat(explain("leaf0", 1).at("/since")).isEqualTo(kept.at("/since"));
        assertThat(explain("leaf5", 1).has("since")).as("it forwards nothing").isFalse();
    }

    /** A leaf without an agent forwards by the table it took last, whatever it should hold by now. */
    @Test
    void shouldSayWhatAHeadlessSwitchStillHolds() {
        fabric.behead("leaf0");
        int before = explain("leaf0", 11).at("/port").asInt();
        fabric.kill("leaf5");

        JsonNode answer = explain("leaf0", 11);

        assertThat(answer.at("/held").asBoolean()).isTrue();
        assertThat(answer.at("/port").asInt()).isEqualTo(before).isPositive();
        assertThat(answer.has("desiredPort")).isFalse();
        assertThat(answer.at("/explanation/way").asText()).isEqualTo("no-path");
        assertThat(answer.at("/difference").asText()).isEmpty();
        assertThat(answer.at("/state").asText())
                .isEqualTo("leaf0 still holds its table of epoch 1, by which it sends out of port " + before);
    }

    @Test
    void shouldSayThatATableIsNotAcknowledgedYet() {
        fabric.mute("leaf5");
        fabric.cut("leaf5", 3);

        JsonNode answer = explain("leaf5", 0);

        assertThat(answer.at("/acked").asBoolean()).isFalse();
        assertThat(answer.at("/state").asText()).startsWith("leaf5 ").contains("table");
    }

    /** It carries what is on its way by the table it has. */
    @Test
    void shouldSayThatADrainedSwitchKeepsItsTable() {
        int before = explain("l2s0", 11).at("/port").asInt();
        Act act = new Act(Verb.DRAIN, List.of(new PortPlace(fabric.guid("l2s0"), 0)), "");
        fabric.loop
                .tell(new ActAsked(fabric.loop.nowNanos(), act, 0, "ops", "a new fan"))
                .join();
        fabric.calm();

        JsonNode drained = explain("l2s0", 11);
        JsonNode leaf = explain("leaf0", 11);

        assertThat(drained.at("/explanation/way").asText()).isEqualTo("no-table");
        assertThat(drained.at("/port").asInt()).isEqualTo(before);
        assertThat(drained.at("/difference").asText())
                .isEqualTo(
                        "it is drained: routes lead around it, and it keeps the table it has, by which it sends out of port "
                                + before);
        assertThat(leaf.at("/explanation/candidates"))
                .extracting(group -> group.at("/name").asText())
                .containsExactly("l2s1");
    }
}
