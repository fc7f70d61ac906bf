package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fabricctl alarms}. */
@Command(
        name = "alarms",
        description = {
            "Lists what is wrong now; what follows from an alarm stands under it.",
            "Exit code 1 if there is any that nobody has acknowledged, 0 if there is none."
        })
public final class AlarmsCommand extends ListCommand {
    @Mixin
    private EventFilter filter = new EventFilter();

    @Option(
            names = {"-q", "--quiet"},
            description = "prints nothing; the exit code says it")
    private boolean quiet;

    @Override
    String list() {
        return "alarms";
    }

    @Override
    ApiQuery narrowed(ApiQuery query) {
        return filter.narrowed(query);
    }

    @Override
    int show(ManagerClient client, PrintWriter out) throws IOException, NoAnswerException {
        return quiet ? code(ask(client).json()) : super.show(client, out);
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        AlarmTree tree = new AlarmTree(answer.at("/alarms"));
        if (tree.count() == 0) {
            out.println("no alarms");
            return;
        }
        TextTable table = new TextTable("ID", "SINCE", "SEVERITY", "KIND", "WHAT");
        tree.forEach((alarm, depth) -> table.row(
                alarm.at("/id").asText(),
                Times.second(alarm.at("/since").asText()),
                alarm.at("/severity").asText(),
                alarm.at("/kind").asText(),
                "  ".repeat(depth) + alarm.at("/text").asText() + acknowledged(alarm, depth)));
        table.print(out);
    }

    @Override
    int code(JsonNode answer) {
        for (JsonNode alarm : answer.at("/alarms")) {
            if (!alarm.has("acknowledged")) {
                return NO;
            }
        }
        return YES;
    }

    /** Who takes care of it; what follows from it is cared for with it. */
    private static String acknowledged(JsonNode alarm, int depth) {
        return depth > 0 || !alarm.has("acknowledged")
                ? ""
                : "; acknowledged by " + alarm.at("/acknowledged/by").asText() + ": "
                        + alarm.at("/acknowledged/why").asText();
    }
}
