package io.dmodc.detector.acceptance;

import io.dmodc.detector.RingRules;
import io.dmodc.detector.net.RingCounters;
import io.dmodc.detector.net.RingKey;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** Kills members of one real ring, one after the other: each ends without a word and is started anew. */
final class KillSeries implements LoopbackRing.Listener {
    /** Not counted: what only a kill sets in motion runs for the first times. */
    private static final int WARM_UP_KILLS = 2;

    /** Floods before that, so many times the members. */
    private static final int WARM_UP_FLOODS = 3;

    private static final int FLOOD_MILLIS = 20;

    /** More than what is collected at once in any heap. */
    private static final int GARBAGE_MIB_MOST = 16_384;

    /** So many δ the others are given to know. */
    private static final int PATIENCE = 10;

    private static final int SETTLE_HEARTBEATS = 3;

    private final RingRules rules;
    private final SplittableRandom random;
    private final LoopbackRing ring;
    private final AtomicInteger falseSuspicions = new AtomicInteger();
    private volatile Watch watch = new Watch(0, 0);

    @SuppressWarnings("UnusedVariable") // kept, so that it is made
    private byte[] garbage = {};

    /** Who has heard of one victim, and when. */
    private static final class Watch {
        final int victim;
        final long[] silentAt;
        int silent;
        int alive;

        Watch(int victim, int members) {
            this.victim = victim;
            silentAt = new long[members];
        }

        synchronized void silent(int member, long now) {
            if (silentAt[member] == 0) {
                silentAt[member] = now;
                if (++silent == silentAt.length - 1) {
                    notifyAll();
                }
            }
        }

        synchronized void heardAlive() {
            if (++alive >= silentAt.length - 1) {
                notifyAll();
            }
        }

        synchronized boolean await(BooleanSupplier reached, long nanos) throws InterruptedException {
            long end = System.nanoTime() + nanos;
            while (!reached.getAsBoolean() && System.nanoTime() - end < 0) {
                TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, end - System.nanoTime()));
            }
            return reached.getAsBoolean();
        }

        synchronized int alive() {
            return alive;
        }

        synchronized long[] times() {
            return Arrays.stream(silentAt).filter(time -> time != 0).toArray();
        }
    }

    private KillSeries(int members, RingRules rules, long seed) {
        this.rules = rules;
        random = new SplittableRandom(seed);
        ring = new LoopbackRing(members, RingKey.random(), this);
    }

    /**
     * Runs a series.
     *
     * @throws IllegalStateException in one line, if a member was suspected that lives, or the ring does not come
     *     together
     */
    static List<KillTiming> run(int members, int kills, RingRules rules, long seed) throws InterruptedException {
        KillSeries series = new KillSeries(members, rules, seed);
        try (LoopbackRing closed = series.ring;
                StallMonitor stalls = new StallMonitor()) {
            closed.install(closed.ports(), rules);
            series.settle();
            series.warmUp();
            for (int i = 0; i < WARM_UP_KILLS; i++) {
                series.kill(series.random.nextInt(members), stalls);
            }
            List<KillTiming> done = new ArrayList<>();
            for (int i = 0; i < kills; i++) {
                done.add(series.kill(series.random.nextInt(members), stalls));
            }
            return done;
        }
    }

    /**
     * One thread here sends and reads what all members do for one death, a thousand datagrams. With code that is not
     * compiled yet, in memory that was never touched, it takes twice as long as later, which says nothing of the time
     * between processes.
     */
    private void warmUp() throws InterruptedException {
        for (int i = 1; i <= WARM_UP_FLOODS * ring.size(); i++) {
            ring.revoke(random.nextInt(ring.size()), i);
            TimeUnit.MILLISECONDS.sleep(FLOOD_MILLIS);
        }
        long collections = collections();
        for (int i = 0; i < GARBAGE_MIB_MOST && collections() == collections; i++) {
            garbage = new byte[1 << 20];
        }
    }

    private static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }

    private KillTiming kill(int victim, StallMonitor stalls) throws InterruptedException {
        int others = ring.size() - 1;
        long patience = PATIENCE * rules.suspicionNanos();
        Watch fresh = new Watch(victim, ring.size());
        watch = fresh;
        long lateBefore = ring.count(RingCounters::lateWakeUps);
        stalls.longestNanos();
        long killed = System.nanoTime();
        ring.kill(victim);
        boolean known = fresh.await(() -> fresh.silent >= others, patience);
        long[] times = fresh.times();
        KillTiming kill = new KillTiming(
                Arrays.stream(times).min().orElse(killed + patience) - killed,
                known ? Arrays.stream(times).max().orElse(killed) - killed : Long.MAX_VALUE,
                ring.count(RingCounters::lateWakeUps) - lateBefore,
                stalls.longestNanos());
        ring.restart(victim);
        if (!fresh.await(() -> fresh.alive >= others, patience)) {
            throw new IllegalStateException("member " + victim + " of " + ring.size() + " came back and "
                    + fresh.alive() + " of the " + others + " others know");
        }
        settle();
        return kill;
    }

    /** Lets heartbeats run again, and lets the next kill fall anywhere between two of them. */
    private void settle() throws InterruptedException {
        long quiet = SETTLE_HEARTBEATS * rules.heartbeatNanos() + random.nextLong(rules.heartbeatNanos());
        TimeUnit.NANOSECONDS.sleep(quiet);
        if (falseSuspicions.get() > 0) {
            throw new IllegalStateException(falseSuspicions + " suspicions of members that lived");
        }
    }

    @Override
    public void silent(int member, int subject, int hops) {
        Watch current = watch;
        if (subject == current.victim && current.silentAt.length > 0) {
            current.silent(member, System.nanoTime());
        } else {
            falseSuspicions.incrementAndGet();
        }
    }

    @Override
    public void alive(int member, int subject) {
        Watch current = watch;
        if (subject == current.victim) {
            current.heardAlive();
        }
    }
}
