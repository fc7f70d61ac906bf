package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** {@code fabricctl nodes}. */
@Command(name = "nodes", description = "Lists the nodes by index, and where they are cabled.")
public final class NodesCommand extends ManagerCommand {
    @Override
    String path() {
        return "nodes";
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        TextTable table = new TextTable("INDEX", "GUID", "NAME", "SWITCH", "PORT");
        answer.at("/nodes")
                .forEach(node -> table.row(
                        node.at("/index").asText(),
                        node.at("/guid").asText(),
                        node.at("/name").asText(),
                        node.at("/switchName").asText(),
                        node.at("/port").asText()));
        table.print(out);
    }
}
