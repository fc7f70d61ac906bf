package io.dmodc.manager.core;

import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.FabricEvent.ClockSet;
import io.dmodc.manager.core.Forgettable.CableAt;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.LoggedEvent.Severity;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.Intent;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.routing.rebalance.EntryMoves;
import io.dmodc.topology.PortPlace;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes what operators ask for part of what is wanted once a crash would not undo it, one act after the other, and ends a pause when its time is over. Every act is told with who asked
 * for it and why.
 */
final class Acts {
    /** Why no pause begins: what drops now would go on until its end. */
    private static final String DROPPED =
            "hosts are kept from sending to some nodes while their entries change; ask again when that is over";

    /** Acts of people, who ask for one after the other. */
    private static final int WAITING_MAX = 64;

    private final FabricState state;
    private final Forgetting forgetting;
    private final Replacement replacement;
    private final HostReplacement hostReplacement;

    /**
     * What was asked for and is not in force yet.
     *
     * @param atMillis when, by the clock as it was then
     */
    private record Waiting(ActAsked asked, long atMillis) {}

    /** What waits for what was asked before. */
    private final Queue<Waiting> waiting = new ArrayDeque<>();

    /** What is in force once this batch of records is kept. */
    private @Nullable Waiting keeping;

    private long batch;

    /** The pause in force, if there is one, was asked for by the clock of this run. */
    private boolean pausedInThisRun;

    Acts(FabricState state, Forgetting forgetting, Replacement replacement, HostReplacement hostReplacement) {
        this.state = state;
        this.forgetting = forgetting;
        this.replacement = replacement;
        this.hostReplacement = hostReplacement;
    }

    /** Takes an act in, to perform it once a crash would not undo it: it is declined where the store does not take it. */
    void asked(ActAsked asked, List<Effect> effects) {
        if (waiting.size() == WAITING_MAX) {
            effects.add(new Effect.Declined(asked, WAITING_MAX + " acts wait to be kept"));
            return;
        }
        waiting.add(new Waiting(asked, state.wallMillis(asked.nowNanos())));
        begin(asked.nowNanos(), effects);
    }

    /** Writes what the first act that nothing is against will write; one that writes nothing is performed. */
    private void begin(long nowNanos, List<Effect> effects) {
        while (keeping == null && !waiting.isEmpty()) {
            Waiting first = waiting.remove();
            String obstacle = state.storeFailure.isEmpty() ? obstacle(first.asked) : notKept();
            List<StateRecord> records = obstacle == null ? recordsOf(first) : List.of();
            if (records.isEmpty()) {
                end(first, obstacle, nowNanos, effects);
            } else {
                keeping = first;
                batch = state.records.writeAhead(records);
            }
        }
    }

    private List<StateRecord> recordsOf(Waiting act) {
        RecordWriter records = new RecordWriter();
        intend(act, state.intent.copy(records), state.moves.copy(records));
        return records.waiting();
    }

    /** Performs what is kept by now, and declines what the store does not take. */
    private void performKept(long nowNanos, List<Effect> effects) {
        for (Waiting first = keeping; first != null && isDecided(); first = keeping) {
            keeping = null;
            try {
                String obstacle = state.records.isPersisted(batch) ? obstacle(first.asked) : notTaken();
                end(first, obstacle, nowNanos, effects);
            } finally {
                // What was written and is not in force.
                for (StateRecord.Key key : state.records.endAhead()) {
                    Optional<StateRecord> before = state.intent.find(key).or(() -> state.moves.find(key));
                    state.records.observed(before.orElse(new Removed(key)));
                }
            }
            begin(nowNanos, effects);
        }
        begin(nowNanos, effects); // A defect may have ended one before.
    }

    private boolean isDecided() {
        return state.records.isPersisted(batch) || !state.storeFailure.isEmpty();
    }

    private String notKept() {
        return "it would be forgotten with the next start: " + state.storeFailure;
    }

    private String notTaken() {
        return "the disk does not take it, so it is not in force: " + state.storeFailure;
    }

    private void end(Waiting act, @Nullable String obstacle, long nowNanos, List<Effect> effects) {
        if (obstacle == null) {
            perform(act, nowNanos, effects);
            effects.add(new Effect.Done(act.asked));
        } else {
            effects.add(new Effect.Declined(act.asked, obstacle));
        }
    }

    /** What an act changes of what is wanted. */
    private void intend(Waiting of, OperatorIntent intent, EntryMoveIntent moves) {
        ActAsked asked = of.asked;
        Act act = asked.act();
        long atMillis = of.atMillis;
        switch (act.verb()) {
            case DRAIN ->
                act.objects().forEach(place -> intent.drain(lowerEnd(place), asked.by(), atMillis, asked.why()));
            case UNDRAIN -> {
                for (PortPlace place : act.objects()) {
                    PortPlace far = state.farEnd(place);
                    intent.undrain(place);
                    // Two cables that were drained may have become one.
                    intent.undrain(far == null ? place : far);
                }
            }
            case PAUSE -> {
                long setAhead = state.wallMillis(asked.nowNanos()) - atMillis;
                intent.pause(Act.laterPause(act.value(), setAhead), asked.by(), atMillis + setAhead, asked.why());
            }
            case RESUME -> intent.resume();
            case ENGINE -> intent.use(act.engine(), asked.by(), atMillis, asked.why());
            case ROLLBACK -> {
                intent.drained().stream()
                        .filter(place -> !act.objects().contains(place))
                        .forEach(intent::undrain);
                act.objects().stream()
                        .filter(place -> !intent.isDrained(place))
                        .forEach(place -> intent.drain(place, asked.by(), atMillis, asked.why()));
                if (!act.engine().equals(chosenEngine())) {
                    intent.use(act.engine(), asked.by(), atMillis, asked.why());
                }
                if (!moves.wanted().isEmpty()) {
                    moves.ask(EntryMoves.NONE, asked.by(), atMillis, asked.why());
                }
            }
            case REBALANCE -> moves.ask(act.moves(), asked.by(), atMillis, asked.why());
            case REPLACE, FORGET -> {
                List<Forgettable> forgotten = act.forgotten().stream()
                        .filter(what -> !(what instanceof CableAt))
                        .toList();
                if (act.replacesSwitch()) {
                    // All of it is one batch when it is performed, as half of it could not be gone on with after a
                    // crash.
                    intent.replacesSwitch(act.oldGuid());
                } else if (!forgotten.isEmpty()) {
                    DrainMoves.of(Act.forget(forgotten), intent.drained(), state::farEnd)
                            .moves()
                            .forEach(intent::move);
                    forgotten.forEach(what -> intent.forget(what, asked.by(), atMillis, asked.why()));
                } else if (act.verb() == Act.Verb.REPLACE) {
                    act.replacedHosts().forEach(pair -> intent.replace(pair, asked.by(), atMillis, asked.why()));
                }
            }
        }
    }

    private void perform(Waiting of, long nowNanos, List<Effect> effects) {
        ActAsked asked = of.asked;
        Act act = asked.act();
        String names = act.objects().stream().map(state::nameOf).collect(Collectors.joining(", "));
        boolean anotherEngine = !act.engine().equals(chosenEngine());
        if (act.verb() == Act.Verb.REPLACE && act.replacesSwitch()) {
            replacement.perform(asked, of.atMillis, nowNanos, effects);
        } else if (act.verb() == Act.Verb.FORGET) {
            forgetting.perform(asked, of.atMillis, nowNanos, effects);
        } else {
            intend(of, state.intent, state.moves);
        }
        switch (act.verb()) {
            case DRAIN -> changed(asked, nowNanos, "drain of " + names, Kind.DRAINED, effects);
            case UNDRAIN -> changed(asked, nowNanos, names + " not drained any more", Kind.UNDRAINED, effects);
            case PAUSE -> {
                pausedInThisRun = true;
                String until =
                        untilText(Objects.requireNonNull(state.intent.pause()).value());
                tell(asked, nowNanos, "pushes paused" + until, Kind.PUSHES_PAUSED, effects);
            }
            case RESUME -> tell(asked, nowNanos, "pushes go on", Kind.PUSHES_RESUMED, effects);
            case ENGINE -> {
                state.refused.anotherEngine();
                state.mayQuiesce = act.quiesces();
                String name = act.engine().isEmpty() ? "that of the settings" : act.engine();
                String consent = act.quiesces() ? ", hosts may be kept from sending meanwhile" : "";
                changed(asked, nowNanos, "engine: " + name + consent, Kind.ENGINE_CHOSEN, effects);
            }
            case ROLLBACK -> {
                if (anotherEngine) {
                    state.refused.anotherEngine();
                    state.mayQuiesce = false;
                }
                changed(asked, nowNanos, "rollback to epoch " + act.epoch(), Kind.ROLLED_BACK, effects);
            }
            case REBALANCE -> {
                EntryMoves moves = act.moves();
                String text = moves.isEmpty()
                        ? "moved entries taken back"
                        : "rebalance: " + moves.size() + " entries of " + moves.switchCount() + " switches moved";
                changed(asked, nowNanos, text, Kind.REBALANCED, effects);
            }
            case REPLACE, FORGET -> {
                if (act.verb() == Act.Verb.REPLACE && !act.replacesSwitch()) {
                    hostReplacement.perform(asked, nowNanos, effects);
                } else if (!state.records.waiting().isEmpty()) {
                    // It is answered with all that is written of it.
                    state.records.asked();
                }
            }
        }
        state.drainWatch.lookAgain();
        state.openAlarms.drainsChanged();
    }

    private void changed(ActAsked asked, long nowNanos, String text, Kind kind, List<Effect> effects) {
        tell(asked, nowNanos, text, kind, effects);
        state.news.addAct(nowNanos, text);
        asked.act().objects().forEach(place -> state.touchSwitch(place.guid()));
    }

    private @Nullable String obstacle(ActAsked asked) {
        Act act = asked.act();
        if (asked.epoch() != 0 && (asked.epoch() != state.epoch || state.news.pending() || state.computing != 0)) {
            return "the fabric has moved on since: it was planned for epoch " + asked.epoch();
        }
        return switch (act.verb()) {
            case DRAIN -> firstOf(act, this::noDrain);
            case UNDRAIN -> firstOf(act, place -> isDrained(place) ? null : state.nameOf(place) + " is not drained");
            case PAUSE -> state.intent.pause() == null && state.dropsForAWhile() ? DROPPED : null;
            case ROLLBACK -> null;
            case REBALANCE -> noRebalance(act.moves());
            case RESUME -> state.intent.pause() == null ? "pushes are not paused" : null;
            case ENGINE -> chosenEngine().equals(act.engine()) ? "that engine is chosen already" : null;
            case REPLACE ->
                act.replacesSwitch()
                        ? Replacement.obstacle(state, act.oldGuid(), act.newGuid())
                        : HostReplacement.obstacle(state, act.replacedHosts());
            case FORGET ->
                act.forgotten().stream()
                        .map(what -> Forgetting.obstacle(state, what))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
        };
    }

    private @Nullable String noRebalance(EntryMoves moves) {
        RebalanceRule rule = state.rules.rebalance();
        if (moves.equals(state.moves.wanted())) {
            return moves.isEmpty() ? "no entries are moved" : "these entries are moved already";
        }
        if (!moves.isEmpty() && rule.policy() == RebalanceRule.Policy.OFF) {
            return "routing.rebalance is off";
        }
        return rule.blocksMost() > 0 && moves.blockCount() > rule.blocksMost()
                ? "entries of " + moves.blockCount() + " blocks are moved; routing.rebalance-blocks allows "
                        + rule.blocksMost()
                : null;
    }

    /** Empty for that of the settings. */
    private String chosenEngine() {
        Intent chosen = state.intent.engine();
        return chosen == null ? "" : chosen.value();
    }

    private static @Nullable String firstOf(Act act, Function<PortPlace, @Nullable String> obstacle) {
        for (PortPlace place : act.objects()) {
            String found = obstacle.apply(place);
            if (found != null) {
                return found;
            }
        }
        return act.objects().isEmpty() ? "it names no switch and no link" : null;
    }

    private @Nullable String noDrain(PortPlace place) {
        SwitchRecord record = state.switches.get(place.guid());
        if (record == null) {
            return state.nameOf(place.guid()) + " is not part of the fabric";
        }
        if (place.port() != 0 && state.farEnd(place) == null) {
            return state.nameOf(place) + " leads to no switch";
        }
        return isDrained(place) ? state.nameOf(place) + " is drained already" : null;
    }

    private boolean isDrained(PortPlace place) {
        return state.intent.isDrained(atDrained(place));
    }

    /** By which end it is drained, if it is. */
    private PortPlace atDrained(PortPlace place) {
        PortPlace far = state.farEnd(place);
        return far != null && state.intent.isDrained(far) ? far : place;
    }

    /** A cable is drained by its lower end, whichever is named. */
    private PortPlace lowerEnd(PortPlace place) {
        PortPlace far = state.farEnd(place);
        return far != null && far.compareTo(place) < 0 ? far : place;
    }

    /** Times are told by the clock as it is now, and a pause lasts as long as it was to: one that a run before kept ends when it was said to. */
    void clockSet(ClockSet set, List<Effect> effects) {
        long setAhead = set.millis() - state.wallMillis(set.nowNanos());
        state.setClock(set.nowNanos(), set.millis());
        Intent pause = state.intent.pause();
        if (pausedInThisRun && pause != null && Act.pauseEnd(pause.value()) != Long.MAX_VALUE) {
            String value = Act.laterPause(pause.value(), setAhead);
            state.intent.pause(value, pause.by(), pause.atMillis() + setAhead, pause.why());
            tell(set.nowNanos(), 0, "the clock was set: pushes paused" + untilText(value), Kind.PUSHES_PAUSED, effects);
        }
    }

    private static String untilText(String pause) {
        long end = Act.pauseEnd(pause);
        return end == Long.MAX_VALUE ? "" : ", until " + Instant.ofEpochMilli(end);
    }

    /** Performs acts that are kept by now, and ends a pause whose time is over. */
    void timePassed(long nowNanos, List<Effect> effects) {
        performKept(nowNanos, effects);
        Intent pause = state.intent.pause();
        if (pause != null && state.wallMillis(nowNanos) >= Act.pauseEnd(pause.value())) {
            state.intent.resume();
            tell(nowNanos, 0, "pushes go on: the pause is over", Kind.PUSHES_RESUMED, effects);
        }
    }

    long nextDeadline() {
        Intent pause = state.intent.pause();
        return pause == null ? Long.MAX_VALUE : state.nanosAt(Act.pauseEnd(pause.value()));
    }

    private void tell(ActAsked asked, long nowNanos, String text, Kind kind, List<Effect> effects) {
        List<PortPlace> objects = asked.act().objects();
        long guid = objects.size() == 1 ? objects.get(0).guid() : 0;
        tell(nowNanos, guid, text + asked.asker(), kind, effects);
    }

    private void tell(long nowNanos, long guid, String text, Kind kind, List<Effect> effects) {
        String name = guid == 0 ? "" : state.nameOf(guid);
        effects.add(
                new Effect.Tell(new LoggedEvent(nowNanos, state.epoch, Severity.INFO, kind, guid, name, null, text)));
    }
}
