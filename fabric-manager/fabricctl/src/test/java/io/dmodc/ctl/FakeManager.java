package io.dmodc.ctl;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Answers with prepared text over real HTTP. Paths include the query; what is not prepared is 404 as a manager says it. What
 * is prepared more than once for a path is said in that order, the last one for ever.
 */
final class FakeManager implements AutoCloseable {
    private record Answer(int status, Map<String, String> headers, String body) {}

    private final Map<String, Deque<Answer>> answers = new ConcurrentHashMap<>();
    private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
    private final HttpServer server;

    FakeManager() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    FakeManager says(String path, String body) {
        return says(path, 200, body);
    }

    FakeManager says(String path, int status, String body) {
        return says("GET", path, status, body);
    }

    FakeManager says(String method, String path, int status, String body) {
        return says(method, path, status, Map.of(), body);
    }

    FakeManager says(String method, String path, int status, Map<String, String> headers, String body) {
        answers.computeIfAbsent(method + " /api/v1/" + path, key -> new ConcurrentLinkedDeque<>())
                .add(new Answer(status, headers, body));
        return this;
    }

    /** A refusal, as RFC 9457 has it. */
    static String problem(int status, String detail) {
        return "{\"type\":\"about:blank\",\"title\":\"No\",\"status\":%d,\"detail\":\"%s\"}".formatted(status, detail);
    }

    /** Waits for the next question and returns it, as {@code GET status}. */
    String nextQuestion() throws InterruptedException {
        String question = asked.poll(30, TimeUnit.SECONDS);
        return question == null ? "nothing within 30 s" : question;
    }

    private void answer(HttpExchange exchange) throws IOException {
        String question = exchange.getRequestMethod() + " " + exchange.getRequestURI();
        Deque<Answer> prepared = answers.getOrDefault(question, new ArrayDeque<>());
        Answer answer = prepared.size() > 1 ? prepared.poll() : prepared.peek();
        answer = answer == null ? new Answer(404, Map.of(), problem(404, "no such thing")) : answer;
        String sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        asked.add(question.replace("/api/v1/", "") + (sent.isEmpty() ? "" : " " + sent));
        byte[] body = answer.body.getBytes(StandardCharsets.UTF_8);
        answer.headers.forEach(exchange.getResponseHeaders()::add);
        exchange.sendResponseHeaders(answer.status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** One run of a command against this manager. */
    Ctl run(Object... words) {
        Object[] all = new Object[words.length + 2];
        System.arraycopy(words, 0, all, 0, words.length);
        all[words.length] = "--manager";
        all[words.length + 1] = url();
        return Ctl.run(all);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
