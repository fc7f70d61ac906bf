package io.dmodc.detector.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.detector.Membership;
import io.dmodc.detector.RingDetector;
import io.dmodc.detector.RingMessage;
import io.dmodc.detector.RingOutbox;
import io.dmodc.detector.RingRules;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How often members wake that are alone on their loops: for each datagram, and for each deadline that none came before. All but the one
 * of the lowest slot come to wake once in a period, whenever they began.
 */
class RingWakeUpsTest {
    private static final long ETA = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long GRID = ETA / 20;

    /** A datagram takes half as long to twice as long. */
    private static final long DELAY = TimeUnit.MICROSECONDS.toNanos(200);

    /** The JDK's selector counts milliseconds. */
    private static final long TIMER_LATE = TimeUnit.MILLISECONDS.toNanos(1);

    /** What a busy machine does to one datagram in a hundred. */
    private static final long STALL = TimeUnit.MILLISECONDS.toNanos(10);

    private record Event(long at, long number, Runnable work) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
    private final SplittableRandom random = new SplittableRandom(20261126);
    private long now;
    private long count;
    private boolean busy;

    private final class Member implements RingOutbox {
        final RingDetector detector;
        final long origin = random.nextLong(ETA);
        Member[] all = {};
        long armedFor = Long.MAX_VALUE;
        long wakeUps;

        Member(long guid) {
            detector = new RingDetector(guid, 1, this, new SilentListener());
        }

        @Override
        public void send(int slot, RingMessage message) {
            RingMessage copy = new RingMessage().set(message);
            boolean stalled = busy && random.nextInt(100) == 0;
            long delay = DELAY / 2 + random.nextLong(DELAY * 3 / 2) + (stalled ? random.nextLong(STALL) : 0);
            at(now + delay, () -> all[slot].hear(copy));
        }

        @Override
        public void reply(RingMessage message) {}

        /** As {@link RingDriver} does. */
        void hear(RingMessage message) {
            wakeUps++;
            detector.receive(now, message);
            detector.spreadNews();
            detector.tickEarly(now);
            arm();
        }

        void arm() {
            long due = RingDriver.onGrid(detector.nextDeadline(), origin, GRID);
            if (due != armedFor) {
                armedFor = due;
                at(Math.max(due, now) + random.nextLong(TIMER_LATE), () -> fire(due));
            }
        }

        private void fire(long due) {
            if (due == armedFor) {
                wakeUps++;
                armedFor = Long.MAX_VALUE;
                detector.tick(now);
                arm();
            }
        }
    }

    private void at(long when, Runnable work) {
        events.add(new Event(when, count++, work));
    }

    private void runUntil(long end) {
        for (Event next = events.peek(); next != null && next.at <= end; next = events.peek()) {
            events.remove();
            now = next.at;
            next.work.run();
        }
        now = end;
    }

    /** Returns who begins at any time within a period. */
    private Member[] ring(int size) {
        Member[] members = IntStream.range(0, size)
                .mapToObj(slot -> new Member(0xA0 + slot))
                .toArray(Member[]::new);
        int[] incarnations = new int[size];
        Arrays.fill(incarnations, 1);
        Membership membership = new Membership(
                1, 1, IntStream.range(0, size).mapToLong(slot -> 0xA0 + slot).toArray(), incarnations);
        for (int slot = 0; slot < size; slot++) {
            int own = slot;
            members[own].all = members;
            at(random.nextLong(ETA), () -> {
                members[own].detector.install(now, membership, own, RingRules.standard(ETA, 10 * ETA, size));
                members[own].arm();
            });
        }
        return members;
    }

    /** Returns how often each member woke in a period, on average over the next half minute. */
    private double[] wakeUps(Member[] members) {
        for (Member member : members) {
            member.wakeUps = 0;
        }
        long periods = TimeUnit.SECONDS.toNanos(30) / ETA;
        runUntil(now + periods * ETA);
        return Arrays.stream(members)
                .mapToDouble(member -> (double) member.wakeUps / periods)
                .toArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 7, 10, 64})
    void shouldWakeOnceInAPeriodInAllSlotsButTheLowest(int size) {
        Member[] members = ring(size);
        runUntil((size + 10L) * 8 * ETA);

        double[] wakeUps = wakeUps(members);

        assertThat(wakeUps[0]).isBetween(1.9, 2.1);
        for (int slot = 1; slot < size; slot++) {
            assertThat(wakeUps[slot]).as("slot %d of %d", slot, size).isBetween(0.95, 1.05);
        }
    }

    @Test
    void shouldWakeLittleMoreOftenWhereDatagramsAreLate() {
        busy = true;
        Member[] members = ring(10);
        runUntil(100 * ETA);

        double[] wakeUps = wakeUps(members);

        for (int slot = 1; slot < members.length; slot++) {
            assertThat(wakeUps[slot]).as("slot %d", slot).isBetween(0.95, 1.15);
        }
    }
}
