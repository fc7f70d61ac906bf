package io.dmodc.manager.core;

import static io.dmodc.manager.core.LoggedEvent.Severity.ALARM;
import static io.dmodc.manager.core.LoggedEvent.Severity.INFO;
import static io.dmodc.manager.core.LoggedEvent.Severity.WARNING;

import io.dmodc.manager.core.AlarmKey.Subject;
import io.dmodc.manager.core.Effect.Method;
import io.dmodc.manager.core.Effect.TablesInForce;
import io.dmodc.manager.core.EpochRecord.Stage;
import io.dmodc.manager.core.FabricEvent.Routed;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.FabricEpoch;
import io.dmodc.manager.state.StateRecord.Intent;
import io.dmodc.manager.state.StateRecord.KnownSwitch;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.Tables;
import io.dmodc.routing.check.CheckReport;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.PlaneNumbers;
import io.dmodc.topology.PortPlace;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

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
    private static final int MISSING_ENTRIES = 1 << 18;

    private final FabricState state;
    private final TableDistributor distributor;
    private final LevelLearning levels;
    private final DestinationNews destinations = new DestinationNews();
    private final DiscoveryWait discovery;

    /** By its name, the engine of the last computation, unless it was the fall-back engine; empty for that of the settings. */
    private String ownEngine = "";

    /** What is kept of the view of the last computation once its tables are accepted. */
    private FabricEpoch drawn = new FabricEpoch(0);

    /** Somebody was left out for want of a node index, people know it, and no index was dealt since. */
    private boolean leftOutTold;

    EpochPlanner(FabricState state, TableDistributor distributor) {
        this.state = state;
        this.distributor = distributor;
        levels = new LevelLearning(state);
        discovery = new DiscoveryWait(state);
    }

    /** Ends the wait after a start when enough has come in. */
    void discover(long nowNanos, List<Effect> effects) {
        state.restored.start(effects);
        if (state.discovering && !state.restored.pending() && discovery.isOver(nowNanos)) {
            state.discovering = false;
        }
    }

    void timePassed(long nowNanos, List<Effect> effects) {
        if (state.discovering || state.computing != 0) {
            return;
        }
        if (!state.news.pending() && state.refused.due(nowNanos)) {
            state.news.add(nowNanos, state.refused.cause());
        }
        if (state.news.pending() && nowNanos >= state.news.sinceNanos() + state.rules.settleNanos()) {
            compute(nowNanos, effects);
        }
        if (!state.news.pending() && !state.discovering) {
            // What no view depends on, a host's cable for example, does not wait for one; unless the last one was
            // refused.
            boolean refused = state.records.anyStaged();
            stageClaims();
            if (!refused) {
                state.records.takeStaged();
            }
        }
    }

    private void compute(long nowNanos, List<Effect> effects) {
        Intent chosen = state.intent.engine();
        Method method = state.refused.begin(chosen == null ? "" : chosen.value(), nowNanos);
        if (method != Method.INCREMENTAL) {
            state.cabling.forgetLastView();
        }
        // First what was handed over, then what is dealt anew, to the same hosts maybe.
        state.intent.drawn();
        // Drawn first, then counted: a drawing that fails uses no number up.
        FabricView works = draw();
        List<PortPlace> drained = state.intent.drained();
        FabricView usable = IntentSnapshot.without(drained, works);
        List<PortPlace> slow = state.slowLinks.draw(works, usable);
        FabricView view = usable.without(new BitSet(), slow);
        ownEngine = state.refused.computing();
        state.epoch = view.epoch();
        stageClaims();
        String engine = ownEngine.isEmpty() ? state.settingsEngine : ownEngine;
        drawn = new FabricEpoch(
                view.epoch(),
                drained,
                slow,
                engine,
                state.basis(engine),
                state.identity.nodes.sizeBeyondKnown(),
                false);
        state.records.stage(drawn);
        state.records.flush(effects);
        state.view = view;
        state.works = works;
        state.ring.looksAt(view, nowNanos);
        state.computing = state.epoch;
        state.news.seen();
        distributor.unplanned.planned();
        state.returns.drawn();
        String cause = state.news.text();
        EpochRecord epoch = new EpochRecord(state.epoch, cause, state.news.sinceNanos(), nowNanos);
        state.epochs.addLast(epoch);
        if (state.epochs.size() > FabricRules.EPOCHS_KEPT) {
            state.epochs.removeFirst();
        }
        epoch.newHostsLeftOut = state.identity.nodes.closed();
        tellLeftOut(nowNanos, effects);
        epoch.newPlanesLeftOut = !state.storeFailure.isEmpty();
        epoch.newLevelsLeftOut = levels.newLeftOut();
        FabricView carries = works.with(state.carryingCables(works));
        effects.add(new Effect.Compute(
                view,
                carries,
                frozenRows(view),
                heldCounts(view),
                distributor.entries.reckonWith(view),
                inForce(carries, nowNanos),
                method,
                ownEngine,
                state.terms(),
                state.moves.draw()));
    }

    /**
     * New node indices and levels are kept over a restart. While the store takes nothing, hosts and switches of which they are
     * not kept are left out, so that tables for all others need not wait. Switches whose plane number is not kept are
     * taken as having none: they are counted last.
     */
    private FabricView draw() {
        if (state.storeFailure.isEmpty()) {
            state.identity.nodes.open();
        } else {
            state.identity.nodes.close(state.records.nodesUnderWay());
        }
        FabricView view = levels.draw();
        leftOutTold &= !state.identity.keepNodes();
        if (!state.storeFailure.isEmpty()) {
            return state.identity.planes.numberKnown(view, state.records.planesUnderWay());
        }
        PlaneNumbers planes = state.identity.planesAnew == null ? state.identity.planes : state.identity.planesAnew;
        FabricView numbered = planes.number(view);
        state.identity.keepPlanes();
        return numbered;
    }

    /** Says once that there is no node index left, until one was. */
    private void tellLeftOut(long nowNanos, List<Effect> effects) {
        List<Long> leftOut = state.identity.nodes.takeLeftOut();
        if (leftOut.isEmpty() || leftOutTold) {
            return;
        }
        leftOutTold = true;
        String more = leftOut.size() > 1 ? " and " + (leftOut.size() - 1) + " more" : "";
        tell(
                effects,
                nowNanos,
                WARNING,
                Kind.TOO_MANY_NEW_HOSTS,
                "all " + state.identity.nodes.size() + " node indices are taken: host port "
                        + Guid.format(leftOut.get(0)) + more
                        + " left out of the tables; forget hosts that will not come back");
    }

    /** What this view was drawn from, so that a later manager can draw it again: kept once its tables are accepted. */
    private void stageClaims() {
        state.changedSwitches.addAll(state.cabling.takeChanged());
        for (long guid : state.changedSwitches.all()) {
            state.records.stage(
                    state.cabling.knows(guid)
                            ? new KnownSwitch(state.cabling.claims(guid), state.cabling.alive(guid))
                            : new Removed(new StateRecord.Key(StateRecord.Kind.SWITCH, guid, 0, "")));
        }
        state.changedSwitches.clear();
    }

    /** What switches hold that cannot be told anything new, as far as it is known. */
    private Map<Integer, List<LftRow>> frozenRows(FabricView view) {
        Map<Integer, List<LftRow>> frozen = new TreeMap<>();
        for (SwitchRecord record : state.switches.values()) {
            int s = untold(record, view);
            List<LftRow> rows = s < 0 ? List.of() : record.possibleRows();
            if (!rows.isEmpty()) {
                frozen.put(s, rows);
            }
        }
        return frozen;
    }

    /**
     * How many entries those have that cannot be told anything new, where nobody knows which; 0 for a leaf of which nobody knows anything. One above the leaves is led around behind its last
     * entry; without any it is used only for what it may have taken, which is no number. A leaf is led to all the same, as every way to its hosts ends there: what is lost behind its last entry is told.
     * A leaf without entries costs 0.2 s with 65,536 nodes, so no more count than miss {@value #MISSING_ENTRIES} entries together, leaves last; of the others their own alarms say that nobody knows.
     */
    private Map<Integer, Integer> heldCounts(FabricView view) {
        Map<Integer, Integer> counts = new TreeMap<>();
        int left = MISSING_ENTRIES;
        for (boolean leaves : new boolean[] {false, true}) {
            for (SwitchRecord record : state.switches.values()) {
                int s = record.ackedRow == null ? untold(record, view) : -1;
                int missing = view.nodeCount() - record.ackedEntries;
                if (s >= 0
                        && view.isLeaf(s) == leaves
                        && (leaves || record.ackedEntries > 0)
                        && missing > 0
                        && missing <= left) {
                    counts.put(s, record.ackedEntries);
                    left -= missing;
                }
            }
        }
        return counts;
    }

    /** Its index, if packets are led to it and it cannot be told anything new; else −1. */
    private static int untold(SwitchRecord record, FabricView view) {
        int s = record.reachable() ? -1 : view.switchOf(record.guid);
        return s >= 0 && view.alive(s) ? s : -1;
    }

    /** What switches may forward by until these tables are accepted. One that is drained goes on as it does. */
    private TablesInForce inForce(FabricView works, long nowNanos) {
        BitSet untold = IntentSnapshot.switches(state.intent.drained(), works);
        BitSet batched = new BitSet();
        List<List<LftRow>> rows = new ArrayList<>();
        for (int s = 0; s < works.switchCount(); s++) {
            SwitchRecord record = state.switches.get(works.switchGuid(s));
            batched.set(s, record != null && record.isBatched());
            rows.add(record == null ? List.of() : distributor.nextTables.inForceMeanwhile(record, nowNanos));
            boolean told = record == null || record.reachable();
            if (record != null) {
                record.countedOn = told;
            }
            untold.set(s, works.alive(s) && (untold.get(s) || !told));
        }
        return new TablesInForce(rows, untold, batched);
    }

    void routed(Routed routed, List<Effect> effects) {
        if (state.restored.take(routed, effects)) {
            return;
        }
        EpochRecord epoch = state.epochs.peekLast();
        FabricView view = state.view;
        if (routed.epoch() != state.computing || epoch == null || view == null) {
            return;
        }
        state.computing = 0;
        epoch.routedNanos = routed.nowNanos();
        epoch.routeNanos = routed.routeNanos();
        epoch.checkNanos = routed.checkNanos();
        epoch.planNanos = routed.change().nanos();
        epoch.change = routed.change().text();
        epoch.changeVerdict = routed.change().verdict();
        if (state.news.pending() && state.superseded < FabricRules.SUPERSEDED_MAX) {
            state.superseded++;
            supersede(epoch, "the fabric changed while it was computed", routed.nowNanos(), effects);
            return;
        }
        if (levels.takeBack()) {
            state.news.add(routed.nowNanos(), "new switches are left out while state is not kept");
            supersede(epoch, "its new levels cannot be kept", routed.nowNanos(), effects);
            return;
        }
        if (restsOnPlanesNotKept(epoch)) {
            state.news.add(routed.nowNanos(), "new plane numbers are left out while state is not kept");
            supersede(epoch, "its new plane numbers cannot be kept", routed.nowNanos(), effects);
            return;
        }
        state.superseded = 0;
        judge(routed, epoch, view, effects);
    }

    private boolean restsOnPlanesNotKept(EpochRecord epoch) {
        return !state.storeFailure.isEmpty()
                && !epoch.newPlanesLeftOut
                && !state.records.planesUnderWay().isEmpty();
    }

    private void supersede(EpochRecord epoch, String why, long nowNanos, List<Effect> effects) {
        epoch.stage = Stage.SUPERSEDED;
        tell(effects, nowNanos, INFO, Kind.EPOCH_SUPERSEDED, "epoch " + epoch.epoch + ": " + why);
    }

    private void judge(Routed routed, EpochRecord epoch, FabricView view, List<Effect> effects) {
        CheckReport report = routed.report();
        if (routed.result() instanceof RoutingResult.Unroutable unroutable) {
            refuse(epoch, unroutable.reason(), routed.nowNanos(), effects);
        } else if (report == null || !report.valid()) {
            refuse(epoch, report == null ? "not checked" : brief(report, view), routed.nowNanos(), effects);
        } else if (routed.result() instanceof RoutingResult.Partial partial) {
            tellCutOff(partial, epoch, view, effects);
            tellWithoutPath(partial, epoch, view, effects);
            accept(routed, partial.made(), epoch, view, effects);
        } else if (routed.result() instanceof RoutingResult.Complete complete) {
            state.cutOff = List.of();
            state.cutOffGuids = List.of();
            state.withoutPath = "";
            accept(routed, complete.made(), epoch, view, effects);
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
            if (!names.isEmpty()) {
                tell(effects, epoch.routedNanos, ALARM, Kind.LEAVES_CUT_OFF, "cut off: " + cutOffText(names, partial));
            }
        }
    }

    /** The same of pairs above the leaves; those with a cut-off leaf are told with that. */
    private void tellWithoutPath(
            RoutingResult.Partial partial, EpochRecord epoch, FabricView view, List<Effect> effects) {
        String pairs = partial.upperPairs().names(view::switchName);
        if (!pairs.equals(state.withoutPath)) {
            state.withoutPath = pairs;
            if (!pairs.isEmpty()) {
                tell(effects, epoch.routedNanos, WARNING, Kind.NO_LEGAL_PATH, withoutPathText(pairs));
            }
        }
    }

    static String withoutPathText(String pairs) {
        return "switches with hosts above the leaves without a legal path: " + pairs;
    }

    private static String cutOffText(List<String> names, RoutingResult.Partial partial) {
        String first = String.join(", ", names.subList(0, Math.min(names.size(), NAMES_TOLD)));
        String rest = names.size() > NAMES_TOLD ? " and " + (names.size() - NAMES_TOLD) + " more" : "";
        long pairs = partial.unreachableLeafPairs();
        return first + rest + (pairs == 0 ? "" : " (" + pairs + " pairs of live leaves without a path)");
    }

    private void refuse(EpochRecord epoch, String why, long nowNanos, List<Effect> effects) {
        distributor.goOnAsPlanned();
        epoch.stage = Stage.REFUSED;
        epoch.verdict = why;
        String next = state.refused.refused(epoch.epoch, why, nowNanos);
        state.mayQuiesce &= state.refused.isTriedAgain();
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

    private void accept(Routed routed, Tables tables, EpochRecord epoch, FabricView view, List<Effect> effects) {
        EpochRecord before = state.serving;
        if (before != null && before.stage == Stage.PUSHING) {
            before.stage = Stage.SUPERSEDED;
        }
        levels.accepted(Objects.requireNonNull(state.works), tables, routed.nowNanos(), effects);
        state.serving = epoch;
        String engine = state.refused.engine().isEmpty() ? ownEngine : state.refused.engine();
        state.refused.accepted(epoch.epoch);
        epoch.stage = Stage.PUSHING;
        epoch.verdict = "ok";
        state.mayQuiesce = false;
        tell(
                effects,
                routed.nowNanos(),
                INFO,
                Kind.EPOCH_COMPUTED,
                "epoch " + epoch.epoch + ": " + epoch.cause + ": routed in " + ElapsedText.text(routed.routeNanos())
                        + ", checked in " + ElapsedText.text(routed.checkNanos()) + changeText(routed.change()));
        takeMoves(routed.moves(), routed.nowNanos(), effects);
        state.records.takeStaged();
        state.intent.accepted();
        endPauseThatFaultsEnd(routed, effects);
        markBypassed(routed.detours(), view, routed.nowNanos(), effects);
        tellLost(routed.detours().lost(), view, routed.nowNanos(), effects);
        destinations.tell(view, effects);
        distributor.entries.accepted(view, routed.detours().asWanted());
        distributor.desire(drawn, view, tables, routed.digests(), routed.change(), routed.nowNanos(), effects);
        state.kept.accepted(epoch, engine, view, tables, routed.digests(), routed.nowNanos(), effects);
    }

    /** What an epoch dropped stays dropped. */
    private void takeMoves(LaidMoves laid, long nowNanos, List<Effect> effects) {
        int asked = state.moves.drawn().size();
        int dropped = asked - laid.moves().size();
        state.moves.accept(laid.moves());
        if (dropped > 0) {
            String why = laid.refusal().isEmpty()
                    ? "their ports are down, or lead closer no more"
                    : "the check refuses tables with them: " + laid.refusal();
            String text = dropped + " of " + asked + " moved entries dropped: " + why;
            tell(effects, nowNanos, laid.refusal().isEmpty() ? INFO : WARNING, Kind.MOVES_DROPPED, text);
        }
    }

    private void endPauseThatFaultsEnd(Routed routed, List<Effect> effects) {
        Intent pause = state.intent.pause();
        PlannedChange change = routed.change();
        boolean mends = change.plan() == null || !change.restoring().isEmpty();
        if (pause != null && Act.faultsEndPause(pause.value()) && mends) {
            state.intent.resume();
            String text = "pushes go on: something is broken, and the pause was to end with that";
            tell(effects, routed.nowNanos(), WARNING, Kind.PUSHES_RESUMED, text);
        }
    }

    private static String changeText(PlannedChange change) {
        String text = change.text();
        return text.isEmpty() ? "" : "; " + text + ", planned in " + ElapsedText.text(change.nanos());
    }

    /**
     * Says once of each headless switch that packets are led around it; that ends with an epoch in which none are. One that came
     * back while the tables were computed is asked for at once.
     */
    private void markBypassed(Detours detours, FabricView view, long nowNanos, List<Effect> effects) {
        for (SwitchRecord record : state.switches.values()) {
            boolean ledAround = detours.around().contains(view.switchOf(record.guid));
            boolean bypassed = ledAround && !record.reachable();
            if (ledAround && !bypassed) {
                state.returns.calls(record, "can be told its table again", nowNanos);
            }
            if (bypassed != record.bypassed) {
                record.bypassed = bypassed;
                state.touchSwitch(record.guid);
                if (bypassed) {
                    tell(
                            effects,
                            nowNanos,
                            ALARM,
                            Kind.SWITCH_BYPASSED,
                            bypassText(record.name, detours.destinations()));
                }
            }
        }
    }

    private static String bypassText(String name, int destinations) {
        return name + ": headless, and its table does not fit the fabric any more: packets to " + destinations
                + " hosts are led around it until its agent is back";
    }

    /**
     * Names the pairs when they are others than in the last epoch, and says when all have a way again; where nobody has looked, it stays as it was. Whoever of those that they are lost by can be told its table again is asked for
     * once it is so.
     */
    private void tellLost(LostPairs lost, FabricView view, long nowNanos, List<Effect> effects) {
        if (lost.equals(LostPairs.UNLOOKED)) {
            return;
        }
        Set<Integer> because = Set.copyOf(lost.because());
        for (SwitchRecord record : state.switches.values()) {
            boolean loses = because.contains(view.switchOf(record.guid)) && record.reckonedWith.isEmpty();
            record.losesPairs = loses && !record.reachable();
            if (loses && record.reachable()) {
                state.returns.calls(record, "can be told its table again", nowNanos);
            }
        }
        ToldLostPairs before = state.lostPairs;
        ToldLostPairs now = ToldLostPairs.of(lost, view);
        state.lostPairs = now;
        if (now.hasMoreThan(before)) {
            state.openAlarms.gotWorse(AlarmKey.ofFabric(Subject.LOST_PAIRS));
        }
        if (now.text().equals(before.text())) {
            return;
        }
        if (now.isEmpty()) {
            tell(effects, nowNanos, INFO, Kind.PAIRS_LOST, "all pairs of a leaf and a host have a way again");
        } else {
            tell(effects, nowNanos, ALARM, Kind.PAIRS_LOST, now.text());
        }
    }

    long nextDeadline() {
        if (state.discovering) {
            return discovery.nextDeadline();
        }
        if (state.computing != 0) {
            return Long.MAX_VALUE;
        }
        return state.news.pending()
                ? state.news.sinceNanos() + state.rules.settleNanos()
                : state.refused.nextDeadline();
    }

    private void tell(List<Effect> effects, long nowNanos, LoggedEvent.Severity severity, Kind kind, String text) {
        effects.add(new Effect.Tell(new LoggedEvent(nowNanos, state.epoch, severity, kind, 0, text)));
    }
}
