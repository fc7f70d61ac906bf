package io.dmodc.manager.northbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.dmodc.manager.northbound.RandomRequests.Request;
import io.dmodc.manager.northbound.RawClient.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * The served document against the server: thousands of requests made from it over sockets, while the fabric changes. Each
 * answer has a status the document names, its content type and its schema; nothing is a defect of the server; HEAD is GET
 * without its body.
 */
class ContractPropertyTest {
    private static final int CLIENTS = 4;
    private static final int REQUESTS = 650 * Integer.getInteger("more", 1);

    /** In a hundred: a machine that does other work, too, may let the loop wait for a second. */
    private static final int OVERLOADED_MAX = 1;

    private static final int REQUESTS_A_CHANGE = 8;

    private final Semaphore due = new Semaphore(0);
    private final AtomicInteger overloaded = new AtomicInteger();
    private final AtomicInteger heads = new AtomicInteger();
    private final Map<String, AtomicInteger> statuses = new ConcurrentSkipListMap<>();

    @Test
    void shouldAnswerAsDocumentedWhateverIsAsked() throws Exception {
        long seed = Long.getLong("contract.seed", System.nanoTime());
        System.out.println("ContractPropertyTest: -Dcontract.seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        try (TestFabric fabric = TestFabric.of("3;2,2,3;1,2,2;1,2,1");
                NorthboundServer server = fabric.serve()) {
            Client client = new Client(server);
            JsonNode document =
                    new YAMLMapper().readTree(client.get("/api/v1/openapi.yaml").body());
            List<String> words = words(client);
            AtomicBoolean over = new AtomicBoolean();
            ExecutorService threads = Executors.newFixedThreadPool(CLIENTS + 1);
            try {
                SplittableRandom faults = random.split();
                Future<?> change = threads.submit(() -> change(fabric, faults, over));
                List<Callable<List<String>>> clients = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    RandomRequests requests = new RandomRequests(document, random.split(), words);
                    clients.add(() -> ask(server.localAddress().getPort(), document, requests));
                }
                List<String> mistakes = new ArrayList<>();
                for (Future<List<String>> asked : threads.invokeAll(clients)) {
                    mistakes.addAll(asked.get());
                }
                over.set(true);
                due.release();
                change.get();

                System.out.println("ContractPropertyTest: " + CLIENTS * REQUESTS + " requests, " + statuses + ", "
                        + heads + " HEAD compared with GET, epoch "
                        + fabric.loop.snapshot().epoch());
                assertThat(mistakes).as("seed " + seed).isEmpty();
                assertThat(overloaded.get()).isLessThanOrEqualTo(CLIENTS * REQUESTS * OVERLOADED_MAX / 100);
                assertThat(heads.get()).isGreaterThan(REQUESTS / 10);
                assertThat(statuses).containsKeys("200", "304", "400", "404", "405");
            } finally {
                over.set(true);
                threads.shutdownNow();
            }
        }
    }

    private static List<String> words(Client client) {
        List<String> words =
                new ArrayList<>(List.of("0x0", "0xffffffffffffffff", "ffffffffffffffff", "leaf", "0", "11"));
        for (JsonNode s : client.json("/api/v1/switches").at("/switches")) {
            words.add(s.at("/guid").asText());
            words.add(s.at("/name").asText());
            words.add(s.at("/name").asText() + ":1");
        }
        for (JsonNode node : client.json("/api/v1/nodes").at("/nodes")) {
            words.add(node.at("/guid").asText());
            words.add(node.at("/name").asText());
        }
        return words;
    }

    /** Cables go and come, time passes, a switch dies: a change for every few requests. */
    private Void change(TestFabric fabric, SplittableRandom random, AtomicBoolean over) throws InterruptedException {
        fabric.behead("l2s1");
        fabric.kill("l3s0");
        while (!over.get()) {
            due.acquire();
            String leaf = "leaf" + random.nextInt(6);
            int port = 1 + random.nextInt(6);
            fabric.cut(leaf, port);
            fabric.passTime(random.nextInt(2_000));
            if (random.nextInt(4) > 0) {
                fabric.mend(leaf, port);
            }
        }
        return null;
    }

    private List<String> ask(int port, JsonNode document, RandomRequests requests) throws IOException {
        List<String> mistakes = new ArrayList<>();
        try (RawClient client = new RawClient(port)) {
            for (int i = 0; i < REQUESTS && mistakes.size() < 5; i++) {
                Request request = requests.next();
                Answer answer = client.send(request.method(), request.target(), request.headers());
                statuses.computeIfAbsent(String.valueOf(answer.status()), none -> new AtomicInteger())
                        .incrementAndGet();
                requests.seen(answer.header("etag"));
                if (i % REQUESTS_A_CHANGE == 0) {
                    due.release();
                }
                String wrong = wrong(document, request, answer);
                if (wrong.isEmpty() && request.method().equals("HEAD")) {
                    wrong = unlikeGet(client, request, answer);
                }
                if (!wrong.isEmpty()) {
                    String target = request.target();
                    mistakes.add(request.method() + " " + target.substring(0, Math.min(200, target.length())) + " "
                            + request.headers() + " -> " + answer.status() + ": " + wrong);
                }
            }
        }
        return mistakes;
    }

    /** What is wrong with an answer; empty when nothing is. */
    private String wrong(JsonNode document, Request request, Answer answer) {
        JsonNode item = document.get("paths").get(request.path());
        int status = answer.status();
        overloaded.addAndGet(status == 503 ? 1 : 0);
        if (status >= 400) {
            String problem = wrongProblem(document, request, answer);
            if (!problem.isEmpty()) {
                return problem;
            }
        }
        if (status < 500
                && (request.malformed() || (status == 414 && request.target().length() > 4_000))) {
            return "";
        }
        String key = request.method().equals("HEAD") ? "get" : request.method().toLowerCase(Locale.ROOT);
        JsonNode operation = item.path(key);
        if (operation.isMissingNode()) {
            return status == 405 ? wrongAllow(item, request, answer) : "405 was expected";
        }
        JsonNode response = SchemaCheck.resolve(document, operation.at("/responses/" + status));
        if (response.isMissingNode()) {
            return "the document does not name this status: " + answer.body();
        }
        if (status == 304 && !request.headers().containsKey("If-None-Match")) {
            return "nothing was asked for by tag";
        }
        return wrongBody(document, response.path("content"), request, answer);
    }

    private static String wrongProblem(JsonNode document, Request request, Answer answer) {
        if (!answer.type().equals("application/problem+json")) {
            return "content type " + answer.type();
        }
        if (request.method().equals("HEAD")) {
            return "";
        }
        JsonNode problem = Client.parse(answer.body());
        List<String> mistakes = SchemaCheck.mistakes(document, document.at("/components/schemas/Problem"), problem);
        boolean agrees = problem.at("/status").asInt() == answer.status();
        boolean oneLine = !problem.at("/detail").asText().contains("\n");
        return mistakes.isEmpty() && agrees && oneLine ? "" : mistakes + " " + answer.body();
    }

    private static String wrongAllow(JsonNode item, Request request, Answer answer) {
        String allow = answer.header("allow");
        List<String> expected = new ArrayList<>(item.has("get") ? List.of("GET", "HEAD") : List.of());
        if (item.has("delete")) {
            expected.add("DELETE");
        }
        if (item.has("post")) {
            expected.add("POST");
        }
        // A method no RFC knows is refused before anybody looks at the path.
        boolean right = request.method().equals("FOO") ? !allow.isEmpty() : allow.equals(String.join(", ", expected));
        return right ? "" : "Allow: '" + allow + "', expected " + expected;
    }

    private static String wrongBody(JsonNode document, JsonNode content, Request request, Answer answer) {
        if (content.isMissingNode()) {
            return answer.body().isEmpty() ? "" : "a body where none is documented";
        }
        JsonNode type = content.path(answer.type());
        if (type.isMissingNode()) {
            return "content type " + answer.type();
        }
        if (!type.has("schema") || request.method().equals("HEAD")) {
            return "";
        }
        List<String> mistakes = SchemaCheck.mistakes(document, type.get("schema"), Client.parse(answer.body()));
        return mistakes.isEmpty() ? "" : mistakes.toString();
    }

    /** The fabric goes on changing, so only answers with one tag are the same answer. */
    private String unlikeGet(RawClient client, Request request, Answer head) throws IOException {
        Answer get = client.send("GET", request.target(), request.headers());
        boolean comparable = get.status() == head.status()
                && get.header("etag").equals(head.header("etag"))
                && (head.status() >= 400 || !head.header("etag").isEmpty());
        if (!comparable || get.status() == 503) {
            return "";
        }
        heads.incrementAndGet();
        Map<String, String> one = told(request, head);
        Map<String, String> other = told(request, get);
        return one.equals(other) ? "" : "HEAD says " + one + ", GET " + other;
    }

    private static Map<String, String> told(Request request, Answer answer) {
        Map<String, String> headers = new HashMap<>(answer.headers());
        headers.remove("date");
        // How long it is shows only while it is packed, and HEAD need not pack (RFC 9110, section 9.3.2).
        headers.remove("transfer-encoding");
        headers.remove("connection");
        if (request.path().endsWith("/status") || (request.path().endsWith("/diff") && answer.status() >= 400)) {
            // The uptime grows by a digit without being news, and so does the epoch up to which there are some.
            headers.remove("content-length");
        }
        return headers;
    }
}
