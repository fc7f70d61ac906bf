package io.dmodc.manager.opensm;

import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.manager.opensm.LookWitnesses.SaidOfDump;
import io.dmodc.manager.opensm.NamedSwitchLook.UnclearException;
import io.dmodc.settings.FileStamp;
import io.dmodc.subnet.CommandFailedException;
import io.dmodc.subnet.DiscoverySource;
import io.dmodc.subnet.OpenSmSettings;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the fabric, at an interval and whenever OpenSM's log or the file of discovery says that something happened, and
 * tells the core what its switches' agents would. A fabric that cannot be looked at stays what it was. So does one that has
 * lost a quarter of its switches or cables at once, until a second look in a row finds the same, and what is lost in a look whose command
 * complained, until others lack it, too ({@link LossyLooks}). One in which none of its switches is there
 * is no look at it, however often; nor is one that switches contradict which are asked themselves ({@link LookWitnesses}), twice in a row; of
 * the first look they are asked about ports that the dump uses which lay there at the start.
 *
 * <p>Where the log names the switches whose links changed, these are looked at first ({@link NamedSwitchLook}), so that the tables that answer
 * may be in the dump before OpenSM loads it; the look at all that confirms it follows when switches have been read, or after
 * {@value #CONFIRM_SECONDS} s. They are looked at also while a look at all is under way, which then counts no more; not while the one after that is. What these switches do not tell for sure is looked for in the whole fabric at once.
 *
 * <p>One that fails is tried again after {@value #AGAIN_SECONDS} s, then after twice that each time, and at the interval at the latest: what called for it
 * is not confirmed yet. Looks follow each other at least {@value #GAP_MILLIS} ms apart. Commands of the core wait in a queue of
 * {@value #QUEUE_MAX}; what comes beyond is not done, and the core asks again. One thread, and one that waits for the look at all.
 */
final class FabricWatch {
    static final int QUEUE_MAX = 1 << 16;
    static final int GAP_MILLIS = 50;
    static final int CONFIRM_SECONDS = 10;
    static final int AGAIN_SECONDS = 1;
    private static final long CONFIRM_NANOS = TimeUnit.SECONDS.toNanos(CONFIRM_SECONDS);
    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(AGAIN_SECONDS);
    private static final Logger LOG = LoggerFactory.getLogger(FabricWatch.class);
    private static final long GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(GAP_MILLIS);

    /** How often the log and the file are asked whether they changed. */
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final DiscoverySource source;
    private final long intervalNanos;
    private final @Nullable OpenSmLog log;
    private final String withoutLog;
    private final @Nullable SwitchAsker asker;
    private final @Nullable NamedSwitchLook switchLook;
    private final FabricLoop loop;
    private final TableKeeper keeper;
    private final Troubles troubles;
    private final SwitchSessions sessions =
            new SwitchSessions((int) Instant.now().getEpochSecond());
    private final BlockingQueue<Effect> asked = new ArrayBlockingQueue<>(QUEUE_MAX);
    private final ExecutorService looker = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "opensm-discovery");
        thread.setDaemon(true);
        return thread;
    });
    private final Thread thread = new Thread(this::run, "opensm-watch");
    private volatile boolean closed;

    private FileStamp stamp = FileStamp.NONE;
    private boolean swept;

    /** When that sweep ended, or the first of those since the last look at all. */
    private long sweptNanos;

    /** How often OpenSM's log named each switch, by GUID, for a link that changed since that is believed. */
    private final Map<Long, Integer> toldOf = new HashMap<>();

    /** When it last did, or told of another change. */
    private long changedNanos;

    /** Switches that OpenSM's log named since they were looked at, by GUID. */
    private final Set<Long> named = new TreeSet<>();

    /** When the first of these was named. */
    private long namedNanos;

    /** The core has taken in all that it was told, and handed over what follows from it. */
    private CompletableFuture<?> told = CompletableFuture.completedFuture("");

    /** True if something happened that only a look at all tells. */
    private boolean allDue;

    private long nextLookNanos;
    private long lookedNanos;

    /** How long the last look at all took; of the thread that looks, until it is done. */
    private long tookNanos;

    /** When something first called for the next look at all; 0 when nothing has. */
    private long newsNanos;

    /** What called for the look that is under way, as {@link #newsNanos}. */
    private long askedNanos;

    /** When a look is tried again that fails. */
    private long againNanos = AGAIN_NANOS;

    /** At the whole fabric, under way. */
    private @Nullable Future<Discovery> looking;

    /** OpenSM's log has said since that began that a sweep is over: it may have dealt LIDs that were not seen. */
    private boolean sweptSinceBegun;

    /** True if a switch has told since that began what it may not have seen: nothing of it is believed. */
    private boolean overtaken;

    /** The look before was overtaken: the next is not, or where a cable flaps none would count. What is named meanwhile waits for its end. */
    private boolean undisturbed;

    /** Written by this thread alone. */
    private volatile @Nullable Discovery believed;

    private final LostSwitches lost = new LostSwitches();
    private @Nullable Discovery doubted;

    private final LossyLooks lossy = new LossyLooks();

    /** Some switch contradicted the last look at all. */
    private boolean contradicted;

    FabricWatch(OpenSmSettings settings, FabricLoop loop, TableKeeper keeper, Troubles troubles) {
        this.source = new DiscoverySource(settings);
        this.intervalNanos = settings.interval().toNanos();
        Path logFile = settings.log();
        this.log = logFile == null ? null : new OpenSmLog(logFile, loop::nowNanos);
        this.withoutLog = settings.sweepOnChange()
                ? "; OpenSM is told of no change, and what its own sweeps find is seen when the fabric is looked at next"
                : "; a change is seen when the fabric is looked at next";
        String look = settings.discoveryFile() == null ? settings.switchLook() : null;
        this.asker = look == null ? null : new SwitchAsker(look, settings);
        this.switchLook = asker == null ? null : new NamedSwitchLook(asker, loop::nowNanos);
        this.loop = loop;
        this.keeper = keeper;
        this.troubles = troubles;
    }

    void start() {
        nextLookNanos = loop.nowNanos();
        lookedNanos = nextLookNanos - GAP_NANOS;
        thread.start();
    }

    /** The fabric as it is believed to be; null before the first look. Any thread. */
    @Nullable
    Discovery believed() {
        return believed;
    }

    /** A question or a dismissal. Any thread, never blocks. */
    void ask(Effect effect) {
        asked.offer(effect);
    }

    private void run() {
        try {
            while (!closed) {
                long untilLook = nextLookNanos - loop.nowNanos();
                long wait = untilLook > 0 && looking == null ? Math.min(untilLook, TICK_NANOS) : TICK_NANOS;
                Effect effect = asked.poll(wait, TimeUnit.NANOSECONDS);
                if (effect != null) {
                    answer(effect);
                }
                troubles.timePassed();
                watchFiles();
                Future<Discovery> look = looking;
                if (look != null && look.isDone()) {
                    end(look);
                } else if (look == null && isLookDue()) {
                    begin();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // Closed.
        }
    }

    /** One that nothing calls for but the interval does not disturb the reading of switches, for another interval or {@value #CONFIRM_SECONDS} s at most. */
    private boolean isLookDue() {
        long since = loop.nowNanos() - nextLookNanos;
        return since >= 0 && (newsNanos != 0 || since >= Math.min(intervalNanos, CONFIRM_NANOS) || isCalm());
    }

    /** Nothing is being computed, written, loaded or read: a look disturbs nobody. */
    private boolean isCalm() {
        return told.isDone() && keeper.calm() && isSettled(loop.snapshot());
    }

    private static boolean isSettled(FabricSnapshot now) {
        return now.calm() || now.discovering();
    }

    private void answer(Effect effect) throws InterruptedException {
        if (effect instanceof Effect.Dismiss dismiss) {
            tell(sessions.dismissed(dismiss, loop.nowNanos()));
        } else if (effect instanceof Effect.QueryPorts query) {
            tell(sessions.asked(query.session(), query.ports(), loop.nowNanos()));
        }
    }

    private void watchFiles() throws InterruptedException {
        readLog();
        if (!named.isEmpty() && !allDue && !(undisturbed && looking != null)) {
            lookAtNamed();
        }
        if (swept
                && (isCalm()
                        || loop.nowNanos() - sweptNanos
                                >= CONFIRM_NANOS)) { // Rather not while tables are made, loaded and read.
            swept = false;
            lookSoon();
        }
        Path file = source.file();
        if (file != null && !FileStamp.of(file).equals(stamp)) {
            lookSoon();
        }
    }

    private void readLog() {
        if (log == null) {
            return;
        }
        for (OpenSmLog.News news : log.news()) {
            switch (news.kind()) {
                case LOCAL -> {}
                case ERRORS -> changed(0);
                case CHANGED -> {
                    keeper.heard(news);
                    changedNanos = loop.nowNanos();
                    changed(news.lid());
                }
                case CONFIGURED -> keeper.heard(news);
                case SWEPT -> {
                    keeper.heard(news);
                    sweptSinceBegun = true;
                    sweptNanos = swept ? sweptNanos : loop.nowNanos();
                    swept = true;
                }
            }
        }
        String trouble = log.trouble();
        troubles.set(
                Troubles.Kind.LOG, trouble.isEmpty() ? "" : "OpenSM's log cannot be read, " + trouble + withoutLog);
    }

    private void changed(int lid) {
        Discovery known = believed;
        long guid = known == null ? 0 : known.switchOf(lid);
        if (guid != 0) {
            toldOf.merge(guid, 1, Integer::sum);
        }
        if (guid == 0 || doubted != null || switchLook == null || named.size() >= NamedSwitchLook.SWITCHES_MAX) {
            allDue = true;
            lookSoon();
        } else {
            namedNanos = named.isEmpty() ? loop.nowNanos() : namedNanos;
            named.add(guid);
        }
    }

    /** A look at all follows in any case: after what OpenSM is about to do, which it would only disturb, or at once. */
    private void lookAtNamed() throws InterruptedException {
        Discovery before = Objects.requireNonNull(believed);
        try {
            Discovery found = Objects.requireNonNull(switchLook).look(before, lost, this::namedByNow, namedNanos);
            if (found != before && found.lacksMuchOf(before)) {
                throw new UnclearException("much is gone");
            }
            nextLookNanos = Math.min(nextLookNanos, loop.nowNanos() + CONFIRM_NANOS);
            if (found != before) {
                overtaken = true;
                believe(found);
            }
        } catch (UnclearException e) {
            LOG.debug("the whole fabric is looked at: {}", e.getMessage());
            newsNanos = newsNanos == 0 || newsNanos - namedNanos > 0 ? namedNanos : newsNanos;
            lookSoon();
        } finally {
            named.clear();
        }
    }

    private Set<Long> namedByNow() throws UnclearException {
        readLog();
        if (allDue) {
            throw new UnclearException("something else happened, too");
        }
        return named;
    }

    private void lookSoon() {
        newsNanos = newsNanos == 0 ? loop.nowNanos() : newsNanos;
        nextLookNanos = Math.min(nextLookNanos, Math.max(loop.nowNanos(), lookedNanos + GAP_NANOS));
    }

    private void begin() {
        long now = loop.nowNanos();
        nextLookNanos = now + intervalNanos;
        askedNanos = newsNanos;
        long noticed = newsNanos == 0 ? now : newsNanos;
        newsNanos = 0;
        allDue = false;
        named.clear(); // It sees them, too.
        Path file = source.file();
        stamp = file == null ? FileStamp.NONE : FileStamp.of(file);
        overtaken = false;
        sweptSinceBegun = false;
        looking = looker.submit(() -> {
            long begun = loop.nowNanos();
            Discovery found = new Discovery(source.look(loop::nowNanos), noticed);
            tookNanos = loop.nowNanos() - begun;
            return found;
        });
    }

    private void end(Future<Discovery> look) throws InterruptedException {
        looking = null;
        lookedNanos = loop.nowNanos();
        try {
            Discovery found = look.get();
            Discovery before = believed;
            if (asker != null) {
                asker.lookAtAllTook(tookNanos);
            }
            undisturbed = overtaken;
            if (overtaken) {
                againNanos = AGAIN_NANOS;
                newsNanos = askedNanos == 0 ? newsNanos : askedNanos;
                nextLookNanos = Math.min(nextLookNanos, lookedNanos + (askedNanos == 0 ? CONFIRM_NANOS : GAP_NANOS));
            } else if (before != null && found.isOtherThan(before)) {
                failed(
                        "it shows " + found.switches().size() + " switches, and none of the "
                                + before.switches().size()
                                + " that were there; if this is the fabric by now, restart the manager with an empty state-dir");
            } else {
                take(found);
            }
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof CommandFailedException failed)) {
                throw new IllegalStateException("looking at the fabric", e.getCause());
            }
            failed(String.valueOf(failed.getMessage()));
        }
    }

    private String contradiction(@Nullable Discovery before, Discovery found) throws InterruptedException {
        if (asker == null) {
            return "";
        }
        LookWitnesses witnesses = new LookWitnesses(asker);
        if (before != null) {
            return witnesses.contradiction(before, found, toldOf);
        }
        SaidOfDump said = witnesses.ofDump(keeper.inherited(), found);
        keeper.inheritedUses(said.dead());
        return said.contradiction();
    }

    private void take(Discovery found) throws InterruptedException {
        Discovery before = believed;
        if (before == null || found.complaint().isEmpty() || !found.lacksSomeOf(before)) {
            judge(found, contradiction(before, found));
        } else {
            takeLossy(found, before);
        }
    }

    private void takeLossy(Discovery found, Discovery before) throws InterruptedException {
        Discovery together = lossy.take(found, before, lookedNanos - tookNanos);
        boolean isOld = changedNanos - lossy.begunNanos() > 0;
        if (together != null && contradiction(before, together).isEmpty()) {
            accept(together);
            if (isOld) {
                lookSoon(); // The first of them may have shown what is lost since.
            }
        } else if (lossy.areMany()) {
            failed(
                    source.name() + " complains (" + found.complaint()
                            + "), and each look leaves out something else, or what is there; that is kept until looks or the switches agree that it is gone");
        } else {
            newsNanos = found.noticedNanos();
            nextLookNanos = loop.nowNanos() + GAP_NANOS;
        }
    }

    /** What switches contradict once may have changed between. */
    private void judge(Discovery found, String contradiction) throws InterruptedException {
        if (contradiction.isEmpty()) {
            weigh(found);
        } else if (contradicted) {
            String what = source.name() + " does not show it as it is: " + contradiction;
            String atStart =
                    "; no tables are made until it does; if this is the fabric by now, start the manager without a dump";
            failed(believed == null ? what + atStart : what);
        } else {
            newsNanos = found.noticedNanos();
            nextLookNanos = loop.nowNanos() + GAP_NANOS;
        }
        contradicted = !contradiction.isEmpty();
    }

    private void failed(String why) {
        doubted = null;
        newsNanos = askedNanos == 0 ? newsNanos : askedNanos;
        nextLookNanos = Math.min(nextLookNanos, lookedNanos + againNanos);
        againNanos = Math.min(2 * againNanos, intervalNanos);
        troubles.set(Troubles.Kind.DISCOVERY, "the fabric cannot be looked at: " + why);
    }

    /** So much may be gone that it takes another look to believe it. */
    private void weigh(Discovery found) throws InterruptedException {
        Discovery before = believed;
        boolean isMuch = before != null && found.lacksMuchOf(before);
        if (before == null || !isMuch || (doubted != null && found.sameCabling(doubted))) {
            accept(found);
            return;
        }
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
    }

    private void accept(Discovery found) throws InterruptedException {
        Discovery before = believed;
        againNanos = AGAIN_NANOS;
        troubles.clear(Troubles.Kind.DISCOVERY);
        if (log != null && !sweptSinceBegun) {
            keeper.lidsSeen();
        }
        believe(found);
        if (before == null) {
            trySwitchLook(found);
            if (!found.complaint().isEmpty()) {
                lookSoon(); // Of what it left out nobody knows that it was there.
            }
        }
    }

    /** While there is time: whether switches can be looked at, as many as are asked at a time, so that somebody hears before the first fault if not, and how long that takes. */
    private void trySwitchLook(Discovery found) throws InterruptedException {
        if (asker == null || switchLook == null || found.switches().isEmpty()) {
            return;
        }
        Set<Long> first =
                found.switches().keySet().stream().limit(asker.parallel()).collect(Collectors.toSet());
        try {
            switchLook.look(found, lost, () -> first, loop.nowNanos());
        } catch (UnclearException e) {
            LOG.warn(
                    "switch-look: {}; after a fault it may take longer, as the whole fabric is looked at",
                    e.getMessage());
        }
    }

    private void believe(Discovery found) throws InterruptedException {
        Discovery before = believed;
        if (before != null) {
            lost.changed(before, found);
        }
        believed = found;
        doubted = null;
        lossy.clear();
        toldOf.clear();
        keeper.found(found);
        tell(sessions.found(found, loop.nowNanos()));
    }

    /** All at once: one epoch answers what was seen by one look. */
    private void tell(List<FabricEvent> events) throws InterruptedException {
        if (!events.isEmpty()) {
            told = loop.tellTogether(events);
        }
    }

    void close() {
        closed = true;
        OpenSmBridge.end(thread);
        looker.shutdownNow();
        if (log != null) {
            log.close();
        }
        if (asker != null) {
            asker.close();
        }
    }
}
