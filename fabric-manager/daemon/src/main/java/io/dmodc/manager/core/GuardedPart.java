package io.dmodc.manager.core;

import io.dmodc.manager.core.LoggedEvent.Severity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One part of {@link FabricStep#settle} behind a guard: a mistake in it neither keeps the other parts from their work nor
 * makes the loop spin. A part that fails is told ({@link Effect.Defect}), is in alarm ({@link Defects}) and is left alone
 * for a while, which doubles from {@value #WAIT_MIN_SECONDS} s to {@value #WAIT_MAX_SECONDS} s as long as it fails.
 */
final class GuardedPart {
    static final long WAIT_MIN_SECONDS = 1;
    static final long WAIT_MAX_SECONDS = 60;

    private static final long SECOND = 1_000_000_000L;

    /** What a part does with the time. */
    interface Work {
        /** Draws the consequences of what was taken in, and of the time that passed. */
        void timePassed(long nowNanos, List<Effect> effects);
    }

    /** When a part wants to be called at the latest. */
    interface Deadline {
        /** {@code Long.MAX_VALUE}: not before something happens. */
        long nextDeadline();
    }

    private final String name;
    private final FabricState state;
    private final Work work;
    private final Deadline deadline;

    /** How long it is left alone after its last failure; 0 while it works. */
    private long waitNanos;

    private long againNanos;
    private long calledNanos;

    /** Thrown when it was asked for its deadline: dealt with at once, in the next call. */
    private @Nullable RuntimeException unanswered;

    /** @param name for people, as "the ring" */
    GuardedPart(String name, FabricState state, Work work, Deadline deadline) {
        this.name = name;
        this.state = state;
        this.work = work;
        this.deadline = deadline;
    }

    /** Calls the part unless it is left alone. What it had decided before it failed stays among the effects. */
    void timePassed(long nowNanos, List<Effect> effects) {
        if (waitNanos > 0 && nowNanos < againNanos) {
            return;
        }
        calledNanos = nowNanos;
        try {
            if (unanswered != null) {
                throw unanswered;
            }
            work.timePassed(nowNanos, effects);
            if (waitNanos > 0) {
                waitNanos = 0;
                state.defects.works(name);
                tell(Severity.INFO, name + " works again", nowNanos, effects);
            }
        } catch (RuntimeException e) {
            unanswered = null;
            waitNanos = Math.min(Math.max(2 * waitNanos, WAIT_MIN_SECONDS * SECOND), WAIT_MAX_SECONDS * SECOND);
            againNanos = nowNanos + waitNanos;
            String what = name + " failed: " + Defects.text(e);
            state.defects.fails(name, what);
            effects.add(new Effect.Defect(note(Severity.ALARM, again(what), nowNanos), e));
        }
    }

    private String again(String what) {
        return "defect: " + what + "; the other parts go on, tried again in " + waitNanos / SECOND + " s";
    }

    /** When it must be called at the latest: a part that is left alone is not asked. */
    long nextDeadline() {
        if (waitNanos > 0) {
            return againNanos;
        }
        try {
            return unanswered == null ? deadline.nextDeadline() : calledNanos;
        } catch (RuntimeException e) {
            unanswered = e;
            return calledNanos;
        }
    }

    private void tell(Severity severity, String text, long nowNanos, List<Effect> effects) {
        effects.add(new Effect.Tell(note(severity, text, nowNanos)));
    }

    private LoggedEvent note(Severity severity, String text, long nowNanos) {
        return new LoggedEvent(nowNanos, state.epoch, severity, LoggedEvent.Kind.DEFECT, 0, text);
    }
}
