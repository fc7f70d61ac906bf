package io.dmodc.manager.opensm;

import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.settings.Reasons;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Sees to it that no file stays that leads to a port which is known to be dead: one that is not replaced in time is taken away, so that OpenSM
 * routes by the next engine of {@code -R}. For one thread.
 */
final class DeadPortWatch {
    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final FabricLoop loop;
    private final Troubles troubles;
    private final OpenSmMeters meters;
    private final KeptDump dump;
    private final long withdrawAfterNanos;

    /** Since when the file uses a dead port; 0 for not. */
    private long deadSinceNanos;

    private boolean withdrawn;
    private boolean pushedSince;

    DeadPortWatch(FabricLoop loop, Troubles troubles, OpenSmMeters meters, KeptDump dump, long withdrawAfterNanos) {
        this.loop = loop;
        this.troubles = troubles;
        this.meters = meters;
        this.dump = dump;
        this.withdrawAfterNanos = withdrawAfterNanos;
    }

    /**
     * The fabric, or the file, is another.
     *
     * @param use the switch and dead port that the file uses, for people; empty for none
     */
    void look(String use) {
        boolean dead = !use.isEmpty();
        deadSinceNanos = !dead ? 0 : deadSinceNanos == 0 ? loop.nowNanos() : deadSinceNanos;
        if (!dead) {
            troubles.clear(Troubles.Kind.DEAD_PORT);
        }
    }

    /** The core has sent a table that is another than before. */
    void pushed() {
        pushedSince = true;
    }

    /** A file is in its place. */
    void replaced(String use) {
        withdrawn = false;
        troubles.clear(Troubles.Kind.WITHDRAWN);
        look(use);
    }

    /** True if tables with entries left out are no reason to write a file again that was taken away: the core's next ones are waited for. */
    boolean waitsForTables() {
        return withdrawn && !pushedSince;
    }

    /** When the file is to go. */
    long nextNanos() {
        return deadSinceNanos == 0 ? loop.nowNanos() + TimeUnit.HOURS.toNanos(1) : deadSinceNanos + withdrawAfterNanos;
    }

    /** True if it is to go now. */
    boolean isDue() {
        return deadSinceNanos != 0 && loop.nowNanos() - deadSinceNanos >= withdrawAfterNanos;
    }

    /**
     * Takes the file away, if it still uses a dead port.
     *
     * @param use as {@link #look}
     * @return true if it is gone, and OpenSM is to be told
     */
    boolean withdraw(String use) {
        if (use.isEmpty()) {
            deadSinceNanos = 0;
            troubles.clear(Troubles.Kind.DEAD_PORT);
            return false;
        }
        try {
            dump.remove();
        } catch (IOException e) {
            troubles.set(
                    Troubles.Kind.DEAD_PORT,
                    dump.path() + " uses a dead port, " + use + ", and cannot be removed: " + Reasons.of(e));
            deadSinceNanos = loop.nowNanos() - withdrawAfterNanos + AGAIN_NANOS;
            return false;
        }
        troubles.clear(Troubles.Kind.DEAD_PORT);
        meters.withdrawn();
        withdrawn = true;
        pushedSince = false;
        deadSinceNanos = 0;
        troubles.set(
                Troubles.Kind.WITHDRAWN,
                dump.path() + " was removed: it used a dead port, " + use + ", and no tables came to replace it within "
                        + TimeUnit.NANOSECONDS.toMillis(withdrawAfterNanos)
                        + " ms; OpenSM routes by the next engine of its -R");
        return true;
    }
}
