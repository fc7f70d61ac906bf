package io.dmodc.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Events of one kind as a manager streams them to its administrators, each with the moment it came here. */
final class EventStream implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 30;
    private static final String DATA = "data:";

    private final BlockingQueue<Long> seen = new LinkedBlockingQueue<>();
    private final ObjectMapper json = new ObjectMapper();
    private final InputStream body;
    private final String kind;

    EventStream(HttpClient client, URI stream, String kind) throws IOException, InterruptedException {
        this.kind = kind;
        body = client.send(HttpRequest.newBuilder(stream).build(), HttpResponse.BodyHandlers.ofInputStream())
                .body();
        Thread reader = new Thread(this::read, "event-stream");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                long now = System.nanoTime();
                if (line.startsWith(DATA)
                        && json.readTree(line.substring(DATA.length()))
                                .at("/kind")
                                .asText()
                                .equals(kind)) {
                    seen.add(now);
                }
            }
        } catch (IOException closed) {
            // Nobody waits any more; who does is told by the time that passes.
        }
    }

    /** When the next one came. */
    long next(String what) throws DemoFailure {
        try {
            Long nanos = seen.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (nanos == null) {
                throw new DemoFailure(what + ": no event within " + PATIENCE_SECONDS + " s");
            }
            return nanos;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DemoFailure("interrupted");
        }
    }

    /** How many came that were not waited for; they are forgotten. */
    int drop() {
        List<Long> rest = new ArrayList<>();
        return seen.drainTo(rest);
    }

    @Override
    public void close() throws IOException {
        body.close();
    }
}
