package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code fabricctl status}. */
@Command(name = "status", description = "Shows the state of the fabric on one page.")
public final class StatusCommand extends ManagerCommand {
    @Override
    String path() {
        return "status";
    }

    @Override
    void print(JsonNode status, PrintWriter out) {
        out.println("manager   " + status.at("/version").asText() + ", up "
                + Times.uptime(status.at("/uptimeSeconds").asDouble()) + ", leader epoch "
                + status.at("/leaderEpoch").asText());
        out.println("state     " + state(status));
        out.println("alarms    " + alarms(status));
        out.println("switches  " + status.at("/switches/total").asText() + ": "
                + parts(status.at("/switches"), "connected", "headless", "dead"));
        out.println("agents    " + parts(status.at("/agents"), "connected", "silent", "flagged"));
        out.println("links     " + status.at("/links/live").asText() + " live");
        out.println("nodes     " + status.at("/nodes").asText());
        if (status.has("lastEpoch")) {
            JsonNode epoch = status.at("/lastEpoch");
            out.println("epoch " + pad(epoch.at("/epoch").asText())
                    + epoch.at("/stage").asText() + ", " + epoch.at("/cause").asText());
            out.println("          " + times(epoch));
        }
    }

    /** Keeps the column, however long the number is. */
    private static String pad(String epoch) {
        return epoch + " ".repeat(Math.max(1, 4 - epoch.length()));
    }

    private static String state(JsonNode status) {
        if (status.at("/discovering").asBoolean()) {
            return "discovering: waiting for switches after the start";
        }
        if (status.at("/computing").asBoolean()) {
            return "computing tables";
        }
        int outstanding = status.at("/outstanding").asInt();
        return outstanding > 0 ? outstanding + " switches do not hold their table yet" : "at rest";
    }

    private static String alarms(JsonNode status) {
        List<String> cutOff = new ArrayList<>();
        status.at("/cutOff").forEach(leaf -> cutOff.add(leaf.asText()));
        String alarms = status.at("/alarms").asText();
        return cutOff.isEmpty() ? alarms : alarms + "; cut off: " + String.join(", ", cutOff);
    }

    private static String parts(JsonNode counts, String... names) {
        List<String> parts = new ArrayList<>();
        for (String name : names) {
            parts.add(counts.path(name).asText() + " " + name);
        }
        return String.join(", ", parts);
    }

    private static String times(JsonNode epoch) {
        return "route " + Times.micros(epoch.at("/routeMicros")) + ", check " + Times.micros(epoch.at("/checkMicros"))
                + ", push " + Times.micros(epoch.at("/pushMicros")) + ", in all "
                + Times.micros(epoch.at("/totalMicros")) + "; "
                + epoch.at("/switches").asText() + " switches, "
                + epoch.at("/blocks").asText() + " blocks";
    }
}
