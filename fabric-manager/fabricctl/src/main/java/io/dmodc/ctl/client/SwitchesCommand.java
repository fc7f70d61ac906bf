package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code fabricctl switches}. */
@Command(name = "switches", description = "Lists the switches.")
public final class SwitchesCommand extends ListCommand {
    /** What to think of a switch. */
    enum State {
        CONNECTED,
        HEADLESS,
        DEAD,
        UNATTACHED;

        /** As the manager and a command line spell it. */
        @Override
        public String toString() {
            return lower(name());
        }
    }

    @Option(names = "--name", paramLabel = "TEXT", description = "only those with it in their name; * for any letters")
    private @Nullable String name;

    @Option(names = "--rank", paramLabel = "R", description = "only those of this rank; leaves are 0")
    private @Nullable Integer rank;

    @Option(
            names = "--leaf",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description = "only leaves, or only others")
    private @Nullable Boolean leaf;

    @Option(
            names = "--state",
            paramLabel = "connected|headless|dead|unattached",
            description = {
                "only those in this state; unattached ones came in and no cable ties them to the fabric:",
                "they are listed only so"
            })
    private @Nullable State state;

    @Override
    String list() {
        return "switches";
    }

    @Override
    ApiQuery narrowed(ApiQuery query) {
        return query.with("name", name).with("rank", rank).with("leaf", leaf).with("state", state);
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        TextTable table =
                new TextTable("GUID", "NAME", "RANK", "PLANE", "STATE", "AGENT", "LINKS", "NODES", "TABLE", "REMARKS");
        answer.at("/switches")
                .forEach(s -> table.row(
                        s.at("/guid").asText(),
                        s.at("/name").asText(),
                        s.path("rank").asText("–"),
                        s.path("plane").asText("–"),
                        s.at("/condition").asText(),
                        s.at("/agent").asText(),
                        s.at("/liveLinks").asText(),
                        s.at("/nodes").asText(),
                        s.at("/ackedEpoch").asText(),
                        remarks(s)));
        table.print(out);
    }

    /** What is not as it should be, besides the state. */
    static String remarks(JsonNode s) {
        List<String> remarks = new ArrayList<>();
        for (String flag : List.of("flagged", "bypassed", "drained")) {
            if (s.path(flag).asBoolean()) {
                remarks.add(flag);
            }
        }
        switch (s.path("forwarding").asText()) {
            case "proved" -> remarks.add("hellos come through it");
            case "untestable" -> remarks.add("no hellos through it: not known to forward");
            case "unanswered" -> remarks.add("hellos through it are lost: not known to forward");
            case "hung" -> remarks.add("hung");
            default -> {
                // Nothing was asked.
            }
        }
        if (s.path("cutOff").asBoolean()) {
            remarks.add("cut off");
        }
        if (s.path("attached").asBoolean(true) && !s.path("upToDate").asBoolean()) {
            remarks.add("table not up to date");
        }
        return String.join(", ", remarks);
    }
}
