package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code fabricctl events}. */
@Command(name = "events", description = "Shows what happened in the fabric, newest last.")
public final class EventsCommand extends ManagerCommand {
    @Option(
            names = "--limit",
            paramLabel = "K",
            defaultValue = "100",
            description = "how many, 1..1000 (default: ${DEFAULT-VALUE})")
    private int limit = 100;

    @Option(
            names = "--after",
            paramLabel = "N",
            description = "from the event after number N on; without it the newest")
    private @Nullable Long after;

    @Option(names = "--follow", description = "goes on with what happens, until it is interrupted")
    private boolean follow;

    @Override
    String path() {
        return "events?limit=" + limit + (after == null ? "" : "&after=" + after);
    }

    @Override
    int run(ManagerClient client) throws IOException, NoAnswerException {
        if (!follow) {
            return super.run(client);
        }
        JsonNode past = client.parse(client.get(path()));
        JsonNode events = past.at("/events");
        long shown = past.at("/last").asLong();
        for (JsonNode event : events) {
            show(event);
            shown = event.at("/number").asLong();
        }
        EventFeed feed = new EventFeed(client, shown);
        while (!out().checkError()) {
            show(feed.next());
        }
        return YES;
    }

    /** A line an event, also as JSON, so that a pipe can read them one by one. */
    private void show(JsonNode event) {
        out().println(format() == Format.JSON ? event.toString() : line(event));
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        if (answer.at("/lost").asLong() > 0) {
            out.println(answer.at("/lost").asText() + " events were forgotten already");
        }
        answer.at("/events").forEach(event -> out.println(line(event)));
    }

    private static String line(JsonNode event) {
        if (event.has("count")) {
            return event.at("/count").asText() + " events were forgotten before they could be sent";
        }
        return String.format(
                Locale.ROOT,
                "%6d  %s  %-7s  epoch %-4s  %s",
                event.at("/number").asLong(),
                event.at("/time").asText(),
                event.at("/severity").asText(),
                event.at("/epoch").asText(),
                event.at("/text").asText());
    }
}
