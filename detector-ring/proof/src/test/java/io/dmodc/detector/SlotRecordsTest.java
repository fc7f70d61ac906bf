package io.dmodc.detector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The sparse records against one obvious map from slot to record. */
class SlotRecordsTest {
    private record Known(int incarnation, boolean dead, int observer, int silence) {}

    @Test
    void shouldHoldWhatAMapHolds() {
        for (int seed = 0; seed < 500; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int n = 1 + random.nextInt(60);
            Membership membership = membership(1, n, 2);
            SlotRecords records = new SlotRecords(membership);
            Map<Integer, Known> twin = new HashMap<>();

            for (int step = 0; step < 200; step++) {
                int slot = random.nextInt(n);
                Known next = new Known(random.nextInt(6), random.nextBoolean(), random.nextInt(n), random.nextInt(9));
                boolean news = isNews(twin.getOrDefault(slot, new Known(2, false, slot, 0)), next);
                if (news) {
                    twin.put(slot, next.dead ? next : new Known(next.incarnation, false, slot, 0));
                }
                assertThat(records.learn(slot, next.incarnation, next.dead, next.observer, next.silence))
                        .isEqualTo(news);
            }

            assertSame(seed, n, records, twin);
        }
    }

    private static boolean isNews(Known known, Known next) {
        return next.incarnation > known.incarnation
                || (next.incarnation == known.incarnation && next.dead && !known.dead);
    }

    private static void assertSame(int seed, int n, SlotRecords records, Map<Integer, Known> twin) {
        assertThat(records.count()).isEqualTo(twin.size());
        assertThat(records.deadCount())
                .isEqualTo((int) twin.values().stream().filter(Known::dead).count());
        for (int slot = 0; slot < n; slot++) {
            Known known = twin.getOrDefault(slot, new Known(2, false, slot, 0));
            assertThat(new Known(
                            records.incarnation(slot),
                            records.isDead(slot),
                            records.observer(slot),
                            records.silence(slot)))
                    .as("seed %d, slot %d of %d", seed, slot, n)
                    .isEqualTo(known);
            assertThat(records.liveBefore(slot)).isEqualTo(liveBefore(slot, n, twin));
        }
    }

    private static int liveBefore(int slot, int n, Map<Integer, Known> twin) {
        for (int steps = 1; steps < n; steps++) {
            int candidate = Math.floorMod(slot - steps, n);
            if (!twin.containsKey(candidate) || !twin.get(candidate).dead) {
                return candidate;
            }
        }
        return slot;
    }

    /** Whatever the order in which the same facts came, and however often: the hash is the same, and moves with the table. */
    @Test
    void shouldHashTheSameForTheSameKnowledge() {
        for (int seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int n = 2 + random.nextInt(40);
            SlotRecords one = new SlotRecords(membership(1, n, 0));
            SlotRecords other = new SlotRecords(membership(1, n, 0));
            int[] facts = random.ints(30, 0, n * 8).toArray();
            for (int i = 0; i < facts.length; i++) {
                learn(one, facts[i]);
                learn(other, facts[facts.length - 1 - i]);
                learn(other, facts[facts.length - 1 - i]);
            }

            assertThat(one.setHash()).isEqualTo(other.setHash());
            assertThat(one.movedTo(membership(2, n, 0)).setHash()).isEqualTo(one.setHash());
            SlotRecords more = one.movedTo(membership(2, n, 0));
            more.learn(facts[0] % n, 99, true, 0, 0);
            assertThat(more.setHash()).isNotEqualTo(one.setHash());
        }
    }

    private static void learn(SlotRecords records, int fact) {
        int rest = fact / 8;
        records.learn(rest, fact % 4, fact % 8 >= 4, rest, 1);
    }

    private static Membership membership(long epoch, int n, int incarnation) {
        long[] guids = new long[n];
        int[] incarnations = new int[n];
        for (int slot = 0; slot < n; slot++) {
            guids[slot] = OneNode.guid(slot);
            incarnations[slot] = incarnation;
        }
        return new Membership(epoch, 1, guids, incarnations);
    }
}
