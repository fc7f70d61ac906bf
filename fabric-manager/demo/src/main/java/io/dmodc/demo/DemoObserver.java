package io.dmodc.demo;

import io.dmodc.manager.core.EpochRecord;
import io.dmodc.manager.core.EpochRecord.Stage;
import io.dmodc.manager.core.FabricEvent.TimePassed;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.loop.EventLog;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.manager.service.FabricManager;
import io.dmodc.topology.FabricView;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Predicate;

/** Watches the manager from outside, as an administrator would: by asking it. */
final class DemoObserver {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** What takes long is asked for once in a fiftieth of the time that it took so far: thousands of agents have the manager work. */
    private static final int POLLS = 50;

    private static final long POLL_MAX_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** So long nothing may happen. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(90);

    /** So long all of a step may take. */
    private static final long STEP_MAX_NANOS = TimeUnit.MINUTES.toNanos(15);

    /** After so long it is told how far it came, and again. */
    private static final long TOLD_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final FabricManager manager;
    private final FabricLoop loop;
    private final EventLog eventLog;

    DemoObserver(FabricManager manager) {
        this.manager = manager;
        this.loop = manager.loop();
        this.eventLog = manager.eventLog();
    }

    /**
     * What one step did to the fabric; times in nanoseconds after the fault, −1 where nothing had to be done.
     *
     * @param noticed the first news reached the manager
     * @param computed the last tables were computed and checked
     * @param acked the last switch acknowledged
     * @param change in what order tables left
     */
    record Outcome(
            long noticed,
            long computed,
            long acked,
            long routeNanos,
            long checkNanos,
            int epochs,
            int switches,
            long blocks,
            String change,
            List<EventLog.Entry> notes,
            FabricView view) {}

    long epoch() throws DemoFailure {
        return ask(FabricSnapshot::epoch);
    }

    long lastEventNumber() {
        return eventLog.lastNumber();
    }

    /** Waits until the manager knows of it and the fabric is calm again. */
    void await(String what, Predicate<FabricSnapshot> known) throws DemoFailure {
        awaitSoon(what, state -> known.test(state) && state.calm());
    }

    /** Waits until the manager knows of it, for as long as it gets on; tells on the error stream how far it came. */
    void awaitSoon(String what, Predicate<FabricSnapshot> known) throws DemoFailure {
        long start = loop.nowNanos();
        long changed = start;
        long toldAt = start;
        String last = "";
        for (FabricSnapshot state = state(); !known.test(state); state = state()) {
            long now = loop.nowNanos();
            String described = describe(state);
            if (!described.equals(last)) {
                last = described;
                changed = now;
            }
            if (now - changed > PATIENCE_NANOS || now - start > STEP_MAX_NANOS) {
                throw new DemoFailure(
                        what + ": not done after " + (now - start) / 1_000_000_000 + " s; the manager says: " + last);
            }
            if (now - toldAt > TOLD_NANOS) {
                toldAt = now;
                System.err.println("    " + what + ": " + last);
            }
            LockSupport.parkNanos(Math.max(POLL_NANOS, Math.min(POLL_MAX_NANOS, (now - start) / POLLS)));
        }
    }

    private static String describe(FabricSnapshot state) {
        return "epoch " + state.epoch() + ", " + state.counts().connected() + " of " + state.switchCount()
                + " switches with an agent, " + state.outstanding() + " without their table";
    }

    /** Waits until the manager has rehearsed; a service has run for longer when its first fault comes. */
    void awaitWarm() throws DemoFailure {
        await("rehearsal", state -> manager.warm());
    }

    /** Sums up the epochs and notes since the fault. */
    Outcome outcome(long faultNanos, long epochBefore, long eventBefore) throws DemoFailure {
        List<EventLog.Entry> notes = eventLog.after(eventBefore, EventLog.KEPT);
        return ask(state -> {
            List<EpochRecord> epochs = state.epochs().stream()
                    .filter(epoch -> epoch.epoch() > epochBefore)
                    .toList();
            List<EpochRecord> served = epochs.stream()
                    .filter(epoch -> epoch.stage() == Stage.COMPLETE)
                    .toList();
            FabricView view = Objects.requireNonNull(state.view());
            if (served.isEmpty()) {
                return new Outcome(-1, -1, -1, 0, 0, epochs.size(), 0, 0, "", notes, view);
            }
            EpochRecord last = served.get(served.size() - 1);
            return new Outcome(
                    epochs.get(0).noticedNanos() - faultNanos,
                    last.routedNanos() - faultNanos,
                    last.completeNanos() - faultNanos,
                    last.routeNanos(),
                    last.checkNanos(),
                    epochs.size(),
                    epochs.stream().mapToInt(EpochRecord::switchesPushed).sum(),
                    epochs.stream().mapToLong(EpochRecord::blocksPushed).sum(),
                    last.change(),
                    notes,
                    view);
        });
    }

    /** Reads what is known once all was taken in that the agents have said. */
    <T> T ask(Function<FabricSnapshot, T> question) throws DemoFailure {
        return question.apply(state());
    }

    private FabricSnapshot state() throws DemoFailure {
        try {
            return loop.tell(new TimePassed(loop.nowNanos())).get(PATIENCE_NANOS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DemoFailure("interrupted");
        } catch (ExecutionException | TimeoutException e) {
            throw new DemoFailure("the manager does not answer: " + e);
        }
    }
}
