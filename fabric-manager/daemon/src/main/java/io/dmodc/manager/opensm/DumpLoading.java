package io.dmodc.manager.opensm;

import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.manager.opensm.ReadBack.Held;
import io.dmodc.subnet.OpenSmSettings;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has OpenSM load what is written, and reads back what came of it.
 *
 * <p>OpenSM is told by a signal, unless its log says that it is about to load the file anyway: a change of a link was told, and tables were not
 * since. Then it is seen, when it says that tables are sent, whether anybody has read the file that was written ({@link DumpFile#wasRead}). If
 * nobody has, OpenSM had opened the one before, and is told now; so it is if its log says nothing in time. If somebody has, switches are
 * read, and OpenSM is told if one of them holds something else. So a signal that is not sent costs a reading at most.
 *
 * <p>While tables of a later round wait for a few switches, these are read first, one by one, as soon as OpenSM's log says that tables are sent: when all of them hold
 * theirs the next dump comes at once, and the others are read with that. If they do not within {@value #ROUND_READINGS_MAX} readings, or half the time
 * that a reading of all took, all are read as ever.
 *
 * <p>A switch has acknowledged when it was read and holds what is written. If some does not after {@code load-timeout}, OpenSM is told
 * once more; then the core is told what it holds instead, or nothing when it does not answer, nor when OpenSM is to blame and no switch can have it.
 *
 * <p>While OpenSM does not answer, or is not the master, it is told of each new dump once, and not because switches hold something else: that follows from what people are told already, and
 * they may have the tables of another subnet manager. They are read as ever, and at once when that is over. For one thread, but for {@link #heard}.
 */
final class DumpLoading implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DumpLoading.class);

    private static final long READ_GAP_MAX_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** How often the core hears what was read, and that the rest is being worked on, also while OpenSM is waited for: well below the seconds after which it repeats itself. */
    private static final long TELL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** How often all switches are read although nothing happened. */
    private static final long VERIFY_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** Of more switches that others wait for, all are read: one by one takes longer. */
    private static final int ROUND_SWITCHES_MAX = 64;

    /** They may not have the tables yet when OpenSM's log says that it sends them. */
    private static final int ROUND_READINGS_MAX = 5;

    /** So long after a dump was written an OpenSM may have ended and been started again that nobody missed, and deal other LIDs. */
    private static final long WITHOUT_GUIDS_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long ANSWERS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long AGAIN_MIN_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long AGAIN_MAX_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final FabricLoop loop;
    private final Troubles troubles;
    private final OpenSmMeters meters;
    private final Consumer<LoadTimes> listener;
    private final PendingTables pending;
    private final KeptDump dump;
    private final HupSignal hup;
    private final ReadBack readBack;
    private final long loadTimeoutNanos;

    /**
     * Of late. OpenSM's log says that tables are sent before switches have them all; that it is done it says within such a time, or not at all.
     */
    private final SweepTimes sweeps;

    /** When OpenSM's log last said that it had sent tables, and that something had changed; 0 before. */
    private volatile long configuredNanos;

    private volatile long changedNanos;

    /** True if OpenSM's log said, before the last dump was written, that something changed, and not yet that tables are sent. */
    private boolean sweepIsDue;

    /** When the last dump was about to be written: OpenSM may load it a moment before the write is over. */
    private long writingNanos;

    private @Nullable DumpLoad load;
    private long verifyNanos;

    /** True if the last load was given up because OpenSM does not answer, or is not the master. */
    private boolean unheeded;

    /** True if OpenSM's log said that it sent tables while nothing was to be loaded, and no reading of all switches has begun since. */
    private boolean sweptUnasked;

    private long againNanos = AGAIN_MIN_NANOS;
    private long toldNanos;

    /** How long it took to read all switches, the last time. */
    private long readingNanos;

    /** When the first change came to notice that no dump was read back for yet; 0 for none. */
    private long noticedNanos;

    /** True once OpenSM's log said anything: it is kept up to date. */
    private boolean logSpeaks;

    /** @param listener told of each load that all switches were seen to hold, or that the next dump replaced; must be quick */
    DumpLoading(
            OpenSmSettings settings,
            FabricLoop loop,
            Troubles troubles,
            OpenSmMeters meters,
            PendingTables pending,
            KeptDump dump,
            Consumer<LoadTimes> listener) {
        this.loop = loop;
        this.troubles = troubles;
        this.meters = meters;
        this.pending = pending;
        this.dump = dump;
        this.listener = listener;
        hup = new HupSignal(settings, troubles, Troubles.Kind.SIGNAL);
        readBack = new ReadBack(settings);
        loadTimeoutNanos = settings.loadTimeout().toNanos();
        sweeps = new SweepTimes(loadTimeoutNanos);
    }

    /** OpenSM's log says so; {@link #take} is to follow. Any thread. */
    void heard(OpenSmLog.News news) {
        if (news.kind() == OpenSmLog.Kind.CONFIGURED) {
            configuredNanos = loop.nowNanos();
            sweeps.sent(configuredNanos);
        } else if (news.kind() == OpenSmLog.Kind.CHANGED) {
            changedNanos = loop.nowNanos();
            sweeps.changed(changedNanos);
        }
    }

    /** What {@link #heard} has. */
    void take(OpenSmLog.News news) throws InterruptedException {
        logSpeaks = true;
        DumpLoad current = load;
        long now = loop.nowNanos();
        boolean sends = news.kind() == OpenSmLog.Kind.CONFIGURED;
        if (news.kind() == OpenSmLog.Kind.CHANGED) {
            return;
        }
        if (current == null) {
            sweptUnasked |= sends; // It loads anew by itself after changes, and after a restart.
            verifyNanos = sends ? Math.min(verifyNanos, now + sweeps.waitNanos()) : verifyNanos;
        } else if (current.awaitsSweep) {
            if (sends) {
                swept(current, news.engine());
            }
        } else if (sends && (current.isOfNewDump() || current.signals > 0)) {
            sent(current, news.engine());
        } else if (sends) {
            sweptUnasked = true; // What has been read for a comparison counts no more.
        } else if (!current.engine.isEmpty()) {
            current.swept = true;
            current.nextNanos = now;
        }
    }

    private void swept(DumpLoad current, String engine) throws InterruptedException {
        if (dump.wasRead()) {
            current.awaitsSweep = false;
            current.deadlineNanos = loop.nowNanos() + loadTimeoutNanos;
            sent(current, engine);
        } else {
            signal(current);
        }
    }

    private void sent(DumpLoad current, String engine) {
        long now = loop.nowNanos();
        current.engine = engine;
        current.gapNanos = DumpLoad.READ_FIRST_NANOS;
        current.swept = false;
        current.roundReadings = 0;
        current.nextNanos = readBack.readsAll() && roundAwaits(current).isEmpty() ? now + sweeps.waitNanos() : now;
    }

    /** The switches that tables of a later round wait for, and that are to be read yet; none if all are better read at once. */
    private List<SwitchTable> roundAwaits(DumpLoad current) {
        if (!current.isOfNewDump() || current.roundReadings >= ROUND_READINGS_MAX || !readBack.readsFew()) {
            return List.of();
        }
        List<SwitchTable> awaited = loop.snapshot().awaited().stream()
                .filter(pending::contains)
                .map(current.unseen::get)
                .filter(Objects::nonNull)
                .toList();
        return awaited.size() > ROUND_SWITCHES_MAX ? List.of() : awaited;
    }

    /** Reading all switches takes from OpenSM what it needs itself, so where its log speaks, that is waited for. */
    private long gapNanos(DumpLoad current) {
        return logSpeaks && readBack.readsAll() ? sweeps.waitNanos() : current.gapNanos;
    }

    /** A change came to notice that no dump answers yet. */
    void noticed(long nanos) {
        noticedNanos = noticedNanos == 0 ? nanos : noticedNanos;
    }

    /** True while a dump is loaded or read. */
    boolean isBusy() {
        return load != null;
    }

    /** True if switches of a load in work are still to say for the first time what they hold: what the core sends after its answers waits for that. */
    boolean isFirstReading() {
        DumpLoad current = load;
        return current != null && current.isOfNewDump() && !current.readThrough && !current.awaitsRound;
    }

    /** Of the newest tables that are loaded; 0 while none are. */
    long epoch() {
        DumpLoad current = load;
        return current == null ? 0 : current.epoch();
    }

    /** When {@link #step} has something to do; only while {@link #isBusy}. */
    long nextNanos() {
        return Math.min(Objects.requireNonNull(load).nextNanos, toldNanos + TELL_NANOS);
    }

    /**
     * The whole fabric was looked at, and is as it was: if OpenSM has loaded the dump by itself meanwhile, switches are read. Before that,
     * tables may be about to come that make it useless, and it would keep everybody waiting who looks, sweeps and reads.
     */
    void seenUnchanged() {
        verifyNanos = sweptUnasked ? loop.nowNanos() : verifyNanos;
    }

    /** Nobody asks what is not there. */
    void keepOnly(Discovery now) {
        if (load != null) {
            load.keepOnly(now);
        }
    }

    /** A dump is about to be put into its place: what OpenSM's log says from now on is about that, or is seen not to be. */
    void aboutToWrite() {
        writingNanos = loop.nowNanos();
        sweepIsDue = changedNanos - configuredNanos > 0 && writingNanos - changedNanos < sweeps.waitNanos();
    }

    /**
     * Begins to load what is written, or to look whether switches hold it.
     *
     * @param fresh it was written just now, after {@link #aboutToWrite}; else OpenSM is told only if the switches do not hold it already
     * @param pushedNanos when the first of its tables came
     */
    void begin(boolean fresh, Discovery found, long pushedNanos) throws InterruptedException {
        DumpTables current = Objects.requireNonNull(dump.written());
        long now = loop.nowNanos();
        DumpLoad next = new DumpLoad(new LoadTimes(
                pending.epoch(),
                found.seenNanos(),
                pushedNanos,
                fresh ? now : 0,
                0,
                0,
                0,
                fresh ? current.changedSwitches() : 0,
                fresh ? current.blocks() : 0));
        current.tables().stream()
                .filter(table -> found.switches().containsKey(table.guid()))
                .sorted(Comparator.comparing(table -> !pending.contains(table.guid())))
                .forEach(table -> next.unseen.put(table.guid(), table));
        next.nextNanos = now;
        next.deadlineNanos = now + loadTimeoutNanos;
        next.writingNanos = writingNanos;
        if (fresh && load != null && load.isOfNewDump()) {
            tellTimes(load, 0);
        }
        load = next;
        unheeded = false;
        sweptUnasked = false;
        tell();
        if (fresh && sweepIsDue) {
            next.awaitsSweep = true;
            next.nextNanos = now + sweeps.waitNanos();
        } else if (fresh) {
            signal(next);
        }
    }

    /** The core wants to know of some tables again that are written already. */
    void goOnWith(DumpTables same, Discovery found, long pushedNanos) throws InterruptedException {
        DumpLoad current = load;
        if (pending.isEmpty()) {
            return;
        }
        if (current == null) {
            begin(false, found, pushedNanos);
            return;
        }
        for (long guid : pending.switches()) {
            SwitchTable table = same.of(guid);
            if (table != null) {
                current.unseen.put(guid, table);
            }
        }
    }

    private void signal(DumpLoad current) throws InterruptedException {
        current.awaitsSweep = false;
        current.signalledNanos = current.signalledNanos == 0 ? loop.nowNanos() : current.signalledNanos;
        meters.signalled(current.signals > 0);
        tellOpenSm();
        long now = loop.nowNanos();
        current.signals++;
        current.gapNanos = DumpLoad.READ_FIRST_NANOS;
        current.swept = false;
        current.roundReadings = 0;
        current.nextNanos = now + gapNanos(current);
        current.deadlineNanos = now + loadTimeoutNanos;
    }

    private void tellOpenSm() throws InterruptedException {
        if (hup.send()) {
            sweeps.signalled(loop.nowNanos());
        }
    }

    /** The file was taken away: OpenSM is told, and nothing is read. */
    void withdrawn() throws InterruptedException {
        load = null;
        tellOpenSm();
    }

    /** What OpenSM could not be told it is told as soon as its pid file names it. */
    void tellIfMended() throws InterruptedException {
        if (!hup.isMended()) {
            return;
        }
        DumpLoad current = load;
        if (current == null && dump.written() == null) {
            tellOpenSm();
        } else if (current == null) {
            verifyNanos = loop.nowNanos();
        } else if (!current.awaitsSweep) {
            signal(current);
        }
    }

    /** True if it is time to read all switches although nothing happened; only while not {@link #isBusy}. */
    boolean verifyIsDue() {
        boolean isBack = unheeded && !troubles.has(Troubles.Kind.PRESENCE);
        return dump.written() != null && (isBack || loop.nowNanos() >= verifyNanos);
    }

    /**
     * Reads, and tells OpenSM again, as far as it is time for that.
     *
     * @param enough true when something else comes first
     */
    void step(Discovery found, BooleanSupplier enough) throws InterruptedException {
        DumpLoad current = load;
        tellInTime();
        if (current != null && loop.nowNanos() >= current.nextNanos) {
            if (current.awaitsSweep) {
                signal(current);
            } else if (current.awaitsRound) {
                awaitRound(current);
            } else {
                List<SwitchTable> few = roundAwaits(current);
                if (few.isEmpty()) {
                    read(current, found, enough);
                } else {
                    readFew(few, current, found, enough);
                }
            }
        }
    }

    /** The core's answers are taken in before the rest is read, which takes long. */
    private void awaitRound(DumpLoad current) {
        long now = loop.nowNanos();
        if (!pending.answersTaken()) {
            current.nextNanos = now + ANSWERS_NANOS;
        } else if (!current.roundAnswered) {
            current.roundAnswered = true;
            current.nextNanos = now;
        } else {
            current.awaitsRound = false;
            current.nextNanos = now + (current.swept || current.engine.isEmpty() ? 0 : gapNanos(current));
        }
    }

    private void readFew(List<SwitchTable> few, DumpLoad current, Discovery found, BooleanSupplier enough)
            throws InterruptedException {
        long begun = loop.nowNanos();
        long limit = SwitchAsker.limitNanos(readingNanos);
        BooleanSupplier late = () -> loop.nowNanos() - begun > limit;
        BooleanSupplier telling = () -> {
            tellInTime();
            return enough.getAsBoolean() || late.getAsBoolean();
        };
        int answers = readBack.readFew(few, found, telling, held -> seen(current, held));
        long now = loop.nowNanos();
        current.roundReadings = late.getAsBoolean() ? ROUND_READINGS_MAX : current.roundReadings + 1;
        if (roundAwaits(current).isEmpty() && few.stream().noneMatch(each -> current.unseen.containsKey(each.guid()))) {
            tell();
            LOG.info(
                    "epoch {}: {} switches that the next round waits for read in {} ms",
                    current.epoch(),
                    few.size(),
                    TimeUnit.NANOSECONDS.toMillis(now - begun));
            current.awaitsRound = true;
            current.roundAnswered = false;
            current.nextNanos = now;
        } else if (answers < few.size() && !late.getAsBoolean()) {
            current.nextNanos = now; // Something else comes first.
        } else if (current.roundReadings < ROUND_READINGS_MAX) {
            current.nextNanos = now + current.gapNanos;
            current.gapNanos = Math.min(2 * current.gapNanos, READ_GAP_MAX_NANOS);
        } else {
            current.nextNanos = now + (current.swept || current.engine.isEmpty() ? 0 : gapNanos(current));
        }
    }

    /** OpenSM has loaded the dump by its log, and it will have lain there for long when all are read. */
    private boolean readsForLong(DumpLoad current) {
        return current.isOfNewDump()
                && !current.engine.isEmpty()
                && loop.nowNanos() + readingNanos - current.writingNanos > WITHOUT_GUIDS_NANOS;
    }

    private void read(DumpLoad current, Discovery found, BooleanSupplier enough) throws InterruptedException {
        if (readsForLong(current)) {
            dump.addGuids(enough);
        }
        List<SwitchTable> asked = List.copyOf(current.unseen.values());
        BooleanSupplier telling = () -> {
            tellInTime();
            return enough.getAsBoolean();
        };
        long begun = loop.nowNanos();
        int answers = readBack.read(asked, found, telling, held -> seen(current, held));
        tell();
        meters.read(current.wrong.size(), current.silentCount());
        long nanos = loop.nowNanos();
        readingNanos = answers == asked.size() ? nanos - begun : readingNanos;
        current.readThrough |= answers == asked.size();
        if (answers == asked.size() && (current.signals == 0 || nanos >= current.deadlineNanos)) {
            meters.different(current.wrong.size());
        }
        if (current.unseen.isEmpty()) {
            done(current);
        } else if (answers < asked.size()) {
            current.nextNanos = nanos; // Something else comes first.
        } else if (isUnheeded(current) && !current.isOfNewDump()) {
            giveUp(current);
        } else if (current.signals == 0 && (!current.wrong.isEmpty() || troubles.has(Troubles.Kind.SIGNAL))) {
            signal(current);
        } else if (nanos < current.deadlineNanos) {
            current.nextNanos = nanos + gapNanos(current);
            current.gapNanos = Math.min(2 * current.gapNanos, READ_GAP_MAX_NANOS);
        } else if (current.signals == 1 && !current.wrong.isEmpty() && !isUnheeded(current)) {
            signal(current);
        } else {
            giveUp(current);
        }
    }

    private boolean isUnheeded(DumpLoad current) {
        return !current.wrong.isEmpty() && troubles.has(Troubles.Kind.PRESENCE);
    }

    private void seen(DumpLoad current, Held held) {
        if (current.take(held)) {
            current.acknowledged |= pending.contains(held.table().guid());
            pending.acknowledge(held.table());
        }
    }

    private void tellInTime() {
        if (loop.nowNanos() - toldNanos >= TELL_NANOS) {
            tell();
        }
    }

    private void tell() {
        toldNanos = loop.nowNanos();
        pending.tell();
    }

    private void done(DumpLoad current) {
        load = null;
        againNanos = AGAIN_MIN_NANOS;
        long now = loop.nowNanos();
        verifyNanos = now + (sweptUnasked ? sweeps.waitNanos() : VERIFY_NANOS);
        troubles.clear(Troubles.Kind.READ_BACK);
        troubles.clear(Troubles.Kind.NOT_LOADED);
        hup.over();
        meters.readBack(current.answers(noticedNanos) ? noticedNanos : 0);
        noticedNanos = current.answers(noticedNanos) ? 0 : noticedNanos;
        tellTimes(current, now);
    }

    /** How it went; not of one in which all switches held what is written already. */
    private void tellTimes(DumpLoad ended, long readBackNanos) {
        if (ended.isOfNewDump() || ended.signals > 0) {
            long sent = configuredNanos;
            boolean isOfThis = sent - Math.max(ended.writingNanos, ended.signalledNanos) > 0;
            LoadTimes times = ended.times(isOfThis ? sent : 0, readBackNanos);
            LOG.info("{}", times.text());
            listener.accept(times);
        }
    }

    private void giveUp(DumpLoad current) {
        load = null;
        verifyNanos = loop.nowNanos() + againNanos;
        againNanos = Math.min(2 * againNanos, AGAIN_MAX_NANOS);
        unheeded = isUnheeded(current);
        boolean byNobody = current.isLoadedByNobody();
        String complaint = unheeded ? "" : current.complaint();
        troubles.set(byNobody ? Troubles.Kind.NOT_LOADED : Troubles.Kind.READ_BACK, complaint);
        troubles.clear(byNobody ? Troubles.Kind.READ_BACK : Troubles.Kind.NOT_LOADED);
        if (!troubles.areStopped()) {
            current.wrong.values().forEach(pending::refuse);
        }
    }

    @Override
    public void close() {
        readBack.close();
    }
}
