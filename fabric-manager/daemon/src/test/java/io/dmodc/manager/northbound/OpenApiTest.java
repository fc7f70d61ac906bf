package io.dmodc.manager.northbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** docs/openapi.yaml is written by hand; here it is held to what the server really answers, and the server to it. */
class OpenApiTest {
    private static final JsonNode DOCUMENT = read();

    private static TestFabric fabric;
    private static NorthboundServer server;
    private static Client client;

    /** Plans are numbered at random. */
    private static String plan = "";

    private static JsonNode read() {
        try {
            return new YAMLMapper().readTree(Path.of("../../docs/openapi.yaml").toFile());
        } catch (IOException e) {
            throw new AssertionError("docs/openapi.yaml", e);
        }
    }

    /** A fabric in which something of everything happened, so that optional keys are there, too. */
    @BeforeAll
    static void start() throws IOException {
        fabric = TestFabric.of("3;2,2,3;1,2,2;1,2,1");
        fabric.cut("leaf0", 3);
        fabric.mend("leaf0", 3);
        fabric.behead("l2s1");
        fabric.kill("l3s0");
        fabric.kill("leaf3");
        fabric.measure();
        server = fabric.serve();
        client = new Client(server);
        plan("{\"act\":\"drain\",\"switches\":[\"l2s0\"],\"links\":[\"leaf5:3\"]}");
        post("plans/" + plan + "/apply");
        fabric.calm();
        plan("{\"act\":\"engine\",\"engine\":\"minhop\"}");
        post("plans/" + plan + "/apply");
        fabric.calm();
        post("pause", "{\"by\":\"ann\",\"seconds\":600}");
        plan("{\"act\":\"what-if\",\"switches\":[\"leaf1\"]}");
    }

    private static void plan(String body) {
        plan = post("plans", body).at("/id").asText();
    }

    private static void post(String path) {
        post(path, "{\"by\":\"ann\",\"why\":\"fans\"}");
    }

    private static JsonNode post(String path, String body) {
        HttpResponse<String> response = client.send(client.request("/api/v1/" + path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return Client.parse(response.body());
    }

    @AfterAll
    static void stop() {
        server.close();
        fabric.close();
    }

    static Stream<String> paths() {
        List<String> paths = new ArrayList<>();
        DOCUMENT.get("paths").fieldNames().forEachRemaining(paths::add);
        return paths.stream().filter(path -> DOCUMENT.get("paths").get(path).has("get"));
    }

    @ParameterizedTest
    @MethodSource("paths")
    void shouldAnswerAsDocumented(String path) {
        JsonNode content = SchemaCheck.resolve(DOCUMENT, operation(path).at("/responses/200"))
                .get("content");

        if (content.has("application/json")) {
            for (String asked : List.of(url(path, false), url(path, true))) {
                JsonNode answer = client.json(asked);
                JsonNode schema = content.at("/application~1json/schema");
                assertThat(SchemaCheck.mistakes(DOCUMENT, schema, answer)).isEmpty();
            }
        } else {
            HttpResponse<Stream<String>> response = client.lines(client.request(url(path, true)));
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("content-type").orElseThrow())
                    .startsWith(content.fieldNames().next());
            assertThat(response.body().findFirst()).isPresent();
        }
    }

    private static JsonNode operation(String path) {
        return DOCUMENT.at("/paths").get(path).get("get");
    }

    /** The path with the examples of its parameters: the required ones, or all. */
    private static String url(String path, boolean all) {
        String url = path;
        String separator = "?";
        for (JsonNode unresolved : operation(path).path("parameters")) {
            JsonNode parameter = SchemaCheck.resolve(DOCUMENT, unresolved);
            String example = URLEncoder.encode(parameter.path("example").asText(), StandardCharsets.UTF_8);
            String name = parameter.get("name").asText();
            if (parameter.get("in").asText().equals("path")) {
                url = url.replace("{" + name + "}", name.equals("plan") ? plan : example);
            } else if (parameter.path("required").asBoolean()
                    || (all && !parameter.path("deprecated").asBoolean())) {
                url += separator + name + "=" + example;
                separator = "&";
            }
        }
        return url;
    }

    @ParameterizedTest
    @MethodSource("paths")
    void shouldNameTheParametersThePathUnderstands(String path) {
        if (!path.startsWith("/api/")) {
            return;
        }
        List<String> documented = new ArrayList<>();
        for (JsonNode unresolved : operation(path).path("parameters")) {
            JsonNode parameter = SchemaCheck.resolve(DOCUMENT, unresolved);
            if (parameter.get("in").asText().equals("query")) {
                documented.add(parameter.get("name").asText());
            }
        }

        HttpResponse<String> refused =
                client.get(url(path, false) + (url(path, false).contains("?") ? "&" : "?") + "_=");

        String expected = documented.isEmpty()
                ? "none"
                : String.join(", ", documented.stream().sorted().toList());
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(Client.parse(refused.body()).at("/detail").asText())
                .isEqualTo("unknown parameter '_'; expected " + expected);
    }

    @Test
    void shouldDocumentFailures() {
        JsonNode schema = DOCUMENT.at("/components/schemas/Problem");

        JsonNode failure = Client.parse(client.get("/api/v1/switches/0x1").body());

        assertThat(SchemaCheck.mistakes(DOCUMENT, schema, failure)).isEmpty();
    }

    @Test
    void shouldDocumentEveryPathOfTheClient() {
        assertThat(paths())
                .contains("/api/v1/status", "/api/v1/switches", "/api/v1/links", "/api/v1/nodes", "/api/v1/epochs")
                .contains("/api/v1/switches/{switch}", "/api/v1/lft/{switch}", "/api/v1/path", "/api/v1/events/stream")
                .contains("/api/v1/intent", "/api/v1/plans/{plan}");
    }

    /** The check itself must be able to say no. */
    @Test
    void shouldNoticeAnAnswerThatIsNotAsDocumented() {
        JsonNode schema = DOCUMENT.at("/components/schemas/CableEnd");
        Map<String, String> wrong = Map.of(
                "{\"guid\":\"0x0000000000000001\",\"name\":\"a\"}", "answer: \"port\" is missing",
                "{\"guid\":\"1\",\"name\":\"a\",\"port\":1}", "answer.guid: \"1\" does not match \"^0x[0-9a-f]{16}$\"",
                "{\"guid\":\"0x0000000000000001\",\"name\":\"a\",\"port\":\"1\"}",
                        "answer.port: \"1\" is not of type 'integer'",
                "{\"guid\":\"0x0000000000000001\",\"name\":\"a\",\"port\":1,\"x\":1}", "answer: x is not documented");

        wrong.forEach((json, mistake) -> assertThat(SchemaCheck.mistakes(DOCUMENT, schema, Client.parse(json)))
                .containsExactly(mistake));
    }
}
