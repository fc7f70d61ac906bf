package io.dmodc.manager.opensm;

import io.dmodc.manager.core.Effect.Push;
import io.dmodc.manager.core.Effect.TableUpdate;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.routing.LftRow;
import io.dmodc.settings.Reasons;
import io.dmodc.subnet.OpenSmSettings;
import io.dmodc.topology.FabricView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the dump what the core wants the switches to hold: puts it together, writes it, and has {@link DumpLoading} see that it gets into the
 * switches.
 *
 * <p>What one step of the core pushes goes into one dump: of a change in rounds, one dump a round, because OpenSM may load
 * the sections of one in any order, as agents take the tables of one round. What the core sends in answer to what was read of a dump waits
 * until all of that was read and answered, or all that it waits for itself, and goes into one dump, too: each costs a sweep.
 *
 * <p>The file never leads to a port that is known to be dead: such entries are left out of a new one, and {@link DeadPortWatch} takes an old one
 * away for which no new one comes within {@code withdraw-after}.
 *
 * <p>At most {@value #QUEUE_MAX} orders wait; what comes beyond is not done, and the core repeats it. One of them has the tables of a step,
 * of which the core has no more than one under way for each switch. One thread.
 */
final class TableKeeper {
    static final int QUEUE_MAX = 1 << 16;

    /** How soon it is asked again whether the core has taken all answers. */
    private static final long ANSWERS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long AGAIN_MIN_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long AGAIN_MAX_NANOS = TimeUnit.MINUTES.toNanos(1);

    /**
     * So long after a switch or host was lost or has come, or a port is up again, the core's tables are waited for, which are usually others then; and as
     * long as the core computes any, asked so often.
     */
    private static final long TABLES_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long COMPUTING_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** So long a switch that was found may take to get its first table before somebody is told. */
    private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int NAMED_MAX = 5;

    /** @param urgent nothing may keep it waiting */
    private record Order(Object what, boolean urgent) {}

    /** Tables of one step of the core. */
    private record Pushes(List<Push> all) {
        boolean isOfOtherEpoch(long epoch) {
            return all.stream().anyMatch(push -> push.update().fabricEpoch() != epoch);
        }
    }

    private record InheritedUse(String dead) {}

    private final FabricLoop loop;
    private final BooleanSupplier computing;
    private final Troubles troubles;
    private final KeptDump dump;
    private final GuidFiles guidFiles;
    private final OpenSmMeters meters;
    private final DeadPortWatch deadPorts;
    private final DumpLoading loading;
    private final SwitchRoutes toSwitches = new SwitchRoutes();
    private final BlockingQueue<Order> orders = new ArrayBlockingQueue<>(QUEUE_MAX);

    /** Of the orders that wait, those that are urgent: new tables, and a fabric that is another. */
    private final AtomicInteger urgent = new AtomicInteger();

    private final Thread thread = new Thread(this::run, "opensm-tables");
    private final CountDownLatch opened = new CountDownLatch(1);
    private volatile boolean closed;
    private volatile boolean busy;

    /** OpenSM's log says nothing of a sweep since the whole fabric was looked at: each may have dealt LIDs. */
    private volatile boolean lidsKnown;

    /** Of the tables that are loaded now: what the core pushes of the same epoch is an answer to what was read. */
    private volatile long loadingEpoch;

    /** Tables of a step that is not over; belongs to the loop's thread. */
    private final List<Push> ofStep = new ArrayList<>();

    /** What was handed over last; belongs to the thread that looks. */
    private @Nullable Discovery foundLast;

    private @Nullable Discovery found;

    /** What lay there at the start, once it was {@link #opened}. */
    private InheritedDump inherited = InheritedDump.none();

    /** What the dump uses and is dead, before anything is found; empty for nothing. */
    private String inheritedUse = "";

    private final Map<Long, LftRow> rows = new HashMap<>();

    /** What the core waits to hear of. */
    private final PendingTables pending;

    /** What was put together last, written or not. */
    private @Nullable DumpTables composed;

    /** By which the files beside the dump were written last; null if that failed. */
    private @Nullable FabricView guidFilesOf;

    /** When they are written again, if that failed. */
    private long guidFilesNanos;

    private boolean due;

    /** Tables of the next round have come, and of others it is not known yet whether they will. */
    private boolean roundDue;

    /** The view in force when the fabric was last seen to be another; null once there is a newer one, and {@link #TABLES_NANOS} later. */
    private @Nullable FabricView outdated;

    private long outdatedNanos;

    /** Since when the core has no table for some switch that was found; 0 for not. */
    private long lackingNanos;

    /** When a dump is put together by what was found, if no tables have come by then; 0 for never. */
    private long composeNanos;

    /** When the first of the tables came that are pushed now, and of which epoch they are. */
    private long pushedNanos;

    private long pushedEpoch;
    private long retryNanos;

    /** When the dump is written again with GUIDs, if that failed. */
    private long guidsNanos;

    private long againNanos = AGAIN_MIN_NANOS;

    /**
     * @param computing true while the core computes tables
     * @param listener told of each load that all switches were seen to hold, or that the next dump replaced; on this thread, must be quick
     */
    TableKeeper(
            OpenSmSettings settings,
            FabricLoop loop,
            BooleanSupplier computing,
            Troubles troubles,
            OpenSmMeters meters,
            Consumer<LoadTimes> listener) {
        this.loop = loop;
        this.computing = computing;
        this.troubles = troubles;
        this.meters = meters;
        pending = new PendingTables(loop);
        dump = new KeptDump(settings.dump(), troubles);
        guidFiles = new GuidFiles(settings, troubles);
        deadPorts = new DeadPortWatch(
                loop, troubles, meters, dump, settings.withdrawAfter().toNanos());
        loading = new DumpLoading(settings, loop, troubles, meters, pending, dump, listener);
    }

    void start() {
        thread.start();
    }

    /** A table for a switch; it waits for the others of its step. On the loop's thread, never blocks. */
    void push(Push push) {
        ofStep.add(push);
    }

    /** All tables of a step of the core are here, however long that took: none goes into a dump without the others. On the loop's thread, never blocks. */
    void pushed() {
        if (!ofStep.isEmpty()) {
            Pushes all = new Pushes(List.copyOf(ofStep));
            ofStep.clear();
            order(all, all.isOfOtherEpoch(loadingEpoch));
        }
    }

    /** The dump that was there at the start; waits until it was read. Any thread. */
    InheritedDump inherited() throws InterruptedException {
        opened.await();
        return inherited;
    }

    /**
     * What the dump that was there at the start uses and is dead, though no look at the fabric is believed yet. The thread of {@link #found}, before that.
     *
     * @param dead for people; empty for nothing
     */
    void inheritedUses(String dead) {
        order(new InheritedUse(dead), !dead.isEmpty());
    }

    /** The fabric as it is believed to be now. One thread. */
    void found(Discovery now) {
        if (order(now, isChange(foundLast, now))) {
            foundLast = now;
        }
    }

    /** The whole fabric was looked at, and OpenSM's log, which is followed, says nothing of the end of a sweep since that began. The thread of {@link #heard}. */
    void lidsSeen() {
        lidsKnown = true;
    }

    /** OpenSM's log says that something changed, that it sends tables, or that it is done. */
    void heard(OpenSmLog.News news) {
        if (news.kind() == OpenSmLog.Kind.SWEPT) {
            lidsKnown = false;
        }
        loading.heard(news);
        order(news, false);
    }

    private boolean order(Object what, boolean isUrgent) {
        urgent.addAndGet(isUrgent ? 1 : 0);
        boolean taken = orders.offer(new Order(what, isUrgent));
        urgent.addAndGet(isUrgent && !taken ? -1 : 0);
        return taken;
    }

    private static boolean isChange(@Nullable Discovery before, Discovery now) {
        return before == null || !now.sameCabling(before);
    }

    /** True while all that was pushed is seen to be in force, as far as it will be. Any thread. */
    boolean calm() {
        return urgent.get() == 0 && orders.isEmpty() && !busy;
    }

    private void run() {
        try {
            dump.open();
            inherited = dump.inherited();
            opened.countDown();
            while (!closed) {
                Order order = orders.poll(waitNanos(), TimeUnit.NANOSECONDS);
                if (order != null) {
                    busy = true;
                    take(order);
                    takeWhatWaits();
                }
                step();
                boolean works = due || roundDue || composeNanos != 0 || loading.isBusy();
                if (!works || dump.isOpenSmAway()) {
                    addGuids();
                }
                busy = works;
                if (!works) {
                    dump.prepare(() -> closed || !orders.isEmpty() || deadPorts.isDue());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // Closed.
        } finally {
            dump.close();
        }
    }

    private void addGuids() {
        boolean fails = loop.nowNanos() - guidsNanos >= 0
                && !dump.addGuids(() -> closed || urgent.get() > 0 || deadPorts.isDue());
        guidsNanos = fails ? loop.nowNanos() + AGAIN_MIN_NANOS : guidsNanos;
    }

    private long waitNanos() {
        long now = loop.nowNanos();
        long next = Math.min(now + IDLE_NANOS, deadPorts.nextNanos());
        if (due) {
            next = Math.min(next, Math.max(retryNanos, now));
        }
        if (composeNanos != 0) {
            next = Math.min(next, composeNanos);
        }
        if (outdated != null) {
            next = Math.min(next, now + ANSWERS_NANOS);
        }
        if (loading.isBusy()) {
            next = Math.min(next, loading.nextNanos());
        } else if (roundDue) {
            next = Math.min(next, now + ANSWERS_NANOS);
        }
        return Math.max(next - now, due && retryNanos <= now ? TimeUnit.MILLISECONDS.toNanos(100) : 0);
    }

    /** What has been handed over by now, so that it goes into one dump; no more than there was room for, whatever comes meanwhile. */
    private void takeWhatWaits() throws InterruptedException {
        List<Order> waiting = new ArrayList<>();
        orders.drainTo(waiting);
        for (Order order : waiting) {
            take(order);
        }
    }

    private void take(Order order) throws InterruptedException {
        urgent.addAndGet(order.urgent() ? -1 : 0);
        if (order.what() instanceof Pushes pushes) {
            pushes.all().forEach(push -> take(push, order.urgent()));
        } else if (order.what() instanceof Discovery now) {
            take(now);
        } else if (order.what() instanceof InheritedUse use) {
            inheritedUse = use.dead();
            deadPorts.look(inheritedUse);
        } else {
            loading.take((OpenSmLog.News) order.what());
        }
    }

    private void take(Push push, boolean atOnce) {
        TableUpdate update = push.update();
        if (update.turns()) {
            pending.refuse(push, "OpenSM takes no tables by input class");
            return;
        }
        if (pending.isEmpty() || pushedEpoch != update.fabricEpoch()) {
            pushedNanos = loop.nowNanos();
            pushedEpoch = update.fabricEpoch();
        }
        pending.add(push);
        LftRow before = rows.put(update.guid(), update.row());
        due |= atOnce;
        roundDue |= !atOnce;
        if (!update.row().equals(before)) {
            deadPorts.pushed(); // What is only said once more leads to the dead port as before.
        }
    }

    private void take(Discovery now) {
        Discovery before = found;
        found = now;
        boolean changed = isChange(before, now);
        if (changed && before != null) {
            loading.noticed(now.noticedNanos());
            outdated = loop.snapshot().view();
            outdatedNanos = loop.nowNanos();
        } else {
            loading.seenUnchanged();
        }
        // One that comes back may not take up its old table: nobody has looked whether that still fits.
        rows.keySet().removeIf(guid -> !now.switches().containsKey(guid));
        pending.keepOnly(now);
        loading.keepOnly(now);
        DumpTables current = dump.written();
        FabricView view = loop.snapshot().view();
        if (current == null) {
            due = true;
        } else if (view != null && before != null) {
            LidTable lids = current.lidsNow(view, now);
            boolean renumbered = current.isRenumbered(lids);
            due |= renumbered && !changed;
            boolean others = changed && (renumbered || current.leftOut() > 0);
            if (composeNanos == 0 && (others || current.hasLost(lids))) {
                composeNanos = loop.nowNanos() + TABLES_NANOS;
            }
        }
        deadPorts.look(dump.deadUse(now));
        watchMissingRows(now);
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

    private void step() throws InterruptedException {
        Discovery now = found;
        if (now == null) {
            if (deadPorts.isDue() && deadPorts.withdraw(inheritedUse)) {
                loading.withdrawn();
            }
            return;
        }
        if (outdated != null) {
            prepareRoutes();
        }
        if (roundDue && !loading.isFirstReading() && pending.answersTaken()) {
            takeWhatWaits();
            roundDue = false;
            due = true;
        }
        if (composeNanos != 0 && loop.nowNanos() >= composeNanos) {
            boolean over = !computing.getAsBoolean();
            due |= over;
            composeNanos = over ? 0 : loop.nowNanos() + COMPUTING_NANOS;
        }
        if (due && (loop.nowNanos() >= retryNanos || deadPorts.isDue())) { // Rather a new file than none.
            compose(now);
        }
        if (!due) {
            nothingToWrite();
        }
        if (deadPorts.isDue() && deadPorts.withdraw(dump.deadUse(now))) {
            replaceWithdrawn(now);
        }
        loadingEpoch = loading.epoch();
        loading.tellIfMended();
        if (loading.isBusy()) {
            loading.step(now, () -> closed || urgent.get() > 0 || deadPorts.isDue());
        } else if (loading.verifyIsDue() && !computing.getAsBoolean()) {
            verify(now);
        }
        followView(now);
    }

    /** It is written, or the tables are those of the file again. */
    private void nothingToWrite() {
        troubles.clear(Troubles.Kind.FILE);
        tryAtOnce();
    }

    private void tryAtOnce() {
        retryNanos = 0;
        againNanos = AGAIN_MIN_NANOS;
    }

    /** A disk that was full may have room for the new file only now. */
    private void replaceWithdrawn(Discovery now) throws InterruptedException {
        tryAtOnce();
        if (due) {
            compose(now);
        }
        if (dump.written() == null) {
            loading.withdrawn();
        }
    }

    /** Tables to switches are made while the core makes those to nodes, for which the dump has to wait. */
    @SuppressWarnings("ReferenceEquality") // a view is a moment
    private void prepareRoutes() {
        FabricView view = loop.snapshot().view();
        if (view != null && view != outdated) {
            outdated = null;
            toSwitches.prepare(view);
        } else if (loop.nowNanos() - outdatedNanos >= TABLES_NANOS) {
            outdated = null;
        }
    }

    private void verify(Discovery now) throws InterruptedException {
        if (dump.isThere()) {
            loading.begin(false, now, pushedNanos);
        } else {
            due = true; // Somebody took it away.
        }
    }

    private void compose(Discovery now) throws InterruptedException {
        FabricView view = loop.snapshot().view();
        if (view == null || (dump.written() == null && !missingRows(now).isEmpty())) {
            return; // OpenSM's own engine serves until all tables are known.
        }
        composeNanos = 0;
        DumpTables next = new DumpTables(composed, view, toSwitches.of(view), now, rows);
        if (deadPorts.waitsForTables() && next.leftOut() > 0) {
            due = false;
            return;
        }
        DumpTables current = dump.written();
        if (current != null && next.sameText(current)) {
            dump.same(next);
            composed = next;
            due = false;
            loading.goOnWith(next, now, pushedNanos);
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
        deadPorts.replaced(dump.deadUse(now));
        loading.begin(!known, now, pushedNanos);
        dump.freeReplaced();
        writeGuidFiles(view, now);
    }

    private void writeGuidFiles(FabricView view, Discovery now) {
        boolean written = guidFiles.write(view, now);
        guidFilesOf = written ? view : null;
        guidFilesNanos = loop.nowNanos() + (written ? 0 : AGAIN_MIN_NANOS);
    }

    /** Tables may have come before others could see the view they are for, and a view may change no table. */
    @SuppressWarnings("ReferenceEquality") // a view is a moment
    private void followView(Discovery now) {
        FabricView view = loop.snapshot().view();
        boolean others = view != guidFilesOf && loop.nowNanos() - guidFilesNanos >= 0;
        if (view != null && others && dump.written() != null && !loading.isBusy()) {
            writeGuidFiles(view, now);
        }
    }

    private boolean write(DumpTables next) {
        loading.aboutToWrite();
        try {
            dump.write(next, lidsKnown);
        } catch (IOException e) {
            troubles.set(
                    Troubles.Kind.FILE,
                    dump.path() + " cannot be written: " + Reasons.of(e) + "; tried again every second at first");
            retryNanos = loop.nowNanos() + againNanos;
            againNanos = Math.min(2 * againNanos, AGAIN_MAX_NANOS);
            return false;
        }
        guidsNanos = loop.nowNanos();
        meters.written(next.blocks());
        return true;
    }

    void close() {
        closed = true;
        OpenSmBridge.end(thread);
        loading.close();
    }
}
