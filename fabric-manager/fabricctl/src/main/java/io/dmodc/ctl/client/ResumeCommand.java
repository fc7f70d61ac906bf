package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code fabricctl resume}. */
@Command(name = "resume", description = "Ends a pause: what waits is sent. Exit code 1 if pushes are not paused.")
public final class ResumeCommand extends ManagerCommand {
    @Mixin
    private Author author = new Author();

    @Override
    Answer ask(ManagerClient client) throws IOException, NoAnswerException {
        return client.post("resume", author.body(), "drained", JsonNodeType.ARRAY);
    }

    @Override
    void print(JsonNode intent, PrintWriter out) {
        out.println("pushes go on");
    }
}
