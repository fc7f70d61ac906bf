package io.dmodc.manager.core;

import io.dmodc.manager.core.Effect.Method;

/**
 * What is tried after an epoch was refused, in this order: the same once more from scratch; the engine of the settings, if
 * people chose another one, so that faults are mended whatever they chose; the fall-back engine, if there is one; then from
 * scratch again and again, after waits that double from {@value #WAIT_MIN_SECONDS} s to {@value #WAIT_MAX_SECONDS} s. News of
 * the fabric is computed at once in between, and starts the order anew. A result that was thrown away because the fabric
 * changed meanwhile is no answer: the same is tried again.
 *
 * <p>Ends with the first epoch that is accepted. When that one is not of the engine that is wanted, people are told so until that one
 * succeeds again, which is tried with the next news.
 */
final class RefusedEpochRetry {
    static final long WAIT_MIN_SECONDS = 5;
    static final long WAIT_MAX_SECONDS = 300;

    private static final long SECOND = 1_000_000_000L;

    private String fallback = "";

    /** How the next epoch is computed. */
    private Method method = Method.INCREMENTAL;

    /** The engine that people chose, by its name; empty: that of the settings. */
    private String chosen = "";

    /** That of the settings computes, though people chose another one. */
    private boolean insteadOfChosen;

    /** Everything was tried: the next is due at {@link #againNanos}, unless there is news before. */
    private boolean waiting;

    private long againNanos;
    private long waitNanos;

    /** "epoch 7 refused" and "why", of the last refusal; empty when the last judged epoch was accepted. */
    private String refusal = "";

    private String verdict = "";
    private String next = "";

    /** Names the engine that is tried when that of the settings fails; before the first event. */
    void fallBackTo(String engine) {
        fallback = engine;
    }

    boolean hasFallback() {
        return !fallback.isEmpty();
    }

    /**
     * An epoch is computed now: says how, and {@link #computing} by which engine.
     *
     * @param chosenEngine by people; empty: they chose none
     */
    Method begin(String chosenEngine, long nowNanos) {
        chosen = chosenEngine;
        if (waiting) {
            waiting = false;
            insteadOfChosen = false;
            boolean due = nowNanos >= againNanos;
            method = due ? Method.FRESH : Method.INCREMENTAL;
            // Another fabric deserves another patience.
            waitNanos = due ? waitNanos : 0;
        }
        return method;
    }

    /** Name of the engine that computes, unless it is the fall-back engine; empty for that of the settings. */
    String computing() {
        return insteadOfChosen ? "" : chosen;
    }

    /**
     * The last epoch was refused.
     *
     * @return what is tried next, for people
     */
    String refused(long epoch, String why, long nowNanos) {
        refusal = "epoch " + epoch + " refused";
        verdict = why;
        if (method == Method.INCREMENTAL) {
            method = Method.FRESH;
            next = "tried again from scratch";
        } else if (method == Method.FRESH && !computing().isEmpty()) {
            insteadOfChosen = true;
            next = "tried with the engine of the settings instead of " + chosen;
        } else if (method == Method.FRESH && !fallback.isEmpty()) {
            method = Method.FALLBACK;
            next = "tried with the fall-back engine " + fallback;
        } else {
            waiting = true;
            waitNanos = Math.min(Math.max(2 * waitNanos, WAIT_MIN_SECONDS * SECOND), WAIT_MAX_SECONDS * SECOND);
            againNanos = nowNanos + waitNanos;
            next = "tried again from scratch in " + waitNanos / SECOND + " s, or with the next change";
        }
        return next;
    }

    /** Somebody chose another engine: what failed before says nothing of it. */
    void anotherEngine() {
        method = Method.INCREMENTAL;
        insteadOfChosen = false;
        waitNanos = 0;
    }

    /** True if what was refused is tried once more as it was, by the same engine, before anything else. */
    boolean isTriedAgain() {
        return method == Method.FRESH && !insteadOfChosen && !waiting;
    }

    /** What computed the last epoch; empty for the engine of the settings. */
    String engine() {
        return method == Method.FALLBACK ? fallback : "";
    }

    /** The last epoch is in force. */
    void accepted(long epoch) {
        if (method == Method.FALLBACK) {
            next = "epoch " + epoch + " of the fall-back engine " + fallback + " is in force until the next change";
        } else if (insteadOfChosen) {
            next = "epoch " + epoch + " of the engine of the settings, not of " + chosen
                    + ", is in force until the next change";
        } else {
            refusal = "";
        }
        method = Method.INCREMENTAL;
        insteadOfChosen = false;
        waiting = false;
        waitNanos = 0;
    }

    /** True when an epoch must be computed although there is no news. */
    boolean due(long nowNanos) {
        return waiting ? nowNanos >= againNanos : method != Method.INCREMENTAL;
    }

    /** When {@link #due} will say yes; {@code Long.MAX_VALUE}: never. */
    long nextDeadline() {
        return waiting ? againNanos : Long.MAX_VALUE;
    }

    /** Why an epoch is computed that no news asked for. */
    String cause() {
        String how = insteadOfChosen ? ", engine of the settings" : ", from scratch";
        return refusal + (method == Method.FALLBACK ? ", fall-back engine " + fallback : how);
    }

    /** What to tell people; empty while the newest tables are those of the engine that is wanted. */
    String alarmText() {
        if (refusal.isEmpty()) {
            return "";
        }
        boolean served = !waiting && method == Method.INCREMENTAL;
        return refusal + (served ? ": " : ", switches keep their tables: ") + verdict + "; " + next;
    }
}
