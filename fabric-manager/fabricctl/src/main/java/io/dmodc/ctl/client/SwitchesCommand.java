package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code fabricctl switches}. */
@Command(name = "switches", description = "Lists the switches.")
public final class SwitchesCommand extends ManagerCommand {
    /** What to think of a switch. */
    enum Condition {
        CONNECTED,
        HEADLESS,
        DEAD
    }

    @Option(names = "--condition", paramLabel = "connected|headless|dead", description = "only those in this condition")
    private @Nullable Condition condition;

    @Override
    String path() {
        return condition == null
                ? "switches"
                : "switches?condition=" + condition.name().toLowerCase(Locale.ROOT);
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        TextTable table =
                new TextTable("GUID", "NAME", "RANK", "CONDITION", "AGENT", "LINKS", "NODES", "TABLE", "REMARKS");
        answer.at("/switches")
                .forEach(s -> table.row(
                        s.at("/guid").asText(),
                        s.at("/name").asText(),
                        s.path("rank").asText("–"),
                        s.at("/condition").asText(),
                        s.at("/agent").asText(),
                        s.at("/liveLinks").asText(),
                        s.at("/nodes").asText(),
                        s.at("/ackedEpoch").asText(),
                        remarks(s)));
        table.print(out);
    }

    /** What is not as it should be, besides the condition. */
    static String remarks(JsonNode s) {
        List<String> remarks = new ArrayList<>();
        for (String flag : List.of("flagged", "bypassed")) {
            if (s.path(flag).asBoolean()) {
                remarks.add(flag);
            }
        }
        if (s.path("cutOff").asBoolean()) {
            remarks.add("cut off");
        }
        if (!s.path("upToDate").asBoolean()) {
            remarks.add("table not up to date");
        }
        return String.join(", ", remarks);
    }
}
