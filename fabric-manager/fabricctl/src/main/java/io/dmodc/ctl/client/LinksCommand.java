package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code fabricctl links}. */
@Command(name = "links", description = "Lists the cables between switches.")
public final class LinksCommand extends ListCommand {
    /** What a cable does. */
    enum State {
        LIVE,
        DOWN,
        HELD,
        DRAINED;

        /** As the manager and a command line spell it. */
        @Override
        public String toString() {
            return lower(name());
        }
    }

    @Option(
            names = "--name",
            paramLabel = "TEXT",
            description = "only those of a switch with it in its name; * for any letters")
    private @Nullable String name;

    @Option(names = "--state", paramLabel = "live|down|held|drained", description = "only those in this state")
    private @Nullable State state;

    /** Down or held; an older spelling of most of what {@code --state} says. */
    @Option(names = "--dead", hidden = true, description = "only those that are not live")
    private boolean dead;

    @Override
    String list() {
        return "links";
    }

    @Override
    ApiQuery narrowed(ApiQuery query) {
        return query.with("name", name).with("state", state).with("live", dead ? false : null);
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        TextTable table = new TextTable("SWITCH", "PORT", "SWITCH", "PORT", "STATE", "FLAPS", "RATE");
        answer.at("/links")
                .forEach(link -> table.row(
                        link.at("/a/name").asText(),
                        link.at("/a/port").asText(),
                        link.at("/b/name").asText(),
                        link.at("/b/port").asText(),
                        state(link),
                        link.at("/flaps").asText(),
                        rate(link)));
        table.print(out);
        out.println(answer.at("/live").asText() + " of " + answer.at("/total").asText() + " live");
    }

    /** What a link or a port carries, and whether that is less than others do. */
    static String rate(JsonNode link) {
        String rate = link.hasNonNull("rate") ? link.at("/rate").asText() : "–";
        return rate
                + (link.at("/avoided").asBoolean()
                        ? ", slow, avoided"
                        : link.at("/slow").asBoolean() ? ", slow" : "");
    }

    private static String state(JsonNode link) {
        String unheard = link.at("/unheard").asBoolean() ? ", unheard" : "";
        if (link.at("/live").asBoolean()) {
            return (link.at("/state").asText().equals("drained") ? "drained" : "live") + unheard;
        }
        return (link.at("/conflict").asBoolean()
                        ? "contradicted"
                        : link.at("/heldDown").asBoolean() ? "held down" : "down")
                + unheard;
    }
}
