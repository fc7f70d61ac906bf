package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.Reader;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Events as the manager sends them. A manager that sends nothing for three times its sign of life counts as gone: a
 * connection to a machine that lost its power looks quiet for hours.
 *
 * <p>At most {@value #WAITING_MAX} lines wait; after that the manager is no longer read, and it notices. A line of more than
 * {@value #LINE_MAX} characters is no event, and ends the stream.
 */
final class EventFeed {
    private static final int WAITING_MAX = 1024;
    private static final int LINE_MAX = 1 << 20;
    private static final int SILENCE_SECONDS = 45;
    private static final String DATA = "data: ";
    private static final String END = "\n";

    private final ManagerClient client;
    private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(WAITING_MAX);

    /**
     * Opens the stream.
     *
     * @param after number of the last event already seen
     */
    EventFeed(ManagerClient client, long after) throws IOException, NoAnswerException {
        this.client = client;
        HttpResponse<InputStream> response = client.open("events/stream?after=" + after, BodyHandlers.ofInputStream());
        Reader from = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
        if (response.statusCode() != 200) {
            client.check(response.statusCode(), line(from));
        }
        Thread reader = new Thread(() -> read(from), "event-feed");
        reader.setDaemon(true);
        reader.start();
    }

    private void read(Reader from) {
        try (from) {
            String line = line(from);
            while (!line.equals(END)) {
                lines.put(line);
                line = line(from);
            }
        } catch (IOException ended) {
            // The end of the stream, told to the reader below like a regular one.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        try {
            lines.put(END);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The next line, or {@link #END} where there is none. */
    private static String line(Reader from) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = from.read(); c != '\n'; c = from.read()) {
            if (c < 0 || line.length() == LINE_MAX) {
                return END;
            }
            line.append((char) c);
        }
        return line.toString();
    }

    /**
     * Waits for the next event.
     *
     * @throws IOException in one line when the stream ended or fell silent
     */
    JsonNode next() throws IOException {
        try {
            while (true) {
                String line = lines.poll(SILENCE_SECONDS, TimeUnit.SECONDS);
                if (line == null) {
                    throw new IOException(client.address() + " gave no sign of life for " + SILENCE_SECONDS + " s");
                }
                if (line.equals(END)) {
                    throw new IOException(client.address() + " ended the stream of events");
                }
                if (line.startsWith(DATA)) {
                    return client.parse(line.substring(DATA.length()));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }
}
