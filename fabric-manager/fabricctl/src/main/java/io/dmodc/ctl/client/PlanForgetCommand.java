package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code fabricctl plan forget}. */
@Command(
        name = "forget",
        description = {
            "Switches, links or nodes are gone for good: nobody is to wait for them any more, and they are not drained any more. What comes"
                    + " back is simply there again.",
            "Exit code 1 if there is no such thing, or if it is there now."
        })
public final class PlanForgetCommand extends PlannedActCommand {
    /** What can be forgotten. */
    enum Gone {
        SWITCH("switches"),
        LINK("links"),
        NODE("nodes");

        private final String field;

        Gone(String field) {
            this.field = field;
        }

        @Override
        public String toString() {
            return lower(name());
        }
    }

    @Parameters(index = "0", paramLabel = "switch|link|node", description = "what the names are of")
    private Gone kind = Gone.SWITCH;

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "NAME",
            description = "name or GUID of a switch or node; SWITCH:PORT for a link, at either end")
    private List<String> names = new ArrayList<>();

    @Override
    ObjectNode body(ManagerClient client) {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("act", "forget");
        ArrayNode objects = body.putArray(kind.field);
        names.forEach(objects::add);
        return body;
    }
}
