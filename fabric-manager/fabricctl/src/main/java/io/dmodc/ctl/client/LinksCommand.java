package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code fabricctl links}. */
@Command(name = "links", description = "Lists the cables between switches.")
public final class LinksCommand extends ManagerCommand {
    @Option(names = "--dead", description = "only those that are not live")
    private boolean dead;

    @Override
    String path() {
        return dead ? "links?live=false" : "links";
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        TextTable table = new TextTable("SWITCH", "PORT", "SWITCH", "PORT", "STATE", "FLAPS");
        answer.at("/links")
                .forEach(link -> table.row(
                        link.at("/a/name").asText(),
                        link.at("/a/port").asText(),
                        link.at("/b/name").asText(),
                        link.at("/b/port").asText(),
                        state(link),
                        link.at("/flaps").asText()));
        table.print(out);
        out.println(answer.at("/live").asText() + " of " + answer.at("/total").asText() + " live");
    }

    private static String state(JsonNode link) {
        String unheard = link.at("/unheard").asBoolean() ? ", unheard" : "";
        if (link.at("/live").asBoolean()) {
            return "live" + unheard;
        }
        return (link.at("/heldDown").asBoolean() ? "held down" : "down") + unheard;
    }
}
