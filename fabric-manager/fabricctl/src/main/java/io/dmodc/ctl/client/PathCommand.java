package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code fabricctl path}. */
@Command(
        name = "path",
        description = {
            "Follows the tables from one node to another. Exit code 1 when nothing arrives.",
            "Which ways are legal besides, 'fabricctl explain --all' says of a file."
        })
public final class PathCommand extends ManagerCommand {
    @Parameters(index = "0", paramLabel = "FROM", description = "node index, name or 0x… GUID")
    private String from = "";

    @Parameters(index = "1", paramLabel = "TO", description = "node index, name or 0x… GUID")
    private String to = "";

    @Override
    Answer ask(ManagerClient client) throws IOException, NoAnswerException {
        return client.get(
                new ApiQuery("path").with("from", from).with("to", to).toString(), "hops", JsonNodeType.ARRAY);
    }

    @Override
    void print(JsonNode path, PrintWriter out) {
        out.println(node(path.at("/from")) + " → " + node(path.at("/to")) + " by the tables of epoch "
                + path.at("/epoch").asText());
        TextTable table = new TextTable("SWITCH", "PORT", "NEXT", "TABLE");
        path.at("/hops")
                .forEach(hop -> table.row(
                        hop.at("/name").asText(),
                        hop.at("/port").asInt() == 0 ? "–" : hop.at("/port").asText(),
                        hop.at("/next").asText().isEmpty()
                                ? "nowhere"
                                : hop.at("/next").asText(),
                        hop.at("/held").asBoolean()
                                ? "older table"
                                : hop.at("/acked").asBoolean() ? "acked" : "not acked"));
        table.print(out);
        out.println(path.at("/end").asText());
    }

    private static String node(JsonNode node) {
        return node.at("/name").asText() + " (index " + node.at("/index").asText() + ")";
    }

    @Override
    int code(JsonNode path) {
        return path.at("/delivered").asBoolean() ? YES : NO;
    }
}
