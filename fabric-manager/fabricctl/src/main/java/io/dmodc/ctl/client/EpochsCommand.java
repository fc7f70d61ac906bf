package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** {@code fabricctl epochs}. */
@Command(
        name = "epochs",
        description = {
            "Lists the last fabric epochs, with the time each step took; newest last.",
            "CONGESTION: all-to-all, mean of permutations, mean of shifts."
        })
public final class EpochsCommand extends ListCommand {
    @Override
    String list() {
        return "epochs";
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        TextTable table = new TextTable(
                "EPOCH",
                "STAGE",
                "START",
                "ROUTE",
                "CHECK",
                "RESTORED",
                "PUSH",
                "TOTAL",
                "SWITCHES",
                "BLOCKS",
                "CONGESTION",
                "CAUSE");
        answer.at("/epochs")
                .forEach(epoch -> table.row(
                        epoch.at("/epoch").asText(),
                        epoch.at("/stage").asText(),
                        Times.micros(epoch.at("/noticeToStartMicros")),
                        Times.micros(epoch.at("/routeMicros")),
                        Times.micros(epoch.at("/checkMicros")),
                        Times.micros(epoch.at("/restoredMicros")),
                        Times.micros(epoch.at("/pushMicros")),
                        Times.micros(epoch.at("/totalMicros")),
                        epoch.at("/switches").asText(),
                        epoch.at("/blocks").asText(),
                        CongestionText.of(epoch.at("/congestion")),
                        epoch.at("/cause").asText()));
        table.print(out);
    }
}
