package io.dmodc.manager.core;

import java.util.ArrayList;
import java.util.List;

/**
 * The last time the ring held an agent silent, so that one accusation has one consequence.
 *
 * <p>Many agents tell the same accusation, some of them late: their reports wait until they have a session. Once the
 * accused has answered, an accusation of the same incarnation is the same one if the same observer made it, however late
 * it comes, or if it comes within {@link #FLOOD_NANOS} of the first: neighbours of a busy agent lose patience together. An
 * accusation of a higher incarnation is always a new one. Nothing is lost by that: who falls silent again in
 * the same incarnation has its session ended by the keep-alives.
 */
final class Accusation {
    /** How long after an accusation others may still be its echo: far longer than a flood and the repeats of reports. */
    static final long FLOOD_NANOS = 30_000_000_000L;

    /** Observers remembered of one incarnation; beyond, the oldest goes. */
    static final int OBSERVERS_MAX = 16;

    private final int incarnation;
    private final List<Long> observers = new ArrayList<>();
    private long beganNanos;
    private boolean refuted;

    Accusation(int incarnation, long observerGuid, long nowNanos) {
        this.incarnation = incarnation;
        beganNanos = nowNanos;
        observers.add(observerGuid);
    }

    /** The accused has proved that it lives. */
    void refute() {
        refuted = true;
    }

    /** True if this was refuted and what is told now is no more than its echo. */
    boolean echoes(int toldIncarnation, long observerGuid, long nowNanos) {
        return refuted
                && toldIncarnation == incarnation
                && (observers.contains(observerGuid) || nowNanos - beganNanos < FLOOD_NANOS);
    }

    /** What is known once another accusation is acted upon: observers of the same incarnation stay known. */
    Accusation followedBy(int toldIncarnation, long observerGuid, long nowNanos) {
        if (toldIncarnation != incarnation) {
            return new Accusation(toldIncarnation, observerGuid, nowNanos);
        }
        if (observers.size() >= OBSERVERS_MAX) {
            observers.remove(0);
        }
        observers.add(observerGuid);
        beganNanos = nowNanos;
        refuted = false;
        return this;
    }
}
