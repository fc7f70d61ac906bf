package io.dmodc.ctl;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Answers with prepared text over real HTTP. Paths include the query; what is not prepared is 404 as a manager says it. */
final class FakeManager implements AutoCloseable {
    private record Answer(int status, String body) {}

    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
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
        answers.put("/api/v1/" + path, new Answer(status, body));
        return this;
    }

    private void answer(HttpExchange exchange) throws IOException {
        Answer answer = answers.getOrDefault(
                exchange.getRequestURI().toString(), new Answer(404, "{\"error\":\"no such thing\"}"));
        byte[] body = answer.body.getBytes(StandardCharsets.UTF_8);
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
