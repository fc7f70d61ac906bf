package io.dmodc.routing.prediction;

import io.dmodc.routing.change.ChangePlan;
import io.dmodc.routing.change.ChangePlan.Verdict;
import io.dmodc.routing.check.CheckReport.Failure;
import io.dmodc.routing.prediction.CongestionChange.PortChange;
import io.dmodc.routing.prediction.Prediction.CutOff;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Tells a prediction in a few lines. */
final class PredictionText {
    /** Most nodes that are named. */
    private static final int NODES_MAX = 8;

    private final Prediction prediction;
    private final FabricView view;

    PredictionText(Prediction prediction) {
        this.prediction = prediction;
        view = prediction.view();
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("cut off: " + cutOff());
        long pairsBefore = prediction.before().unreachableLeafPairs();
        long pairsAfter = prediction.after().unreachableLeafPairs();
        if (pairsBefore != pairsAfter) {
            lines.add(number("pairs of leaves without a path: %,d → %,d", pairsBefore, pairsAfter));
        }
        lines.add(change());
        for (Failure failure : prediction.after().failures()) {
            lines.add("invalid tables: " + failure.property() + " ("
                    + failure.property().claim() + ") fails " + failure.count() + " times");
        }
        CongestionChange congestion = prediction.congestion();
        if (congestion != null) {
            addCongestion(congestion, lines);
        }
        return List.copyOf(lines);
    }

    private String cutOff() {
        List<CutOff> cutOff = prediction.cutOff();
        if (cutOff.isEmpty()) {
            return "none";
        }
        int count = prediction.cutOffNodes();
        String where =
                cutOff.size() == 1 ? name(cutOff.get(0).switchIndex()) : number("%,d switches", (long) cutOff.size());
        String named = cutOff.stream()
                .flatMap(each -> each.nodes().stream())
                .limit(NODES_MAX)
                .map(this::nodeName)
                .collect(Collectors.joining(", "));
        return number(count == 1 ? "%,d node of " : "%,d nodes of ", (long) count)
                + where
                + ": "
                + named
                + (count > NODES_MAX ? number(" and %,d more", (long) count - NODES_MAX) : "");
    }

    private String change() {
        ChangePlan plan = prediction.plan();
        if (prediction.switches() == 0) {
            return "no table changes";
        }
        String size =
                number(prediction.switches() == 1 ? "%,d switch, " : "%,d switches, ", (long) prediction.switches())
                        + number(prediction.blocks() == 1 ? "%,d block, " : "%,d blocks, ", prediction.blocks());
        if (plan.verdict() == Verdict.NOT_PROVABLE) {
            return size + "not provable: " + plan.problem();
        }
        int drains = plan.drains().cardinality();
        return size
                + (plan.rounds() == 1 ? "1 round" : plan.rounds() + " rounds")
                + (drains == 0 ? "" : drains == 1 ? " with a drain" : " with " + drains + " drains")
                + ", transient-safe"
                + (plan.quiesced().isEmpty()
                        ? ""
                        : "; quiesced: what is sent to " + plan.quiesced().cardinality()
                                + " nodes is lost for two round trips and a drain");
    }

    private void addCongestion(CongestionChange congestion, List<String> lines) {
        lines.add(String.format(
                Locale.ROOT,
                "congestion: all-to-all %d → %d, permutations %.2f → %.2f, shifts %.2f → %.2f",
                congestion.before().allToAll(),
                congestion.after().allToAll(),
                congestion.before().permutations().mean(),
                congestion.after().permutations().mean(),
                congestion.before().shifts().mean(),
                congestion.after().shifts().mean()));
        if (!congestion.hottest().isEmpty()) {
            PortChange hot = congestion.hottest().get(0);
            lines.add("hottest: " + name(hot.switchIndex()) + " port " + hot.port() + " (" + hot.before() + " → "
                    + hot.after() + ")");
        }
    }

    private String name(int s) {
        return view.switchName(s).isBlank() ? Guid.format(view.switchGuid(s)) : view.switchName(s);
    }

    private String nodeName(int node) {
        Host host = view.host(node);
        return host == null ? "node index " + node : host.name();
    }

    private static String number(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
