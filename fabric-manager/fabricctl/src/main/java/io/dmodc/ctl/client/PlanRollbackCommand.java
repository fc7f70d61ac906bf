package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code fabricctl plan rollback}. */
@Command(
        name = "rollback",
        description = {
            "The tables of an earlier epoch are to be in force again: what has come since is drained, and the engine of then computes."
                    + " That this gives the same tables is proved first; what breaks afterwards is led around as ever.",
            "Exit code 1 if they are not kept, or use what is not there now."
        })
public final class PlanRollbackCommand extends PlannedActCommand {
    @Parameters(paramLabel = "EPOCH", description = "its number")
    private long epoch;

    @Override
    ObjectNode body(ManagerClient client) {
        return JsonNodeFactory.instance.objectNode().put("act", "rollback").put("epoch", epoch);
    }
}
