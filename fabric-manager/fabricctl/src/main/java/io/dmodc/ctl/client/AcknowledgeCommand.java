package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fabricctl acknowledge}. */
@Command(
        name = "acknowledge",
        description = {
            "Says that somebody takes care of alarms: they stay listed, and count no more until they are mended or get worse.",
            "Exit code 1 if one of them is not open, or nothing is to be withdrawn; those named before it are done."
        })
public final class AcknowledgeCommand extends ManagerCommand {
    @Parameters(arity = "1..*", paramLabel = "ID", description = "number of an alarm, as 'fabricctl alarms' lists it")
    private List<Long> alarms = new ArrayList<>();

    @ArgGroup(multiplicity = "1")
    private What what = new What();

    @Option(
            names = "--by",
            paramLabel = "NAME",
            defaultValue = "${sys:user.name}",
            description = "who says so (default: the user who runs this)")
    private String by = "";

    /** One of the two. */
    static final class What {
        @Option(names = "--why", required = true, paramLabel = "TEXT", description = "one line: what is being done")
        private String why = "";

        @Option(names = "--withdraw", required = true, description = "takes it back: they count again")
        private boolean withdraw;
    }

    @Override
    Answer ask(ManagerClient client) throws IOException, NoAnswerException {
        for (long alarm : alarms) {
            ObjectNode body = JsonNodeFactory.instance.objectNode().put("by", by);
            if (what.withdraw) {
                client.post("alarms/" + alarm + "/withdraw", body);
            } else {
                client.post("alarms/" + alarm + "/acknowledge", body.put("why", what.why));
            }
        }
        ObjectNode done = JsonNodeFactory.instance.objectNode();
        alarms.forEach(done.putArray(what.withdraw ? "withdrawn" : "acknowledged")::add);
        done.put("by", by);
        return new Answer(done.toString(), done);
    }

    @Override
    void print(JsonNode done, PrintWriter out) {
        String word = what.withdraw ? "withdrawn" : "acknowledged";
        done.at("/" + word).forEach(alarm -> out.println(word + ": alarm " + alarm.asText()));
    }
}
