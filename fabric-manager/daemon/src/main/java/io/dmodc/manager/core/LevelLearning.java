package io.dmodc.manager.core;

import static io.dmodc.manager.core.LoggedEvent.Severity.INFO;
import static io.dmodc.manager.core.LoggedEvent.Severity.WARNING;

import io.dmodc.routing.Tables;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.topology.FabricParts;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.design.DesignCheck;
import io.dmodc.topology.design.DesignReport;
import io.dmodc.topology.design.Deviation;
import io.dmodc.topology.design.LevelPlacement;
import io.dmodc.topology.design.PartDesign;
import io.dmodc.topology.design.Recognition;
import io.dmodc.topology.grid.GridRecognition;
import io.dmodc.topology.grid.RecognisedGrid;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Draws views by levels that stay: known levels win, and only switches without one are given one, from the design or
 * from their place among the others. What a view was drawn by is kept when its tables have been accepted. A switch whose
 * level is not clear has no rank in the view: no path leads through it, and people are told its name.
 *
 * <p>One thing makes known levels give way: a fabric fuller than ever that contradicts them, while levels found from
 * scratch contradict nothing. So a first start in pieces does not keep what the first piece looked like.
 */
final class LevelLearning {
    private static final int NAMES_TOLD = 20;

    /** Levels by which the last view was drawn, if they are not those kept, and what to tell of them once they are. */
    private record Drawn(LearntLevels levels, LoggedEvent.Severity severity, Supplier<String> text) {}

    private final FabricState state;
    private @Nullable Drawn drawn;
    private Set<Long> unclear = new TreeSet<>(Long::compareUnsigned);
    private Set<Long> unclearTold = new TreeSet<>(Long::compareUnsigned);
    private Set<Long> aboveTold = new TreeSet<>(Long::compareUnsigned);
    private List<String> cablingTold = List.of();

    LevelLearning(FabricState state) {
        this.state = state;
    }

    /** Draws the view of the present epoch. */
    FabricView draw() {
        drawn = null;
        state.identity.planesAnew = null;
        unclear = new TreeSet<>(Long::compareUnsigned);
        if (newLeftOut()) {
            // A level that cannot be kept would hold back the tables of all others.
            return buildByLevels(state.identity.keptLevels());
        }
        FabricView view = build(state.identity.levels().levels());
        boolean fuller = view.linkCount() > state.identity.levels().linkCount();
        if (view.linkCount() > 0 && state.identity.levels().levels().size() == 0) {
            return learnAll(view, "");
        }
        FabricView anew = fuller
                        && LevelPlacement.contradictions(
                                        view, state.identity.levels().levels())
                                > 0
                ? anew()
                : null;
        return anew == null ? learnNew(view, fuller) : anew;
    }

    /**
     * True while views are drawn by the levels that are kept alone: the store takes nothing, so that switches whose level is not
     * kept are left out. Without any kept level there is nobody else to serve, and the first ones wait for the store.
     */
    boolean newLeftOut() {
        return !state.storeFailure.isEmpty() && state.identity.keptLevels().size() > 0;
    }

    /** The view drawn last has levels that the store does not take: they are thrown away, and it must be drawn again. */
    boolean takeBack() {
        if (drawn == null || !newLeftOut()) {
            return false;
        }
        drawn = null;
        state.identity.planesAnew = null;
        return true;
    }

    /** The tables of the view drawn last, this one, were accepted. */
    void accepted(FabricView view, Tables tables, long nowNanos, List<Effect> effects) {
        Drawn now = drawn;
        drawn = null;
        if (now != null) {
            state.identity.deal(now.levels);
            if (state.identity.planesAnew != null) {
                state.identity.takePlanes(state.identity.planesAnew);
            }
            tell(effects, nowNanos, now.severity, now.text.get());
        }
        if (!unclearTold.containsAll(unclear)) {
            String names =
                    named(new ArrayList<>(unclear).stream().map(state::nameOf).toList());
            tell(effects, nowNanos, WARNING, "levels not clear from the cables, left out of the routes: " + names);
        }
        unclearTold = unclear;
        tellHostsAbove(view, nowNanos, effects);
        tellCabling(tables instanceof TurnTableSet turns ? turns.notes() : List.of(), nowNanos, effects);
    }

    /** A cable in the wrong row takes no part in the tables of a grid, and nobody would know. */
    private void tellCabling(List<String> notes, long nowNanos, List<Effect> effects) {
        if (!cablingTold.containsAll(notes)) {
            tell(effects, nowNanos, WARNING, "not cabled as a grid: " + named(notes, "; "));
        }
        cablingTold = notes;
    }

    /** Whoever counts leaves that are cut off does not count these hosts; and most probably such a level is wrong. */
    private void tellHostsAbove(FabricView view, long nowNanos, List<Effect> effects) {
        Set<Long> above = new TreeSet<>(Long::compareUnsigned);
        for (int target = view.leafCount(); target < view.targetCount(); target++) {
            int s = view.targetSwitch(target);
            if (view.alive(s) && view.rank(s) > 0) {
                above.add(view.switchGuid(s));
            }
        }
        if (!aboveTold.containsAll(above)) {
            List<String> names = above.stream()
                    .map(guid -> state.nameOf(guid) + " (level " + view.rank(view.switchOf(guid)) + ")")
                    .toList();
            String text =
                    "hosts at switches above the leaves, not looked at when leaves that are cut off are counted: ";
            tell(effects, nowNanos, WARNING, text + named(names));
        }
        aboveTold = above;
    }

    private FabricView build(GuidNumbers levels) {
        return state.cabling.build(state.epoch + 1, state.identity.nodes, levels);
    }

    private FabricView buildByLevels(GuidNumbers levels) {
        return state.cabling.buildByLevels(state.epoch + 1, state.identity.nodes, levels);
    }

    /** From hops, or from the design. */
    private FabricView learnAll(FabricView view, String why) {
        PgftShape design = state.rules.design();
        String of = why + "levels of " + view.switchCount() + " switches ";
        if (design == null) {
            Supplier<String> recognised = recognised(view);
            drawn = new Drawn(
                    LearntLevels.from(view, new GuidNumbers()),
                    why.isEmpty() ? INFO : WARNING,
                    () -> of + "learnt from " + view.linkCount() + " links: " + recognised.get());
            return view;
        }
        List<DesignReport> reports = compare(view, design);
        LearntLevels levels = LearntLevels.from(view, levels(reports));
        drawn = new Drawn(
                levels,
                reports.stream().allMatch(DesignReport::asDesigned) && why.isEmpty() ? INFO : WARNING,
                () -> of + "taken from the design PGFT " + design + ": " + differences(reports));
        return buildByLevels(levels.levels());
    }

    /** All levels from scratch, if these contradict nothing; {@code null} if they do. */
    private @Nullable FabricView anew() {
        FabricView fresh = build(new GuidNumbers());
        FabricView view = learnAll(fresh, "known levels do not fit a fuller fabric: ");
        Drawn now = drawn;
        if (now != null && LevelPlacement.contradictions(view, now.levels.levels()) == 0) {
            // Planes were found by levels that are given up.
            state.identity.planesAnew = state.identity.planes.without(view);
            return view;
        }
        drawn = null;
        return null;
    }

    private FabricView learnNew(FabricView view, boolean fuller) {
        if (!fuller && !hasUnknown(view, state.identity.levels().levels())) {
            return view;
        }
        GuidNumbers levels = new GuidNumbers();
        state.identity.levels().levels().forEach(levels::put);
        PgftShape design = state.rules.design();
        List<DesignReport> reports = design != null ? compare(view, design) : List.of();
        GuidNumbers designed = levels(reports);
        List<String> learnt = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            int level = designed.getOrDefault(view.switchGuid(s), FabricView.UNRANKED);
            if (isUnknown(view, s, levels) && level >= 0) {
                learn(levels, view, s, level, learnt);
            }
        }
        if (hasUnknown(view, levels)) {
            Predecessors predecessors = new Predecessors(state);
            LevelPlacement.place(view, levels, s -> predecessors.levelFor(view.switchGuid(s)))
                    .forEach((s, level) -> learn(levels, view, s, level, learnt));
            for (int s = 0; s < view.switchCount(); s++) {
                if (isUnknown(view, s, levels)) {
                    unclear.add(view.switchGuid(s));
                }
            }
        }
        FabricView next = learnt.isEmpty() && unclear.isEmpty() ? view : buildByLevels(levels);
        if (!learnt.isEmpty() || fuller) {
            int links = Math.max(view.linkCount(), state.identity.levels().linkCount());
            Supplier<String> found = reports.isEmpty() ? recognised(next) : () -> differences(reports);
            drawn = new Drawn(new LearntLevels(links, levels), INFO, () -> grown(next, fuller, learnt, found));
        }
        return next;
    }

    private static void learn(GuidNumbers levels, FabricView view, int s, int level, List<String> learnt) {
        levels.put(view.switchGuid(s), level);
        learnt.add(view.switchName(s) + " " + level);
    }

    private static boolean hasUnknown(FabricView view, GuidNumbers levels) {
        for (int s = 0; s < view.switchCount(); s++) {
            if (isUnknown(view, s, levels)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isUnknown(FabricView view, int s, GuidNumbers levels) {
        return view.groupStart(s) < view.groupEnd(s)
                && levels.getOrDefault(view.switchGuid(s), FabricView.UNRANKED) < 0;
    }

    private static String grown(FabricView view, boolean fuller, List<String> learnt, Supplier<String> found) {
        String text = learnt.isEmpty() ? "known levels stay" : "levels of new switches: " + named(learnt);
        if (!fuller) {
            return text;
        }
        return text + "; " + view.linkCount() + " links, more than ever: " + found.get();
    }

    private static String named(List<String> names) {
        return named(names, ", ");
    }

    private static String named(List<String> names, String between) {
        String first = String.join(between, names.subList(0, Math.min(names.size(), NAMES_TOLD)));
        return first + (names.size() > NAMES_TOLD ? " and " + (names.size() - NAMES_TOLD) + " more" : "");
    }

    /** Each part by itself: rails are built alike, and one that is broken says nothing of the other. */
    private List<DesignReport> compare(FabricView view, PgftShape design) {
        return PartDesign.of(state.cabling, view, design).stream()
                .map(part -> Objects.requireNonNull(part.report()))
                .toList();
    }

    private static GuidNumbers levels(List<DesignReport> reports) {
        GuidNumbers levels = new GuidNumbers();
        reports.forEach(report -> report.levels().forEach(levels::put));
        return levels;
    }

    /** Parts are drawn at once: when the text is asked for, switches of the view may have been forgotten. */
    private Supplier<String> recognised(FabricView view) {
        if (view.partCount() < 2) {
            return () -> recognisedPart(view);
        }
        List<FabricView> parts = FabricParts.of(state.cabling, view).stream()
                .limit(NAMES_TOLD)
                .map(part -> part.build(view.epoch(), new NodeIndexMap(), new GuidNumbers()))
                .toList();
        return () -> view.partCount() + " parts that were never cabled together: "
                + parts.stream().map(LevelLearning::recognisedPart).collect(Collectors.joining("; "));
    }

    private static String recognisedPart(FabricView view) {
        Recognition recognition = DesignCheck.recognise(view);
        if (recognition instanceof Recognition.Whole whole) {
            return "the whole PGFT " + whole.shape();
        }
        RecognisedGrid grid = GridRecognition.recognise(view);
        return grid.rows() > 0
                ? "a grid of " + grid.rows() + "x" + grid.columns() + " leaves"
                : "no whole PGFT, " + ((Recognition.NotWhole) recognition).reason();
    }

    private static String differences(List<DesignReport> reports) {
        int count = reports.stream().mapToInt(DesignReport::deviationCount).sum();
        if (count == 0) {
            return "as designed";
        }
        List<String> first = reports.stream()
                .flatMap(report -> report.deviations().stream())
                .limit(NAMES_TOLD)
                .map(Deviation::text)
                .toList();
        int more = count - first.size();
        return count + " differences: " + String.join("; ", first) + (more > 0 ? "; and " + more + " more" : "");
    }

    private void tell(List<Effect> effects, long nowNanos, LoggedEvent.Severity severity, String text) {
        effects.add(new Effect.Tell(
                new LoggedEvent(nowNanos, state.epoch, severity, LoggedEvent.Kind.LEVELS_LEARNT, 0, text)));
    }
}
