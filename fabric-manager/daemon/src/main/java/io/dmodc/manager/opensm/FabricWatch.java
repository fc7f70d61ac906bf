package io.dmodc.manager.opensm;

import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.settings.FileStamp;
import io.dmodc.subnet.CommandFailedException;
import io.dmodc.subnet.DiscoverySource;
import io.dmodc.subnet.OpenSmSettings;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the fabric, at an interval and whenever OpenSM's log or the file of discovery says that something happened, and
 * tells the core what its switches' agents would. A fabric that cannot be looked at stays what it was. So does one that has
 * lost a quarter of its switches or cables at once, until a second look in a row finds the same.
 *
 * <p>Looks follow each other at least {@value #GAP_MILLIS} ms apart. Commands of the core wait in a queue of
 * {@value #QUEUE_MAX}; what comes beyond is not done, and the core asks again. One thread.
 */
final class FabricWatch {
    static final int QUEUE_MAX = 1 << 16;
    static final int GAP_MILLIS = 50;
    private static final long GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(GAP_MILLIS);

    /** How often the log and the file are asked whether they changed. */
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final DiscoverySource source;
    private final long intervalNanos;
    private final @Nullable OpenSmLog log;
    private final FabricLoop loop;
    private final TableKeeper keeper;
    private final Troubles troubles;
    private final SwitchSessions sessions =
            new SwitchSessions((int) Instant.now().getEpochSecond());
    private final BlockingQueue<Effect> asked = new ArrayBlockingQueue<>(QUEUE_MAX);
    private final Thread thread = new Thread(this::run, "opensm-watch");
    private volatile boolean closed;

    private FileStamp stamp = FileStamp.NONE;
    private boolean swept;
    private long nextLookNanos;
    private long lookedNanos;

    /** When something first called for the next look; 0 when nothing has. */
    private long newsNanos;

    private @Nullable Discovery believed;
    private @Nullable Discovery doubted;

    FabricWatch(OpenSmSettings settings, FabricLoop loop, TableKeeper keeper, Troubles troubles) {
        this.source = new DiscoverySource(settings);
        this.intervalNanos = settings.interval().toNanos();
        Path logFile = settings.log();
        this.log = logFile == null ? null : new OpenSmLog(logFile);
        this.loop = loop;
        this.keeper = keeper;
        this.troubles = troubles;
    }

    void start() {
        nextLookNanos = loop.nowNanos();
        lookedNanos = nextLookNanos - GAP_NANOS;
        thread.start();
    }

    /** A question or a dismissal. Any thread, never blocks. */
    void ask(Effect effect) {
        asked.offer(effect);
    }

    private void run() {
        try {
            while (!closed) {
                long wait = Math.min(nextLookNanos - loop.nowNanos(), TICK_NANOS);
                Effect effect = asked.poll(Math.max(wait, 0), TimeUnit.NANOSECONDS);
                if (effect != null) {
                    answer(effect);
                }
                watchFiles();
                if (loop.nowNanos() - nextLookNanos >= 0) {
                    look();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // Closed.
        }
    }

    private void answer(Effect effect) throws InterruptedException {
        if (effect instanceof Effect.Dismiss dismiss) {
            tell(sessions.dismissed(dismiss, loop.nowNanos()));
        } else if (effect instanceof Effect.QueryPorts query) {
            tell(sessions.asked(query.session(), query.ports(), loop.nowNanos()));
        }
    }

    private void watchFiles() {
        if (log != null) {
            for (OpenSmLog.News news : log.news()) {
                if (news.kind() == OpenSmLog.Kind.CHANGED) {
                    lookSoon();
                } else {
                    keeper.heard(news);
                    swept |= news.kind() == OpenSmLog.Kind.SWEPT;
                }
            }
        }
        if (swept && keeper.calm()) { // Not while switches are read.
            swept = false;
            lookSoon();
        }
        Path file = source.file();
        if (file != null && !FileStamp.of(file).equals(stamp)) {
            lookSoon();
        }
    }

    private void lookSoon() {
        newsNanos = newsNanos == 0 ? loop.nowNanos() : newsNanos;
        nextLookNanos = Math.min(nextLookNanos, Math.max(loop.nowNanos(), lookedNanos + GAP_NANOS));
    }

    private void look() throws InterruptedException {
        long now = loop.nowNanos();
        nextLookNanos = now + intervalNanos;
        long noticed = newsNanos == 0 ? now : newsNanos;
        newsNanos = 0;
        Path file = source.file();
        stamp = file == null ? FileStamp.NONE : FileStamp.of(file);
        try {
            take(new Discovery(source.look(loop::nowNanos), noticed));
        } catch (CommandFailedException e) {
            doubted = null;
            troubles.set(Troubles.Kind.DISCOVERY, "the fabric cannot be looked at: " + e.getMessage());
        } finally {
            lookedNanos = loop.nowNanos();
        }
    }

    private void take(Discovery found) throws InterruptedException {
        Discovery before = believed;
        if (before != null && found.lacksMuchOf(before) && (doubted == null || !found.sameCabling(doubted))) {
            if (doubted != null) {
                troubles.set(
                        Troubles.Kind.DISCOVERY,
                        "a quarter of the switches, cables or hosts seems to be gone, and each look finds others: "
                                + found.switches().size() + " switches now, "
                                + before.switches().size() + " before; that is kept until two looks agree");
            }
            doubted = found;
            newsNanos = found.noticedNanos();
            nextLookNanos = loop.nowNanos() + GAP_NANOS;
            return;
        }
        doubted = null;
        believed = found;
        troubles.clear(Troubles.Kind.DISCOVERY);
        keeper.found(found);
        tell(sessions.found(found, loop.nowNanos()));
    }

    private void tell(List<FabricEvent> events) throws InterruptedException {
        for (FabricEvent event : events) {
            loop.put(event);
        }
    }

    void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
