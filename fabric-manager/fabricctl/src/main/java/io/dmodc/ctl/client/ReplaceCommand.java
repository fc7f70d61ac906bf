package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code fabricctl replace}. */
@Command(
        name = "replace",
        description = {
            "Tells the manager which new switch is there in place of one that is gone: the new one takes over its level, and the"
                    + " cables and hosts still missing; the old one is forgotten.",
            "Exit code 1 if there is no such switch, if the old one is there now, or if the agent of the new one has not come in."
        })
public final class ReplaceCommand extends ManagerCommand {
    @Parameters(index = "0", paramLabel = "OLD", description = "the switch that is gone, by name or GUID")
    private String old = "";

    @Parameters(index = "1", paramLabel = "NEW", description = "the switch that is there now, by name or GUID")
    private String by = "";

    @Override
    Answer ask(ManagerClient client) throws IOException, NoAnswerException {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("with", by);
        client.post("switches/" + ApiQuery.quoted(old) + "/replace", body);
        ObjectNode done = JsonNodeFactory.instance.objectNode();
        done.put("replaced", old).put("by", by);
        return new Answer(done.toString(), done);
    }

    @Override
    void print(JsonNode done, PrintWriter out) {
        out.println("replaced: " + done.at("/replaced").asText() + " by "
                + done.at("/by").asText());
    }
}
