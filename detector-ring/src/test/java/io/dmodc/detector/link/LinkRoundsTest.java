package io.dmodc.detector.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two ends that read and speak in rounds, each in its own, in virtual time. */
class LinkRoundsTest {
    private static final long MILLI = 1_000_000L;
    private static final LinkRules RULES = LinkRules.of(50 * MILLI, 3);
    private static final long ROUND = 16 * MILLI;
    private static final long STEP = MILLI / 10;

    private final SplittableRandom random = new SplittableRandom(42);
    private boolean cut;

    /** One end; what it has not read yet waits. */
    private final class End implements LinkOutbox, LinkListener {
        final Queue<byte[]> inbox = new ArrayDeque<>();
        final List<Long> sentAt = new ArrayList<>();
        final List<Long> arrivedAt = new ArrayList<>();
        final List<Long> doubtedAt = new ArrayList<>();
        final LinkLiveness link;
        End far = this;
        long now;
        long roundAt;

        End(long guid) {
            link = new LinkLiveness(RULES, 1, guid, 1, random.split(), ROUND, this, this);
        }

        @Override
        public void send(int port, LinkHello hello) {
            ByteBuffer bytes = ByteBuffer.allocate(LinkHello.LENGTH);
            hello.write(bytes);
            sentAt.add(now);
            if (!cut) {
                far.inbox.add(bytes.array());
                far.arrivedAt.add(now);
            }
        }

        @Override
        public void heard(int port, HandshakeStatus status) {}

        @Override
        public void doubted(int port) {
            doubtedAt.add(now);
        }

        void passTo(long time) {
            now = time;
            if (now < Math.min(roundAt, link.nextDecision())) {
                return;
            }
            LinkHello hello = new LinkHello();
            while (!inbox.isEmpty()) {
                assertThat(hello.read(ByteBuffer.wrap(inbox.remove()))).isNull();
                link.receive(now, hello);
            }
            if (link.nextDeadline() <= now) {
                link.tick(now);
            }
            roundAt = now >= roundAt ? now + ROUND - random.nextLong(ROUND / 10) : roundAt;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 3, 8, 15})
    void shouldSayHelloWithinTheIntervalAndDoubtNobodyButASilentFarEnd(long phaseMillis) {
        End near = new End(0x10);
        End far = new End(0x20);
        near.far = far;
        far.far = near;
        near.link.start(0);
        far.link.start(0);
        far.roundAt = phaseMillis * MILLI;

        long cutAt = 20_000 * MILLI + phaseMillis * MILLI;
        for (long time = 0; time < cutAt + 100 * MILLI; time += STEP) {
            cut = time >= cutAt;
            near.passTo(time);
            far.passTo(time);
        }

        List<Long> steady = near.sentAt.stream()
                .filter(at -> at > 3_000 * MILLI && at < cutAt)
                .toList();
        for (int i = 1; i < steady.size(); i++) {
            assertThat(steady.get(i) - steady.get(i - 1))
                    .isBetween(RULES.transmitNanos() - ROUND, RULES.transmitNanos());
        }
        long last = near.arrivedAt.get(near.arrivedAt.size() - 1);
        assertThat(near.doubtedAt)
                .singleElement()
                .satisfies(at -> assertThat(at - last)
                        .isBetween(
                                RULES.detectionNanos() / 2 - ROUND / 2 - STEP,
                                RULES.detectionNanos() / 2 + ROUND / 2 + STEP));
    }
}
