package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code fabricctl nodes}. */
@Command(name = "nodes", description = "Lists the nodes by index, and where they are cabled.")
public final class NodesCommand extends ListCommand {
    /** Whether a node can be reached by its cable. */
    enum State {
        UP,
        DOWN;

        /** As the manager and a command line spell it. */
        @Override
        public String toString() {
            return lower(name());
        }
    }

    @Option(names = "--name", paramLabel = "TEXT", description = "only those with it in their name; * for any letters")
    private @Nullable String name;

    @Option(names = "--leaf", paramLabel = "NAME|GUID", description = "only those on this switch")
    private @Nullable String leaf;

    @Option(names = "--state", paramLabel = "up|down", description = "only those in this state")
    private @Nullable State state;

    @Override
    String list() {
        return "nodes";
    }

    @Override
    ApiQuery narrowed(ApiQuery query) {
        return query.with("name", name).with("leaf", leaf).with("state", state);
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        TextTable table = new TextTable("INDEX", "GUID", "NAME", "SWITCH", "PORT", "STATE");
        answer.at("/nodes")
                .forEach(node -> table.row(
                        node.at("/index").asText(),
                        node.at("/guid").asText(),
                        node.at("/name").asText(),
                        node.at("/switchName").asText(),
                        node.at("/port").asText(),
                        node.path("state").asText("–")));
        table.print(out);
    }
}
