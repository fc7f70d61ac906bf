package io.dmodc.simulator;

import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.Effect.TableUpdate;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.IntentSnapshot;
import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.topology.PortPlace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What operators ask for holds: what was said to be safe carries nothing, nothing is sent in a pause, and nothing is forgotten. */
final class ActLaws {
    /** Longer than a port's news takes to the manager, and to people. */
    private static final long NEWS_NANOS = 500_000_000;

    private final Simulation site;

    /** What people were told is safe to unplug, and nothing else since. */
    private final Set<PortPlace> safe = new HashSet<>();

    /** What people asked to take back, and may have or not: nobody can tell before the disk says so. */
    private final Set<PortPlace> takingBack = new HashSet<>();

    private @Nullable SimulatedDisk disk;

    /** What the disk had when all was on it. */
    private @Nullable IntentSnapshot kept;

    private boolean paused;
    private long undrainedNanos = Long.MIN_VALUE;

    ActLaws(Simulation site) {
        this.site = site;
    }

    void started(SimulatedManager manager) {
        IntentSnapshot intent = intent(manager);
        if (manager.disk != disk) {
            // What was asked of the other one is not known here.
            safe.clear();
        } else if (kept != null && !text(kept).equals(text(intent))) {
            site.violated(Law.ACTS_ARE_KEPT, "before: " + text(kept) + ", after the start: " + text(intent));
        }
        if (manager.disk == disk) {
            for (PortPlace place : safe) {
                if (!intent.isDrained(place) && !takingBack.contains(place)) {
                    site.violated(
                            Law.ACTS_ARE_KEPT, name(place) + " was safe to unplug, and is not drained after the start");
                }
            }
        }
        safe.removeIf(place -> !intent.isDrained(place));
        takingBack.clear();
        disk = manager.disk;
        kept = null;
        paused = intent.pause() != null;
    }

    private static IntentSnapshot intent(SimulatedManager manager) {
        return manager.state.snapshot().intent();
    }

    private static String text(IntentSnapshot intent) {
        List<Object> all = new ArrayList<>();
        intent.drains().forEach(drain -> all.add(drain.intent()));
        all.add(String.valueOf(intent.pause()));
        all.add(String.valueOf(intent.engine()));
        all.add(intent.moves());
        all.add(String.valueOf(intent.rebalance()));
        return all.toString();
    }

    void took(SimulatedManager manager, FabricEvent event) {
        if (event instanceof ActAsked asked) {
            kept = null;
            Act act = asked.act();
            if (act.verb() == Act.Verb.UNDRAIN) {
                takingBack.addAll(act.objects());
            } else if (act.verb() == Act.Verb.ROLLBACK) {
                takingBack.addAll(intent(manager).drained());
                act.objects().forEach(takingBack::remove);
            }
        }
    }

    void turned(SimulatedManager manager) {
        safe.removeIf(place -> !intent(manager).isDrained(place));
        kept = manager.disk.idle() && manager == site.network.listening ? intent(manager) : null;
        if (kept != null) {
            takingBack.clear();
        }
    }

    void told(SimulatedManager manager, LoggedEvent note) {
        if (manager != site.network.listening) {
            return;
        }
        switch (note.kind()) {
            case PUSHES_PAUSED -> paused = true;
            case PUSHES_RESUMED -> paused = false;
            case SAFE_TO_UNPLUG, NOT_SAFE_TO_UNPLUG, DRAINED, UNDRAINED -> {
                safe.clear();
                intent(manager).drains().stream()
                        .filter(IntentSnapshot.Drain::safe)
                        .forEach(drain -> safe.add(drain.place()));
            }
            default -> {}
        }
        undrainedNanos = note.kind() == LoggedEvent.Kind.UNDRAINED ? site.now() : undrainedNanos;
    }

    /** When people took a drain back last. */
    long undrainedNanos() {
        return undrainedNanos;
    }

    /** A repeated table is sent, too. */
    void pushed(SimulatedManager manager, TableUpdate update) {
        if (paused && manager == site.network.listening) {
            site.violated(Law.PAUSED_SENDS_NOTHING, "a table for " + site.name(update.guid()));
        }
    }

    /**
     * A packet went this way, once the manager had time to see what there is to see: cables that came up a moment ago do not count. Neither does what hosts
     * send that a drained leaf cuts off.
     */
    void walked(SimulatedManager manager, PacketWalk walk) {
        if (safe.isEmpty() || isDrained(manager, walk.at[0], 0)) {
            return;
        }
        for (int i = 0; i + 1 < walk.hops; i++) {
            SimulatedSwitch at = walk.at[i];
            SimulatedSwitch to = walk.at[i + 1];
            int port = walk.port[i];
            int farPort = at.peerPort[port - 1];
            boolean told = site.now() - Math.max(at.changedNanos[port - 1], to.changedNanos[farPort - 1]) > NEWS_NANOS;
            for (PortPlace place :
                    List.of(new PortPlace(to.guid, 0), new PortPlace(at.guid, port), new PortPlace(to.guid, farPort))) {
                if (told && safe.contains(place)) {
                    site.violated(Law.SAFE_CARRIES_NOTHING, name(place) + " carries what goes by way of " + walk.way());
                }
            }
        }
    }

    /** The switch or the cable here is one that routes lead around. */
    static boolean isDrained(SimulatedManager manager, SimulatedSwitch s, int port) {
        IntentSnapshot intent = intent(manager);
        return !intent.drains().isEmpty()
                && (intent.isDrained(new PortPlace(s.guid, 0)) || intent.isDrained(new PortPlace(s.guid, port)));
    }

    private String name(PortPlace place) {
        return site.name(place.guid()) + ":" + place.port();
    }
}
