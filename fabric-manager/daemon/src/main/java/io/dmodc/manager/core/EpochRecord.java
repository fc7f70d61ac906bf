package io.dmodc.manager.core;

import io.dmodc.routing.change.ChangePlan.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How one fabric epoch went: the times an operator asks for after a fault. Changed on the loop thread only; others see copies, in a {@link FabricSnapshot}. */
public final class EpochRecord {
    /** Where an epoch stands. */
    public enum Stage {
        COMPUTING,
        PUSHING,
        COMPLETE,
        SUPERSEDED,
        REFUSED
    }

    final long epoch;
    final String cause;
    final long noticedNanos;
    final long startedNanos;

    /** Hosts whose index the store has not taken are not in its view. */
    boolean newHostsLeftOut;

    /** Switches whose plane number the store has not taken are counted without one in its view. */
    boolean newPlanesLeftOut;

    /** Switches whose level the store has not taken are not in its routes. */
    boolean newLevelsLeftOut;

    Stage stage = Stage.COMPUTING;
    long routedNanos;
    long routeNanos;
    long checkNanos;
    long planNanos;
    long restoredNanos;
    long completeNanos;
    int switchesPushed;
    long blocksPushed;
    List<Integer> cutOffLeaves = List.of();
    String verdict = "";
    String change = "";

    @Nullable
    Verdict changeVerdict;

    EpochRecord(long epoch, String cause, long noticedNanos, long startedNanos) {
        this.epoch = epoch;
        this.cause = cause;
        this.noticedNanos = noticedNanos;
        this.startedNanos = startedNanos;
    }

    /** As it is now; nobody changes the copy. */
    EpochRecord copy() {
        EpochRecord copy = new EpochRecord(epoch, cause, noticedNanos, startedNanos);
        copy.newHostsLeftOut = newHostsLeftOut;
        copy.newPlanesLeftOut = newPlanesLeftOut;
        copy.newLevelsLeftOut = newLevelsLeftOut;
        copy.stage = stage;
        copy.routedNanos = routedNanos;
        copy.routeNanos = routeNanos;
        copy.checkNanos = checkNanos;
        copy.planNanos = planNanos;
        copy.restoredNanos = restoredNanos;
        copy.completeNanos = completeNanos;
        copy.switchesPushed = switchesPushed;
        copy.blocksPushed = blocksPushed;
        copy.cutOffLeaves = cutOffLeaves;
        copy.verdict = verdict;
        copy.change = change;
        copy.changeVerdict = changeVerdict;
        return copy;
    }

    /** True for a copy that was made since the last change. What is not compared changes with something that is. */
    boolean sameAs(EpochRecord copy) {
        return stage == copy.stage
                && routedNanos == copy.routedNanos
                && restoredNanos == copy.restoredNanos
                && completeNanos == copy.completeNanos
                && switchesPushed == copy.switchesPushed
                && blocksPushed == copy.blocksPushed;
    }

    public long epoch() {
        return epoch;
    }

    /** The first news that made it necessary, and how many more were folded in. */
    public String cause() {
        return cause;
    }

    public Stage stage() {
        return stage;
    }

    /** When the first of its causes reached the manager. */
    public long noticedNanos() {
        return noticedNanos;
    }

    public long startedNanos() {
        return startedNanos;
    }

    public long routedNanos() {
        return routedNanos;
    }

    /** Time spent in the engine. */
    public long routeNanos() {
        return routeNanos;
    }

    /** Time spent in the check. */
    public long checkNanos() {
        return checkNanos;
    }

    /** Time spent on planning the order of pushes. */
    public long planNanos() {
        return planNanos;
    }

    /** When the last switch had acknowledged of those that mend what was broken; 0 before, and where nothing was. */
    public long restoredNanos() {
        return restoredNanos;
    }

    /** When the last acknowledgement came. */
    public long completeNanos() {
        return completeNanos;
    }

    public int switchesPushed() {
        return switchesPushed;
    }

    public long blocksPushed() {
        return blocksPushed;
    }

    /** Switch indices of the view of this epoch. */
    public List<Integer> cutOffLeaves() {
        return cutOffLeaves;
    }

    /** What the check said. */
    public String verdict() {
        return verdict;
    }

    /** What is known of the change to its tables: in what order they may come into force, or why that is not known. */
    public String change() {
        return change;
    }

    /** The same in a word; {@code null} before it is known, and where nothing was planned. */
    public @Nullable Verdict changeVerdict() {
        return changeVerdict;
    }
}
