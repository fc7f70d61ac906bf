package io.dmodc.manager.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.routing.LftSet;
import io.dmodc.topology.Guid;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which epochs are kept, and in what two of them differ, as people are told. */
class DiffApiTest {
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

    private LftSet tables() {
        return Objects.requireNonNull(fabric.known().tables()).lfts();
    }

    @Test
    void shouldListTheEpochsThatAreKept() {
        fabric.cut("leaf0", 3);

        JsonNode kept = client.json("/api/v1/epochs/kept").at("/epochs");

        assertThat(kept).hasSize(2);
        assertThat(kept.at("/0/epoch").asLong()).isEqualTo(tables().epoch());
        assertThat(kept.at("/0/cause").asText()).contains("leaf0 port 3");
        assertThat(kept.at("/0/digest").asText())
                .isNotEqualTo(kept.at("/1/digest").asText());
        assertThat(kept.at("/1/accepted").asText()).endsWith("Z");
    }

    @Test
    void shouldTellWhatDiffersAndBackAgain() {
        FabricSnapshot before = fabric.known();
        LftSet old = tables();
        fabric.cut("leaf0", 3);
        LftSet now = tables();
        String path = "/api/v1/diff?from=" + old.epoch() + "&to=" + now.epoch();

        JsonNode diff = client.json(path);
        JsonNode back = client.json("/api/v1/diff?from=" + now.epoch() + "&to=" + old.epoch());

        long entries = 0;
        for (int s = 0; s < now.switchCount(); s++) {
            for (int d = 0; d < now.entryCount(); d++) {
                entries += now.port(s, d) == old.port(s, d) ? 0 : 1;
            }
        }
        assertThat(diff.at("/entries").asLong()).isEqualTo(entries).isPositive();
        assertThat(diff.at("/pairs").asLong()).isEqualTo(12 * 11);
        assertThat(diff.at("/pairsMoved").asLong())
                .isPositive()
                .isEqualTo(back.at("/pairsMoved").asLong());
        assertThat(diff.at("/switches")).isEqualTo(back.at("/switches"));
        assertThat(diff.has("table")).isFalse();
        assertThat(client.json("/api/v1/diff?from=" + now.epoch() + "&to=" + now.epoch())
                        .at("/entries")
                        .asLong())
                .isZero();
        assertThat(Objects.requireNonNull(before.kept().epochs()).get(0).epoch())
                .as("what was shown stays")
                .isEqualTo(old.epoch());
    }

    @Test
    void shouldListWhatDiffersInTheTableOfASwitch() {
        long first = tables().epoch();
        fabric.cut("leaf0", 3);
        String path = "/api/v1/diff?from=" + first + "&to=" + tables().epoch() + "&switch=leaf0";

        JsonNode whole = client.json(path).at("/table");
        JsonNode cut = client.json(path + "&limit=1").at("/table");

        assertThat(whole.at("/name").asText()).isEqualTo("leaf0");
        assertThat(whole.at("/guid").asText()).isEqualTo(Guid.format(fabric.guid("leaf0")));
        assertThat(whole.at("/entries")).isNotEmpty();
        whole.at("/entries").forEach(entry -> {
            assertThat(entry.at("/before").asInt()).isEqualTo(3);
            assertThat(entry.at("/after").asInt()).isNotEqualTo(3);
            assertThat(entry.at("/node").asText())
                    .isEqualTo("node" + entry.at("/index").asInt());
        });
        assertThat(cut.at("/entries")).hasSize(1);
        assertThat(cut.at("/more").asInt()).isEqualTo(whole.at("/entries").size() - 1);
    }

    @Test
    void shouldNameASwitchThatForwardsInOneOnly() {
        long first = tables().epoch();
        fabric.kill("l3s0");
        long second = tables().epoch();

        JsonNode diff = client.json("/api/v1/diff?from=" + first + "&to=" + second + "&switch=l3s0");

        assertThat(diff.at("/onlyFrom/0/name").asText()).isEqualTo("l3s0");
        assertThat(diff.at("/onlyTo")).isEmpty();
        assertThat(diff.at("/table/entries")).hasSize(12).allSatisfy(entry -> {
            assertThat(entry.has("before")).isTrue();
            assertThat(entry.has("after")).isFalse();
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "from=1|400|parameter 'to' is missing",
                "from=1&to=x|400|to: 'x' is not a whole number in 0..9223372036854775807",
                "from=1&to=77|404|tables of epoch 77 are not kept; those of 1 epochs from 1 to 1 are",
                "from=1&to=1&switch=nobody|404|no switch 'nobody'"
            })
    void shouldRefuse(String query, int status, String detail) {
        HttpResponse<String> refused = client.get("/api/v1/diff?" + query);

        assertThat(refused.statusCode()).isEqualTo(status);
        assertThat(Client.parse(refused.body()).at("/detail").asText()).isEqualTo(detail);
    }

    /** Three can be made at a time, of lists; of differences one. */
    @Test
    void shouldRefuseADifferenceWhileAnotherIsMade() {
        long first = tables().epoch();
        fabric.cut("leaf0", 3);
        String path = "/api/v1/diff?from=" + first + "&to=" + tables().epoch();

        HttpResponse<String> refused = await().pollInterval(Duration.ZERO)
                .until(
                        () -> client.atOnce(path, 3).stream()
                                .filter(answer -> answer.statusCode() != 200)
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("retry-after")).hasValue("1");
        assertThat(Client.parse(refused.body()).at("/detail").asText())
                .isEqualTo("another difference is being made; ask again");
        assertThat(client.get(path).statusCode()).isEqualTo(200);
    }
}
