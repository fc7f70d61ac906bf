package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fabricctl plan engine}. */
@Command(
        name = "engine",
        description =
                "Tables are to be computed by another engine than that of the settings, until another one is chosen.")
public final class PlanEngineCommand extends PlannedActCommand {
    @Parameters(
            paramLabel = "ENGINE",
            description = "dmodc, dmodc-strict, dmodc-plain, minhop, updn, or default for that of the settings")
    private String engine = "";

    @Option(
            names = "--quiesce",
            description = {
                "if no order is proven: hosts may be kept from sending to the nodes concerned while their entries change, for two"
                        + " round trips and a drain. What they send there meanwhile is lost."
            })
    private boolean quiesce;

    @Override
    ObjectNode body(ManagerClient client) {
        ObjectNode body =
                JsonNodeFactory.instance.objectNode().put("act", "engine").put("engine", engine);
        if (quiesce) {
            body.put("quiesce", true);
        }
        return body;
    }
}
