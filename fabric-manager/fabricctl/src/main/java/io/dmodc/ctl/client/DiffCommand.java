package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fabricctl diff}. */
@Command(
        name = "diff",
        description =
                "Shows in what the tables of two accepted epochs differ: switches, entries, pairs of hosts that are"
                        + " led another way. The last 32 or so are kept.")
public final class DiffCommand extends ManagerCommand {
    /** Rows that are shown to people. */
    private static final int ROWS_MAX = 40;

    @Parameters(index = "0", paramLabel = "FROM", description = "number of an epoch")
    private long from;

    @Parameters(index = "1", paramLabel = "TO", description = "number of another one, older or newer")
    private long to;

    @Option(
            names = "--switch",
            paramLabel = "NAME|GUID",
            description = "lists the entries of this switch; text shows " + ROWS_MAX + " of them")
    private @Nullable String what;

    @Override
    Answer ask(ManagerClient client) throws IOException, NoAnswerException {
        ApiQuery query = new ApiQuery("diff").with("from", Long.toString(from)).with("to", Long.toString(to));
        if (what != null) {
            query = query.with("switch", what);
            query = format() == Format.TEXT ? query.with("limit", Integer.toString(ROWS_MAX)) : query;
        }
        return client.get(query.toString(), "entries", JsonNodeType.NUMBER);
    }

    @Override
    void print(JsonNode diff, PrintWriter out) {
        out.println(
                "epoch " + diff.at("/from").asText() + " → " + diff.at("/to").asText() + ": "
                        + number(diff.at("/entries")) + " entries of "
                        + number(diff.at("/switches").size())
                        + " switches differ, " + number(diff.at("/pairsMoved")) + " of " + number(diff.at("/pairs"))
                        + " pairs of hosts moved");
        printNames("forward in " + diff.at("/from").asText() + " only: ", diff.at("/onlyFrom"), out);
        printNames("forward in " + diff.at("/to").asText() + " only: ", diff.at("/onlyTo"), out);
        if (diff.has("table")) {
            printTable(diff.at("/table"), out);
        } else if (!diff.at("/switches").isEmpty()) {
            printSwitches(diff.at("/switches"), out);
        }
    }

    private static String number(JsonNode number) {
        return number(number.asLong());
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static void printNames(String what, JsonNode switches, PrintWriter out) {
        if (!switches.isEmpty()) {
            String names = StreamSupport.stream(switches.spliterator(), false)
                    .limit(ROWS_MAX)
                    .map(it -> it.at("/name").asText())
                    .collect(Collectors.joining(", "));
            out.println(what
                    + names
                    + (switches.size() > ROWS_MAX ? " and " + (switches.size() - ROWS_MAX) + " more" : ""));
        }
    }

    private static void printSwitches(JsonNode switches, PrintWriter out) {
        TextTable table = new TextTable("SWITCH", "GUID", "ENTRIES");
        StreamSupport.stream(switches.spliterator(), false)
                .limit(ROWS_MAX)
                .forEach(it -> table.row(
                        it.at("/name").asText(),
                        it.at("/guid").asText(),
                        it.at("/entries").asText()));
        out.println();
        table.print(out);
        printMore(switches.size() - ROWS_MAX, out);
    }

    private static void printTable(JsonNode shown, PrintWriter out) {
        out.println();
        out.println(shown.at("/name").asText() + "  " + shown.at("/guid").asText()
                + (shown.at("/entries").isEmpty() ? ": no entry differs" : ""));
        if (!shown.at("/entries").isEmpty()) {
            TextTable table = new TextTable("INDEX", "NODE", "BEFORE", "AFTER");
            shown.at("/entries")
                    .forEach(entry -> table.row(
                            entry.at("/index").asText(),
                            entry.at("/node").asText(),
                            entry.path("before").asText("no route"),
                            entry.path("after").asText("no route")));
            table.print(out);
            printMore(shown.at("/more").asLong(), out);
        }
    }

    private static void printMore(long more, PrintWriter out) {
        if (more > 0) {
            out.println("and " + number(more) + " more");
        }
    }
}
