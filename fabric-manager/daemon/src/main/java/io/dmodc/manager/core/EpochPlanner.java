package io.dmodc.manager.core;

import static io.dmodc.manager.core.LoggedEvent.Severity.ALARM;
import static io.dmodc.manager.core.LoggedEvent.Severity.INFO;
import static io.dmodc.manager.core.LoggedEvent.Severity.WARNING;

import io.dmodc.manager.core.Effect.Method;
import io.dmodc.manager.core.EpochRecord.Stage;
import io.dmodc.manager.core.FabricEvent.Routed;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.check.CheckReport;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.design.DesignCheck;
import io.dmodc.topology.design.DesignReport;
import io.dmodc.topology.design.Deviation;
import io.dmodc.topology.design.Recognition;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Draws a view when there is news, has it routed, and lets only checked tables pass.
 *
 * <p>One computation at a time. News that arrives meanwhile makes its result worthless in most cases, so it is thrown
 * away and the next computation sees everything; but not more than a bounded number of times in a row, or a fabric
 * that never rests would never be served.
 */
final class EpochPlanner {
    private static final int NAMES_TOLD = 20;
    private static final int REPORT_LINES_TOLD = 4;

    private final FabricState state;
    private final TableDistributor distributor;

    EpochPlanner(FabricState state, TableDistributor distributor) {
        this.state = state;
        this.distributor = distributor;
    }

    void timePassed(long nowNanos, List<Effect> effects) {
        if (state.discovering && discovered(nowNanos)) {
            state.discovering = false;
        }
        if (state.discovering || state.computing != 0) {
            return;
        }
        if (!state.dirty && state.refused.due(nowNanos)) {
            state.news(nowNanos, state.refused.cause());
        }
        if (state.dirty && nowNanos >= state.dirtySinceNanos + state.rules.settleNanos()) {
            compute(nowNanos, effects);
        }
    }

    private boolean discovered(long nowNanos) {
        boolean allIn = state.expected.stream().allMatch(this::isIn);
        if (!state.expected.isEmpty() && allIn) {
            return true;
        }
        boolean quiet = nowNanos - state.lastNewsNanos >= state.rules.discoveryQuietNanos();
        boolean waitedLongEnough =
                state.expected.isEmpty() || nowNanos - state.startedNanos >= state.rules.discoveryTimeoutNanos();
        return !state.switches.isEmpty() && quiet && waitedLongEnough;
    }

    private boolean isIn(long guid) {
        SwitchRecord record = state.switches.get(guid);
        return record != null && record.reachable() && record.portsKnown;
    }

    private void compute(long nowNanos, List<Effect> effects) {
        Method method = state.refused.begin(nowNanos);
        if (method != Method.INCREMENTAL) {
            state.cabling.forgetLastView();
        }
        // Drawn first, then counted: a drawing that fails uses no number up.
        FabricView view = draw(effects, nowNanos);
        state.epoch = view.epoch();
        state.view = view;
        state.ring.looksAt(view, nowNanos);
        state.computing = state.epoch;
        state.dirty = false;
        String cause = state.firstCause + (state.causes > 1 ? " and " + (state.causes - 1) + " more" : "");
        state.epochs.addLast(new EpochRecord(state.epoch, cause, state.dirtySinceNanos, nowNanos));
        if (state.epochs.size() > FabricRules.EPOCHS_KEPT) {
            state.epochs.removeFirst();
        }
        effects.add(new Effect.Compute(view, frozenRows(view), method));
    }

    /** Levels come from the fullest fabric seen; new node indices and levels are kept over a restart. */
    private FabricView draw(List<Effect> effects, long nowNanos) {
        FabricView view = state.cabling.build(state.epoch + 1, state.nodes, state.levels.levels());
        boolean fuller = view.linkCount() > state.levels.linkCount();
        if (fuller) {
            view = learnLevels(effects, nowNanos);
        }
        if (fuller || state.nodes.size() > state.storedNodes) {
            state.storedNodes = state.nodes.size();
            effects.add(new Effect.Store(state.nodes.lines(), state.levels));
        }
        return view;
    }

    private FabricView learnLevels(List<Effect> effects, long nowNanos) {
        FabricView view = state.cabling.build(state.epoch + 1, state.nodes, new GuidNumbers());
        PgftShape design = state.rules.design();
        String of = "levels of " + view.switchCount() + " switches ";
        if (design == null) {
            state.levels = LearntLevels.from(view, new GuidNumbers());
            String text = of + "learnt from " + view.linkCount() + " links: " + recognised(view);
            effects.add(learnt(view, nowNanos, INFO, text));
            return view;
        }
        DesignReport report = DesignCheck.verify(view, design);
        state.levels = LearntLevels.from(view, report.levels());
        String text = of + "taken from the design PGFT " + design + ": " + differences(report);
        effects.add(learnt(view, nowNanos, report.asDesigned() ? INFO : WARNING, text));
        return state.cabling.build(state.epoch + 1, state.nodes, state.levels.levels());
    }

    private static Effect learnt(FabricView view, long nowNanos, LoggedEvent.Severity severity, String text) {
        return new Effect.Tell(new LoggedEvent(nowNanos, view.epoch(), severity, Kind.LEVELS_LEARNT, 0, text));
    }

    private static String recognised(FabricView view) {
        Recognition recognition = DesignCheck.recognise(view);
        return recognition instanceof Recognition.Whole whole
                ? "the whole PGFT " + whole.shape()
                : "no whole PGFT, " + ((Recognition.NotWhole) recognition).reason();
    }

    private static String differences(DesignReport report) {
        if (report.asDesigned()) {
            return "as designed";
        }
        String first = report.deviations().stream()
                .limit(NAMES_TOLD)
                .map(Deviation::text)
                .collect(Collectors.joining("; "));
        int more = report.deviationCount()
                - Math.min(NAMES_TOLD, report.deviations().size());
        return report.deviationCount() + " differences: " + first + (more > 0 ? "; and " + more + " more" : "");
    }

    /**
     * What switches hold that other switches' traffic passes and that cannot be told anything new. A headless leaf is not
     * among them: no up–down path leads through a leaf, so an old table there harms at most its own hosts.
     */
    private Map<Integer, LftRow> frozenRows(FabricView view) {
        Map<Integer, LftRow> frozen = new HashMap<>();
        for (SwitchRecord record : state.switches.values()) {
            int s = view.switchOf(record.guid);
            LftRow row = record.ackedRow;
            if (s >= 0 && view.alive(s) && !view.isLeaf(s) && !record.reachable() && row != null) {
                frozen.put(s, row);
            }
        }
        return frozen;
    }

    void routed(Routed routed, List<Effect> effects) {
        EpochRecord epoch = state.epochs.peekLast();
        FabricView view = state.view;
        if (routed.epoch() != state.computing || epoch == null || view == null) {
            return;
        }
        state.computing = 0;
        epoch.routedNanos = routed.nowNanos();
        epoch.routeNanos = routed.routeNanos();
        epoch.checkNanos = routed.checkNanos();
        if (state.dirty && state.superseded < FabricRules.SUPERSEDED_MAX) {
            state.superseded++;
            epoch.stage = Stage.SUPERSEDED;
            tell(
                    effects,
                    routed.nowNanos(),
                    INFO,
                    Kind.EPOCH_SUPERSEDED,
                    "epoch " + epoch.epoch + ": the fabric changed while it was computed");
            return;
        }
        state.superseded = 0;
        if (!bypassMisfits(routed, epoch, view, effects)) {
            judge(routed, epoch, view, effects);
        }
    }

    /**
     * When the check fails because a headless switch keeps a table that no longer fits, routes are made to lead around
     * that switch until its agent is back, and the epoch is computed anew.
     */
    private boolean bypassMisfits(Routed routed, EpochRecord epoch, FabricView view, List<Effect> effects) {
        CheckReport report = routed.report();
        LftSet tables = routed.result().tables();
        if (report == null || report.valid() || tables == null) {
            return false;
        }
        List<SwitchRecord> misfits = new ArrayList<>();
        frozenRows(view).forEach((s, row) -> {
            if (!row.sameEntries(tables.row(s))) {
                misfits.add(Objects.requireNonNull(state.switches.get(view.switchGuid(s))));
            }
        });
        misfits.sort(Comparator.comparing(SwitchRecord::guid, Long::compareUnsigned));
        for (SwitchRecord misfit : misfits) {
            misfit.bypassed = true;
            state.alarms.touchSwitch(misfit.guid);
            state.cabling.apply(new SwitchState(misfit.guid, false));
            state.news(routed.nowNanos(), misfit.name + " is headless and does not fit");
            tell(
                    effects,
                    routed.nowNanos(),
                    ALARM,
                    Kind.SWITCH_BYPASSED,
                    misfit.name
                            + ": headless, and its table does not fit the fabric any more: routed around until its agent is back");
        }
        epoch.stage = misfits.isEmpty() ? epoch.stage : Stage.SUPERSEDED;
        return !misfits.isEmpty();
    }

    private void judge(Routed routed, EpochRecord epoch, FabricView view, List<Effect> effects) {
        CheckReport report = routed.report();
        if (routed.result() instanceof RoutingResult.Unroutable unroutable) {
            refuse(epoch, unroutable.reason(), routed.nowNanos(), effects);
        } else if (report == null || !report.valid()) {
            refuse(epoch, report == null ? "not checked" : brief(report, view), routed.nowNanos(), effects);
        } else if (routed.result() instanceof RoutingResult.Partial partial) {
            tellCutOff(partial, epoch, view, effects);
            accept(routed, partial.tables(), epoch, view, effects);
        } else if (routed.result() instanceof RoutingResult.Complete complete) {
            state.cutOff = List.of();
            state.cutOffGuids = List.of();
            accept(routed, complete.tables(), epoch, view, effects);
        }
    }

    /** Names the cut-off leaves once, not with every epoch they stay cut off. */
    private void tellCutOff(RoutingResult.Partial partial, EpochRecord epoch, FabricView view, List<Effect> effects) {
        epoch.cutOffLeaves = partial.cutOffLeaves();
        List<String> names =
                partial.cutOffLeaves().stream().map(view::switchName).toList();
        if (!names.equals(state.cutOff)) {
            state.cutOff = names;
            state.cutOffGuids =
                    partial.cutOffLeaves().stream().map(view::switchGuid).toList();
            tell(effects, epoch.routedNanos, ALARM, Kind.LEAVES_CUT_OFF, "cut off: " + cutOffText(names, partial));
        }
    }

    private static String cutOffText(List<String> names, RoutingResult.Partial partial) {
        String first = String.join(", ", names.subList(0, Math.min(names.size(), NAMES_TOLD)));
        String rest = names.size() > NAMES_TOLD ? " and " + (names.size() - NAMES_TOLD) + " more" : "";
        long pairs = partial.unreachableLeafPairs();
        return first + rest + (pairs == 0 ? "" : " (" + pairs + " pairs of live leaves without a path)");
    }

    private void refuse(EpochRecord epoch, String why, long nowNanos, List<Effect> effects) {
        epoch.stage = Stage.REFUSED;
        epoch.verdict = why;
        String next = state.refused.refused(epoch.epoch, why, nowNanos);
        tell(
                effects,
                nowNanos,
                ALARM,
                Kind.EPOCH_REFUSED,
                "epoch " + epoch.epoch + " refused, all switches keep their tables: " + why + "; " + next);
    }

    private static String brief(CheckReport report, FabricView view) {
        List<String> lines = report.lines(view);
        return String.join("; ", lines.subList(0, Math.min(lines.size(), REPORT_LINES_TOLD)));
    }

    private void accept(Routed routed, LftSet tables, EpochRecord epoch, FabricView view, List<Effect> effects) {
        EpochRecord before = state.serving;
        if (before != null && before.stage == Stage.PUSHING) {
            before.stage = Stage.SUPERSEDED;
        }
        state.serving = epoch;
        state.refused.accepted(epoch.epoch);
        epoch.stage = Stage.PUSHING;
        epoch.verdict = "ok";
        tell(
                effects,
                routed.nowNanos(),
                INFO,
                Kind.EPOCH_COMPUTED,
                "epoch " + epoch.epoch + ": " + epoch.cause + ": routed in " + ElapsedText.text(routed.routeNanos())
                        + ", checked in " + ElapsedText.text(routed.checkNanos()));
        distributor.desire(view, tables, routed.digests(), routed.nowNanos(), effects);
    }

    long nextDeadline() {
        if (state.discovering) {
            return state.switches.isEmpty() ? Long.MAX_VALUE : discoveryDeadline();
        }
        if (state.computing != 0) {
            return Long.MAX_VALUE;
        }
        return state.dirty ? state.dirtySinceNanos + state.rules.settleNanos() : state.refused.nextDeadline();
    }

    private long discoveryDeadline() {
        long quiet = state.lastNewsNanos + state.rules.discoveryQuietNanos();
        long timeout = state.expected.isEmpty() ? quiet : state.startedNanos + state.rules.discoveryTimeoutNanos();
        return Math.max(quiet, timeout);
    }

    private void tell(List<Effect> effects, long nowNanos, LoggedEvent.Severity severity, Kind kind, String text) {
        effects.add(new Effect.Tell(new LoggedEvent(nowNanos, state.epoch, severity, kind, 0, text)));
    }
}
