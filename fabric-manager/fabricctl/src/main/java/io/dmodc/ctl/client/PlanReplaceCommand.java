package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code fabricctl plan replace}. */
@Command(
        name = "replace",
        description = {
            "A new switch is there in place of one that is gone: it is to take over its level, the cables and hosts still missing, and"
                    + " what is drained of it; the old one is forgotten.",
            "Exit code 1 if there is no such switch, if the old one is there now, or if it had another level than the new one has."
        })
public final class PlanReplaceCommand extends PlannedActCommand {
    @Parameters(index = "0", paramLabel = "OLD", description = "the switch that is gone, by name or GUID")
    private String old = "";

    @Parameters(index = "1", paramLabel = "NEW", description = "the switch that is there now, by name or GUID")
    private String by = "";

    @Override
    ObjectNode body(ManagerClient client) {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("act", "replace");
        body.putArray("switches").add(old).add(by);
        return body;
    }
}
