package io.dmodc.detector;

import static io.dmodc.detector.MessageType.ALIVE;
import static io.dmodc.detector.MessageType.DEAD;
import static io.dmodc.detector.MessageType.REVOKE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** News goes on at the end of a batch of messages: once, in its last state, to those who have not sent it meanwhile. */
class NewsBatchTest {
    /** Neighbours of slot 4 among 40: 0 2 3 5 6 8 12 20 28 36. */
    private final OneNode node = new OneNode(4, 40);

    @Test
    void shouldKeepNewsUntilTheBatchEnds() {
        node.takeSent();

        node.detector.receive(0, node.dead(8, 30, 1, 31, 2));
        assertThat(node.takeReceivers(DEAD)).isEmpty();
        node.detector.spreadNews();
        assertThat(node.takeReceivers(DEAD)).containsExactlyInAnyOrder(0, 2, 3, 5, 6, 12, 20, 28, 36);
        node.detector.spreadNews();
        assertThat(node.takeReceivers(DEAD)).isEmpty();
    }

    @Test
    void shouldLeaveOutWhoSentTheSameMeanwhile() {
        node.takeSent();

        node.detector.receive(0, node.dead(8, 30, 1, 31, 2));
        node.detector.receive(0, node.dead(12, 30, 1, 31, 3));
        node.detector.receive(0, node.dead(36, 30, 1, 33, 1));
        node.detector.receive(0, node.dead(17, 30, 1, 33, 1));
        node.detector.spreadNews();

        assertThat(node.takeReceivers(DEAD)).containsExactlyInAnyOrder(0, 2, 3, 5, 6, 20, 28);
    }

    /** Who says less than this node knows has to be told. */
    @Test
    void shouldNotLeaveOutWhoSentSomethingOlder() {
        node.receive(node.dead(8, 30, 1, 31, 2));
        node.takeSent();

        node.detector.receive(0, node.alive(8, 30, 2));
        node.detector.receive(0, node.dead(12, 30, 1, 31, 2));
        node.detector.spreadNews();

        assertThat(node.takeReceivers(ALIVE)).containsExactlyInAnyOrder(0, 2, 3, 5, 6, 12, 20, 28, 36);
    }

    /** Who sent the first news of a batch does not have the second. */
    @Test
    void shouldSpreadOnlyTheLastStateOfASubject() {
        node.takeSent();

        node.detector.receive(0, node.dead(8, 30, 1, 31, 2));
        node.detector.receive(0, node.alive(12, 30, 2));
        node.detector.receive(0, node.dead(20, 30, 2, 31, 5));
        node.detector.spreadNews();

        assertThat(node.takeSent())
                .allSatisfy(sent -> {
                    assertThat(sent.message().type).isEqualTo(DEAD);
                    assertThat(sent.message().subjectIncarnation).isEqualTo(2);
                    assertThat(sent.message().hops).isEqualTo(6);
                })
                .extracting(OneNode.Sent::to)
                .containsExactlyInAnyOrder(0, 2, 3, 5, 6, 8, 12, 28, 36);
    }

    @Test
    void shouldTreatARevocationLikeOtherNews() {
        node.takeSent();

        node.detector.receive(0, revoke(8, 3));
        node.detector.receive(0, revoke(12, 3));
        node.detector.receive(0, revoke(20, 2));
        node.detector.spreadNews();

        assertThat(node.takeReceivers(REVOKE)).containsExactlyInAnyOrder(0, 2, 3, 5, 6, 20, 28, 36);
    }

    /** More news than is kept: what waits goes on earlier, nothing is lost. */
    @Test
    void shouldSpreadAllOfALargeBatch() {
        node.takeSent();
        int[] subjects = IntStream.range(13, 13 + PendingNews.LIMIT + 3)
                .filter(slot -> slot != 20 && slot != 28)
                .toArray();

        for (int subject : subjects) {
            node.detector.receive(0, node.dead(8, subject, 1, 39, 2));
        }
        node.detector.spreadNews();

        assertThat(node.takeSent())
                .filteredOn(sent -> sent.to() == 36)
                .extracting(sent -> (int) (sent.message().subjectGuid - OneNode.guid(0)))
                .containsExactlyElementsOf(IntStream.of(subjects).boxed().toList());
    }

    /** Slot numbers change with the membership: what waits must leave in the numbers it was told in. */
    @Test
    void shouldSpreadBeforeAnotherMembership() {
        node.takeSent();

        node.detector.receive(0, node.dead(8, 30, 1, 31, 2));
        node.install(6, 4, IntStream.range(0, 40).map(slot -> 1).toArray());
        node.detector.spreadNews();

        assertThat(node.takeSent())
                .filteredOn(sent -> sent.message().type == DEAD)
                .hasSize(9)
                .allSatisfy(sent -> assertThat(sent.message().epoch).isEqualTo(OneNode.EPOCH));
    }

    /** What arrived as a copy of a hypercube broadcast makes what waits out of date: nobody is left out for the old news. */
    @Test
    void shouldForgetWhoHasTheOldNewsWhenACopyBringsNewer() {
        node.takeSent();
        RingMessage copy = node.alive(20, 30, 2);
        copy.copy = 0;
        copy.sourceSlot = 30;

        node.detector.receive(0, node.dead(8, 30, 1, 31, 2));
        node.detector.receive(0, copy);
        node.detector.spreadNews();

        assertThat(node.takeSent())
                .filteredOn(sent -> sent.message().copy == RingMessage.NO_COPY && sent.message().type == ALIVE)
                .extracting(OneNode.Sent::to)
                .contains(8);
    }

    /** Beside the slow twin that passes each message on by itself: all know, and fewer than three quarters of the copies do. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldReachAllWithFewerCopiesThanWithoutBatches(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long copies = 0;
        long copiesOneByOne = 0;
        for (int i = 0; i < 75 * Integer.getInteger("more", 1); i++) {
            int n = random.nextInt(4, 120);
            int most = Math.min(Overlay.neighbours(0, n).length - 1, n - 2);
            int[] dead = random.ints(0, n)
                    .distinct()
                    .limit(random.nextInt(2, most + 1))
                    .toArray();
            long draw = random.nextLong();

            LockStep batches = flood(n, dead, new SplittableRandom(draw), random.split());
            LockStep oneByOne = flood(n, dead, new SplittableRandom(draw), null);

            assertThat(unaware(batches, dead))
                    .as("seed %d, ring %d of %d", seed, i, n)
                    .isZero();
            copies += deaths(batches);
            copiesOneByOne += deaths(oneByOne);
        }
        assertThat(copies).isLessThan(copiesOneByOne * 3 / 4);
    }

    /** Each death but the first is learnt by one live node, from the first one before it died; all at once. */
    private static LockStep flood(int n, int[] dead, SplittableRandom witnesses, @Nullable SplittableRandom turns) {
        LockStep ring = new LockStep(n, Overlay.Kind.BINOMIAL, turns);
        IntStream.of(dead).forEach(ring.down::set);
        for (int subject : subjects(dead)) {
            int witness = witnesses.nextInt(n);
            while (ring.down.get(witness)) {
                witness = (witness + 1) % n;
            }
            ring.learnDead(witness, subject, dead[0]);
        }
        ring.run();
        return ring;
    }

    private static long unaware(LockStep ring, int[] dead) {
        return IntStream.range(0, ring.count)
                .filter(slot -> !ring.down.get(slot))
                .mapToLong(slot -> IntStream.of(subjects(dead))
                        .filter(subject -> !ring.detectors.get(slot).isDead(subject))
                        .count())
                .sum();
    }

    private static int[] subjects(int[] dead) {
        return Arrays.copyOfRange(dead, 1, dead.length);
    }

    private static long deaths(LockStep ring) {
        return ring.deliveries.stream().filter(d -> d.message().type == DEAD).count();
    }

    private RingMessage revoke(int from, long fabricEpoch) {
        RingMessage message = node.from(from, REVOKE);
        message.leaderEpoch = 1;
        message.fabricEpoch = fabricEpoch;
        return message;
    }
}
