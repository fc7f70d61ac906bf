package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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

    private static final int TIMEOUT_MAX = 3600;

    /** How an answer is printed. */
    enum Format {
        TEXT,
        JSON;

        /** As it is written on a command line. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
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
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "how long the manager may take for each answer (default: " + ManagerClient.BEGUN_SECONDS
                    + " until it begins, of plans " + ManagerClient.ANSWER_SECONDS + ")")
    private @Nullable Integer timeoutSeconds;

    @Option(
            names = "--format",
            defaultValue = "text",
            paramLabel = "text|json",
            description = "json is the answer of the manager as it is (default: ${DEFAULT-VALUE})")
    private Format format = Format.TEXT;

    @Override
    public final Integer call() throws IOException {
        try {
            return run(client());
        } catch (NoAnswerException e) {
            PrintWriter err = spec.commandLine().getErr();
            err.println(spec.qualifiedName() + ": " + e.getMessage());
            return NO;
        }
    }

    private ManagerClient client() {
        if (timeoutSeconds == null) {
            return new ManagerClient(manager);
        }
        if (timeoutSeconds < 1 || timeoutSeconds > TIMEOUT_MAX) {
            throw new IllegalArgumentException(
                    "--timeout " + timeoutSeconds + "; expected 1.." + TIMEOUT_MAX + " seconds");
        }
        return new ManagerClient(manager, Duration.ofSeconds(timeoutSeconds));
    }

    /** Asks once; commands that ask again and again override it. */
    int run(ManagerClient client) throws IOException, NoAnswerException {
        return show(client, out());
    }

    /** Asks once and shows the answer; returns what it comes to. */
    int show(ManagerClient client, PrintWriter out) throws IOException, NoAnswerException {
        Answer answer = ask(client);
        if (format == Format.JSON) {
            out.println(answer.text().strip());
        } else {
            print(answer.json(), out);
        }
        return code(answer.json());
    }

    /** Asks the manager. */
    abstract Answer ask(ManagerClient client) throws IOException, NoAnswerException;

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

    final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** A value of a list as the manager spells it; {@code null} for what was not given. */
    static String lower(Object value) {
        return value.toString().toLowerCase(Locale.ROOT);
    }
}
