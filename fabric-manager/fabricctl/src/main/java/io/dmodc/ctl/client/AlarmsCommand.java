package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code fabricctl alarms}. */
@Command(
        name = "alarms",
        description = {
            "Lists what is wrong now; what follows from an alarm stands under it.",
            "Exit code 1 if there is any, 0 if there is none."
        })
public final class AlarmsCommand extends ListCommand {
    @Option(names = "--severity", paramLabel = "warning|alarm", description = "only this or worse")
    private @Nullable Severity severity;

    @Option(names = "--kind", paramLabel = "KIND", description = "only this kind, as link-down or host-down")
    private @Nullable String kind;

    @Option(
            names = "--name",
            paramLabel = "TEXT",
            description = "only those of a switch with it in its name; * for any letters")
    private @Nullable String name;

    @Option(
            names = "--since",
            paramLabel = "WHEN",
            converter = PastMoment.Converter.class,
            description = "only those raised since: 2026-01-31T02:40:00Z, 02:40 (UTC) or 30min (ago)")
    private @Nullable Instant since;

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
        return query.with("severity", severity)
                .with("kind", kind == null ? null : lower(kind))
                .with("name", name)
                .with("since", since);
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
                "  ".repeat(depth) + alarm.at("/text").asText()));
        table.print(out);
    }

    @Override
    int code(JsonNode answer) {
        return answer.at("/alarms").isEmpty() ? YES : NO;
    }
}
