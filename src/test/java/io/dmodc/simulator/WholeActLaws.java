package io.dmodc.simulator;

import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.Act.Verb;
import io.dmodc.manager.core.DrainMoves;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.Forgettable;
import io.dmodc.manager.core.Forgettable.CableAt;
import io.dmodc.manager.core.Forgettable.HostPort;
import io.dmodc.manager.core.Forgettable.SwitchGuid;
import io.dmodc.manager.core.IntentSnapshot;
import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.manager.state.StateRecord.Intent;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.PortPlace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An act is in force as a whole or not at all, whatever fails when, and one that was answered stays.
 *
 * <p>What is wanted is what was wanted before, changed by the acts that were answered, one after the other: by a model of its own, which knows
 * nothing of records. A manager that starts wants that, and of the acts that were asked for and not answered yet each as a whole, or nothing of it. What ends
 * by itself, a pause or moved entries, may be there again as long as the disk does not know.
 */
final class WholeActLaws {
    /** Where more acts are not answered, not all that may have come of them is tried. */
    private static final int OPEN_MAX = 10;

    /** What operators want, without who and when. */
    private record Wanted(Set<PortPlace> drained, String pause, String engine, String moves) {
        static Wanted of(FabricSnapshot fabric) {
            IntentSnapshot intent = fabric.intent();
            Intent pause = intent.pause();
            return new Wanted(
                    new TreeSet<>(intent.drained()),
                    pause == null ? "" : pause.value(),
                    intent.engineName(),
                    intent.moves().toString());
        }

        /** With this act, by the cables that this fabric has. */
        Wanted with(Act act, FabricSnapshot fabric) {
            return switch (act.verb()) {
                case DRAIN, UNDRAIN, FORGET, REPLACE ->
                    new Wanted(new TreeSet<>(drainedWith(act, fabric)), pause, engine, moves);
                case PAUSE, RESUME -> new Wanted(drained, act.value(), engine, moves);
                case ENGINE -> new Wanted(drained, pause, act.engine(), moves);
                case REBALANCE -> new Wanted(drained, pause, engine, act.moves().toString());
                case ROLLBACK -> new Wanted(new TreeSet<>(act.objects()), pause, act.engine(), "");
            };
        }

        private Set<PortPlace> drainedWith(Act act, FabricSnapshot fabric) {
            if (act.isOfIdentity()) {
                return DrainMoves.of(act, drained, fabric::farEnd).after(drained);
            }
            Set<PortPlace> then = new TreeSet<>(drained);
            for (PortPlace place : act.objects()) {
                PortPlace far = fabric.farEnd(place);
                if (act.verb() == Verb.DRAIN) {
                    then.add(far != null && far.compareTo(place) < 0 ? far : place);
                } else {
                    then.remove(place);
                    then.remove(far == null ? place : far);
                }
            }
            return then;
        }
    }

    /** What is known of the last manager that worked on a disk. */
    private static final class Life {
        final SimulatedManager manager;

        /** When nothing was left that a crash would undo; acts that were performed since; those that were not answered. */
        Wanted kept;

        final List<Act> performed = new ArrayList<>();
        final List<ActAsked> unanswered = new ArrayList<>();

        /** After the last turn, and acts that were performed since then. */
        FabricSnapshot fabric;

        final List<Act> now = new ArrayList<>();

        /** What may be wanted after a crash, as it ended by itself. */
        final Set<String> pauses = new HashSet<>();

        final Set<String> moves = new HashSet<>();

        /** Since the last turn. */
        boolean movesDropped;

        /** Forgotten by people, who were told so; not seen since. */
        final Set<Forgettable> gone = new HashSet<>();

        Life(SimulatedManager manager) {
            this.manager = manager;
            fabric = manager.state.snapshot();
            kept = Wanted.of(fabric);
        }

        /** Its act was performed, and a crash undoes that until all is kept: it is one batch with what follows of it. */
        static boolean mayBeUndone(Act act) {
            return act.replacesSwitch() || act.forgotten().stream().anyMatch(CableAt.class::isInstance);
        }

        /** What may be wanted by a manager that starts now. */
        boolean mayBecome(Wanted wanted, FabricSnapshot by) {
            List<Act> open = new ArrayList<>();
            performed.stream().filter(Life::mayBeUndone).forEach(open::add);
            unanswered.forEach(asked -> open.add(asked.act()));
            for (int some = 0; some < 1 << Math.min(OPEN_MAX, open.size()); some++) {
                Wanted with = kept;
                int i = 0;
                for (Act act : performed) {
                    with = !mayBeUndone(act) || (some >> i++ & 1) != 0 ? with.with(act, by) : with;
                }
                for (ActAsked asked : unanswered) {
                    with = (some >> i++ & 1) != 0 ? with.with(asked.act(), by) : with;
                }
                if (isSame(with, wanted)) {
                    return true;
                }
            }
            return open.size() > OPEN_MAX;
        }

        private boolean isSame(Wanted one, Wanted other) {
            return one.drained.equals(other.drained)
                    && one.engine.equals(other.engine)
                    && (one.pause.equals(other.pause) || pauses.contains(other.pause))
                    && (one.moves.equals(other.moves) || moves.contains(other.moves));
        }

        @Override
        public String toString() {
            return "kept: " + kept + ", in force since: " + performed + ", not answered: "
                    + unanswered.stream().map(ActAsked::act).toList();
        }
    }

    private final Simulation site;
    private final Map<SimulatedDisk, Life> lives = new IdentityHashMap<>();

    WholeActLaws(Simulation site) {
        this.site = site;
    }

    private @Nullable Life life(SimulatedManager manager) {
        Life life = lives.get(manager.disk);
        return life == null || life.manager != manager ? null : life;
    }

    void started(SimulatedManager manager) {
        Life next = new Life(manager);
        Life last = lives.put(manager.disk, next);
        if (last == null) {
            return;
        }
        if (!last.mayBecome(next.kept, last.fabric) && !last.mayBecome(next.kept, last.manager.state.snapshot())) {
            site.violated(Law.ACT_IS_WHOLE, last + "; after the start: " + next.kept);
        }
        for (Forgettable what : last.gone) {
            if (next.fabric.knows(what) && !manager.disk.forgets(what)) {
                site.violated(Law.ACT_IS_WHOLE, what + " was forgotten, and is known after the start");
            }
        }
        next.gone.addAll(last.gone);
    }

    void took(SimulatedManager manager, FabricEvent event) {
        Life life = life(manager);
        if (life == null) {
            return;
        }
        if (event instanceof ActAsked asked) {
            life.unanswered.add(asked);
        } else if (event instanceof AgentJoined joined) {
            life.gone.remove(new SwitchGuid(joined.guid()));
        } else if (event instanceof PortsReported reported) {
            for (PortSeen seen : reported.ports()) {
                if (seen.neighbour() instanceof ToHost to) {
                    life.gone.remove(new HostPort(to.host().portGuid()));
                } else if (seen.neighbour() instanceof ToSwitch to) {
                    life.gone.remove(new SwitchGuid(to.guid()));
                }
            }
        }
    }

    void performed(SimulatedManager manager, Effect.Done done) {
        Life life = life(manager);
        if (life != null && done.command() instanceof ActAsked asked) {
            life.unanswered.removeIf(each -> each == asked);
            life.performed.add(asked.act());
            life.now.add(asked.act());
            asked.act().forgotten().stream()
                    .filter(what -> !(what instanceof CableAt))
                    .forEach(life.gone::add);
        }
    }

    void declined(SimulatedManager manager, Effect.Declined declined) {
        Life life = life(manager);
        if (life != null) {
            life.unanswered.removeIf(each -> each == declined.command());
        }
    }

    void told(SimulatedManager manager, LoggedEvent note) {
        Life life = life(manager);
        if (life != null && note.kind() == LoggedEvent.Kind.MOVES_DROPPED) {
            life.movesDropped = true;
        }
    }

    /** What is wanted now is what was wanted before and what was performed, and nothing else. */
    void turned(SimulatedManager manager) {
        Life life = life(manager);
        if (life == null) {
            return;
        }
        FabricSnapshot fabric = manager.state.snapshot();
        Wanted now = Wanted.of(fabric);
        if (manager.disk.idle()) {
            life.pauses.clear();
            life.moves.clear();
        }
        Wanted before = Wanted.of(life.fabric);
        Wanted byOld = with(before, life.now, life.fabric);
        Wanted byNew = with(before, life.now, fabric);
        // A pause ends by itself; entries are moved no more where they cannot be.
        if (!now.pause.equals(byNew.pause) && now.pause.isEmpty()) {
            life.pauses.addAll(List.of(byNew.pause, now.pause));
        }
        if (life.movesDropped) {
            life.moves.addAll(List.of(byNew.moves, now.moves));
            life.movesDropped = false;
        }
        if (!life.isSame(byOld, now) && !life.isSame(byNew, now)) {
            site.violated(Law.ACT_IS_WHOLE, "before: " + before + ", performed: " + life.now + ", now: " + now);
        }
        life.fabric = fabric;
        life.now.clear();
        if (fabric.intent().kept()) {
            life.kept = now;
            life.performed.stream()
                    .filter(Act::replacesSwitch)
                    .forEach(act -> life.gone.add(new SwitchGuid(act.oldGuid())));
            life.performed.clear();
        }
    }

    private static Wanted with(Wanted before, List<Act> acts, FabricSnapshot fabric) {
        Wanted with = before;
        for (Act act : acts) {
            with = with.with(act, fabric);
        }
        return with;
    }
}
