package io.dmodc.ctl.report;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.RoutingResult.Partial;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.quality.CongestionRisk;
import io.dmodc.routing.quality.Progress;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the loss of each switch above the leaves would do, one at a time, after the fabric was routed anew.
 *
 * <p>Each loss is played through: the switch is taken out, dmodc routes, congestion is measured. Small and middle fabrics
 * are played through whole; in large ones so many switches of each rank, evenly spread over their GUIDs, as keeps the
 * work within {@link #WORK_MAX}, at least one a rank.
 *
 * @param possible switches above the leaves
 * @param played how many of them were taken out
 * @param permutations looked at for each
 * @param shifts looked at for each, a sample
 * @param before the same figures before any loss
 * @param groups losses with the same outcome, the worst first
 */
record SwitchLosses(
        int possible, int played, int permutations, int shifts, Congestion.Figures before, List<Group> groups) {
    /** Nodes times switches with hosts times losses. */
    private static final long WORK_MAX = 60_000_000L;

    /** No more, however small the fabric. */
    private static final int PLAYED_MAX = 400;

    private static final int PERMUTATIONS = 50;
    private static final int SHIFTS = 200;
    private static final long SEED = 1;

    /**
     * Losses of one rank with the same outcome.
     *
     * @param switches their indices, ascending
     * @param leaves further leaves that some other leaf could not be reached from
     * @param hosts hosts on these leaves, and on the switch itself
     * @param least the lowest figures of any of them
     * @param most the highest
     */
    record Group(
            int rank,
            List<Integer> switches,
            int leaves,
            int hosts,
            Congestion.Figures least,
            Congestion.Figures most) {}

    private record Outcome(int rank, int leaves, int hosts, int allToAll) {
        static final Comparator<Outcome> WORST_FIRST = Comparator.comparing((Outcome o) -> -o.hosts)
                .thenComparing(o -> -o.leaves)
                .thenComparing(o -> -o.allToAll)
                .thenComparing(o -> -o.rank);
    }

    static SwitchLosses of(ReportInput input, Set<Integer> cutOffBefore, Parallel parallel, Progress progress) {
        FabricView view = input.view();
        List<Integer> all = upperSwitches(view);
        List<Integer> chosen = chosen(view, all);
        Map<Outcome, Group> groups = new TreeMap<>(Outcome.WORST_FIRST);
        for (int i = 0; i < chosen.size(); i++) {
            play(input, chosen.get(i), cutOffBefore, parallel, groups);
            progress.reached(i + 1, chosen.size());
        }
        FabricView routed = input.routed(view);
        LftSet tables = Dmodc.standard().route(routed, parallel).tables();
        Congestion.Figures before = figures(routed, tables, parallel);
        return new SwitchLosses(all.size(), chosen.size(), PERMUTATIONS, SHIFTS, before, List.copyOf(groups.values()));
    }

    private static List<Integer> upperSwitches(FabricView view) {
        List<Integer> upper = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.alive(s) && view.rank(s) > 0) {
                upper.add(s);
            }
        }
        return upper;
    }

    private static List<Integer> chosen(FabricView view, List<Integer> all) {
        long each = Math.max(1, (long) view.nodeCount() * view.targetCount());
        long affordable = Math.min(PLAYED_MAX, WORK_MAX / each);
        if (all.size() <= affordable) {
            return all;
        }
        List<Integer> chosen = new ArrayList<>();
        for (int rank = 1; rank <= view.rankMax(); rank++) {
            int wanted = rank;
            List<Integer> row = all.stream().filter(s -> view.rank(s) == wanted).toList();
            long count = Math.min(row.size(), Math.max(1, affordable * row.size() / all.size()));
            for (long i = 0; i < count; i++) {
                chosen.add(row.get((int) (i * row.size() / count)));
            }
        }
        return chosen;
    }

    private static void play(
            ReportInput input, int s, Set<Integer> cutOffBefore, Parallel parallel, Map<Outcome, Group> groups) {
        long guid = input.view().switchGuid(s);
        input.builder().apply(new SwitchState(guid, false));
        try {
            FabricView view = input.routed(input.draw());
            RoutingResult result = Dmodc.standard().route(view, parallel);
            Set<Integer> cutOff = cutOff(result);
            cutOff.removeAll(cutOffBefore);
            int leaves = cutOff.size();
            cutOff.add(s);
            int hosts = cutOff.stream()
                    .mapToInt(leaf -> RankSummary.hosts(view, leaf))
                    .sum();
            Congestion.Figures figures = figures(view, result.tables(), parallel);
            Outcome outcome = new Outcome(input.view().rank(s), leaves, hosts, figures.allToAll());
            Group one = new Group(outcome.rank, List.of(s), leaves, hosts, figures, figures);
            groups.merge(outcome, one, SwitchLosses::joined);
        } finally {
            input.builder().apply(new SwitchState(guid, true));
        }
    }

    private static Set<Integer> cutOff(RoutingResult result) {
        return result instanceof Partial partial ? new TreeSet<>(partial.cutOffLeaves()) : new TreeSet<>();
    }

    private static Congestion.Figures figures(FabricView view, @Nullable LftSet tables, Parallel parallel) {
        if (tables == null) {
            return new Congestion.Figures(0, 0, 0, 0);
        }
        CongestionRisk risk = CongestionRisk.of(view, tables, parallel, Progress.NONE);
        int shifts = Math.min(SHIFTS, Math.max(0, risk.nodeCount() - 1));
        return Congestion.figures(
                risk, risk.permutations(PERMUTATIONS, SEED, Progress.NONE), risk.shifts(shifts, SEED, Progress.NONE));
    }

    private static Group joined(Group a, Group b) {
        List<Integer> switches = new ArrayList<>(a.switches);
        switches.addAll(b.switches);
        return new Group(
                a.rank,
                List.copyOf(switches),
                a.leaves,
                a.hosts,
                new Congestion.Figures(
                        a.least.allToAll(),
                        Math.min(a.least.permutations(), b.least.permutations()),
                        Math.min(a.least.shiftsMax(), b.least.shiftsMax()),
                        Math.min(a.least.shiftsMean(), b.least.shiftsMean())),
                new Congestion.Figures(
                        a.most.allToAll(),
                        Math.max(a.most.permutations(), b.most.permutations()),
                        Math.max(a.most.shiftsMax(), b.most.shiftsMax()),
                        Math.max(a.most.shiftsMean(), b.most.shiftsMean())));
    }
}
