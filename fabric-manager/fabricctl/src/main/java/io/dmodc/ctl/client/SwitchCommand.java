package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code fabricctl switch}. */
@Command(name = "switch", description = "Shows one switch with its ports.")
public final class SwitchCommand extends ManagerCommand {
    @Parameters(paramLabel = "NAME|GUID", description = "as leaf0 or 0x02f0000000000001; leading zeros may be missing")
    private String what = "";

    @Override
    Answer ask(ManagerClient client) throws IOException, NoAnswerException {
        return client.get("switches/" + ApiQuery.quoted(what), "switch", JsonNodeType.OBJECT);
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        JsonNode s = answer.at("/switch");
        String remarks = SwitchesCommand.remarks(s);
        out.println(s.at("/name").asText() + "  " + s.at("/guid").asText());
        out.println("state      " + s.at("/condition").asText() + ", agent "
                + s.at("/agent").asText() + (remarks.isEmpty() ? "" : ", " + remarks));
        String plane = s.has("plane") ? ", plane " + s.at("/plane").asText() : "";
        out.println("rank       " + s.path("rank").asText("unknown") + plane);
        out.println("table      " + answer.at("/table/entries").asText() + " entries, acked in epoch "
                + answer.at("/table/ackedEpoch").asText() + ", digest "
                + answer.at("/table/ackedDigest").asText());
        out.println();
        ports(answer.at("/ports"), out);
    }

    private static void ports(JsonNode ports, PrintWriter out) {
        TextTable table = new TextTable("PORT", "LEADS", "TO", "STATE", "FLAPS", "RATE");
        ports.forEach(port -> table.row(
                port.at("/port").asText(),
                port.at("/leads").asText(),
                farEnd(port),
                state(port),
                port.at("/flaps").asText(),
                LinksCommand.rate(port)));
        table.print(out);
    }

    private static String farEnd(JsonNode port) {
        if (port.has("peer")) {
            return port.at("/peer/name").asText() + " port "
                    + port.at("/peer/port").asText();
        }
        return port.has("host")
                ? port.at("/host/name").asText() + " (index "
                        + port.at("/host/index").asText() + ")"
                : "–";
    }

    private static String state(JsonNode port) {
        boolean up = port.at("/up").asBoolean();
        if (port.at("/conflict").asBoolean()) {
            return up ? "up, contradicted" : "contradicted";
        }
        if (port.at("/heldDown").asBoolean()) {
            return "held down";
        }
        if (port.has("peer")) {
            return port.at("/live").asBoolean() ? "live" : up ? "up, far end down" : "down";
        }
        return up ? "up" : "down";
    }
}
