package io.dmodc.manager.northbound;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Asks a server as any tool would. */
record Client(NorthboundServer server) {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    HttpRequest.Builder request(String path) {
        String at = "http://127.0.0.1:" + server.localAddress().getPort();
        return HttpRequest.newBuilder(URI.create(at + path)).timeout(PATIENCE);
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return HTTP.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError("no answer", e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    HttpResponse<String> get(String path) {
        return send(request(path));
    }

    /** The same so often, without waiting for an answer in between. */
    List<HttpResponse<String>> atOnce(String path, int times) {
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            answers.add(HTTP.sendAsync(request(path).build(), BodyHandlers.ofString()));
        }
        return answers.stream().map(CompletableFuture::join).toList();
    }

    /** The JSON of a 200 answer. */
    JsonNode json(String path) {
        HttpResponse<String> response = get(path);
        if (response.statusCode() != 200) {
            throw new AssertionError(path + ": " + response.statusCode() + " " + response.body());
        }
        return parse(response.body());
    }

    static JsonNode parse(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON: " + text, e);
        }
    }

    HttpResponse<Stream<String>> lines(HttpRequest.Builder request) {
        try {
            return HTTP.send(request.build(), BodyHandlers.ofLines());
        } catch (IOException e) {
            throw new AssertionError("no answer", e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }
}
