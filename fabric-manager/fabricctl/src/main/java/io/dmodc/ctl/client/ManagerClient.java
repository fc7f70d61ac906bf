package io.dmodc.ctl.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.dmodc.settings.PrintableText;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asks a manager over HTTP, with time limits, and turns every failure into one line. Texts of answers are printable in the tree that comes
 * of them and in messages: what answers may be broken, or no manager at all.
 */
final class ManagerClient {
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(5);
    /** Until an answer begins. A manager that has none to anything but a plan says so within ten seconds. */
    static final int BEGUN_SECONDS = 15;

    /** Until an answer ends, and until that of a plan begins, which takes longest in large fabrics. */
    static final int ANSWER_SECONDS = 120;

    /** Lists are asked for in pages: no answer comes near it. */
    private static final int ANSWER_BYTES_MAX = 64 << 20;

    private static final int BUSY = 503;
    private static final int PAUSE_MILLIS_MIN = 100;
    private static final int PAUSE_MILLIS_MAX = 10_000;

    private static final ObjectMapper JSON = new ObjectMapper().setNodeFactory(new PrintableTexts());

    private final URI manager;
    private final Duration connectedWithin;
    private final Duration begunWithin;
    private final Duration within;
    private final HttpClient http;

    /** @throws IllegalArgumentException when the text is no http URL */
    ManagerClient(String manager) {
        this(manager, Duration.ofSeconds(BEGUN_SECONDS), Duration.ofSeconds(ANSWER_SECONDS));
    }

    /** @param within how long each answer may take, to its last byte */
    ManagerClient(String manager, Duration within) {
        this(manager, within, within);
    }

    /** @param begunWithin how long each answer may take to its first byte, but for those of plans */
    ManagerClient(String manager, Duration begunWithin, Duration within) {
        this.manager = url(manager);
        this.begunWithin = begunWithin;
        this.within = within;
        connectedWithin = begunWithin.compareTo(CONNECT_WITHIN) < 0 ? begunWithin : CONNECT_WITHIN;
        // Clear text and HTTP/1.1: upgrading to HTTP/2 on the way fails now and then.
        http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(connectedWithin)
                .build();
    }

    /** Nothing that a terminal would obey comes into a tree. */
    private static final class PrintableTexts extends JsonNodeFactory {
        private static final long serialVersionUID = 1L;

        @Override
        public TextNode textNode(String text) {
            return super.textNode(PrintableText.of(text));
        }
    }

    private static URI url(String text) {
        try {
            URI url = URI.create(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
            if (url.getHost() != null && ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))) {
                return url;
            }
        } catch (IllegalArgumentException e) {
            // Told below, like a URL of another kind.
        }
        throw new IllegalArgumentException(
                "manager '" + text + "' is not a URL; expected for example http://127.0.0.1:7480");
    }

    /** It was asked, and nothing was done. */
    static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        RefusedException(String message) {
            super(message);
        }
    }

    /**
     * Gets the JSON below {@code /api/v1/}.
     *
     * @param field that every such answer has: without it something else answered, which must not be taken for "all is well"
     * @param type of the field
     * @throws NoAnswerException when what is asked for does not exist
     * @throws IllegalArgumentException when the manager does not understand the question
     * @throws IOException in one line when there is no answer
     */
    Answer get(String path, String field, JsonNodeType type) throws IOException, NoAnswerException {
        return done(ask(request(path, "application/json").GET().timeout(begunWithin)), field, type);
    }

    private Answer answer(String body, String field, JsonNodeType type) throws IOException {
        JsonNode json = parse(body);
        if (!json.has(field)) {
            throw new IOException(manager + " does not answer like a fabric manager: no '" + field + "'");
        }
        if (json.get(field).getNodeType() != type) {
            String found = json.get(field).getNodeType() + ", expected " + type;
            throw new IOException(manager + " does not answer like a fabric manager: type of '" + field + "' is "
                    + found.toLowerCase(Locale.ROOT));
        }
        return new Answer(body, json);
    }

    /**
     * Has the manager do what the path says, with what the body says.
     *
     * @param field that its answer has
     * @param type of the field
     * @return its answer
     * @throws NoAnswerException when something named does not exist, or it cannot be done as things are
     * @throws IllegalArgumentException when the manager does not understand it
     * @throws IOException in one line when there is no answer, or nobody may do it from here
     */
    Answer post(String path, JsonNode body, String field, JsonNodeType type) throws IOException, NoAnswerException {
        return done(post(path, body, begunWithin), field, type);
    }

    /** The same of a plan, which may take as long to be made as any answer. */
    Answer plan(String path, JsonNode body, String field, JsonNodeType type) throws IOException, NoAnswerException {
        return done(post(path, body, within), field, type);
    }

    /** The same of what is answered by nothing but that it was done. */
    Answer post(String path, JsonNode body) throws IOException, NoAnswerException {
        HttpResponse<String> response = post(path, body, begunWithin);
        if (response.statusCode() == 204) {
            return new Answer("", MissingNode.getInstance());
        }
        check(response.statusCode(), response.body());
        throw new IOException(manager + " does not answer like a fabric manager: status 200, not 204");
    }

    private HttpResponse<String> post(String path, JsonNode body, Duration begunWithin) throws IOException {
        return ask(request(path, "application/json")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                .timeout(begunWithin));
    }

    private Answer done(HttpResponse<String> response, String field, JsonNodeType type)
            throws IOException, NoAnswerException {
        check(response.statusCode(), response.body());
        return answer(response.body(), field, type);
    }

    /** Opens an endless answer; the body is handled line by line. */
    <T> HttpResponse<T> open(String path, BodyHandler<T> handler) throws IOException {
        return send(request(path, "text/event-stream").GET().timeout(begunWithin), handler);
    }

    private HttpRequest.Builder request(String path, String accept) {
        return HttpRequest.newBuilder(URI.create(manager + "/api/v1/" + path)).header("Accept", accept);
    }

    /** Asks again while the manager says that it has begun nothing and when to ask again, for as long as an answer may take. */
    private HttpResponse<String> ask(HttpRequest.Builder request) throws IOException {
        long started = System.nanoTime();
        while (true) {
            HttpResponse<String> answer = send(request, head -> new BoundedText(ANSWER_BYTES_MAX));
            Duration pause = pause(answer);
            if (pause == null || System.nanoTime() - started > within.toNanos()) {
                return answer;
            }
            rest(pause);
        }
    }

    /** How long the manager wants to be left alone before it is asked the same again; {@code null}: it must not be. */
    private static @Nullable Duration pause(HttpResponse<?> answer) {
        String seconds = answer.headers().firstValue("Retry-After").orElse("");
        if (answer.statusCode() != BUSY || !seconds.matches("\\d{1,9}")) {
            return null;
        }
        long millis = 1000 * Long.parseLong(seconds);
        return Duration.ofMillis(Math.max(PAUSE_MILLIS_MIN, Math.min(millis, PAUSE_MILLIS_MAX)));
    }

    private static void rest(Duration pause) throws InterruptedIOException {
        try {
            Thread.sleep(pause.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    /** The client's own time limit ends with the headers: a manager that died in the middle of an answer would be waited for without end. */
    private <T> HttpResponse<T> send(HttpRequest.Builder builder, BodyHandler<T> handler) throws IOException {
        HttpRequest request = builder.build();
        CompletableFuture<HttpResponse<T>> answer = http.sendAsync(request, handler);
        try {
            return answer.get(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } catch (TimeoutException e) {
            throw new IOException(silent(within), e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failed) {
                throw new IOException(explained(failed, request.timeout().orElse(within)), failed);
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            answer.cancel(true);
        }
    }

    private String silent(Duration waited) {
        return manager + " did not answer within " + waited.toSeconds() + " s";
    }

    private String explained(IOException e, Duration waited) {
        String message = PrintableText.of(String.valueOf(e.getMessage()));
        if (e instanceof HttpConnectTimeoutException) {
            return "no manager at " + manager + ": no connection within " + connectedWithin.toSeconds() + " s";
        }
        if (e instanceof HttpTimeoutException) {
            return silent(waited);
        }
        boolean reset = e instanceof ConnectException && message.contains("reset");
        if (reset || message.contains("received no bytes")) {
            return manager + " closed the connection without an answer; a manager does so when all its connections are"
                    + " in use, and its log tells";
        }
        if (e instanceof ConnectException) {
            boolean unknown = e.getCause() instanceof UnresolvedAddressException
                    || (e.getCause() != null && e.getCause().getCause() instanceof UnresolvedAddressException);
            String why = e.getMessage() == null ? "connection refused" : message;
            return "no manager at " + manager + ": " + (unknown ? "unknown host" : why);
        }
        if (e instanceof BoundedText.TooLongException) {
            return manager + " does not answer like a fabric manager: " + message;
        }
        return manager + " ended the connection: " + message;
    }

    /** Refuses anything but 200. Only the manager's own line (RFC 9457) is a "no"; other servers know 404, too. */
    void check(int status, String body) throws IOException, NoAnswerException {
        if (status == 200) {
            return;
        }
        String error = error(body);
        if (status == 404 && !error.isEmpty()) {
            throw new UnknownException(error);
        }
        if (status == 409 && !error.isEmpty()) {
            throw new NoAnswerException(error);
        }
        if (status == 400 && !error.isEmpty()) {
            throw new IllegalArgumentException(error);
        }
        String text = manager + ": " + (error.isEmpty() ? "answered with status " + status : error);
        throw status < 500 ? new RefusedException(text) : new IOException(text);
    }

    private static String error(String body) {
        try {
            JsonNode problem = JSON.readTree(body);
            return problem.path("detail").asText(problem.path("error").asText());
        } catch (JsonProcessingException e) {
            return "";
        }
    }

    /** @throws IOException in one line when the text is no JSON, as when something else answers at that address */
    JsonNode parse(String text) throws IOException {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IOException(manager + " does not answer like a fabric manager: no JSON", e);
        }
    }

    URI address() {
        return manager;
    }
}
