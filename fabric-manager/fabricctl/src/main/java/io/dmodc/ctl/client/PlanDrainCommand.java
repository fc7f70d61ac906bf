package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code fabricctl plan drain}. */
@Command(
        name = "drain",
        description = {
            "Routes are to lead around switches or links, as if they were down, until they are undrained; meanwhile they forward"
                    + " what still comes.",
            "Of a drained leaf the hosts are cut off: the plan names them."
        })
public final class PlanDrainCommand extends PlannedActCommand {
    @Parameters(index = "0", paramLabel = "switch|leaf|link", description = "what the names are of")
    private Kind kind = Kind.SWITCH;

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "NAME",
            description = "name or GUID of a switch; SWITCH:PORT for a link, at either end")
    private List<String> names = new ArrayList<>();

    @Override
    ObjectNode body(ManagerClient client) throws IOException, NoAnswerException {
        return about(client, "drain", kind, names);
    }
}
