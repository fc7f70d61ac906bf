package io.dmodc.detector.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.detector.Membership;
import io.dmodc.detector.MessageType;
import io.dmodc.detector.RingDetector;
import io.dmodc.detector.RingMessage;
import io.dmodc.detector.RingOutbox;
import io.dmodc.detector.RingRules;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A heartbeat may leave with a wake-up before it is due, and none is later than a twentieth of its period for that. */
class EarlyHeartbeatTest {
    private static final long ETA = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST = ETA + ETA / 20;
    private static final long SHORTEST = ETA - ETA / 4 - ETA / 20;
    private static final long BEGIN = TimeUnit.SECONDS.toNanos(1);

    private final List<Long> sentAt = new ArrayList<>();
    private long now = BEGIN;
    private final RingDetector detector = new RingDetector(0xA0, 1, new Heartbeats(), new SilentListener());

    private final class Heartbeats implements RingOutbox {
        @Override
        public void send(int slot, RingMessage message) {
            if (message.type == MessageType.HEARTBEAT) {
                sentAt.add(now);
            }
        }

        @Override
        public void reply(RingMessage message) {}
    }

    EarlyHeartbeatTest() {
        Membership two = new Membership(1, 1, new long[] {0xA1, 0xA0}, new int[] {1, 1});
        detector.install(now, two, 1, RingRules.published(ETA, TimeUnit.MINUTES.toNanos(10)));
    }

    @Test
    void shouldFollowWhoIsHeardALittleBeforeEachHeartbeat() {
        for (int i = 1; i <= 100; i++) {
            now += ETA + (i % 3 - 1) * ETA / 25;
            detector.tickEarly(now);
            assertThat(sentAt).hasSize(1 + i).endsWith(now);
        }
    }

    @Test
    void shouldNotSendEarlierThanAQuarter() {
        now = BEGIN + ETA * 3 / 4 - 1;

        detector.tickEarly(now);

        assertThat(sentAt).containsExactly(BEGIN);
    }

    /** Whatever the distance at first, within ten periods. */
    @Test
    void shouldComeTogetherWithWhoIsHeardOnceInAPeriod() {
        for (long phase = 0; phase < ETA; phase += ETA / 50) {
            long heard = now + phase;
            for (int i = 0; i < 20; i++, heard += ETA) {
                while (detector.nextDeadline() < heard) {
                    now = detector.nextDeadline();
                    detector.tick(now);
                }
                now = heard;
                detector.tickEarly(now);
            }

            assertThat(sentAt.subList(sentAt.size() - 10, sentAt.size()))
                    .as("phase %d", phase)
                    .isEqualTo(LongStream.rangeClosed(-9, 0)
                            .mapToObj(back -> now + back * ETA)
                            .toList());
        }
    }

    @Test
    void shouldNeverLeaveMuchMoreThanAPeriodBetweenTwo() {
        long seed = 20261126;
        SplittableRandom random = new SplittableRandom(seed);
        while (sentAt.size() < 5_000) {
            long message = now + random.nextLong(2 * ETA);
            while (detector.nextDeadline() <= message) {
                now = detector.nextDeadline();
                detector.tick(now);
            }
            now = message;
            detector.tickEarly(now);
        }

        int early = 0;
        for (int i = 1; i < sentAt.size(); i++) {
            long gap = sentAt.get(i) - sentAt.get(i - 1);
            assertThat(gap).as("seed %d, heartbeat %d", seed, i).isBetween(SHORTEST, LONGEST);
            early += gap < ETA ? 1 : 0;
        }
        assertThat(early).isBetween(500, 4_500);
    }
}
