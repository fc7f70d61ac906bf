package io.dmodc.manager.northbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebPageTest {
    private static final Pattern REFERENCE = Pattern.compile("(?:src|href)=\"([^\"]+)\"");
    private static final Pattern IMPORT = Pattern.compile("from \"\\./([^\"]+)\";");

    private static TestFabric fabric;
    private static NorthboundServer server;
    private static Client client;

    @BeforeAll
    static void start() throws IOException {
        fabric = TestFabric.empty("2;2,2;1,2;1,1");
        server = fabric.serve();
        client = new Client(server);
    }

    @AfterAll
    static void stop() {
        server.close();
        fabric.close();
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult m) -> m.group(1))
                .toList();
    }

    @Test
    void shouldServeThePageAndAllItNeeds() {
        String page = client.get("/").body();
        List<String> needed = new ArrayList<>(found(REFERENCE, page));
        needed.addAll(found(IMPORT, client.get("/main.js").body()));

        assertThat(needed).contains("style.css", "main.js", "lib/d3/d3.min.js", "drawing.js", "layout.js");
        for (String file : needed) {
            HttpResponse<String> response = client.get("/" + file);
            assertThat(response.statusCode()).as(file).isEqualTo(200);
            assertThat(response.body()).as(file).isNotBlank();
        }
    }

    /** The page must work without the internet, and a browser enforces it. */
    @ParameterizedTest
    @ValueSource(strings = {"/", "/style.css", "/main.js", "/api.js", "/drawing.js", "/layout.js", "/panels.js"})
    void shouldNameNoOtherServer(String file) {
        HttpResponse<String> response = client.get(file);

        assertThat(response.body()).doesNotContainPattern("(https?:)?//[a-z]+\\.");
        assertThat(response.body()).doesNotContain("innerHTML").doesNotContain(" style=");
        assertThat(response.headers().firstValue("content-security-policy").orElseThrow())
                .startsWith("default-src 'none'; script-src 'self';")
                .doesNotContain("unsafe");
        assertThat(response.headers().firstValue("x-content-type-options")).hasValue("nosniff");
    }

    @Test
    void shouldGuardAnswersToo() {
        assertThat(client.get("/api/v1/status").headers().firstValue("content-security-policy"))
                .isPresent();
        assertThat(client.get("/api/v1/nothing").headers().firstValue("x-content-type-options"))
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/no.js", "/lib/d3/no.js", "/../NorthboundServer.class", "/lib/d3/..%2f..%2fx", "/lib"})
    void shouldNotServeAnythingElse(String path) {
        assertThat(client.get(path).statusCode()).isIn(400, 404);
    }

    @Test
    void shouldPackLongAnswersButNotEvents() {
        HttpResponse<String> packed =
                client.send(client.request("/lib/d3/d3.min.js").header("Accept-Encoding", "gzip"));
        HttpResponse<Stream<String>> events =
                client.lines(client.request("/api/v1/events/stream").header("Accept-Encoding", "gzip"));

        assertThat(packed.headers().firstValue("content-encoding")).hasValue("gzip");
        assertThat(events.headers().firstValue("content-encoding")).isEmpty();
    }
}
