package io.dmodc.routing.explanation;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.explanation.RouteExplanation.Candidate;
import io.dmodc.routing.explanation.RouteExplanation.Formula;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tells an explanation in lines, with the numbers of each step. */
final class ExplanationText {
    /** Most port groups that are named. */
    private static final int GROUPS_MAX = 8;

    private final RouteExplainer explainer;
    private final FabricView view;
    private final RouteExplanation why;
    private final @Nullable RouteExplanation loss;
    private final String at;
    private final String node;

    ExplanationText(RouteExplainer explainer, RouteExplanation why, @Nullable RouteExplanation loss) {
        this.explainer = explainer;
        this.view = explainer.view();
        this.why = why;
        this.loss = loss;
        at = Names.ofSwitch(view, why.switchIndex());
        node = Names.ofNode(view, why.node());
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(entry());
        lines.add(reason());
        Formula formula = why.formula();
        if (!why.candidates().isEmpty()) {
            lines.add("candidates (1): " + candidates());
        }
        if (formula != null) {
            addSteps(formula, lines);
        } else if (why.way().goesOn()) {
            lines.add(choice());
        }
        if (loss != null) {
            lines.add("without this cable: " + way(loss.port()));
        }
        return List.copyOf(lines);
    }

    private String entry() {
        return why.port() == LftSet.NO_ROUTE
                ? at + " has no route to " + node
                : at + " sends packets to " + node + " out of " + way(why.port());
    }

    private String way(int port) {
        if (port == LftSet.NO_ROUTE) {
            return "no route";
        }
        String behind = Names.behind(view, why.switchIndex(), port);
        return "port " + port + (behind.isEmpty() ? ", which leads nowhere" : " to " + behind);
    }

    private String reason() {
        return switch (why.way()) {
            case HERE -> "here: " + node + " is cabled to this port";
            case DOWN -> "down: " + whereabouts();
            case UP -> "up: " + whereabouts();
            case ASIDE -> "aside, neither up nor down: " + whereabouts();
            case NO_HOST -> "no host has this index at present";
            case NO_TABLE ->
                at + (view.alive(why.switchIndex()) ? " has no rank" : " is dead or drained")
                        + ": no table is made for it";
            case NO_PATH ->
                "no path that " + explainer.engine() + " allows leads to " + Names.ofSwitch(view, why.home())
                        + (view.alive(why.home()) ? "" : ", which is dead or drained,") + " where " + node + " is";
        };
    }

    private String whereabouts() {
        String place = node + " is on " + Names.ofSwitch(view, why.home()) + " port " + view.nodePort(why.node());
        if (why.hops() < 0) {
            return place + ", where no up–down path leads from here";
        }
        return place + ", " + why.hops() + (why.hops() == 1 ? " hop" : " hops") + " from here";
    }

    private String candidates() {
        int count = why.candidates().size();
        String named = why.candidates().stream()
                .limit(GROUPS_MAX)
                .map(each -> Names.ofSwitch(view, each.remote()) + " (" + ports(each.ports()) + ")")
                .collect(Collectors.joining(", "));
        return (count == 1 ? "1 port group leads closer: " : count + " port groups lead closer: ")
                + named
                + (count > GROUPS_MAX ? " and " + (count - GROUPS_MAX) + " more" : "");
    }

    private void addSteps(Formula formula, List<String> lines) {
        int d = why.node();
        int count = why.candidates().size();
        Candidate chosen = why.candidates().get(formula.group());
        long both = (long) formula.divider() * count;
        int size = chosen.ports().size();
        lines.add("divider: " + formula.divider() + ", how many consecutive nodes share a port");
        lines.add("group (3): ⌊" + d + " / " + formula.divider() + "⌋ mod " + count + " = " + d / formula.divider()
                + " mod " + count + " = " + formula.group() + ": " + Names.ofSwitch(view, chosen.remote()));
        lines.add("port (4): ⌊" + d + " / (" + formula.divider() + " · " + count + ")⌋ mod " + size + " = " + d / both
                + " mod " + size + " = " + formula.place() + ": port " + why.port());
        lines.add("alternatives (2): " + ports(why.alternatives()));
    }

    /** What an engine without a formula does. */
    private String choice() {
        String engine = explainer.engine();
        if (!why.alternatives().contains(why.port())) {
            return "port " + why.port() + " is none of them: " + engine + " does not go by fewest hops alone";
        }
        return engine + " has no formula: of the ports it may use it took the one that fewest nodes before had, in its"
                + " own order";
    }

    /** Ports in runs: {@code ports 3..6, 9}. */
    private static String ports(List<Integer> ports) {
        List<String> runs = new ArrayList<>();
        for (int from = 0, to = 0; from < ports.size(); from = to) {
            to = from + 1;
            while (to < ports.size() && ports.get(to) == ports.get(to - 1) + 1) {
                to++;
            }
            runs.add(to - from == 1 ? "" + ports.get(from) : ports.get(from) + ".." + ports.get(to - 1));
        }
        return (ports.size() == 1 ? "port " : "ports ") + String.join(", ", runs);
    }
}
