package io.dmodc.manager.app;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dmodc.manager.recording.Replay;
import io.dmodc.routing.Parallel;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fabric-manager state replay}. */
@Command(
        name = "replay",
        description = {
            "Tells a core again what a manager was told, computes all tables again, and prints each epoch.",
            "Compares with what was recorded: exit code 0 if all is the same, 1 at the first difference, which is named."
        })
final class StateReplayCommand implements Callable<Integer> {
    private static final String HEAD =
            "ended                     epoch  stage       switches    blocks  tables              cause";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "a recording: settings 'recording' say where they are")
    private Path file = Path.of("");

    @Option(
            names = "--format",
            defaultValue = "text",
            paramLabel = "text|json",
            description = "form of the answer: ${COMPLETION-CANDIDATES} (default: text)")
    private StateShowCommand.Format format = StateShowCommand.Format.TEXT;

    private boolean headed;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        boolean text = format == StateShowCommand.Format.TEXT;
        Replay.Summary summary =
                Replay.run(file, Parallel.sequential(), epoch -> out.println(text ? lines(epoch) : json(epoch)));
        if (text) {
            lines(summary, out);
        } else {
            out.println(json(summary));
        }
        return summary.difference() == null ? 0 : 1;
    }

    /** The first with the heads of the columns above it. */
    private String lines(Replay.Epoch epoch) {
        String head = headed ? "" : HEAD + System.lineSeparator();
        headed = true;
        return head + line(epoch);
    }

    private static String line(Replay.Epoch epoch) {
        String verdict = epoch.verdict().isEmpty() || epoch.verdict().equals("ok") ? "" : ": " + epoch.verdict();
        return String.format(
                "%-24s  %5d  %-10s  %8d  %8d  %s  %s%s",
                epoch.at(),
                epoch.epoch(),
                epoch.stage(),
                epoch.switches(),
                epoch.blocks(),
                digest(epoch),
                epoch.cause(),
                verdict);
    }

    private static String digest(Replay.Epoch epoch) {
        return epoch.digest() == 0 ? "none              " : String.format("0x%016x", epoch.digest());
    }

    private static void lines(Replay.Summary summary, PrintWriter out) {
        out.println(summary.epochs() + " epochs, " + summary.events() + " events in " + summary.turns()
                + " turns; recorded by fabric-manager " + summary.writer() + " under leader epoch "
                + summary.leaderEpoch() + ", from " + summary.from() + " for "
                + summary.lasted().toSeconds()
                + " s; end: " + summary.end());
        out.println(summary.difference() == null ? "the same as recorded" : "different: " + summary.difference());
    }

    private static ObjectNode json(Replay.Epoch epoch) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("at", epoch.at().toString())
                .put("epoch", epoch.epoch())
                .put("stage", epoch.stage())
                .put("verdict", epoch.verdict())
                .put("switches", epoch.switches())
                .put("blocks", epoch.blocks())
                .put("cause", epoch.cause());
        return epoch.digest() == 0 ? node : node.put("digest", digest(epoch));
    }

    private static ObjectNode json(Replay.Summary summary) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("same", summary.difference() == null)
                .put("epochs", summary.epochs())
                .put("events", summary.events())
                .put("turns", summary.turns())
                .put("writer", summary.writer())
                .put("leaderEpoch", summary.leaderEpoch())
                .put("from", summary.from().toString())
                .put("seconds", summary.lasted().toSeconds())
                .put("end", summary.end());
        return summary.difference() == null ? node : node.put("difference", summary.difference());
    }
}
