package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dmodc.settings.DurationText;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fabricctl pause}. */
@Command(
        name = "pause",
        description = {
            "No tables are sent until 'fabricctl resume', or until the time is over: all is computed and shown, and waits.",
            "Faults wait, too, unless they are to end it: what breaks meanwhile is not led around."
        })
public final class PauseCommand extends ManagerCommand {
    @Option(names = "--for", paramLabel = "TIME", description = "how long, as 90s, 30min, 2h (default: until resumed)")
    private @Nullable String time;

    @Option(names = "--faults-end-it", description = "ends the pause as soon as there are tables that mend something")
    private boolean faultsEndIt;

    @Mixin
    private Author author = new Author();

    @Override
    Answer ask(ManagerClient client) throws IOException, NoAnswerException {
        ObjectNode body = author.body();
        if (faultsEndIt) {
            body.put("faultsEndIt", true);
        }
        if (time != null) {
            Duration duration = DurationText.parse(time);
            if (duration.toSeconds() < 1) {
                throw new IllegalArgumentException("--for " + time + "; expected 1 s or more");
            }
            body.put("seconds", duration.toSeconds());
        }
        return client.post("pause", body, "drained", JsonNodeType.ARRAY);
    }

    @Override
    void print(JsonNode intent, PrintWriter out) {
        JsonNode until = intent.at("/pause/until");
        out.println("pushes paused" + (until.isMissingNode() ? "" : " until " + Times.second(until.asText())));
    }
}
