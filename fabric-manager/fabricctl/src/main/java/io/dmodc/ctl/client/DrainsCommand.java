package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code fabricctl drains}. */
@Command(
        name = "drains",
        description = {
            "Lists what is drained, by whom and why, and whether it is safe to unplug.",
            "Exit code 1 if something may still be sent to any of them."
        })
public final class DrainsCommand extends ManagerCommand {
    @Override
    Answer ask(ManagerClient client) throws IOException, NoAnswerException {
        return client.get("intent", "drained", JsonNodeType.ARRAY);
    }

    @Override
    void print(JsonNode intent, PrintWriter out) {
        if (intent.at("/drained").isEmpty()) {
            out.println("nothing is drained");
            return;
        }
        TextTable table = new TextTable("WHAT", "SINCE", "BY", "STATE", "WHY");
        intent.at("/drained")
                .forEach(drained -> table.row(
                        drained.at("/name").asText(),
                        Times.second(drained.at("/since").asText()),
                        drained.at("/by").asText(),
                        state(drained),
                        drained.at("/why").asText()));
        table.print(out);
    }

    /** One of them on a line. */
    static String text(JsonNode drained) {
        return drained.at("/name").asText() + " drained: " + state(drained);
    }

    private static String state(JsonNode drained) {
        if (drained.at("/safe").asBoolean()) {
            return "safe to unplug";
        }
        List<String> senders = new ArrayList<>();
        drained.at("/senders").forEach(sender -> senders.add(sender.asText()));
        return senders.isEmpty()
                ? "not yet safe to unplug"
                : "not safe to unplug: " + String.join(", ", senders) + " may send there";
    }

    @Override
    int code(JsonNode intent) {
        for (JsonNode drained : intent.at("/drained")) {
            if (!drained.at("/safe").asBoolean()) {
                return NO;
            }
        }
        return YES;
    }
}
