package io.dmodc.manager.opensm;

import io.dmodc.manager.core.Effect.Push;
import io.dmodc.manager.core.Effect.TableUpdate;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.manager.opensm.ReadBack.Held;
import io.dmodc.routing.LftRow;
import io.dmodc.subnet.CommandFailedException;
import io.dmodc.subnet.OpenSmSettings;
import io.dmodc.topology.FabricView;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the dump what the core wants the switches to hold, has OpenSM load it, and reads back what came of it.
 *
 * <p>What the core pushes within a moment goes into one dump: of a change in rounds, one dump a round, because OpenSM may load
 * the sections of one in any order, as agents take the tables of one round. A switch has acknowledged when it was read
 * and holds what is written. If some does not after {@code load-timeout}, OpenSM is told once more; then the core is
 * told what it holds instead, or nothing when it does not answer.
 *
 * <p>The file never leads to a port that is known to be dead: such entries are left out of a new one, and an old one for which no new one
 * comes within {@code withdraw-after} is taken away, so that OpenSM routes by the next engine of {@code -R}.
 *
 * <p>At most {@value #QUEUE_MAX} orders wait; what comes beyond is not done, and the core repeats it. One thread.
 */
final class TableKeeper {
    static final int QUEUE_MAX = 1 << 16;

    private static final Logger LOG = LoggerFactory.getLogger(TableKeeper.class);

    /** So long after a push another one is waited for, but not longer than ten times that altogether. */
    private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long READ_GAP_MAX_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** OpenSM's log says that tables are sent before switches have them all; that it is done it says within this, or not at all. */
    private static final long SENDING_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** How often the core hears that switches are read; well below the second after which it repeats itself. */
    private static final long PROGRESS_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** How often all switches are read although nothing happened. */
    private static final long VERIFY_NANOS = TimeUnit.SECONDS.toNanos(60);

    private static final long AGAIN_MIN_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long AGAIN_MAX_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** So long a switch that was found may take to get its first table before somebody is told. */
    private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int NAMED_MAX = 5;

    private final FabricLoop loop;
    private final Troubles troubles;
    private final long loadTimeoutNanos;
    private final long withdrawAfterNanos;
    private final KeptDump dump;
    private final HupSignal hup;
    private final ReadBack readBack;
    private final GuidFiles guidFiles;
    private final OpenSmMeters meters;
    private final Consumer<LoadTimes> listener;
    private final SwitchRoutes toSwitches = new SwitchRoutes();
    private final BlockingQueue<Object> orders = new ArrayBlockingQueue<>(QUEUE_MAX);

    /** Of the orders that wait, those that nothing else may keep waiting: tables, and a fabric that is another. */
    private final AtomicInteger urgent = new AtomicInteger();

    private final Thread thread = new Thread(this::run, "opensm-tables");
    private volatile boolean closed;
    private volatile boolean busy;

    /** When OpenSM's log last said that it had sent tables. */
    private volatile long configuredNanos;

    /** What was handed over last; belongs to the thread that looks. */
    private @Nullable Discovery foundLast;

    private @Nullable Discovery found;
    private final Map<Long, LftRow> rows = new HashMap<>();

    /** What the core waits to hear of. */
    private final PendingTables pending;

    /** What was put together last, written or not. */
    private @Nullable DumpTables composed;

    private boolean due;
    private boolean withdrawn;
    private boolean pushedSinceWithdrawn;

    /** Since when the core has no table for some switch that was found; 0 for not. */
    private long lackingNanos;

    private long pushedNanos;

    /** When the first change came to notice that no dump was read back for yet; 0 for none. */
    private long noticedNanos;

    private long deadSinceNanos;
    private long retryNanos;
    private long againNanos = AGAIN_MIN_NANOS;
    private @Nullable DumpLoad load;
    private long verifyNanos;
    private long progressedNanos;

    /** True once OpenSM's log said anything: it is kept up to date. */
    private boolean logSpeaks;

    /** @param listener told of each load that all switches were seen to hold; on this thread, must be quick */
    TableKeeper(
            OpenSmSettings settings,
            FabricLoop loop,
            Troubles troubles,
            OpenSmMeters meters,
            Consumer<LoadTimes> listener) {
        this.loop = loop;
        this.troubles = troubles;
        this.meters = meters;
        this.listener = listener;
        pending = new PendingTables(loop);
        loadTimeoutNanos = settings.loadTimeout().toNanos();
        withdrawAfterNanos = settings.withdrawAfter().toNanos();
        dump = new KeptDump(settings.dump(), troubles);
        hup = new HupSignal(settings);
        readBack = new ReadBack(settings);
        guidFiles = new GuidFiles(settings);
    }

    void start() {
        thread.start();
    }

    /** A table for a switch. Any thread, never blocks. */
    void push(Push push) {
        urgent.incrementAndGet();
        if (!orders.offer(push)) {
            urgent.decrementAndGet();
        }
    }

    /** The fabric as it is believed to be now. One thread. */
    void found(Discovery now) {
        int weight = isChange(foundLast, now) ? 1 : 0;
        urgent.addAndGet(weight);
        if (orders.offer(now)) {
            foundLast = now;
        } else {
            urgent.addAndGet(-weight);
        }
    }

    private static boolean isChange(@Nullable Discovery before, Discovery now) {
        return before == null || !now.sameCabling(before);
    }

    /** OpenSM's log says that it sends tables, or that it is done. */
    void heard(OpenSmLog.News news) {
        if (news.kind() == OpenSmLog.Kind.CONFIGURED) {
            configuredNanos = loop.nowNanos();
        }
        orders.offer(news);
    }

    /** True while all that was pushed is seen to be in force, as far as it will be. Any thread. */
    boolean calm() {
        return urgent.get() == 0 && orders.isEmpty() && !busy;
    }

    private void run() {
        try {
            dump.open();
            while (!closed) {
                Object order = orders.poll(waitNanos(), TimeUnit.NANOSECONDS);
                if (order != null) {
                    busy = true;
                    take(order);
                    gather();
                }
                step();
                busy = due || load != null;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // Closed.
        }
    }

    private long waitNanos() {
        long now = loop.nowNanos();
        long next = now + IDLE_NANOS;
        if (due) {
            next = Math.min(next, Math.max(retryNanos, now));
        }
        if (load != null) {
            next = Math.min(next, load.nextNanos);
        }
        if (deadSinceNanos != 0) {
            next = Math.min(next, deadSinceNanos + withdrawAfterNanos);
        }
        return Math.max(next - now, due && retryNanos <= now ? TimeUnit.MILLISECONDS.toNanos(100) : 0);
    }

    private void gather() throws InterruptedException {
        long end = loop.nowNanos() + 10 * GATHER_NANOS;
        while (due && loop.nowNanos() < end) {
            Object order = orders.poll(GATHER_NANOS, TimeUnit.NANOSECONDS);
            if (order == null) {
                return;
            }
            take(order);
        }
    }

    private void take(Object order) {
        if (order instanceof Push push) {
            urgent.decrementAndGet();
            take(push);
        } else if (order instanceof Discovery now) {
            take(now);
        } else {
            take((OpenSmLog.News) order);
        }
    }

    private void take(Push push) {
        TableUpdate update = push.update();
        if (update.turns()) {
            pending.refuse(push, "OpenSM takes no tables by input class");
            return;
        }
        if (pending.isEmpty() || pushedNanos == 0) {
            pushedNanos = loop.nowNanos();
        }
        pending.add(push);
        rows.put(update.guid(), update.row());
        due = true;
        pushedSinceWithdrawn = true;
    }

    private void take(Discovery now) {
        Discovery before = found;
        found = now;
        boolean changed = isChange(before, now);
        urgent.addAndGet(changed ? -1 : 0);
        if (changed && before != null && noticedNanos == 0) {
            noticedNanos = now.noticedNanos();
        }
        // One that comes back may not take up its old table: nobody has looked whether that still fits.
        rows.keySet().removeIf(guid -> !now.switches().containsKey(guid));
        pending.keepOnly(now);
        if (load != null) {
            load.keepOnly(now);
        }
        DumpTables current = dump.written();
        FabricView view = loop.snapshot().view();
        if (current == null) {
            due = true;
        } else if (view != null && before != null) {
            due |= (changed && current.leftOut() > 0) || current.isRenumbered(view, now);
        }
        watchDeadPorts();
        watchMissingRows(now);
    }

    private void watchDeadPorts() {
        boolean dead = found != null && !dump.deadUse(found).isEmpty();
        deadSinceNanos = !dead ? 0 : deadSinceNanos == 0 ? loop.nowNanos() : deadSinceNanos;
    }

    /** OpenSM leaves switches without any routes that the file lacks: of those that were there before it, its own engine serves. */
    private void watchMissingRows(Discovery now) {
        List<String> missing = missingRows(now);
        if (missing.isEmpty()) {
            lackingNanos = 0;
            troubles.clear(Troubles.Kind.INCOMPLETE);
            return;
        }
        lackingNanos = lackingNanos == 0 ? loop.nowNanos() : lackingNanos;
        if (loop.nowNanos() - lackingNanos > FIRST_NANOS) {
            String effect = dump.written() == null ? "no dump is written yet" : "OpenSM gives some switches no routes";
            troubles.set(
                    Troubles.Kind.INCOMPLETE,
                    effect + ": there are no tables for " + missing.size() + " switches: "
                            + missing.stream().limit(NAMED_MAX).collect(Collectors.joining(", ")));
        }
    }

    private List<String> missingRows(Discovery now) {
        return now.switches().values().stream()
                .filter(each -> !rows.containsKey(each.guid()))
                .map(each -> each.name())
                .toList();
    }

    private void take(OpenSmLog.News news) {
        logSpeaks = true;
        DumpLoad current = load;
        long now = loop.nowNanos();
        boolean sends = news.kind() == OpenSmLog.Kind.CONFIGURED;
        if (current == null || current.signals == 0) {
            if (current == null && sends && dump.written() != null) {
                verifyNanos = now; // It loads anew by itself after changes, and after a restart.
            }
        } else if (sends) {
            current.engine = news.engine();
            current.gapNanos = DumpLoad.READ_FIRST_NANOS;
            current.nextNanos = readBack.readsAll() ? now + sendingNanos() : now;
        } else if (!current.engine.isEmpty()) {
            current.nextNanos = now;
        }
    }

    /** Reading all switches takes from OpenSM what it needs itself, so where its log speaks, that is waited for. */
    private long gapNanos(DumpLoad current) {
        return logSpeaks && readBack.readsAll() ? sendingNanos() : current.gapNanos;
    }

    private long sendingNanos() {
        return Math.min(SENDING_NANOS, loadTimeoutNanos / 2);
    }

    private void step() throws InterruptedException {
        long now = loop.nowNanos();
        if (due && found != null && now >= retryNanos) {
            compose(found);
        }
        if (withdrawalDue()) {
            withdraw();
        }
        DumpLoad current = load;
        if (current != null && loop.nowNanos() >= current.nextNanos) {
            goOn(current);
        } else if (current == null && dump.written() != null && loop.nowNanos() >= verifyNanos) {
            verify();
        }
    }

    private boolean withdrawalDue() {
        return deadSinceNanos != 0 && loop.nowNanos() - deadSinceNanos >= withdrawAfterNanos;
    }

    private void verify() throws InterruptedException {
        if (dump.isThere()) {
            begin(false);
        } else {
            due = true; // Somebody took it away.
        }
    }

    private void compose(Discovery now) throws InterruptedException {
        FabricView view = loop.snapshot().view();
        if (view == null || (dump.written() == null && !missingRows(now).isEmpty())) {
            return; // OpenSM's own engine serves until all tables are known.
        }
        DumpTables next = new DumpTables(composed, view, toSwitches.of(view), now, rows);
        if (withdrawn && !pushedSinceWithdrawn && next.leftOut() > 0) {
            due = false; // The core's next tables are waited for.
            return;
        }
        DumpTables current = dump.written();
        if (current != null && next.sameText(current)) {
            dump.same(next);
            composed = next;
            due = false;
            goOnWith(next);
            return;
        }
        boolean known = current == null && dump.holds(next);
        if (known) {
            dump.keep(next);
        } else if (!write(next)) {
            return;
        }
        composed = next;
        due = false;
        withdrawn = false;
        troubles.clear(Troubles.Kind.WITHDRAWN);
        watchDeadPorts();
        begin(!known);
        guidFiles.write(view, now);
    }

    /** The core wants to know of some tables again that are written already. */
    private void goOnWith(DumpTables same) throws InterruptedException {
        DumpLoad current = load;
        if (pending.isEmpty()) {
            return;
        }
        if (current == null) {
            begin(false);
            return;
        }
        for (long guid : pending.switches()) {
            SwitchTable table = same.of(guid);
            if (table != null) {
                current.unseen.put(guid, table);
            }
        }
    }

    private boolean write(DumpTables next) {
        try {
            dump.write(next);
        } catch (IOException e) {
            troubles.set(
                    Troubles.Kind.FILE,
                    dump.path() + " cannot be written: " + e + "; tried again every second at first");
            retryNanos = loop.nowNanos() + againNanos;
            againNanos = Math.min(2 * againNanos, AGAIN_MAX_NANOS);
            return false;
        }
        meters.written(next.blocks());
        troubles.clear(Troubles.Kind.FILE);
        againNanos = AGAIN_MIN_NANOS;
        retryNanos = 0;
        return true;
    }

    private void withdraw() throws InterruptedException {
        Discovery now = found;
        String use = now == null ? "" : dump.deadUse(now);
        if (use.isEmpty()) {
            deadSinceNanos = 0;
            return;
        }
        try {
            dump.remove();
        } catch (IOException e) {
            troubles.set(
                    Troubles.Kind.FILE, dump.path() + " uses a dead port, " + use + ", and cannot be removed: " + e);
            deadSinceNanos = loop.nowNanos() - withdrawAfterNanos + AGAIN_MIN_NANOS;
            return;
        }
        meters.withdrawn();
        withdrawn = true;
        pushedSinceWithdrawn = false;
        deadSinceNanos = 0;
        load = null;
        troubles.set(
                Troubles.Kind.WITHDRAWN,
                dump.path() + " was removed: it used a dead port, " + use + ", and no tables came to replace it within "
                        + TimeUnit.NANOSECONDS.toMillis(withdrawAfterNanos)
                        + " ms; OpenSM routes by the next engine of its -R");
        tellOpenSm();
    }

    /** @param told OpenSM is to be told at once; else only if the switches do not hold it already */
    private void begin(boolean told) throws InterruptedException {
        DumpTables current = Objects.requireNonNull(dump.written());
        long now = loop.nowNanos();
        Discovery last = Objects.requireNonNull(found);
        DumpLoad next = new DumpLoad(new LoadTimes(
                pending.epoch(),
                last.seenNanos(),
                pushedNanos,
                told ? now : 0,
                0,
                0,
                0,
                told ? current.changedSwitches() : 0,
                told ? current.blocks() : 0));
        current.tables().stream()
                .filter(table -> last.switches().containsKey(table.guid()))
                .sorted(Comparator.comparing(table -> !pending.contains(table.guid())))
                .forEach(table -> next.unseen.put(table.guid(), table));
        next.nextNanos = now;
        next.deadlineNanos = now + loadTimeoutNanos;
        load = next;
        pending.progressed();
        if (told) {
            signal(next);
        }
    }

    private void signal(DumpLoad current) throws InterruptedException {
        current.signalledNanos = current.signalledNanos == 0 ? loop.nowNanos() : current.signalledNanos;
        meters.signalled(current.signals > 0);
        tellOpenSm();
        long now = loop.nowNanos();
        current.signals++;
        current.gapNanos = DumpLoad.READ_FIRST_NANOS;
        current.nextNanos = now + gapNanos(current);
        current.deadlineNanos = now + loadTimeoutNanos;
    }

    private void tellOpenSm() throws InterruptedException {
        try {
            hup.send();
            troubles.clear(Troubles.Kind.SIGNAL);
        } catch (CommandFailedException e) {
            troubles.set(Troubles.Kind.SIGNAL, "OpenSM cannot be told to load the dump: " + e.getMessage());
        }
    }

    private void goOn(DumpLoad current) throws InterruptedException {
        List<SwitchTable> asked = List.copyOf(current.unseen.values());
        Discovery now = Objects.requireNonNull(found);
        int answers = readBack.read(
                asked, now, () -> closed || urgent.get() > 0 || withdrawalDue(), held -> seen(current, held));
        pending.progressed();
        meters.read(current.wrong.size(), current.silentCount());
        long nanos = loop.nowNanos();
        if (answers == asked.size() && (current.signals == 0 || nanos >= current.deadlineNanos)) {
            meters.different(current.wrong.size());
        }
        if (current.unseen.isEmpty()) {
            done(current);
        } else if (answers < asked.size()) {
            current.nextNanos = nanos; // Something else comes first.
        } else if (current.signals == 0 && (!current.wrong.isEmpty() || troubles.has(Troubles.Kind.SIGNAL))) {
            signal(current);
        } else if (nanos < current.deadlineNanos) {
            current.nextNanos = nanos + gapNanos(current);
            current.gapNanos = Math.min(2 * current.gapNanos, READ_GAP_MAX_NANOS);
        } else if (current.signals == 1 && !current.wrong.isEmpty()) {
            signal(current);
        } else {
            giveUp(current);
        }
    }

    private void seen(DumpLoad current, Held held) {
        long now = loop.nowNanos();
        if (now - progressedNanos >= PROGRESS_NANOS) {
            progressedNanos = now;
            pending.progressed();
        }
        if (current.take(held)) {
            pending.acknowledge(held.table());
        }
    }

    private void done(DumpLoad current) {
        load = null;
        againNanos = AGAIN_MIN_NANOS;
        long now = loop.nowNanos();
        verifyNanos = now + VERIFY_NANOS;
        troubles.clear(Troubles.Kind.READ_BACK);
        troubles.clear(Troubles.Kind.SIGNAL);
        meters.readBack(current.answers(noticedNanos) ? noticedNanos : 0);
        noticedNanos = current.answers(noticedNanos) ? 0 : noticedNanos;
        if (current.signals > 0) {
            LoadTimes times = current.times(configuredNanos, now);
            LOG.info("{}", times.text());
            listener.accept(times);
        }
    }

    private void giveUp(DumpLoad current) {
        load = null;
        verifyNanos = loop.nowNanos() + againNanos;
        againNanos = Math.min(2 * againNanos, AGAIN_MAX_NANOS);
        troubles.set(Troubles.Kind.READ_BACK, current.complaint());
        current.wrong.values().forEach(pending::refuse);
    }

    void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        readBack.close();
    }
}
