package io.dmodc.routing.dmodc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** One list, used again and again for few and for many groups, against a map of bit sets. */
class CandidateSetRunsTest {
    private final SplittableRandom random = new SplittableRandom(1);
    private final CandidateSetRuns runs = new CandidateSetRuns();

    @Test
    void shouldNumberSetsAsAMapWould() {
        for (int run = 0; run < 400; run++) {
            int groupCount = random.nextInt(1, CandidateSetTest.GROUPS_MAX + 1);
            int sets = random.nextInt(run % 10 == 0 ? 3_000 : 100);
            Map<BitSet, Integer> expected = new HashMap<>();
            runs.clear(groupCount);
            for (int i = 0; i < sets; i++) {
                BitSet members = CandidateSetTest.draw(random, groupCount);
                int number = expected.computeIfAbsent(members, m -> expected.size());

                runs.add(2 * i, 2 * i + 1, CandidateSetTest.of(members));

                assertThat(runs.set(i)).as("run %d: %s", run, members).isEqualTo(number);
            }
            assertThat(runs.setCount()).isEqualTo(expected.size());
            CandidateSet read = new CandidateSet();
            expected.forEach((members, number) -> {
                runs.read(number, read);
                assertThat(read.is(CandidateSetTest.of(members))).isTrue();
            });
        }
    }

    @Test
    void shouldJoinTargetsThatFollowWithEqualSets() {
        CandidateSet few = CandidateSet.firstOf(3);
        runs.clear(70);
        runs.add(4, 6, few);
        runs.add(6, 7, few);
        runs.add(7, 8, CandidateSet.firstOf(65));
        runs.add(9, 12, CandidateSet.firstOf(65));

        List<String> made = new ArrayList<>();
        for (int run = 0; run < runs.count(); run++) {
            made.add(runs.from(run) + ".." + runs.to(run) + " " + runs.set(run));
        }

        assertThat(made).containsExactly("4..7 0", "7..8 1", "9..12 1");
        assertThat(runs.targetCount()).isEqualTo(7);
        assertThat(runs.firstEndingAfter(3)).isZero();
        assertThat(runs.firstEndingAfter(6)).isZero();
        assertThat(runs.firstEndingAfter(7)).isEqualTo(1);
        assertThat(runs.firstEndingAfter(8)).isEqualTo(2);
        assertThat(runs.firstEndingAfter(12)).isEqualTo(3);
    }
}
