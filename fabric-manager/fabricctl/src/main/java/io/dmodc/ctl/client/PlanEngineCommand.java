package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code fabricctl plan engine}. */
@Command(
        name = "engine",
        description =
                "Tables are to be computed by another engine than that of the settings, until another one is chosen.")
public final class PlanEngineCommand extends PlannedActCommand {
    @Parameters(
            paramLabel = "ENGINE",
            description = "dmodc, dmodc-plain, minhop, updn, or default for that of the settings")
    private String engine = "";

    @Override
    ObjectNode body(ManagerClient client) {
        return JsonNodeFactory.instance.objectNode().put("act", "engine").put("engine", engine);
    }
}
