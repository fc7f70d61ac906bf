package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fabricctl events}. */
@Command(name = "events", description = "Shows what happened in the fabric, newest last.")
public final class EventsCommand extends ManagerCommand {
    /** What a manager gives at once. */
    private static final int PAGE_ROWS = 1_000;

    private static final int STANDARD = 100;

    @Option(
            names = "--limit",
            paramLabel = "K",
            description = "how many, 1.." + PAGE_ROWS + " (default: " + STANDARD + ", with --since all)")
    private @Nullable Integer limit;

    @Option(
            names = "--after",
            paramLabel = "N",
            description = "from the event after number N on; without it the newest")
    private @Nullable Long after;

    @Mixin
    private EventFilter filter = new EventFilter();

    @Option(names = "--follow", description = "goes on with what happens, until it is interrupted")
    private boolean follow;

    @Override
    Answer ask(ManagerClient client) throws IOException, NoAnswerException {
        if (limit != null && (limit < 1 || limit > PAGE_ROWS)) {
            throw new IllegalArgumentException("--limit " + limit + "; expected 1.." + PAGE_ROWS);
        }
        ApiQuery query = filter.narrowed(new ApiQuery("events").with("after", after));
        Integer wanted = limit == null && !filter.starts() ? Integer.valueOf(STANDARD) : limit;
        return new PagedList(client, "events", PAGE_ROWS).get(query, wanted);
    }

    @Override
    int run(ManagerClient client) throws IOException, NoAnswerException {
        return follow ? follow(client) : super.run(client);
    }

    private int follow(ManagerClient client) throws IOException, NoAnswerException {
        JsonNode past = ask(client).json();
        tellLost(past);
        long shown = past.at("/last").asLong();
        for (JsonNode event : past.at("/events")) {
            show(event);
            shown = event.at("/number").asLong();
        }
        EventFeed feed = new EventFeed(client, shown);
        while (!out().checkError()) {
            JsonNode event = feed.next();
            if (filter.wants(event)) {
                show(event);
            }
        }
        return YES;
    }

    /** A line an event, also as JSON, so that a pipe can read them one by one. */
    private void show(JsonNode event) {
        out().println(format() == Format.JSON ? event.toString() : line(event));
    }

    /** What JSON says in a field of its own. */
    private void tellLost(JsonNode past) {
        if (format() == Format.TEXT && past.at("/lost").asLong() > 0) {
            out().println(lost(past.at("/lost").asLong()) + " already");
        }
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        if (answer.at("/lost").asLong() > 0) {
            out.println(lost(answer.at("/lost").asLong()) + " already");
        }
        answer.at("/events").forEach(event -> out.println(line(event)));
        if (after != null && answer.has("next")) {
            out.println("more with --after " + answer.at("/next").asText());
        }
    }

    private static String lost(long count) {
        return count == 1 ? "1 event was forgotten" : count + " events were forgotten";
    }

    private static String line(JsonNode event) {
        if (event.has("count")) {
            return lost(event.at("/count").asLong()) + " before they could be sent";
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
