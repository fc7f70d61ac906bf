package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.EntryAge;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.SwitchSnapshot;
import io.dmodc.manager.state.StateRecord.Intent;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.explanation.ExplanationReport;
import io.dmodc.routing.explanation.RouteExplainer;
import io.dmodc.routing.rebalance.RowMoves;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.PortPlace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Why a switch sends packets to a node where it does, and whether it really does.
 *
 * @param epoch of the tables in force
 * @param viewEpoch of the fabric they are explained with: a later one while tables for it are computed
 * @param port by which the switch forwards as far as is known; {@code null}: no route
 * @param desiredPort of the table it should hold; {@code null}: no route
 * @param acked the switch is known to hold that table
 * @param held {@code port} is of another table, which it holds: its agent is away, or the push is under way
 * @param ackedEpoch of the table it acknowledged last
 * @param state the same three for people
 * @param difference why the entry it has is not the explained one: it is moved, another engine, a headless or a drained switch; empty when it is
 * @param since which epoch the entry of the tables in force is as it is; left out for a switch that is drained or down, and while no
 *     epoch is kept
 * @param text all of it in lines for people
 */
public record ExplainAnswer(
        long epoch,
        long viewEpoch,
        @Nullable Integer port,
        @Nullable Integer desiredPort,
        boolean acked,
        boolean held,
        long ackedEpoch,
        String state,
        String difference,
        ExplanationReport explanation,
        @Nullable Since since,
        List<String> text) {

    /**
     * The first epoch that is known to have had the entry.
     *
     * @param accepted ISO 8601, UTC
     * @param orBefore it is the oldest epoch that is kept: what was before is not known
     */
    public record Since(long epoch, String accepted, String cause, boolean orBefore) {
        private static Since of(EntryAge age) {
            return new Since(
                    age.epoch().epoch(),
                    Instant.ofEpochMilli(age.epoch().acceptedMillis()).toString(),
                    age.epoch().cause(),
                    age.orBefore());
        }

        private String text() {
            return "the tables say so since epoch " + epoch
                    + (orBefore ? " or before: it is the oldest one kept" : " (" + accepted + ": " + cause + ")");
        }
    }

    /**
     * Explains; takes as long as finding the costs of the whole fabric twice.
     *
     * @param engine by its name in the settings
     * @param view the last one drawn
     * @param tables those in force
     * @param s switch index of the view, and {@code record} the same switch
     * @param node index
     */
    public static ExplainAnswer of(
            String engine,
            FabricSnapshot fabric,
            FabricView view,
            LftSet tables,
            SwitchSnapshot record,
            int s,
            int node) {
        int desired = entry(record.desiredRow(), node);
        int forwards = entry(ForwardingRow.of(record), node);
        RouteExplainer explainer = RouteExplainer.of(engine, view, Parallel.sequential());
        ExplanationReport explanation = ExplanationReport.of(explainer, explainer.explain(s, node, desired));
        String difference = "";
        if (fabric.intent().isDrained(new PortPlace(record.guid(), 0))) {
            difference =
                    "it is drained: routes lead around it, and it keeps the table it has, by which " + sends(forwards);
        } else if (!Objects.equals(explanation.port(), port(desired))) {
            difference = "but by the tables of epoch " + tables.epoch() + " " + sends(desired) + ": "
                    + reason(engine, fabric, view, tables, record.guid(), node);
        }
        String state = state(record, forwards);
        List<String> text = new ArrayList<>(explanation.text());
        if (!difference.isEmpty()) {
            text.add(difference);
        }
        EntryAge age = fabric.kept().age(record.guid(), node, view.nodeGuid(node));
        Since since = age == null ? null : Since.of(age);
        if (since != null) {
            text.add(since.text());
        }
        text.add(state);
        return new ExplainAnswer(
                tables.epoch(),
                view.epoch(),
                port(forwards),
                port(desired),
                record.upToDate(),
                ForwardingRow.isHeld(record),
                record.ackedEpoch(),
                state,
                difference,
                explanation,
                since,
                List.copyOf(text));
    }

    private static int entry(@Nullable LftRow row, int node) {
        return row == null || node >= row.entryCount() ? LftSet.NO_ROUTE : row.port(node);
    }

    private static @Nullable Integer port(int entry) {
        return entry == LftSet.NO_ROUTE ? null : entry;
    }

    private static String sends(int entry) {
        return entry == LftSet.NO_ROUTE ? "it has no route" : "it sends out of port " + entry;
    }

    private static String state(SwitchSnapshot record, int forwards) {
        if (record.upToDate()) {
            return record.name() + " holds its table, acknowledged in epoch " + record.ackedEpoch();
        }
        return ForwardingRow.isHeld(record)
                ? record.name() + " still holds its table of epoch " + record.ackedEpoch() + ", by which "
                        + sends(forwards)
                : record.name() + " has not acknowledged its table";
    }

    /** As far as it can be told: tables do not say who made them. */
    private static String reason(
            String engine, FabricSnapshot fabric, FabricView view, LftSet tables, long guid, int node) {
        List<String> bypassed = fabric.switches().stream()
                .filter(SwitchSnapshot::bypassed)
                .map(SwitchSnapshot::name)
                .toList();
        if (view.epoch() != tables.epoch()) {
            return "those of epoch " + view.epoch() + " are not in force yet";
        }
        RowMoves moves = fabric.intent().moves().rows().get(guid);
        Intent by = fabric.intent().rebalance();
        if (moves != null && by != null && moves.portOf(node) == tables.port(view.switchOf(guid), node)) {
            return "it is moved to where shifts press less, as " + by.by() + " wanted since "
                    + Instant.ofEpochMilli(by.atMillis()) + (by.why().isEmpty() ? "" : ": " + by.why());
        }
        if (!bypassed.isEmpty()) {
            return "the tables were made to fit what headless switches hold: "
                    + bypassed.stream().limit(8).collect(Collectors.joining(", "))
                    + (bypassed.size() > 8 ? " and " + (bypassed.size() - 8) + " more" : "");
        }
        return "these tables were not made by " + engine + ", but by the fall-back engine or by the manager before";
    }
}
