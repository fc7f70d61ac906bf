package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fabricctl plan rebalance}. */
@Command(
        name = "rebalance",
        description = {
            "Single entries are to be moved to other ports that lead closer, where shifts press most, instead of those that are moved now."
                    + " They stay moved, also over restarts, until they are no choice any more: then they are what the engine makes of them.",
            "With engines dmodc and dmodc-strict, unless routing.rebalance is off. Exit code 1 if nothing is gained."
        })
public final class PlanRebalanceCommand extends PlannedActCommand {
    @Parameters(
            paramLabel = "BLOCKS",
            arity = "0..1",
            description =
                    "most blocks of 64 entries that may differ from what the engine makes; 0: none, as --undo (default:"
                            + " routing.rebalance-blocks, or a twentieth of all)")
    private @Nullable Integer blocks;

    @Option(names = "--undo", description = "all moved entries go back to what the engine makes of them")
    private boolean undo;

    @Override
    ObjectNode body(ManagerClient client) {
        if (blocks != null && (undo || blocks < 0)) {
            throw new IllegalArgumentException(
                    undo ? "BLOCKS is of no use with --undo" : "BLOCKS " + blocks + "; expected 0 or more");
        }
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("act", "rebalance");
        Integer most = undo ? (Integer) 0 : blocks;
        if (most != null) {
            body.put("blocks", most);
        }
        return body;
    }
}
