package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code fabricctl waiting}. */
@Command(
        name = "waiting",
        description = {
            "Lists which switches keep entries that work until others have acknowledged their tables, and for whom they wait.",
            "Exit code 1 if any does."
        })
public final class WaitingCommand extends ManagerCommand {
    @Override
    Answer ask(ManagerClient client) throws IOException, NoAnswerException {
        return client.get("waiting", "switches", JsonNodeType.NUMBER);
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        if (answer.at("/switches").asInt() == 0) {
            out.println("nobody waits");
            return;
        }
        out.println(answer.at("/entries").asLong() + " entries of "
                + answer.at("/switches").asInt() + " switches wait for "
                + answer.at("/awaited").asInt() + ", epoch "
                + answer.at("/epoch").asLong());
        TextTable awaited = new TextTable("WAITED FOR", "STATE", "TABLE", "BY SWITCHES");
        answer.at("/waitedFor")
                .forEach(it -> awaited.row(
                        it.at("/name").asText(),
                        it.at("/silent").asBoolean()
                                ? "silent"
                                : it.at("/state").asText(),
                        it.at("/pushInFlight").asBoolean() ? "sent" : "not sent",
                        it.at("/switches").asText()));
        awaited.print(out);
        TextTable waiting = new TextTable("WAITS", "ROUND", "ENTRIES", "SINCE", "FOR");
        answer.at("/waiting")
                .forEach(it -> waiting.row(
                        it.at("/name").asText(),
                        it.at("/round").asText(),
                        it.at("/entries").asText(),
                        Times.second(it.at("/since").asText()),
                        names(it)));
        waiting.print(out);
    }

    private static String names(JsonNode waiting) {
        List<String> names = new ArrayList<>();
        waiting.at("/waitsFor").forEach(it -> names.add(it.at("/name").asText()));
        int more = waiting.at("/awaited").asInt() - names.size();
        return names.isEmpty()
                ? "packets that were sent before"
                : String.join(", ", names) + (more > 0 ? " and " + more + " more" : "");
    }

    @Override
    int code(JsonNode answer) {
        return answer.at("/switches").asInt() == 0 ? YES : NO;
    }
}
