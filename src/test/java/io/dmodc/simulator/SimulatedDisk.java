package io.dmodc.simulator;

import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.LearntLevels;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A manager's state directory: what it was told to keep arrives a moment later, in order, unless the process dies or the
 * disk is full before. Like the real one it forgets a set of changes that was torn, and tries again when it was full.
 */
final class SimulatedDisk {
    private static final long RETRY_NANOS = 10 * Simulation.SECOND;

    private final Simulation site;
    private final List<Effect> waiting = new ArrayList<>();
    private List<String> nodeMap = List.of();
    private LearntLevels levels = LearntLevels.none();
    private final Set<String> entries = new LinkedHashSet<>();
    private long leaderEpoch;
    private int life;
    private boolean writing;
    private boolean failing;
    long fullUntil;
    long slowUntil;

    /** The next write is torn: of an indices-and-levels write the first half counts, of a journal's nothing. */
    boolean tearNext;

    SimulatedDisk(Simulation site) {
        this.site = site;
    }

    /** What a backup or a second machine would have. */
    SimulatedDisk copy() {
        SimulatedDisk copy = new SimulatedDisk(site);
        copy.nodeMap = nodeMap;
        copy.levels = levels;
        copy.entries.addAll(entries);
        copy.leaderEpoch = leaderEpoch;
        return copy;
    }

    boolean full() {
        return site.now() < fullUntil;
    }

    List<String> nodeMap() {
        return nodeMap;
    }

    LearntLevels levels() {
        return levels;
    }

    List<String> entries() {
        return List.copyOf(entries);
    }

    long nextLeaderEpoch() {
        return ++leaderEpoch;
    }

    void raiseLeaderEpoch(long atLeast) {
        leaderEpoch = Math.max(leaderEpoch, atLeast);
    }

    boolean idle() {
        return waiting.isEmpty();
    }

    void keep(SimulatedManager owner, Effect effect) {
        waiting.add(effect);
        if (!writing) {
            writing = true;
            schedule(owner, 1_000_000 + site.network.delayNanos() + Math.max(0, slowUntil - site.now()));
        }
    }

    private void schedule(SimulatedManager owner, long nanos) {
        int born = life;
        site.after(nanos, () -> {
            if (born == life) {
                write(owner);
            }
        });
    }

    private void write(SimulatedManager owner) {
        if (full()) {
            report(owner, "no space left on device");
            schedule(owner, RETRY_NANOS);
            return;
        }
        if (tearNext) {
            tearNext = false;
            tear();
            owner.crash("power lost while writing");
            return;
        }
        waiting.forEach(this::put);
        waiting.clear();
        writing = false;
        report(owner, "");
    }

    /** Node indices are replaced before levels are; a journal's changes count together or not at all. */
    private void tear() {
        if (waiting.get(0) instanceof Effect.Store store) {
            nodeMap = store.nodeMap();
        }
    }

    private void put(Effect effect) {
        if (effect instanceof Effect.Store store) {
            nodeMap = store.nodeMap();
            levels = store.levels();
        } else if (effect instanceof Effect.Remember remember) {
            for (String change : remember.changes()) {
                if (change.startsWith("+")) {
                    entries.add(change.substring(1));
                } else {
                    entries.remove(change.substring(1));
                }
            }
        }
    }

    private void report(SimulatedManager owner, String failure) {
        boolean failed = !failure.isEmpty();
        if (failed != failing) {
            failing = failed;
            owner.storeReported(failure);
        }
    }

    /** The process died: what it had not written is lost. */
    void crashed() {
        life++;
        waiting.clear();
        writing = false;
        failing = false;
    }
}
