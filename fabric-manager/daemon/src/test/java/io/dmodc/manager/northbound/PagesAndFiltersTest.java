package io.dmodc.manager.northbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.topology.Guid;
import io.dmodc.topology.LinkRate;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists cut into pages and narrowed, and answers that a client has already. */
class PagesAndFiltersTest {
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

    private static List<String> texts(JsonNode list, Function<JsonNode, JsonNode> part) {
        List<String> texts = new ArrayList<>();
        list.forEach(row -> texts.add(part.apply(row).asText()));
        return texts;
    }

    /** All pages put together are the whole list. */
    @ParameterizedTest
    @CsvSource({
        "/switches?, switches, 1",
        "/switches?, switches, 7",
        "/links?, links, 5",
        "/links?state=down&, links, 1",
        "/nodes?, nodes, 4",
        "/nodes?, nodes, 12",
        "/events?after=0&, events, 9",
        "/events?after=0&severity=warning&, events, 1",
        "/epochs?after=0&, epochs, 1"
    })
    void shouldGiveTheWholeListInPages(String path, String list, int limit) {
        fabric.cut("leaf0", 3);
        fabric.kill("l3s1");
        JsonNode whole = client.json("/api/v1" + path + (list.equals("events") ? "limit=1000" : ""))
                .at("/" + list);
        String base = "/api/v1" + path.replace("after=0&", "") + "limit=" + limit;

        List<JsonNode> rows = new ArrayList<>();
        JsonNode page = client.json(base + (path.contains("after=0") ? "&after=0" : ""));
        page.at("/" + list).forEach(rows::add);
        while (page.has("next")) {
            assertThat(page.at("/" + list)).hasSize(limit);
            page = client.json(base + "&after=" + page.at("/next").asText());
            page.at("/" + list).forEach(rows::add);
        }

        assertThat(whole).isNotEmpty();
        assertThat(rows).containsExactlyElementsOf(whole);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "name=LEAF             | 6",
                "name=leaf2            | 1",
                "name=l*f2             | 1",
                "name=*                 | 16",
                "name=                 | 16",
                "name=2*l              | 0",
                "rank=1                | 6",
                "leaf=true             | 6",
                "leaf=false&name=s0    | 2",
                "state=dead            | 1",
                "condition=connected   | 15",
                "name=leaf&state=dead  | 0",
                "rank=9                | 0"
            })
    void shouldNarrowSwitches(String filter, int count) {
        fabric.kill("l3s0");

        assertThat(client.json("/api/v1/switches?" + filter).at("/switches")).hasSize(count);
    }

    @Test
    void shouldNarrowLinksByEitherEndAndState() {
        fabric.cut("leaf0", 3);

        JsonNode ofLeaf = client.json("/api/v1/links?name=leaf0");
        JsonNode down = client.json("/api/v1/links?state=down");

        assertThat(ofLeaf.at("/links"))
                .hasSize(4)
                .allMatch(link -> link.at("/a/name").asText().equals("leaf0"));
        assertThat(ofLeaf.at("/total").asInt()).isGreaterThan(4);
        assertThat(down.at("/links")).hasSize(1);
        assertThat(down.at("/links/0/b/name").asText()).isEqualTo("l2s0");
        assertThat(client.json("/api/v1/links?live=false").at("/links")).isEqualTo(down.at("/links"));
        assertThat(client.json("/api/v1/links?name=l2s0&state=down").at("/links"))
                .isEqualTo(down.at("/links"));
    }

    @Test
    void shouldShowWhatLinksCarryAndWhichIsSlow() {
        fabric.train("leaf0", 3, new LinkRate(4, LinkRate.Speed.EDR));
        fabric.train("leaf1", 3, new LinkRate(4, LinkRate.Speed.EDR));
        fabric.train("leaf2", 3, new LinkRate(10_000, 0));
        fabric.passTime(100);
        fabric.calm();

        JsonNode slow = client.json("/api/v1/links?name=leaf2").at("/links/0");

        assertThat(slow.at("/rate").asText()).isEqualTo("10 Gbit/s");
        assertThat(slow.at("/slow").asBoolean()).isTrue();
        assertThat(slow.at("/avoided").asBoolean()).isFalse();
        JsonNode fast = client.json("/api/v1/links?name=leaf0").at("/links");
        assertThat(fast.at("/0/rate").asText()).isEqualTo("4xEDR");
        assertThat(fast.at("/0/slow").asBoolean()).isFalse();
        assertThat(fast.at("/1").has("rate")).as("nobody told").isFalse();
        assertThat(client.json("/api/v1/alarms?kind=link-slow")
                        .at("/alarms/0/text")
                        .asText())
                .matches("link leaf2 port 3 – l2s. port . is slow: 10 Gbit/s, most between rank 0 and 1 have 4xEDR");
        assertThat(client.json("/api/v1/switches/leaf2").at("/ports"))
                .filteredOn(port -> port.at("/slow").asBoolean())
                .singleElement()
                .satisfies(port -> assertThat(port.at("/rate").asText()).isEqualTo("10 Gbit/s"));
    }

    @Test
    void shouldNarrowNodesByLeaf() {
        JsonNode byName = client.json("/api/v1/nodes?leaf=leaf2").at("/nodes");
        JsonNode byGuid = client.json("/api/v1/nodes?leaf=" + Guid.format(fabric.guid("leaf2")))
                .at("/nodes");

        assertThat(texts(byName, node -> node.at("/name"))).containsExactly("node4", "node5");
        assertThat(byGuid).isEqualTo(byName);
        assertThat(client.json("/api/v1/nodes?name=node1").at("/nodes")).hasSize(3);
    }

    @Test
    void shouldNarrowEvents() {
        fabric.cut("leaf0", 3);
        JsonNode all = client.json("/api/v1/events?limit=1000").at("/events");

        JsonNode warnings = client.json("/api/v1/events?severity=warning").at("/events");
        JsonNode joined = client.json("/api/v1/events?kind=agent-joined&limit=2");
        JsonNode farEnd = client.json("/api/v1/events?kind=link-down&name=l2s0").at("/events");
        String then = warnings.at("/0/time").asText();
        JsonNode since = client.json("/api/v1/events?since=" + then).at("/events");

        assertThat(texts(warnings, event -> event.at("/kind"))).containsExactly("link-down");
        assertThat(warnings.at("/0/name").asText()).isEqualTo("leaf0");
        assertThat(warnings.at("/0/port").asInt()).isEqualTo(3);
        assertThat(warnings.at("/0/peer").asText()).isEqualTo(Guid.format(fabric.guid("l2s0")));
        assertThat(warnings.at("/0/peerName").asText()).isEqualTo("l2s0");
        assertThat(warnings.at("/0/peerPort").asInt()).isEqualTo(1);
        assertThat(joined.at("/events")).hasSize(2);
        assertThat(joined.has("next")).as("the newest were asked for").isFalse();
        assertThat(farEnd).isEqualTo(warnings);
        assertThat(since.get(0)).isEqualTo(warnings.get(0));
        assertThat(since.size()).isLessThan(all.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/switches/leaf3", "/lft/leaf3"})
    void shouldTakeANameWhereASwitchIsMeant(String path) {
        String byGuid = path.replace("leaf3", Guid.format(fabric.guid("leaf3")));
        String bare = path.replace("leaf3", Guid.digits(fabric.guid("leaf3")));

        assertThat(client.json("/api/v1" + path)).isEqualTo(client.json("/api/v1" + byGuid));
        assertThat(client.json("/api/v1" + path)).isEqualTo(client.json("/api/v1" + bare));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1",
                "/api/v1/openapi.yaml",
                "/api/v1/status",
                "/api/v1/switches",
                "/api/v1/switches/leaf0",
                "/api/v1/links",
                "/api/v1/nodes",
                "/api/v1/lft/leaf0",
                "/api/v1/path?from=0&to=11",
                "/api/v1/explain?switch=leaf0&node=3",
                "/api/v1/epochs",
                "/api/v1/intent",
                "/api/v1/events"
            })
    void shouldNotSendTwiceWhatDidNotChange(String path) {
        HttpResponse<String> first = client.get(path);
        String tag = first.headers().firstValue("etag").orElseThrow();

        HttpResponse<String> again = client.send(client.request(path).header("If-None-Match", "\"other\", " + tag));
        HttpResponse<String> other = client.send(client.request(path).header("If-None-Match", "\"other\""));

        assertThat(first.headers().firstValue("cache-control")).hasValue("no-cache");
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(again.headers().firstValue("etag")).hasValue(tag);
        assertThat(other.statusCode()).isEqualTo(200);
    }

    /** An epoch alone would not do: acknowledgements change within one. */
    @Test
    void shouldSendWhatChangedWithinAnEpoch() {
        fabric.mute("leaf5");
        fabric.cut("leaf5", 3);
        String path = "/api/v1/switches/leaf5";
        HttpResponse<String> before = client.get(path);
        fabric.behead("leaf5");

        HttpResponse<String> after = client.send(client.request(path)
                .header("If-None-Match", before.headers().firstValue("etag").orElseThrow()));

        assertThat(after.statusCode()).isEqualTo(200);
        assertThat(after.body()).isNotEqualTo(before.body());
    }

    @Test
    void shouldCountWhatIsLostPageByPage() {
        for (int i = 0; i < 10_050; i++) {
            fabric.eventLog.write(
                    new LoggedEvent(i, 1, LoggedEvent.Severity.INFO, LoggedEvent.Kind.LINK_UP, 0, "note " + i));
        }
        long last = fabric.eventLog.lastNumber();
        long gone = last - 10_000;

        JsonNode first = client.json("/api/v1/events?after=0&limit=10");
        JsonNode second =
                client.json("/api/v1/events?limit=10&after=" + first.at("/next").asText());
        JsonNode none = client.json("/api/v1/events?after=" + last);
        JsonNode filtered = client.json("/api/v1/events?after=5&severity=alarm");
        JsonNode ahead = client.json("/api/v1/events?limit=1&after=" + (last + 1));

        assertThat(first.at("/lost").asLong()).isEqualTo(gone);
        assertThat(second.at("/lost").asLong()).isZero();
        assertThat(none.at("/lost").asLong()).isZero();
        assertThat(none.has("startedOver")).isFalse();
        assertThat(filtered.at("/events")).isEmpty();
        assertThat(filtered.at("/lost").asLong()).isEqualTo(gone - 5);
        assertThat(ahead.at("/startedOver").asBoolean()).isTrue();
        assertThat(ahead.at("/events/0/number").asLong()).isEqualTo(gone + 1);
        assertThat(ahead.at("/lost").asLong()).isEqualTo(gone);
    }
}
