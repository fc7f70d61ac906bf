package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code fabricctl status}. */
@Command(
        name = "status",
        description = {
            "Shows the state of the fabric on one page.",
            "Exit code 1 while there is an alarm that nobody has acknowledged, 2 when the manager cannot be reached."
        })
public final class StatusCommand extends WatchedCommand {
    /** Alarms shown; the others have their own command. */
    private static final int ALARMS_SHOWN = 5;

    /** Drained switches and links named; the others have their own command. */
    private static final int DRAINS_SHOWN = 8;

    /** Enough that the first causes are among them. */
    private static final int ALARMS_ASKED = 200;

    @Option(
            names = {"-q", "--quiet"},
            description = "prints nothing; the exit code says it")
    private boolean quiet;

    private JsonNode alarms = MissingNode.getInstance();

    /** Why there are alarms that are not listed; empty for none. */
    private String unlisted = "";

    @Override
    Answer ask(ManagerClient client) throws IOException, NoAnswerException {
        Answer status = client.get("status", "alarms", JsonNodeType.NUMBER);
        boolean wanted = !quiet && format() == Format.TEXT;
        // Where warnings are many, the worst must not be behind them.
        boolean enough = status.json().at("/alarmsBySeverity/alarm").asLong() >= ALARMS_SHOWN;
        alarms = MissingNode.getInstance();
        unlisted = "";
        if (wanted && code(status.json()) == NO) {
            try {
                alarms = client.get(
                                "alarms?" + (enough ? "severity=alarm&" : "") + "limit=" + ALARMS_ASKED,
                                "alarms",
                                JsonNodeType.ARRAY)
                        .json();
            } catch (IOException e) {
                unlisted = String.valueOf(e.getMessage()); // What is known is told all the same.
            }
        }
        return status;
    }

    @Override
    int show(ManagerClient client, PrintWriter out) throws IOException, NoAnswerException {
        return quiet ? code(ask(client).json()) : super.show(client, out);
    }

    @Override
    int code(JsonNode status) {
        return status.at("/alarms").asLong() > 0 ? NO : YES;
    }

    @Override
    void print(JsonNode status, PrintWriter out) {
        out.println("manager   " + status.at("/version").asText() + ", up "
                + Times.uptime(status.at("/uptimeSeconds").asDouble()) + ", leader epoch "
                + status.at("/leaderEpoch").asText());
        out.println("state     " + state(status));
        printAlarms(status, out);
        out.println("switches  " + there(status.at("/switches"))
                + others(status.at("/switches"), "connected", "headless", "dead")
                + unproved(status.at("/switches"))
                + unattached(status.at("/switches")));
        out.println("links     " + there(status.at("/links")));
        out.println("hosts     " + there(status.at("/hosts")) + names(status.at("/hosts")));
        out.println("agents    " + parts(status.at("/agents"), "connected", "silent", "flagged"));
        printIntent(status.at("/intent"), out);
        if (status.has("lastEpoch")) {
            JsonNode epoch = status.at("/lastEpoch");
            out.println("epoch " + pad(epoch.at("/epoch").asText())
                    + epoch.at("/stage").asText() + ", " + epoch.at("/cause").asText());
            out.println("          " + times(epoch));
            String change = epoch.path("change").asText();
            if (!change.isEmpty()) {
                out.println("          " + change);
            }
        }
        if (status.has("congestion")) {
            printCongestion(status.at("/congestion"), out);
        }
    }

    private static void printCongestion(JsonNode congestion, PrintWriter out) {
        JsonNode port = congestion.at("/hottest/0");
        out.println(
                "quality   congestion: all-to-all " + congestion.at("/allToAll").asText() + ", permutations "
                        + CongestionText.mean(congestion.at("/permutations")) + ", shifts "
                        + CongestionText.mean(congestion.at("/shifts")) + " (epoch "
                        + congestion.at("/epoch").asText() + ")"
                        + (port.isMissingNode()
                                ? ""
                                : "; hottest: " + port.at("/name").asText() + " port "
                                        + port.at("/port").asText() + " ("
                                        + port.at("/flows").asText() + ")"));
    }

    /** Keeps the column, however long the number is. */
    private static String pad(String epoch) {
        return epoch + " ".repeat(Math.max(1, 4 - epoch.length()));
    }

    private static String state(JsonNode status) {
        if (status.at("/role").asText().equals("deposed")) {
            return "stepped down: another manager leads, this one pushes nothing";
        }
        if (status.at("/discovering").asBoolean()) {
            return "discovering: waiting for switches after the start";
        }
        if (status.at("/computing").asBoolean()) {
            return "computing tables";
        }
        int outstanding = status.at("/outstanding").asInt();
        return outstanding > 0 ? outstanding + " switches do not hold their table yet" : "at rest";
    }

    private void printAlarms(JsonNode status, PrintWriter out) {
        List<String> cutOff = new ArrayList<>();
        status.at("/cutOff").forEach(leaf -> cutOff.add(leaf.asText()));
        String withoutPath = status.path("withoutPath").asText();
        long acknowledged = status.at("/acknowledged").asLong();
        String severities = bySeverity(status.at("/alarmsBySeverity"));
        out.println("alarms    " + status.at("/alarms").asText()
                + (severities.isEmpty() ? "" : ": " + severities)
                + (acknowledged == 0 ? "" : "; " + acknowledged + " acknowledged")
                + (cutOff.isEmpty() ? "" : "; cut off: " + String.join(", ", cutOff))
                + (withoutPath.isEmpty() ? "" : "; no legal path: " + withoutPath));
        List<JsonNode> causes = new AlarmTree(alarms.at("/alarms"))
                .tops().stream().filter(alarm -> !alarm.has("acknowledged")).toList();
        causes.stream()
                .limit(ALARMS_SHOWN)
                .forEach(alarm -> out.println("          " + alarm.at("/text").asText() + ", since "
                        + Times.second(alarm.at("/since").asText())));
        if (!unlisted.isEmpty()) {
            out.println("          cannot be listed: " + unlisted);
        }
        if (causes.size() > ALARMS_SHOWN) {
            out.println("          and more; see 'fabricctl alarms'");
        }
    }

    /** What operators want to hold; nothing where there is nothing. */
    private static void printIntent(JsonNode intent, PrintWriter out) {
        if (intent.has("pause")) {
            JsonNode pause = intent.at("/pause");
            String until = pause.has("until")
                    ? " until " + Times.second(pause.at("/until").asText())
                    : "";
            out.println("paused    by " + said(pause) + until + ": no tables are sent"
                    + (pause.path("faultsEndIt").asBoolean() ? " unless they mend something" : ""));
        }
        if (intent.has("engine")) {
            JsonNode engine = intent.at("/engine");
            out.println("engine    " + engine.at("/name").asText() + ", chosen by " + said(engine));
        }
        if (intent.has("rebalance")) {
            JsonNode moved = intent.at("/rebalance");
            out.println("moved     " + moved.at("/entries").asText() + " entries of "
                    + moved.at("/switches").asText() + " switches, by " + said(moved));
        }
        int safe = 0;
        List<String> names = new ArrayList<>();
        for (JsonNode drained : intent.at("/drained")) {
            safe += drained.at("/safe").asBoolean() ? 1 : 0;
            names.add(drained.at("/name").asText());
        }
        if (!names.isEmpty()) {
            String first = String.join(", ", names.subList(0, Math.min(DRAINS_SHOWN, names.size())));
            String more = names.size() > DRAINS_SHOWN ? " and " + (names.size() - DRAINS_SHOWN) + " more" : "";
            out.println("drained   " + first + more + "; " + safe + " of " + names.size() + " safe to unplug");
        }
    }

    private static String said(JsonNode wanted) {
        String why = wanted.at("/why").asText();
        return wanted.at("/by").asText() + (why.isEmpty() ? "" : " (" + why + ")") + " since "
                + Times.second(wanted.at("/since").asText());
    }

    /** The worst first; only those there are. */
    private static String bySeverity(JsonNode counts) {
        List<String> parts = new ArrayList<>();
        for (Severity severity : List.of(Severity.ALARM, Severity.WARNING)) {
            if (counts.path(severity.toString()).asLong() > 0) {
                parts.add(counts.path(severity.toString()).asText() + " " + severity);
            }
        }
        return String.join(", ", parts);
    }

    /** Expected, live, down and, where there are any, held and drained. */
    private static String there(JsonNode counts) {
        return parts(counts, "expected", "live", "down") + ifAny(counts, "held") + ifAny(counts, "drained");
    }

    private static String ifAny(JsonNode counts, String name) {
        long count = counts.path(name).asLong();
        return count > 0 ? ", " + count + " " + name : "";
    }

    private static String names(JsonNode hosts) {
        List<String> names = new ArrayList<>();
        hosts.path("downNames").forEach(name -> names.add(name.asText()));
        long down = hosts.path("down").asLong();
        if (names.isEmpty()) {
            return "";
        }
        String more = down > names.size() ? " and " + (down - names.size()) + " more" : "";
        return "\n          " + down + (down == 1 ? " host down: " : " hosts down: ") + String.join(", ", names) + more;
    }

    private static String unattached(JsonNode switches) {
        long count = switches.path("unattached").asLong();
        return count == 0 ? "" : "; " + count + " unattached";
    }

    private static String unproved(JsonNode switches) {
        long count = switches.path("unproved").asLong();
        return count == 0 ? "" : "; " + count + " headless not known to forward";
    }

    private static String others(JsonNode counts, String... names) {
        return " (" + parts(counts, names) + ")";
    }

    private static String parts(JsonNode counts, String... names) {
        List<String> parts = new ArrayList<>();
        for (String name : names) {
            parts.add(counts.path(name).asText("–") + " " + name);
        }
        return String.join(", ", parts);
    }

    private static String times(JsonNode epoch) {
        return "route " + Times.micros(epoch.at("/routeMicros")) + ", check " + Times.micros(epoch.at("/checkMicros"))
                + (epoch.has("restoredMicros") ? ", restored " + Times.micros(epoch.at("/restoredMicros")) : "")
                + ", push " + Times.micros(epoch.at("/pushMicros")) + ", in all "
                + Times.micros(epoch.at("/totalMicros")) + "; "
                + epoch.at("/switches").asText() + " switches, "
                + epoch.at("/blocks").asText() + " blocks";
    }
}
