package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.loop.ActPlanning.Planned;
import io.dmodc.routing.change.ChangePlan;
import io.dmodc.routing.prediction.CongestionChange;
import io.dmodc.routing.prediction.Prediction;
import io.dmodc.routing.quality.CongestionSummary;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an act or a loss would do.
 *
 * @param id by which it is applied
 * @param epoch it was planned for; it is refused in any other
 * @param act what is planned, in the words of the API
 * @param objects switches, hosts, and cables as {@code SWITCH:PORT}; of a rollback, what is drained then
 * @param engine that is chosen; left out for other acts
 * @param rollbackTo epoch whose tables are made again; left out for other acts
 * @param problem why there would be no tables; left out when there would be
 * @param text the rest in lines for people
 * @param cutOff hosts that lose their paths, by switch; left out with a problem, as all that follows
 * @param switches that get other entries
 * @param blocks of 64 entries that are rewritten
 * @param verdict of the change: {@code any-order}, {@code in-rounds} or {@code not-provable}
 * @param valid the tables pass the check
 * @param congestion left out when it was not measured
 */
public record PlanAnswer(
        String id,
        long epoch,
        String act,
        List<String> objects,
        @Nullable String engine,
        @Nullable Long rollbackTo,
        @Nullable String problem,
        List<String> text,
        @Nullable List<CutOff> cutOff,
        @Nullable Integer switches,
        @Nullable Long blocks,
        @Nullable Long entries,
        @Nullable Integer rounds,
        @Nullable Integer drains,
        @Nullable String verdict,
        @Nullable Boolean valid,
        @Nullable Congestion congestion) {
    /** Hosts named, of one switch. */
    private static final int NAMES_MAX = 256;

    /**
     * Hosts of one switch that lose their paths.
     *
     * @param nodes names of the first {@value #NAMES_MAX}
     * @param count of all
     */
    public record CutOff(String guid, String name, List<String> nodes, int count) {}

    /**
     * Congestion before and after.
     *
     * @param hottest the ports that bear most afterwards
     */
    public record Congestion(Figures before, Figures after, List<HotPort> hottest) {}

    /**
     * Congestion of tables.
     *
     * @param allToAll highest risk of a port, exact
     * @param permutations mean of the highest risk over random permutations
     * @param shifts the same over shifts
     */
    public record Figures(int allToAll, double permutations, double shifts) {
        static Figures of(CongestionSummary of) {
            return new Figures(
                    of.allToAll(), of.permutations().mean(), of.shifts().mean());
        }
    }

    /** A port, and its risk in all-to-all traffic. */
    public record HotPort(String guid, String name, int port, int before, int after) {}

    public static PlanAnswer of(String id, Planned planned, FabricSnapshot fabric) {
        Act act = planned.act();
        Prediction prediction = planned.prediction();
        List<String> objects = act != null && act.verb() == Act.Verb.FORGET
                ? act.forgotten().stream().map(fabric::nameOf).toList()
                : act != null && !act.replacedHosts().isEmpty()
                        ? act.objects().stream()
                                .map(place -> ActNotes.hostName(place.guid(), fabric))
                                .toList()
                        : planned.wanted().objects().stream()
                                .map(place ->
                                        fabric.nameOf(place.guid()) + (place.port() == 0 ? "" : ":" + place.port()))
                                .toList();
        List<String> text = new ArrayList<>(
                prediction != null
                        ? prediction.text()
                        : List.of(
                                planned.problem().isEmpty()
                                        ? "no tables to compare with: what routes do then is not known"
                                        : "no tables: " + planned.problem()));
        if (act != null) {
            text.addAll(ActNotes.of(act, fabric));
        }
        String word = act == null ? "what-if" : act.verb().word();
        String engine = act == null || act.verb() != Act.Verb.ENGINE
                ? null
                : act.engine().isEmpty() ? "default" : act.engine();
        Long rollbackTo = act != null && act.verb() == Act.Verb.ROLLBACK ? (Long) Long.parseLong(act.epoch()) : null;
        if (prediction == null) {
            return new PlanAnswer(
                    id,
                    planned.epoch(),
                    word,
                    objects,
                    engine,
                    rollbackTo,
                    planned.problem().isEmpty() ? null : planned.problem(),
                    text,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null);
        }
        ChangePlan plan = prediction.plan();
        CongestionChange congestion = prediction.congestion();
        return new PlanAnswer(
                id,
                planned.epoch(),
                word,
                objects,
                engine,
                rollbackTo,
                null,
                text,
                prediction.cutOff().stream()
                        .map(each -> cutOff(prediction.view(), each))
                        .toList(),
                prediction.switches(),
                prediction.blocks(),
                prediction.entries(),
                plan.rounds(),
                plan.drains().cardinality(),
                EnumWords.of(plan.verdict()),
                prediction.after().valid(),
                congestion == null ? null : congestion(prediction.view(), congestion));
    }

    private static CutOff cutOff(FabricView view, Prediction.CutOff of) {
        List<String> names = new ArrayList<>();
        for (int node : of.nodes().subList(0, Math.min(NAMES_MAX, of.nodes().size()))) {
            Host host = view.host(node);
            names.add(host == null ? Guid.format(view.nodeGuid(node)) : host.name());
        }
        return new CutOff(
                Guid.format(view.switchGuid(of.switchIndex())),
                view.switchName(of.switchIndex()),
                names,
                of.nodes().size());
    }

    private static Congestion congestion(FabricView view, CongestionChange change) {
        return new Congestion(
                Figures.of(change.before()),
                Figures.of(change.after()),
                change.hottest().stream()
                        .map(hot -> new HotPort(
                                Guid.format(view.switchGuid(hot.switchIndex())),
                                view.switchName(hot.switchIndex()),
                                hot.port(),
                                hot.before(),
                                hot.after()))
                        .toList());
    }
}
