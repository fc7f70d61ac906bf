package io.dmodc.manager.northbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.northbound.answer.PlanAnswer;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.change.ChangePlan;
import io.dmodc.routing.rebalance.EntryMoves;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Acts of operators: planned, shown, applied unless the fabric has moved on, and visible wherever they matter. */
class ActsApiTest {
    private static final String JSON = "application/json";
    private static final String DRAIN = "{'act':'drain','switches':['l2s0'],'congestion':false}";
    private static final String ANN = "{'by':' ann ','why':'fans'}";

    private TestFabric fabric;
    private NorthboundServer server;
    private Client client;

    @BeforeEach
    void open() throws IOException {
        fabric = TestFabric.of("2;4,4;1,2;1,1");
        server = fabric.serve();
        client = new Client(server);
    }

    @AfterEach
    void close() {
        server.close();
        fabric.close();
    }

    /** With apostrophes for quotation marks. */
    private HttpResponse<String> post(String path, String body) {
        return client.send(client.request("/api/v1/" + path)
                .header("Content-Type", JSON)
                .POST(BodyPublishers.ofString(body.replace('\'', '"'))));
    }

    /** The JSON of a 200 answer. */
    private JsonNode done(String path, String body) {
        HttpResponse<String> response = post(path, body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        assertThat(response.headers().firstValue("cache-control")).hasValue("no-store");
        return Client.parse(response.body());
    }

    private void refused(HttpResponse<String> response, int status, String detail) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(Client.parse(response.body()).at("/detail").asText())
                .contains(detail)
                .doesNotContain("\n");
    }

    private static String id(JsonNode plan) {
        return plan.at("/id").asText();
    }

    /** Plans it and has it done; all is settled then. */
    private JsonNode act(String body) {
        JsonNode holds = done("plans/" + id(done("plans", body)) + "/apply", ANN);
        fabric.calm();
        fabric.passTime(200);
        fabric.calm();
        fabric.passTime(200);
        fabric.calm();
        return holds;
    }

    private List<String> kinds() {
        List<String> kinds = new ArrayList<>();
        client.json("/api/v1/events?limit=1000")
                .at("/events")
                .forEach(event -> kinds.add(event.at("/kind").asText()));
        return kinds;
    }

    private static void matchesDocument(String schema, JsonNode answer) {
        try {
            JsonNode document =
                    new YAMLMapper().readTree(Path.of("../../docs/openapi.yaml").toFile());
            assertThat(SchemaCheck.mistakes(document, document.at("/components/schemas/" + schema), answer))
                    .isEmpty();
        } catch (IOException e) {
            throw new AssertionError("openapi.yaml", e);
        }
    }

    @Test
    void shouldSayWhatADrainWouldDoAndChangeNothing() {
        JsonNode plan = done("plans", "{'act':'drain','switches':['l2s0']}");

        assertThat(id(plan)).matches("[0-9a-f]{8}");
        assertThat(plan.at("/epoch").asLong()).isEqualTo(fabric.snapshot().epoch());
        assertThat(plan.at("/act").asText()).isEqualTo("drain");
        assertThat(plan.at("/objects")).extracting(JsonNode::asText).containsExactly("l2s0");
        assertThat(plan.has("engine")).isFalse();
        assertThat(plan.has("problem")).isFalse();
        assertThat(plan.at("/cutOff")).isEmpty();
        assertThat(plan.at("/switches").asInt()).isBetween(4, 5);
        assertThat(plan.at("/blocks").asLong()).isGreaterThanOrEqualTo(4);
        assertThat(plan.at("/entries").asLong()).isPositive();
        assertThat(plan.at("/rounds").asInt()).isPositive();
        assertThat(plan.at("/drains").asInt()).isZero();
        assertThat(plan.at("/verdict").asText()).isIn("any-order", "in-rounds");
        assertThat(plan.at("/valid").asBoolean()).isTrue();
        assertThat(plan.at("/congestion/before/allToAll").asInt()).isPositive();
        assertThat(plan.at("/congestion/after/permutations").asDouble()).isPositive();
        assertThat(plan.at("/congestion/hottest")).isNotEmpty();
        assertThat(plan.at("/text/0").asText()).isEqualTo("cut off: none");
        matchesDocument("Plan", plan);
        assertThat(client.json("/api/v1/plans/" + id(plan))).isEqualTo(plan);
        assertThat(client.json("/api/v1/intent").at("/drained")).isEmpty();
        assertThat(kinds()).doesNotContain("drained");
    }

    /** A plan of a large fabric has hundreds of megabytes of tables, and 64 plans can be applied. */
    @Test
    void shouldKeepNoTablesOfPlans() throws JMException {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            ids.add(id(done("plans", DRAIN)));
        }

        assertThat(alive(PlanAnswer.class)).isGreaterThanOrEqualTo(16);
        assertThat(alive(ChangePlan.class)).isLessThan(16);
        done("plans/" + ids.get(0) + "/apply", ANN);
    }

    /** Instances that can still be reached. */
    private static int alive(Class<?> type) throws JMException {
        String histogram = (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        return histogram
                .lines()
                .map(line -> line.strip().split("\\s+"))
                .filter(words -> words.length > 3 && words[3].equals(type.getName()))
                .mapToInt(words -> Integer.parseInt(words[1]))
                .sum();
    }

    @Test
    void shouldNameTheHostsThatADrainedLeafCutsOff() {
        JsonNode plan = done("plans", "{'act':'drain','switches':['leaf1'],'congestion':false}");

        assertThat(plan.at("/cutOff")).hasSize(1);
        assertThat(plan.at("/cutOff/0/name").asText()).isEqualTo("leaf1");
        assertThat(plan.at("/cutOff/0/count").asInt()).isEqualTo(4);
        assertThat(plan.at("/cutOff/0/nodes"))
                .extracting(JsonNode::asText)
                .containsExactly("node4", "node5", "node6", "node7");
        assertThat(plan.at("/text/0").asText()).startsWith("cut off: 4 nodes of leaf1: node4");
        assertThat(plan.has("congestion")).isFalse();
        matchesDocument("Plan", plan);
    }

    /** Who drained it knows of it: it calls nobody, and is listed with that word. */
    @Test
    void shouldCallNobodyForWhatIsDrainedAndUnplugged() {
        act(DRAIN);
        fabric.kill("l2s0");
        fabric.calm();

        JsonNode status = client.json("/api/v1/status");
        assertThat(status.at("/alarms").asInt()).isZero();
        assertThat(status.at("/acknowledged").asInt()).isEqualTo(1);
        assertThat(status.at("/links/down").asInt()).isEqualTo(4);
        assertThat(status.at("/links/drained").asInt()).isEqualTo(4);
        assertThat(client.json("/api/v1/alarms").at("/alarms"))
                .hasSize(1 + 4)
                .allSatisfy(alarm ->
                        assertThat(alarm.at("/acknowledged/why").asText()).isEqualTo("drained: fans"));
        long id = client.json("/api/v1/alarms?kind=switch-dead")
                .at("/alarms/0/id")
                .asLong();
        refused(
                post("alarms/" + id + "/withdraw", "{'by':'eve'}"),
                409,
                "it counts as acknowledged while what it is about is drained");

        act("{'act':'undrain','switches':['l2s0'],'congestion':false}");

        assertThat(client.json("/api/v1/status").at("/alarms").asInt())
                .as("it calls again")
                .isEqualTo(1);
    }

    @Test
    void shouldCallNobodyForACableThatIsDrainedAndUnplugged() {
        act("{'act':'drain','links':['l2s1:2'],'congestion':false}");
        fabric.cut("leaf1", 6);
        fabric.cut("leaf0", 1);
        fabric.calm();

        JsonNode status = client.json("/api/v1/status");
        assertThat(status.at("/alarms").asInt()).as("the host's").isEqualTo(1);
        assertThat(status.at("/acknowledged").asInt()).isEqualTo(1);
        assertThat(status.at("/links/drained").asInt()).isEqualTo(1);
        assertThat(client.json("/api/v1/alarms?kind=link-down")
                        .at("/alarms/0/acknowledged/by")
                        .asText())
                .isEqualTo("ann");
    }

    @Test
    void shouldTakeACableByEitherEndAndASwitchByItsGuid() {
        String body = "{'act':'drain','links':['%s'],'congestion':false}";
        JsonNode here = done("plans", body.formatted("leaf0:5"));
        JsonNode there = done("plans", body.formatted("l2s0:1"));
        JsonNode byGuid = done("plans", DRAIN.replace("l2s0", Guid.format(fabric.guid("l2s0"))));

        assertThat(here.at("/objects")).hasSize(1).isEqualTo(there.at("/objects"));
        assertThat(byGuid.at("/objects/0").asText()).isEqualTo("l2s0");
    }

    @Test
    void shouldShowADrainWhereverItMatters() {
        JsonNode holds = act(DRAIN);

        assertThat(holds.at("/drained")).hasSize(1);
        JsonNode drained = client.json("/api/v1/intent").at("/drained/0");
        assertThat(drained.at("/name").asText()).isEqualTo("l2s0");
        assertThat(drained.at("/guid").asText()).isEqualTo(Guid.format(fabric.guid("l2s0")));
        assertThat(drained.has("port")).isFalse();
        assertThat(drained.at("/by").asText()).isEqualTo("ann");
        assertThat(drained.at("/why").asText()).isEqualTo("fans");
        assertThat(drained.at("/safe").asBoolean()).isTrue();
        assertThat(drained.at("/senders")).isEmpty();
        matchesDocument("Intent", client.json("/api/v1/intent"));

        JsonNode status = client.json("/api/v1/status");
        assertThat(status.at("/intent/drained/0")).isEqualTo(drained);
        assertThat(status.at("/alarms").asInt()).isZero();
        assertThat(status.at("/links/live").asInt()).isEqualTo(8);
        assertThat(status.at("/links/drained").asInt()).isEqualTo(4);
        assertThat(status.at("/switches/live").asInt()).isEqualTo(6);
        assertThat(status.at("/switches/drained").asInt()).isEqualTo(1);
        assertThat(status.at("/hosts").has("drained")).isFalse();
        assertThat(client.json("/api/v1/switches/l2s0").at("/switch/drained").asBoolean())
                .isTrue();
        assertThat(client.json("/api/v1/switches").at("/switches"))
                .filteredOn(row -> row.at("/drained").asBoolean())
                .hasSize(1);
        assertThat(client.json("/api/v1/links?state=drained").at("/links"))
                .hasSize(4)
                .allMatch(link -> link.at("/live").asBoolean());
        assertThat(client.json("/api/v1/links?state=live").at("/links")).hasSize(4);
        assertThat(kinds()).contains("drained", "safe-to-unplug");
        assertThat(client.json("/api/v1/events?kind=drained")
                        .at("/events/0/text")
                        .asText())
                .isEqualTo("drain of l2s0 (ann: fans)");
        assertThat(client.get("/metrics").body().lines())
                .contains(
                        "fabric_drained{kind=\"switch\"} 1.0",
                        "fabric_drained{kind=\"link\"} 0.0",
                        "fabric_drained_safe 1.0",
                        "fabric_paused 0.0");
        assertThat(client.json("/api/v1/path?from=node0&to=node15")
                        .at("/hops/1/name")
                        .asText())
                .isEqualTo("l2s1");
    }

    @Test
    void shouldTellOfMovedEntries() throws IOException {
        try (TestFabric routed = TestFabric.planned("2;4,4;1,2;1,1");
                NorthboundServer of = routed.serve()) {
            FabricView view = Objects.requireNonNull(routed.snapshot().view());
            LftSet tables = (LftSet) Objects.requireNonNull(routed.snapshot().tables());
            long leaf = routed.guid("leaf0");
            int other = 5 + 6 - tables.port(view.switchOf(leaf), 15);
            EntryMoves moves = EntryMoves.parse(Guid.format(leaf) + ":15=" + other);
            routed.loop().offer(new ActAsked(0, Act.rebalance(moves), 0, "ann", "jobs wait"));
            routed.calm();
            Client reader = new Client(of);

            JsonNode moved = reader.json("/api/v1/status").at("/intent/rebalance");
            assertThat(moved.at("/entries").asInt()).isOne();
            assertThat(moved.at("/switches").asInt()).isOne();
            assertThat(moved.at("/by").asText()).isEqualTo("ann");
            assertThat(reader.get("/metrics").body()).contains("fabric_moved_entries 1.0");
        }
    }

    @Test
    void shouldDrainACableAndTakeItBack() {
        act("{'act':'drain','links':['l2s0:1'],'congestion':false}");

        assertThat(client.json("/api/v1/intent").at("/drained/0/port").isInt()).isTrue();
        assertThat(client.json("/api/v1/links?state=drained").at("/links")).hasSize(1);
        assertThat(client.json("/api/v1/switches/l2s0").at("/switch/drained").asBoolean())
                .isFalse();
        assertThat(client.get("/metrics").body()).contains("fabric_drained{kind=\"link\"} 1.0");

        JsonNode holds = act("{'act':'undrain','links':['leaf0:5'],'congestion':false}");

        assertThat(holds.at("/drained")).isEmpty();
        assertThat(client.json("/api/v1/links?state=drained").at("/links")).isEmpty();
        assertThat(kinds()).contains("undrained");
    }

    @Test
    void shouldNotApplyWhatWasPlannedForAnotherEpoch() {
        JsonNode plan = done("plans", DRAIN);
        fabric.cut("leaf0", 6);

        refused(
                post("plans/" + id(plan) + "/apply", ANN),
                409,
                "not applied, the fabric has moved on since: it was planned for epoch "
                        + plan.at("/epoch").asLong());

        assertThat(client.json("/api/v1/intent").at("/drained")).isEmpty();
        JsonNode renewed = done("plans/" + id(plan) + "/renew", "");
        assertThat(id(renewed)).isNotEqualTo(id(plan));
        assertThat(renewed.at("/epoch").asLong()).isEqualTo(fabric.snapshot().epoch());
        assertThat(renewed.at("/objects")).isEqualTo(plan.at("/objects"));
        // Its only uplink that is left would go.
        assertThat(renewed.at("/cutOff/0/name").asText()).isEqualTo("leaf0");
        assertThat(done("plans/" + id(renewed) + "/apply", ANN).at("/drained")).hasSize(1);
    }

    @Test
    void shouldNotPlanWhatIsSo() {
        refused(post("plans", DRAIN.replace("drain", "undrain")), 409, "l2s0 is not drained");
        JsonNode again = done("plans", DRAIN);
        act(DRAIN);

        refused(post("plans", DRAIN), 409, "l2s0 is drained already");
        refused(post("plans/" + id(again) + "/renew", ""), 409, "l2s0 is drained already");
        refused(post("plans", "{'act':'engine','engine':'default'}"), 409, "that engine is chosen already");
    }

    @Test
    void shouldChooseAnEngineAndGoBackToThatOfTheSettings() {
        JsonNode plan = done("plans", "{'act':'engine','engine':'minhop','congestion':false}");
        assertThat(plan.at("/engine").asText()).isEqualTo("minhop");
        assertThat(plan.at("/objects")).isEmpty();
        matchesDocument("Plan", plan);

        JsonNode holds = done("plans/" + id(plan) + "/apply", "{'by':'ann'}");
        fabric.calm();

        assertThat(holds.at("/engine/name").asText()).isEqualTo("minhop");
        assertThat(holds.at("/engine/why").asText()).isEmpty();
        matchesDocument("Intent", holds);
        assertThat(kinds()).contains("engine-chosen");
        JsonNode back = done("plans", "{'act':'engine','engine':'default','congestion':false}");
        assertThat(back.at("/engine").asText()).isEqualTo("default");
        assertThat(done("plans/" + id(back) + "/apply", ANN).has("engine")).isFalse();
    }

    @Test
    void shouldPlanARollbackOnlyIfItGivesTheSameTables() throws IOException {
        act(DRAIN);
        refused(
                post("plans", "{'act':'rollback','epoch':1,'congestion':false}"),
                409,
                "the tables of epoch 1 cannot be made again");

        // With one spine only, every engine makes the same tables.
        close();
        fabric = TestFabric.of("2;2,3;1,1;1,1");
        server = fabric.serve();
        client = new Client(server);
        act("{'act':'drain','switches':['leaf2'],'congestion':false}");
        JsonNode plan = done("plans", "{'act':'rollback','epoch':1,'congestion':false}");

        assertThat(plan.at("/act").asText()).isEqualTo("rollback");
        assertThat(plan.at("/rollbackTo").asLong()).isEqualTo(1);
        assertThat(plan.at("/objects")).isEmpty();
        assertThat(plan.at("/valid").asBoolean()).isTrue();
        matchesDocument("Plan", plan);
        assertThat(done("plans/" + id(plan) + "/apply", ANN).at("/drained")).isEmpty();
        fabric.calm();
        assertThat(kinds()).contains("rolled-back");
    }

    @Test
    void shouldNotApplyWhatLeavesNoTables() {
        JsonNode plan = done(
                "plans",
                "{'act':'drain','switches':['leaf0','leaf1','leaf2','leaf3','l2s0','l2s1'],'congestion':false}");

        assertThat(plan.has("problem")).isTrue();
        assertThat(plan.at("/text/0").asText()).startsWith("no tables: ");
        assertThat(plan.has("valid")).isFalse();
        matchesDocument("Plan", plan);
        refused(
                post("plans/" + id(plan) + "/apply", ANN),
                409,
                "not applied, plan " + id(plan) + " leaves no tables that pass the check");
    }

    @Test
    void shouldNotApplyAQuestion() {
        JsonNode plan = done("plans", "{'act':'what-if','switches':['leaf1'],'links':['leaf0:5'],'congestion':false}");

        assertThat(plan.at("/act").asText()).isEqualTo("what-if");
        assertThat(plan.at("/objects")).hasSize(2);
        assertThat(plan.at("/cutOff/0/name").asText()).isEqualTo("leaf1");
        refused(post("plans/" + id(plan) + "/apply", ANN), 409, "plan " + id(plan) + " only asks what if");
        assertThat(client.json("/api/v1/status").at("/switches/live").asInt()).isEqualTo(6);
    }

    @Test
    void shouldKeepTheLast64Plans() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 65; i++) {
            ids.add(id(done("plans", DRAIN)));
        }

        refused(client.get("/api/v1/plans/" + ids.get(0)), 404, "no plan " + ids.get(0));
        for (String id : ids.subList(1, 65)) {
            assertThat(client.get("/api/v1/plans/" + id).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void shouldSayThatThereIsNothingToPlanWithYet() throws IOException {
        try (TestFabric young = TestFabric.empty("2;4,4;1,2;1,1");
                NorthboundServer there = young.serve()) {
            Client other = new Client(there);

            HttpResponse<String> response = other.send(other.request("/api/v1/plans")
                    .header("Content-Type", JSON)
                    .POST(BodyPublishers.ofString("{\"act\":\"engine\",\"engine\":\"minhop\"}")));

            refused(response, 409, "tables are being computed; ask again in a moment");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "400 | null | body: expected {",
                "400 | [] | body: expected {",
                "400 | {'act':null} | body: expected {",
                "400 | {'act':'drain' | body: expected {",
                "400 | {'act':'drain','switches':null} | body: expected {",
                "400 | {'act':'drain','switches':[null]} | body: expected {",
                "400 | {'act':'drain','switches':'leaf0'} | body: expected {",
                "400 | {'act':'drain','links':null} | body: expected {",
                "400 | {'act':'drain','links':[null]} | body: expected {",
                "400 | {'act':'drain','switches':['l2s0'],'force':true} | body: expected {",
                "400 | {'act':'drain','switches':['l2s0'],'congestion':'much'} | body: expected {",
                "400 | {'act':'engine','engine':null} | body: expected {",
                "400 | {'switches':['leaf0']} | act: '' is none of drain, undrain, engine, rollback, rebalance, replace, forget, what-if",
                "400 | {'act':'fly','switches':['leaf0']} | act: 'fly' is none of drain, undrain, engine, rollback, rebalance, replace, forget, what-if",
                "400 | {'act':'pause','switches':['leaf0']} | act: 'pause' is none of drain, undrain, engine, rollback, rebalance, replace, forget, what-if",
                "400 | {'act':'drain'} | it names no switch and no link",
                "400 | {'act':'what-if','switches':[]} | it names no switch and no link",
                "400 | {'act':'engine','engine':'ospf'} | engine: 'ospf' is none of dmodc, dmodc-strict, dmodc-plain, minhop, updn, vtftr, vtftr-pairwise, default",
                "400 | {'act':'engine'} | engine: '' is none of dmodc",
                "400 | {'act':'engine','engine':'minhop','switches':['leaf0']} | this act is about all switches",
                "400 | {'act':'engine','engine':'minhop','links':['leaf0:5']} | this act is about all switches",
                "409 | {'act':'rebalance'} | nothing is gained: the mean of shifts is 1.73, and at least 1.73",
                "409 | {'act':'rebalance','blocks':0} | no entries are moved",
                "400 | {'act':'rebalance','blocks':-1} | blocks: -1; expected 0 or more; 0 takes moved entries back",
                "400 | {'act':'rebalance','blocks':'all'} | body: expected {",
                "400 | {'act':'rebalance','switches':['l2s0']} | this act is about all switches",
                "400 | {'act':'drain','switches':['l2s0'],'blocks':3} | blocks: it is for act rebalance",
                "400 | {'act':'rollback'} | epoch: 0; expected the number of a kept epoch",
                "400 | {'act':'rollback','epoch':-1} | epoch: -1; expected the number of a kept epoch",
                "400 | {'act':'rollback','epoch':'first'} | body: expected {",
                "400 | {'act':'rollback','epoch':1,'switches':['l2s0']} | this act is about all switches",
                "409 | {'act':'rollback','epoch':99} | tables of epoch 99 are not kept",
                "409 | {'act':'rollback','epoch':1} | the tables of epoch 1 are in force",
                "400 | {'act':'drain','switches':['0xleaf']} | '0xleaf' is not a GUID",
                "400 | {'act':'drain','links':['leaf0']} | 'leaf0' is no cable; expected SWITCH:PORT",
                "400 | {'act':'drain','links':['leaf0:up']} | 'leaf0:up' is no cable; expected SWITCH:PORT",
                "404 | {'act':'drain','switches':['leaf9']} | no switch 'leaf9'",
                "404 | {'act':'what-if','switches':['0x9']} | no switch 0x0000000000000009",
                "404 | {'act':'drain','links':['leaf9:5']} | no switch 'leaf9'",
                "404 | {'act':'drain','links':['leaf0:1']} | no cable 'leaf0:1'",
                "404 | {'act':'drain','links':['leaf0:99']} | no cable 'leaf0:99'"
            })
    void shouldSayWhatCannotBePlanned(int status, String body, String detail) {
        refused(post("plans", body), status, detail);
    }

    @Test
    void shouldPlanAnActThatNamesHundreds() {
        String switches = String.join(",", Collections.nCopies(2000, "'l2s0'"));

        JsonNode plan = done("plans", "{'act':'drain','switches':[" + switches + "]}");

        assertThat(plan.at("/objects")).hasSize(1);
    }

    @Test
    void shouldRefuseABodyOfAnotherTypeOrTooLong() {
        HttpResponse<String> text = client.send(client.request("/api/v1/plans")
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString(DRAIN)));

        refused(text, 415, "expected a body of type application/json");
        refused(
                post("plans", "{'act':'" + "x".repeat(16 * 1024) + "'}"),
                413,
                "/api/v1/plans takes a body of 16384 bytes at most");
        refused(post("plans?x=1", DRAIN), 400, "unknown parameter 'x'; expected none");
        refused(client.get("/api/v1/plans"), 405, "/api/v1/plans can only be asked with POST");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | by: expected one line of 1..64 printable characters",
                "{'by':' '} | by: expected one line of 1..64 printable characters",
                "{'by':null} | body: expected {",
                "{'by':'ann','why':null} | body: expected {",
                "{'by':'ann','why':'a\\nb'} | why: expected one line of 0..200 printable characters",
                "{'by':'ann','sure':true} | body: expected {"
            })
    void shouldSayWhoMustBeNamed(String body, String detail) {
        String id = id(done("plans", DRAIN));

        for (String path : List.of("plans/" + id + "/apply", "pause", "resume")) {
            refused(post(path, body), 400, detail);
        }
        assertThat(client.json("/api/v1/intent")).hasSize(1);
    }

    @Test
    void shouldNotKnowPlansThatWereNotMade() {
        refused(client.get("/api/v1/plans/00000000"), 404, "no plan 00000000");
        refused(post("plans/00000000/apply", ANN), 404, "no plan 00000000");
        refused(post("plans/00000000/renew", ""), 404, "no plan 00000000");
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1, true",
        "::1, ::1, true",
        "10.1.0.1, 10.1.0.1, true",
        "10.1.0.2, 10.1.0.1, false",
        "2001:db8::1, 2001:db8::1, true",
        "2001:db8::2, 2001:db8::1, false"
    })
    void shouldKnowWhoIsOnItsOwnMachine(String remote, String local, boolean own) {
        assertThat(Command.isOwnMachine(
                        NetUtil.createInetAddressFromIpAddressString(remote),
                        NetUtil.createInetAddressFromIpAddressString(local)))
                .isEqualTo(own);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plans", "plans/PLAN/apply", "plans/PLAN/renew", "plans/00000000/renew", "pause", "resume"})
    void shouldDoNothingForWhomAProxyAsks(String path) {
        String id = id(done("plans", DRAIN));
        long events = fabric.eventLog.lastNumber();

        HttpResponse<String> response = client.send(client.request("/api/v1/" + path.replace("PLAN", id))
                .header("Content-Type", JSON)
                .header("X-Forwarded-For", "192.0.2.7")
                .POST(BodyPublishers.ofString(path.equals("plans") ? DRAIN.replace('\'', '"') : "{\"by\":\"eve\"}")));

        refused(response, 403, "only a client on the manager's own machine may do this");
        assertThat(client.json("/api/v1/intent")).hasSize(1);
        assertThat(fabric.eventLog.lastNumber()).isEqualTo(events);
    }

    @Test
    void shouldPauseAndResume() {
        JsonNode open = done("pause", ANN);
        assertThat(open.at("/pause/by").asText()).isEqualTo("ann");
        assertThat(open.at("/pause").has("until")).isFalse();

        JsonNode bounded = done("pause", "{'by':'bob','seconds':2592000}");
        assertThat(bounded.at("/pause/by").asText()).isEqualTo("bob");
        assertThat(bounded.at("/pause/until").asText()).matches("\\d{4}-.*Z");
        matchesDocument("Intent", bounded);
        assertThat(client.json("/api/v1/status").at("/intent")).isEqualTo(bounded);
        assertThat(client.get("/metrics").body()).contains("fabric_paused 1.0");

        JsonNode over = done("resume", ANN);
        assertThat(over.has("pause")).isFalse();
        assertThat(client.get("/metrics").body()).contains("fabric_paused 0.0");
        assertThat(kinds()).contains("pushes-paused", "pushes-resumed");
        refused(post("resume", ANN), 409, "not resumed, pushes are not paused");
    }

    @ParameterizedTest
    @CsvSource({"0", "-1", "2592001", "9223372036854775807"})
    void shouldRefuseAPauseOutsideItsBounds(String seconds) {
        refused(
                post("pause", "{'by':'ann','seconds':" + seconds + "}"),
                400,
                "seconds: " + seconds + "; expected 1..2592000");
        refused(post("pause", "{'by':'ann','seconds':'soon'}"), 400, "body: expected {");

        assertThat(client.json("/api/v1/intent").has("pause")).isFalse();
    }
}
