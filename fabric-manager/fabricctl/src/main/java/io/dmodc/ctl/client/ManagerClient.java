package io.dmodc.ctl.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Asks a manager over HTTP, with time limits, and turns every failure into one line. */
final class ManagerClient {
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(5);
    /** Plans of large fabrics take longest. */
    private static final Duration ANSWER_WITHIN = Duration.ofMinutes(2);

    /** Lists are asked for in pages: no answer comes near it. */
    private static final int ANSWER_BYTES_MAX = 64 << 20;

    private static final int BUSY = 503;
    private static final int PAUSE_MILLIS_MIN = 100;
    private static final int PAUSE_MILLIS_MAX = 10_000;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final URI manager;
    private final Duration within;

    /** Clear text and HTTP/1.1: upgrading to HTTP/2 on the way fails now and then. */
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_WITHIN)
            .build();

    /** @throws IllegalArgumentException when the text is no http URL */
    ManagerClient(String manager) {
        this(manager, ANSWER_WITHIN);
    }

    /** @param within how long an answer may take, to its last byte */
    ManagerClient(String manager, Duration within) {
        this.manager = url(manager);
        this.within = within;
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
     * @throws NoAnswerException when what is asked for does not exist
     * @throws IllegalArgumentException when the manager does not understand the question
     * @throws IOException in one line when there is no answer
     */
    Answer get(String path, String field) throws IOException, NoAnswerException {
        HttpResponse<String> response = ask(request(path, "application/json").GET());
        check(response.statusCode(), response.body());
        return answer(response.body(), field);
    }

    private Answer answer(String body, String field) throws IOException {
        JsonNode json = parse(body);
        if (!json.has(field)) {
            throw new IOException(manager + " does not answer like a fabric manager: no '" + field + "'");
        }
        return new Answer(body, json);
    }

    /**
     * Has the manager do what the path says, with what the body says.
     *
     * @param field that its answer has; {@code null} for what is answered by nothing but that it was done
     * @return its answer; missing where that is nothing
     * @throws NoAnswerException when something named does not exist, or it cannot be done as things are
     * @throws IllegalArgumentException when the manager does not understand it
     * @throws IOException in one line when there is no answer, or nobody may do it from here
     */
    Answer post(String path, JsonNode body, @Nullable String field) throws IOException, NoAnswerException {
        HttpRequest.Builder request = request(path, "application/json")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.toString()));
        HttpResponse<String> response = ask(request);
        if (field == null && response.statusCode() == 204) {
            return new Answer("", MissingNode.getInstance());
        }
        check(response.statusCode(), response.body());
        if (field == null) {
            throw new IOException(manager + " does not answer like a fabric manager: status 200, not 204");
        }
        return answer(response.body(), field);
    }

    /** Opens an endless answer; the body is handled line by line. */
    <T> HttpResponse<T> open(String path, BodyHandler<T> handler) throws IOException {
        return send(request(path, "text/event-stream").GET(), handler);
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
    private <T> HttpResponse<T> send(HttpRequest.Builder request, BodyHandler<T> handler) throws IOException {
        CompletableFuture<HttpResponse<T>> answer = http.sendAsync(request.build(), handler);
        try {
            return answer.get(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } catch (TimeoutException e) {
            throw new IOException(manager + " did not answer within " + within.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failed) {
                throw new IOException(explained(failed), failed);
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            answer.cancel(true);
        }
    }

    private String explained(IOException e) {
        if (e instanceof HttpConnectTimeoutException) {
            return "no manager at " + manager + ": no connection within " + CONNECT_WITHIN.toSeconds() + " s";
        }
        if (e instanceof ConnectException) {
            boolean unknown = e.getCause() instanceof UnresolvedAddressException
                    || (e.getCause() != null && e.getCause().getCause() instanceof UnresolvedAddressException);
            return "no manager at " + manager + ": " + (unknown ? "unknown host" : "connection refused");
        }
        if (e instanceof BoundedText.TooLongException) {
            return manager + " does not answer like a fabric manager: " + e.getMessage();
        }
        return manager + " ended the connection: " + e.getMessage();
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
