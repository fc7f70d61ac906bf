package io.dmodc.detector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The two reliable broadcasts against their sources: SC16 slides 16 to 18 (after Ramanathan and Shin, IEEE ToC 1988),
 * Angskun et al., ISPA 2007, and the revoke of ULFM, which is what travels here.
 */
class BroadcastPaperTest {
    /** Slide 16, the whole table: the path of each copy to each node, by the node the source sent it to. */
    @Test
    void shouldSendTheCopiesOfSlide16() {
        LockStep cube = new LockStep(8, Overlay.Kind.HYPERCUBE);

        cube.revoke(0, 1);

        assertThat(IntStream.range(1, 8).mapToObj(node -> pathsTo(cube, node)))
                .containsExactly(
                        "1 | 0 0-2-3 0-4-5",
                        "2 | 0-1-3 0 0-4-6",
                        "3 | 0-1 0-2 0-4-5-7",
                        "4 | 0-1-5 0-2-6 0",
                        "5 | 0-1 0-2-6-7 0-4",
                        "6 | 0-1-3-7 0-2 0-4",
                        "7 | 0-1-3 0-2-6 0-4-5");
    }

    private static String pathsTo(LockStep cube, int node) {
        return node + " | "
                + IntStream.range(0, 3)
                        .mapToObj(copy -> cube.deliveries.stream()
                                .filter(d -> d.to() == node && d.message().copy == copy)
                                .map(LockStep.Delivery::path)
                                .collect(Collectors.joining("?")))
                        .collect(Collectors.joining(" "));
    }

    /** k (n - 1) messages, at most k + 1 hops, whoever begins. */
    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 16, 64, 256})
    void shouldSendKTimesNMinusOneMessagesInKPlusOneSteps(int n) {
        int k = Integer.numberOfTrailingZeros(n);
        LockStep cube = new LockStep(n, Overlay.Kind.HYPERCUBE);

        cube.revoke(n / 3, 1);

        assertThat(cube.deliveries).hasSize(k * (n - 1));
        assertThat(cube.deliveries).allSatisfy(d -> assertThat(d.message().hops).isLessThanOrEqualTo(k + 1));
        assertThat(cube.missed(n / 3)).isZero();
    }

    /** The copies to one node share no node on their way but the source. */
    @ParameterizedTest
    @ValueSource(ints = {8, 16, 32})
    void shouldUseDisjointPaths(int n) {
        LockStep cube = new LockStep(n, Overlay.Kind.HYPERCUBE);

        cube.revoke(5, 1);

        for (int node = 0; node < n; node++) {
            int to = node;
            assertThat(cube.deliveries.stream()
                            .filter(d -> d.to() == to)
                            .flatMap(d -> Arrays.stream(d.path().split("-")).skip(1)))
                    .as("on the ways to %d of %d", node, n)
                    .doesNotHaveDuplicates();
        }
    }

    /** "Completes if f ≤ ⌊log(n)⌋ - 1": every set of so many dead nodes, at whose death nobody knows of them yet. */
    @ParameterizedTest
    @ValueSource(ints = {4, 8, 16, 32})
    void shouldReachAllOverEverySetOfKMinusOneDead(int n) {
        int k = Integer.numberOfTrailingZeros(n);

        assertThat(cuts(n, k == 5 ? 3 : k - 1)).isZero();
    }

    /** The theorem's bound is sharp: of the sets of k dead nodes, these many cut somebody off. */
    @ParameterizedTest
    @CsvSource({"4, 1", "8, 11", "16, 183"})
    void shouldMissSomebodyOverSomeSetsOfKDead(int n, int sets) {
        assertThat(cuts(n, Integer.numberOfTrailingZeros(n))).isEqualTo(sets);
    }

    /** Slide 17: for n ≠ 2^l two broadcasts, here over all or 3,000 sampled sets of ⌊log n⌋ - 1 dead. */
    @Test
    void shouldReachAllForAnyNodeCountWithTwoBroadcasts() {
        for (int n = 5; n <= 31; n++) {
            int k = 31 - Integer.numberOfLeadingZeros(n);
            LockStep cube = new LockStep(n, Overlay.Kind.HYPERCUBE);
            int[] epoch = {0};
            forSets(n, k - 1, 3_000, dead -> {
                revokeOver(cube, dead, ++epoch[0]);
                assertThat(cube.missed(0)).as("n %d, dead %s", cube.count, dead).isZero();
            });
        }
    }

    /**
     * "Source s sends its current list D; no update of D during the broadcast": over many live counts, with some nodes
     * known dead and up to k - 1 more that nobody knows of.
     */
    @Test
    void shouldStepOverTheDeadItKnowsAndToleratesMore() {
        SplittableRandom random = new SplittableRandom(4);
        for (int round = 0; round < 60; round++) {
            int n = 12 + random.nextInt(60);
            LockStep cube = new LockStep(n, Overlay.Kind.HYPERCUBE);
            int[] dead = distinct(random, n, 1 + random.nextInt(6));
            int k = 31 - Integer.numberOfLeadingZeros(n - dead.length);
            int[] more = distinct(random, n, k - 1);
            for (int subject : dead) {
                IntStream.range(0, n).filter(node -> node != subject).forEach(node -> cube.tellDead(node, subject));
            }
            IntStream.concat(Arrays.stream(dead), Arrays.stream(more)).forEach(cube.down::set);
            cube.forget();
            assertThat(cube.detectors.get(0).deadCount()).isEqualTo(dead.length);

            cube.revoke(0, 1);

            assertThat(cube.missed(0)).as("round %d, n %d", round, n).isZero();
        }
    }

    /** D belongs to the message: who knows of more dead than the source still forwards by the source's numbers. */
    @Test
    void shouldForwardByTheMessagesDNotByItsOwn() {
        LockStep cube = new LockStep(16, Overlay.Kind.HYPERCUBE);
        for (int node = 1; node < 16; node += 2) {
            cube.tellDead(node, 14);
        }
        cube.down.set(14);
        cube.forget();

        cube.revoke(0, 1);

        assertThat(cube.missed(0)).isZero();
        assertThat(cube.deliveries).hasSize(4 * 15 - copiesLostAt(14));
    }

    /** A dead holder of copy j keeps from others what it would have handed on; 14 = 1110: 4 copies and their subtrees. */
    private static int copiesLostAt(int slot) {
        LockStep whole = new LockStep(16, Overlay.Kind.HYPERCUBE);
        whole.revoke(0, 1);
        return (int) whole.deliveries.stream()
                .filter(d ->
                        d.to() == slot || Arrays.asList(d.path().split("-")).contains(String.valueOf(slot)))
                .count();
    }

    /** T-b: a datagram that the network doubles is not handed on twice. */
    @Test
    void shouldForwardEachCopyOnce() {
        LockStep cube = new LockStep(16, Overlay.Kind.HYPERCUBE);
        cube.revoke(0, 1);
        RingMessage copy = cube.deliveries.get(0).message();
        int to = cube.deliveries.get(0).to();
        cube.forget();

        cube.deliverTo(to, copy);
        cube.revoke(0, 1);

        assertThat(cube.deliveries).isEmpty();
    }

    /** ULFM: "a single round of emissions to all its neighbours": n times degree messages, however many are dead. */
    @ParameterizedTest
    @ValueSource(ints = {2, 16, 33, 100, 1024})
    void shouldFloodOnceFromEachNode(int n) {
        LockStep flood = new LockStep(n, Overlay.Kind.BINOMIAL);
        int degree = Overlay.neighbours(0, n).length;

        flood.revoke(n / 2, 1);

        assertThat(flood.missed(n / 2)).isZero();
        assertThat(flood.deliveries).hasSize(degree + (n - 1) * (degree - 1));
        assertThat(flood.deliveries)
                .allSatisfy(d -> assertThat(d.message().deadCount).isZero());
    }

    /** A BMG is "D-1 node fault tolerant in all cases": sampled sets of degree - 1 dead, and one node's neighbours. */
    @Test
    void shouldReachAllWhileFewerThanTheDegreeAreDead() {
        for (int n = 5; n <= 70; n++) {
            LockStep flood = new LockStep(n, Overlay.Kind.BINOMIAL);
            int degree = Overlay.neighbours(0, n).length;
            int[] epoch = {0};
            forSets(n, Math.min(degree - 1, n - 2), 60, dead -> {
                revokeOver(flood, dead, ++epoch[0]);
                assertThat(flood.missed(0))
                        .as("n %d, dead %s", flood.count, dead)
                        .isZero();
            });
        }
    }

    /** ⌈log2 n⌉ / 2 + 1 hops at most: 2, 3, 4, 5 and 8 for n = 16, 64, 128, 1,024 and 100,000. */
    @ParameterizedTest
    @CsvSource({"16, 2", "64, 3", "128, 4", "1024, 5", "100000, 8"})
    void shouldNeedHalfTheLogarithmOfHops(int n, int diameter) {
        int[] hops = new int[n];
        int[] queue = new int[n];
        int reached = 1;
        for (int next = 0; next < reached; next++) {
            for (int neighbour : Overlay.neighbours(queue[next], n)) {
                if (neighbour != 0 && hops[neighbour] == 0) {
                    hops[neighbour] = hops[queue[next]] + 1;
                    queue[reached++] = neighbour;
                }
            }
        }

        assertThat(reached).isEqualTo(n);
        assertThat(Arrays.stream(hops).max()).hasValue(diameter);
    }

    /** Agreement among survivors: the source dies after its first datagram, and still all or none hear. */
    @ParameterizedTest
    @ValueSource(ints = {8, 16, 33})
    void shouldAgreeThoughTheSourceDiesHavingTold(int n) {
        LockStep flood = new LockStep(n, Overlay.Kind.BINOMIAL);
        RingMessage revoke = new RingMessage();
        revoke.type = MessageType.REVOKE;
        revoke.cluster = 1;
        revoke.epoch = 1;
        revoke.fromSlot = 0;
        revoke.senderGuid = OneNode.guid(0);
        revoke.leaderEpoch = 2;
        revoke.fabricEpoch = 3;
        flood.down.set(0);

        flood.deliverTo(1, revoke);

        assertThat(flood.missed(1)).isZero();
    }

    private static int cuts(int n, int dead) {
        LockStep cube = new LockStep(n, Overlay.Kind.HYPERCUBE);
        int[] epochAndCuts = {0, 0};
        forSets(n, dead, Integer.MAX_VALUE, set -> {
            revokeOver(cube, set, ++epochAndCuts[0]);
            epochAndCuts[1] += cube.missed(0) > 0 ? 1 : 0;
        });
        return epochAndCuts[1];
    }

    private static void revokeOver(LockStep nodes, int[] dead, int epoch) {
        nodes.down.clear();
        for (int slot : dead) {
            nodes.down.set(slot);
        }
        nodes.forget();
        nodes.revoke(0, epoch);
    }

    /** All sets of so many slots out of 1..n-1, or that many sampled ones if there are more. */
    private static void forSets(int n, int size, int most, Consumer<int[]> test) {
        double sets = 1;
        for (int i = 0; i < size; i++) {
            sets = sets * (n - 1 - i) / (i + 1);
        }
        if (sets <= most) {
            forAllSets(n, new int[size], 0, 1, test);
        } else {
            SplittableRandom random = new SplittableRandom(n);
            for (int i = 0; i < most; i++) {
                test.accept(distinct(random, n, size));
            }
        }
    }

    private static void forAllSets(int n, int[] set, int filled, int from, Consumer<int[]> test) {
        if (filled == set.length) {
            test.accept(set);
            return;
        }
        for (int slot = from; slot < n; slot++) {
            set[filled] = slot;
            forAllSets(n, set, filled + 1, slot + 1, test);
        }
    }

    private static int[] distinct(SplittableRandom random, int n, int size) {
        return random.ints(1, n).distinct().limit(size).toArray();
    }
}
