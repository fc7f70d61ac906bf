package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code fabricctl lft}. */
@Command(name = "lft", description = "Shows the forwarding table a switch should hold.")
public final class LftCommand extends ManagerCommand {
    @Parameters(paramLabel = "NAME|GUID", description = "as leaf0 or 0x02f0000000000001; leading zeros may be missing")
    private String what = "";

    @Override
    Answer ask(ManagerClient client) throws IOException, NoAnswerException {
        return client.get("lft/" + ApiQuery.quoted(what), "entries", JsonNodeType.NUMBER);
    }

    @Override
    void print(JsonNode lft, PrintWriter out) {
        out.println(lft.at("/name").asText() + "  " + lft.at("/guid").asText());
        out.println(lft.at("/entries").asText() + " entries of epoch "
                + lft.at("/epoch").asText() + ", digest " + lft.at("/digest").asText());
        out.println(
                lft.at("/acked").asBoolean()
                        ? "acknowledged in epoch " + lft.at("/ackedEpoch").asText()
                        : "not acknowledged; the switch holds digest "
                                + lft.at("/ackedDigest").asText() + " of epoch "
                                + lft.at("/ackedEpoch").asText()
                                + (lft.at("/held").asBoolean() ? ", shown here" : ""));
        out.println();
        boolean byInput = lft.at("/runs/0/input").isTextual();
        TextTable table = byInput ? new TextTable("FROM", "NODES", "PORT") : new TextTable("NODES", "PORT");
        lft.at("/runs").forEach(run -> {
            String port = run.path("port").asText("no route");
            if (byInput) {
                table.row(run.at("/input").asText(), range(run), port);
            } else {
                table.row(range(run), port);
            }
        });
        table.print(out);
    }

    private static String range(JsonNode run) {
        String from = run.at("/from").asText();
        String to = run.at("/to").asText();
        return from.equals(to) ? from : from + ".." + to;
    }
}
