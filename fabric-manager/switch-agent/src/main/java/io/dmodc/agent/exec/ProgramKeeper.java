package io.dmodc.agent.exec;

import io.dmodc.agent.exec.ProgramRun.Ears;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a program running: starts it, ends it when it stays silent or says what it may not, and starts it again, after 1 s and then
 * after ever twice as long, up to 60 s.
 *
 * <p>A daemon thread of its own does all that; {@link #turned} and {@link #giveUp} may be called from any. It calls
 * nobody while it holds its lock.
 */
final class ProgramKeeper {
    static final long AGAIN_NANOS = 1_000_000_000L;

    /** Longest wait for a new start; a run of that length was a good one, and the next wait is short again. */
    static final long AGAIN_MAX_NANOS = 60_000_000_000L;

    /** Runs that have ended but whose streams somebody holds open; no other is started beyond that. */
    static final int UNSETTLED_MAX = 8;

    private static final String AGENT_ENDS = "it is ended with the agent";

    private static final Logger LOG = LoggerFactory.getLogger(ProgramKeeper.class);

    /** Who speaks with the program. */
    interface Speaker {
        /** A new run, which was told nothing yet. */
        void began(ProgramRun run);

        /** Returns how long the program may still be silent, 0 or less: no more; much while nothing is asked of it. */
        long silenceLeftNanos(long nowNanos);

        /** No program is there any more, and why. */
        void over(String why);

        /** @throws GarbageException when the program may not say that now */
        void said(ProgramRun run, ProgramWord word) throws GarbageException;

        /** The program took something of what it was told. */
        void took(ProgramRun run);
    }

    /**
     * Why a run is to be ended.
     *
     * @param closed its output or input is at an end: perhaps it has ended itself
     */
    private record Ending(String why, boolean closed) {}

    private final ExecSettings settings;
    private final ProgramLines lines;
    private final Speaker speaker;

    /** The switch and the program, for the log. */
    private final String who;

    private final ErrorLines errors;
    private final Thread thread = new Thread(this::keep, "plane");

    /** Those that have ended and are not settled; the thread's own. */
    private final List<ProgramRun> unsettled = new ArrayList<>();

    private @Nullable ProgramRun run;
    private @Nullable Ending ending;
    private boolean exited;
    private boolean closed;

    /** Counts what the thread must look at. */
    private long turns;

    ProgramKeeper(String who, ExecSettings settings, ProgramLines lines, Speaker speaker) {
        this.who = who;
        this.settings = settings;
        this.lines = lines;
        this.speaker = speaker;
        errors = new ErrorLines(System::nanoTime, line -> LOG.info("{}: {}", who, line));
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Has a look taken at the program and at the time. */
    synchronized void turned() {
        turns++;
        notifyAll();
    }

    /** Ends a run soon; in vain when it is over, or is ended for another reason already. */
    void giveUp(ProgramRun from, String why) {
        endSoon(from, new Ending(why, false));
    }

    private synchronized void endSoon(ProgramRun from, Ending why) {
        if (from == run && ending == null) {
            ending = why;
            turned();
        }
    }

    private synchronized void exited(ProgramRun from) {
        if (from == run) {
            exited = true;
            turned();
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Ends the input of the program, and it with its children when it does not end by itself within 2 s; waits for that. */
    void close() {
        synchronized (this) {
            closed = true;
            turned();
        }
        try {
            thread.join(TimeUnit.NANOSECONDS.toMillis(3 * ProgramRun.GRACE_NANOS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void keep() {
        try {
            long wait = AGAIN_NANOS;
            while (!isClosed()) {
                long began = System.nanoTime();
                String why = runOnce();
                if (isClosed()) {
                    break;
                }
                if (System.nanoTime() - began >= AGAIN_MAX_NANOS) {
                    wait = AGAIN_NANOS;
                }
                LOG.warn("{}: {}; starts again in {} s", who, why, TimeUnit.NANOSECONDS.toSeconds(wait));
                rest(wait);
                wait = Math.min(2 * wait, AGAIN_MAX_NANOS);
            }
            // What was asked while no program ran.
            over(AGENT_ENDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void rest(long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !closed; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    /** Returns why the program does not run any more. */
    private String runOnce() throws InterruptedException {
        unsettled.removeIf(ProgramRun::settled);
        if (unsettled.size() >= UNSETTLED_MAX) {
            return over("processes that it left behind hold the streams of " + UNSETTLED_MAX + " runs");
        }
        ProgramRun started;
        try {
            started = ProgramRun.start(settings.command(), lines, new Hearing());
        } catch (IOException e) {
            return over("it cannot be started: " + e.getMessage());
        }
        open(started);
        Ending found = watch(started);
        String why = found == null ? over(AGENT_ENDS) : over(how(started, found));
        if (found == null) {
            started.endByItself();
        }
        started.end();
        unsettled.add(started);
        return why;
    }

    private String over(String why) {
        synchronized (this) {
            run = null;
        }
        speaker.over(why);
        return why;
    }

    private void open(ProgramRun started) {
        synchronized (this) {
            run = started;
            ending = null;
            exited = false;
        }
        LOG.info("{}: started as process {}", who, started.pid());
        speaker.began(started);
        started.open(() -> exited(started));
    }

    /** Returns when the run is to be ended, and why; null: because the agent ends. */
    private @Nullable Ending watch(ProgramRun watched) throws InterruptedException {
        while (true) {
            awaitTurn(watched);
            Ending found;
            synchronized (this) {
                if (closed) {
                    return null;
                }
                found = ending;
            }
            if (found != null) {
                return found;
            }
            // Reading all processes takes milliseconds.
            watched.lookForChildren();
            if (!watched.alive()) {
                watched.awaitLastWords();
                synchronized (this) {
                    return ending != null && !ending.closed() ? ending : new Ending("it ended", true);
                }
            }
        }
    }

    /** Returns after the next turn, or when the program has been silent for too long. */
    private void awaitTurn(ProgramRun watched) throws InterruptedException {
        long seen = turnsUnlessOver();
        while (isTurn(seen)) {
            long left = speaker.silenceLeftNanos(System.nanoTime());
            if (left <= 0) {
                giveUp(
                        watched,
                        "it said nothing for " + settings.answerTimeout().toMillis() + " ms");
            } else {
                await(seen, left);
            }
        }
    }

    /** A number that is over at once when there is something to look at already. */
    private synchronized long turnsUnlessOver() {
        return ending != null || exited || closed ? turns - 1 : turns;
    }

    private synchronized boolean isTurn(long seen) {
        return seen == turns;
    }

    private synchronized void await(long seen, long nanos) throws InterruptedException {
        if (seen == turns) {
            TimeUnit.NANOSECONDS.timedWait(this, nanos);
        }
    }

    private static String how(ProgramRun ended, Ending why) throws InterruptedException {
        String exit = why.closed() ? ended.awaitExit() : null;
        return exit == null ? why.why() : exit;
    }

    /** What comes from a run, on its threads. */
    private final class Hearing implements Ears {
        private final SpontaneousLimit spontaneous = new SpontaneousLimit(System::nanoTime);

        @Override
        public void said(ProgramRun from, ProgramWord word) throws GarbageException {
            if (word instanceof ProgramWord.Port || word instanceof ProgramWord.Lost) {
                spontaneous.take();
            }
            speaker.said(from, word);
        }

        @Override
        public void took(ProgramRun from) {
            speaker.took(from);
        }

        @Override
        public void garbage(ProgramRun from, String why) {
            giveUp(from, why);
        }

        @Override
        public void closed(ProgramRun from, String why) {
            endSoon(from, new Ending(why, true));
        }

        @Override
        public void complained(byte[] line) {
            synchronized (errors) {
                errors.take(line);
            }
        }

        @Override
        public void complainedAll() {
            synchronized (errors) {
                errors.sayLeftOut();
            }
        }
    }
}
