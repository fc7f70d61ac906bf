package io.dmodc.routing.dmodc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Against {@link BitSet}, member by member. */
class CandidateSetTest {
    static final int GROUPS_MAX = 254;

    /** Members in stretches, single ones, or nearly all. */
    static BitSet draw(SplittableRandom random, int groupCount) {
        BitSet set = new BitSet();
        int some = random.nextInt(5);
        if (some == 0) {
            set.set(0, groupCount);
        }
        for (int i = random.nextInt(6); i > 0; i--) {
            int from = random.nextInt(groupCount);
            set.flip(from, some == 1 ? random.nextInt(from, groupCount) + 1 : from + 1);
        }
        return set;
    }

    static CandidateSet of(BitSet members) {
        long[] words = Arrays.copyOf(members.toLongArray(), 4);
        CandidateSet set = new CandidateSet();
        set.become(words[0], words[1], words[2], words[3]);
        return set;
    }

    @Test
    void shouldListAndChooseMembersInOrder() {
        SplittableRandom random = new SplittableRandom(1);
        byte[] of = new byte[GROUPS_MAX];
        for (int i = 0; i < of.length; i++) {
            of[i] = (byte) (of.length - i);
        }
        for (int run = 0; run < 5_000; run++) {
            BitSet members = draw(random, random.nextInt(1, GROUPS_MAX + 1));

            CandidateSet set = of(members);

            assertThat(set.toArray()).isEqualTo(members.stream().toArray());
            assertThat(set.size()).isEqualTo(members.cardinality());
            assertThat(set.isEmpty()).isEqualTo(members.isEmpty());
            byte[] expected = new byte[members.cardinality()];
            int count = 0;
            for (int member = members.nextSetBit(0); member >= 0; member = members.nextSetBit(member + 1)) {
                expected[count++] = of[member];
            }
            assertThat(set.choose(of)).as("run %d: %s", run, members).isEqualTo(expected);
        }
    }

    @Test
    void shouldHaveTheFirstMembers() {
        for (int count = 0; count <= GROUPS_MAX; count++) {
            BitSet first = new BitSet();
            first.set(0, count);

            assertThat(CandidateSet.firstOf(count).is(of(first)))
                    .as("%d", count)
                    .isTrue();
        }
    }

    @Test
    void shouldTellEqualSetsFromOthers() {
        SplittableRandom random = new SplittableRandom(2);
        for (int run = 0; run < 2_000; run++) {
            BitSet members = draw(random, GROUPS_MAX);
            BitSet others = (BitSet) members.clone();
            others.flip(random.nextInt(GROUPS_MAX));

            assertThat(of(members).is(of(members))).isTrue();
            assertThat(of(members).hash()).isEqualTo(of(members).hash());
            assertThat(of(members).is(of(others))).isFalse();
        }
    }
}
