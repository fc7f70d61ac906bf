package io.dmodc.ctl;

import io.dmodc.ctl.client.TextTable;
import io.dmodc.routing.quality.GroupRisk;
import io.dmodc.routing.quality.PortStage;
import io.dmodc.routing.quality.PortStage.Direction;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The congestion risk of traffic from nodes of one type to nodes of another; the JSON of {@code quality --from --to
 * --format json}.
 *
 * @param engine who made the tables: an engine, or the file they came from
 * @param from type of the nodes that send, or {@code all}
 * @param to type of those that are sent to, or {@code all}
 * @param senders how many take part
 * @param receivers likewise
 * @param pairs ordered pairs of two nodes
 * @param unroutedPairs those whose route does not arrive; they send nothing
 * @param a2a risk when each of the senders sends to each of the receivers
 * @param ports between switches
 * @param portsUsed of these, by any of the flows
 * @param stages the same for the ports of one direction between two ranks, in the order packets meet them
 */
record GroupQualityReport(
        String engine,
        String from,
        String to,
        int senders,
        int receivers,
        long pairs,
        long unroutedPairs,
        int a2a,
        int ports,
        int portsUsed,
        List<Stage> stages) {
    /** @param fromRank absent for ports that lead neither a rank up nor down */
    record Stage(
            Direction direction,
            @Nullable Integer fromRank,
            @Nullable Integer toRank,
            int ports,
            int portsUsed,
            int a2a) {}

    static GroupQualityReport of(String engine, String from, String to, GroupRisk risk) {
        List<Stage> stages =
                risk.stages().stream().map(GroupQualityReport::stage).toList();
        return new GroupQualityReport(
                engine,
                from,
                to,
                risk.senders(),
                risk.receivers(),
                risk.pairs(),
                risk.unroutedPairs(),
                risk.risk(),
                stages.stream().mapToInt(Stage::ports).sum(),
                risk.portsUsed(),
                stages);
    }

    private static Stage stage(GroupRisk.Stage found) {
        PortStage stage = found.stage();
        boolean ranked = stage.fromRank() >= 0;
        return new Stage(
                stage.direction(),
                ranked ? stage.fromRank() : null,
                ranked ? stage.toRank() : null,
                stage.ports(),
                found.portsUsed(),
                found.risk());
    }

    void print(PrintWriter out) {
        out.println(String.format(
                Locale.ROOT,
                "%s: %,d nodes (%s) send to %,d (%s), %,d pairs%s",
                engine,
                senders,
                from,
                receivers,
                to,
                pairs,
                unroutedPairs == 0 ? "" : String.format(Locale.ROOT, ", %,d of them without a route", unroutedPairs)));
        out.println();
        TextTable table = new TextTable("congestion risk", "ports", "used", "all-to-all");
        table.row("whole fabric", ports, portsUsed, a2a);
        for (Stage stage : stages) {
            table.row(
                    QualityReport.StageRisk.name(stage.direction, stage.fromRank, stage.toRank),
                    stage.ports,
                    stage.portsUsed,
                    stage.a2a);
        }
        table.print(out);
    }
}
