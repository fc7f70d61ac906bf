package io.dmodc.routing.explanation;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.explanation.RouteExplanation.Formula;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An explanation with names, for people and programs.
 *
 * @param node index of the node, the d of the formulas
 * @param nodeGuid of its port; {@code null} where the index has no host at present, as the next two are
 * @param homeGuid switch it is cabled to
 * @param engine whose tables are explained
 * @param way here, down, up, aside, no-host, no-table or no-path
 * @param hops cables to the node's switch; {@code null} where no path is
 * @param candidates port groups that lead closer (C of equation (1))
 * @param formula how the port was chosen of them; {@code null} where nothing is chosen, or not by a formula
 * @param port the entry; {@code null}: no route
 * @param next what is behind that port, as {@code spine3 port 7} or the name of the node; empty where nothing is
 * @param alternatives all ports of the candidates (P of equation (2))
 * @param afterLoss what the entry would be without the cable of {@code port}; {@code null} where that is not known
 * @param text the same in lines for people
 */
public record ExplanationReport(
        String switchGuid,
        String switchName,
        int node,
        @Nullable String nodeGuid,
        String nodeName,
        @Nullable String homeGuid,
        @Nullable String homeName,
        String engine,
        String way,
        @Nullable Integer hops,
        List<Group> candidates,
        @Nullable Formula formula,
        @Nullable Integer port,
        String next,
        List<Integer> alternatives,
        @Nullable Entry afterLoss,
        List<String> text) {

    /**
     * A port group.
     *
     * @param guid of the switch behind it
     */
    public record Group(String guid, String name, List<Integer> ports) {}

    /**
     * An entry of a table.
     *
     * @param port {@code null}: no route
     * @param next what is behind it
     */
    public record Entry(@Nullable Integer port, String next) {}

    /** Explains what an explainer's engine has a formula for, with what would be without the cable. */
    public static ExplanationReport of(RouteExplainer explainer, int s, int node) {
        return of(explainer, explainer.explain(s, node));
    }

    /** Tells an explanation, with what would be without the cable where that follows from a formula. */
    public static ExplanationReport of(RouteExplainer explainer, RouteExplanation why) {
        FabricView view = explainer.view();
        RouteExplanation loss =
                why.way().goesOn() ? explainer.afterLoss(why.switchIndex(), why.port(), why.node()) : null;
        boolean homed = why.home() >= 0;
        return new ExplanationReport(
                Guid.format(view.switchGuid(why.switchIndex())),
                Names.ofSwitch(view, why.switchIndex()),
                why.node(),
                homed ? Guid.format(view.nodeGuid(why.node())) : null,
                Names.ofNode(view, why.node()),
                homed ? Guid.format(view.switchGuid(why.home())) : null,
                homed ? Names.ofSwitch(view, why.home()) : null,
                explainer.engine(),
                why.way().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                why.hops() < 0 ? null : why.hops(),
                why.candidates().stream()
                        .map(each -> new Group(
                                Guid.format(view.switchGuid(each.remote())),
                                Names.ofSwitch(view, each.remote()),
                                each.ports()))
                        .toList(),
                why.formula(),
                port(why),
                Names.behind(view, why.switchIndex(), why.port()),
                why.alternatives(),
                loss == null ? null : new Entry(port(loss), Names.behind(view, why.switchIndex(), loss.port())),
                new ExplanationText(explainer, why, loss).lines());
    }

    private static @Nullable Integer port(RouteExplanation why) {
        return why.port() == LftSet.NO_ROUTE ? null : why.port();
    }
}
