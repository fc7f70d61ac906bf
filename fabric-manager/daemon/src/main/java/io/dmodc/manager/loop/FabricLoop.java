package io.dmodc.manager.loop;

import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.FabricEvent.ClockSet;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.FabricStep;
import java.lang.Thread.UncaughtExceptionHandler;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns {@link FabricState}: one thread takes events from a bounded queue, a whole batch at a time, lets
 * {@link FabricStep} decide once per batch, shows all others what is known then ({@link #snapshot}), and hands the effects
 * to the shell in order. Nobody asks this thread anything: who reads takes the last snapshot, and never waits.
 *
 * <p>At the bound ({@value #QUEUE_MAX} events) {@link #offer} says no; the caller stops reading its socket until there
 * is room, so nothing is lost and nothing grows. One session has {@value #SESSION_MAX} events waiting at most, so that an agent
 * that floods fills neither the queue nor the time of all others.
 *
 * <p>A mistake of this program ({@link RuntimeException}) in one event or effect costs that one: it is told and
 * the loop goes on. Anything worse ends the loop's thread, and its handler is to end the process: a manager without its
 * loop would look alive and decide nothing.
 */
public final class FabricLoop implements AutoCloseable {
    /** Most events waiting. */
    public static final int QUEUE_MAX = 1 << 16;

    /** Most events of one session waiting. */
    public static final int SESSION_MAX = 1 << 8;

    private static final int BATCH_MAX = 1 << 12;
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** By more, the clock that people read was set. */
    private static final long CLOCK_OFF_MILLIS = 1000;

    private static final Logger LOG = LoggerFactory.getLogger(FabricLoop.class);

    /** Events that are taken in at once, of which somebody wants to hear that they were. */
    private record Told(List<FabricEvent> events, CompletableFuture<FabricSnapshot> done) {}

    /** What one session has in the queue. */
    public static final class SessionShare {
        private final AtomicInteger waiting = new AtomicInteger();
    }

    private record OfSession(FabricEvent event, SessionShare share) {}

    private final FabricState state;
    private final FabricStep step;
    private final EffectShell shell;
    private final LongSupplier clock;
    private final BlockingQueue<Object> queue = new ArrayBlockingQueue<>(QUEUE_MAX);
    private final Thread thread = new Thread(this::run, "fabric-loop");
    private volatile boolean closed;

    private final AtomicLong turns = new AtomicLong();
    private volatile long turnedNanos;
    private volatile FabricSnapshot snapshot;

    /** Answers of the batch in work: why a command changed nothing, empty for an act that is done; by identity, as a command may be given twice. */
    private final IdentityHashMap<FabricEvent, String> answers = new IdentityHashMap<>();

    /** Who asked for acts that are neither done nor declined yet; the core bounds them. */
    private final List<Told> unanswered = new ArrayList<>();

    private @Nullable TurnListener listener;
    private @Nullable LongSupplier wallClock;

    /** With the handler of the process for what ends its thread, {@link Thread#setDefaultUncaughtExceptionHandler}. */
    public FabricLoop(FabricState state, EffectShell shell, LongSupplier clock) {
        this(state, shell, clock, null);
    }

    /**
     * @param state owned by this loop from now on
     * @param shell performs effects, and hears when those of a step have been
     * @param clock monotonic nanoseconds
     * @param ender told what ended the loop's thread, if it was not {@link #close}; {@code null}: that of the process
     */
    public FabricLoop(
            FabricState state, EffectShell shell, LongSupplier clock, @Nullable UncaughtExceptionHandler ender) {
        this.state = state;
        this.step = new FabricStep(state);
        this.shell = shell;
        this.clock = clock;
        snapshot = state.snapshot();
        turnedNanos = clock.getAsLong();
        if (ender != null) {
            thread.setUncaughtExceptionHandler(ender);
        }
    }

    /** Names who hears of each turn; before the start. */
    public void listen(TurnListener who) {
        listener = who;
    }

    /**
     * The core is told when this clock is set; before the start.
     *
     * @param millis since 1970
     */
    public void follow(LongSupplier millis) {
        wallClock = millis;
    }

    public void start() {
        thread.start();
    }

    /** Monotonic nanoseconds, for stamping events at their arrival. */
    public long nowNanos() {
        return clock.getAsLong();
    }

    /** Hands an event over; false when the queue is full. Any thread, never blocks. */
    public boolean offer(FabricEvent event) {
        return queue.offer(event);
    }

    /**
     * Hands an event of a session over; false when the queue is full, or as much of it is this session's as one may have. Any thread,
     * one at a time for each session; never blocks.
     */
    public boolean offer(FabricEvent event, SessionShare share) {
        if (share.waiting.get() >= SESSION_MAX || !queue.offer(new OfSession(event, share))) {
            return false;
        }
        share.waiting.incrementAndGet();
        return true;
    }

    /** Hands an event over, waiting for room. For worker threads only. */
    public void put(FabricEvent event) throws InterruptedException {
        queue.put(event);
    }

    /**
     * Hands over events that belong together, in this order: one step decides on all of them. Waits for room; for worker threads only.
     *
     * @return as of {@link #tell}
     */
    public CompletableFuture<FabricSnapshot> tellTogether(List<FabricEvent> events) throws InterruptedException {
        CompletableFuture<FabricSnapshot> done = new CompletableFuture<>();
        queue.put(new Told(List.copyOf(events), done));
        return done;
    }

    /**
     * Hands an event over, and says when it was taken in, or if it is an act when it is in force. Any thread, never blocks.
     *
     * @return what is known then; fails with {@link DeclinedException} for a command that changed nothing, and with
     *     {@link IllegalStateException} when the queue is full or the loop has ended.
     *     What hangs on it runs on the loop thread: it must be short
     */
    public CompletableFuture<FabricSnapshot> tell(FabricEvent event) {
        CompletableFuture<FabricSnapshot> done = new CompletableFuture<>();
        if (closed || !queue.offer(new Told(List.of(event), done))) {
            done.completeExceptionally(
                    new IllegalStateException("the manager is " + (closed ? "closed" : "overloaded")));
        }
        return done;
    }

    /** What was known when the last batch was done, or at the start. Any thread, never blocks. */
    public FabricSnapshot snapshot() {
        return snapshot;
    }

    /** True once the loop has ended, or is about to. */
    public boolean isClosed() {
        return closed;
    }

    /** How long ago the last batch was done. */
    public long sinceTurnNanos() {
        return clock.getAsLong() - turnedNanos;
    }

    /** Events waiting now. */
    public int queued() {
        return queue.size();
    }

    /** How many batches were worked on; while the loop lives it grows at least once a second. */
    public long turns() {
        return turns.get();
    }

    private void run() {
        try {
            workUntilClosed();
        } finally {
            closed = true;
            failTheRest();
        }
    }

    private void workUntilClosed() {
        List<Object> batch = new ArrayList<>();
        List<Effect> effects = new ArrayList<>();
        while (!closed) {
            try {
                await(batch);
                takeIn(batch, effects);
            } catch (InterruptedException e) {
                break;
            }
            batch.clear();
            effects.clear();
            turnedNanos = clock.getAsLong();
            turns.incrementAndGet();
        }
    }

    private void failTheRest() {
        List<Object> left = new ArrayList<>(unanswered);
        queue.drainTo(left);
        left.forEach(item -> {
            if (item instanceof Told told) {
                told.done.completeExceptionally(new IllegalStateException("the manager is closed"));
            }
        });
    }

    private void await(List<Object> batch) throws InterruptedException {
        long wait = Math.min(step.nextDeadline() - clock.getAsLong(), IDLE_NANOS);
        Object first = queue.poll(Math.max(wait, 0), TimeUnit.NANOSECONDS);
        if (first != null) {
            batch.add(first);
            queue.drainTo(batch, BATCH_MAX - 1);
        }
    }

    private void takeIn(List<Object> batch, List<Effect> effects) {
        List<FabricEvent> events = events(batch);
        lookAtClock(events);
        for (FabricEvent event : events) {
            accept(event, effects);
        }
        long now = clock.getAsLong();
        step.settle(now, effects);
        // Before anything is performed: who hears of an effect finds it in here.
        snapshot = state.snapshot();
        if (listener != null) {
            listener.turned(events, now, effects.size(), state);
        }
        perform(effects);
        for (Object item : batch) {
            if (item instanceof Told told) {
                unanswered.add(told);
            } else if (item instanceof OfSession ofSession) {
                ofSession.share.waiting.decrementAndGet();
            }
        }
        unanswered.removeIf(told -> told.done.isDone() || answer(told));
        answers.clear();
    }

    /** Before all else: what people ask for was said by the clock as it is now. */
    private void lookAtClock(List<FabricEvent> events) {
        if (wallClock != null) {
            ClockSet read = new ClockSet(clock.getAsLong(), wallClock.getAsLong());
            if (Math.abs(read.millis() - state.wallMillis(read.nowNanos())) > CLOCK_OFF_MILLIS) {
                events.add(0, read);
            }
        }
    }

    private static List<FabricEvent> events(List<Object> batch) {
        List<FabricEvent> events = new ArrayList<>(batch.size());
        for (Object item : batch) {
            if (item instanceof FabricEvent event) {
                events.add(event);
            } else if (item instanceof OfSession ofSession) {
                events.add(ofSession.event);
            } else if (item instanceof Told told) {
                events.addAll(told.events);
            }
        }
        return events;
    }

    private void accept(FabricEvent event, List<Effect> effects) {
        try {
            step.accept(event, effects);
        } catch (RuntimeException e) {
            step.dropped(event, e, effects);
        }
    }

    /** An act is answered when it is done, all else at once. */
    private boolean answer(Told told) {
        boolean waits =
                told.events.stream().anyMatch(event -> event instanceof ActAsked && !answers.containsKey(event));
        Optional<String> reason = told.events.stream()
                .map(event -> answers.getOrDefault(event, ""))
                .filter(text -> !text.isEmpty())
                .findFirst();
        if (reason.isPresent()) {
            told.done.completeExceptionally(new DeclinedException(reason.get()));
        } else if (!waits) {
            told.done.complete(snapshot);
        }
        return reason.isPresent() || !waits;
    }

    private void perform(List<Effect> effects) {
        List<Effect> defects = new ArrayList<>();
        for (Effect effect : effects) {
            if (effect instanceof Effect.Declined no) {
                answers.put(no.command(), no.reason());
            } else if (effect instanceof Effect.Done yes) {
                answers.put(yes.command(), "");
            }
            try {
                shell.accept(effect);
            } catch (RuntimeException e) {
                step.notPerformed(effect, e, clock.getAsLong(), defects);
                if (listener != null) {
                    listener.toldOtherwise("an effect that could not be performed");
                }
            }
        }
        for (Effect defect : defects) {
            try {
                shell.accept(defect);
            } catch (RuntimeException e) {
                LOG.error("defect: could not even tell of one", e);
            }
        }
        if (!effects.isEmpty()) {
            performed();
        }
    }

    private void performed() {
        try {
            shell.performed();
        } catch (RuntimeException e) {
            LOG.error("defect: the end of a step could not be told", e);
        }
    }

    /** Ends the loop after the batch in work. Waits for it unless called from the loop itself. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        if (Thread.currentThread() != thread) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(5));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
