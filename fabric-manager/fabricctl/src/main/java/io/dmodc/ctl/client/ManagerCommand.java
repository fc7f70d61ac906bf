package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * A command that asks a running manager one thing and prints the answer.
 *
 * <p>Exit codes: 0 for an answer, 1 when the answer is "no", 2 when there is none.
 */
abstract class ManagerCommand implements Callable<Integer> {
    static final int YES = 0;
    static final int NO = 1;

    /** How an answer is printed. */
    enum Format {
        TEXT,
        JSON
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--manager",
            paramLabel = "URL",
            defaultValue = "${env:FABRIC_MANAGER:-http://127.0.0.1:7480}",
            description = "(default: FABRIC_MANAGER in the environment, or http://127.0.0.1:7480)")
    private String manager = "";

    @Option(
            names = "--format",
            defaultValue = "text",
            paramLabel = "json|text",
            description = "json is the answer of the manager as it is (default: ${DEFAULT-VALUE})")
    private Format format = Format.TEXT;

    @Override
    public final Integer call() throws IOException {
        try {
            return run(new ManagerClient(manager));
        } catch (NoAnswerException e) {
            PrintWriter err = spec.commandLine().getErr();
            err.println(spec.qualifiedName() + ": " + e.getMessage());
            return NO;
        }
    }

    /** Asks once; commands that do more override it. */
    int run(ManagerClient client) throws IOException, NoAnswerException {
        String answer = client.get(path());
        JsonNode json = client.parse(answer);
        if (format == Format.JSON) {
            out().println(answer.strip());
        } else {
            print(json, out());
        }
        return code(json);
    }

    /** What to ask, below {@code /api/v1/}. */
    abstract String path();

    /** Prints the answer for people. */
    abstract void print(JsonNode answer, PrintWriter out);

    /** What the answer comes to. */
    int code(JsonNode answer) {
        return YES;
    }

    final Format format() {
        return format;
    }

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** Makes text safe inside a path or query. */
    static String quoted(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
