package io.dmodc.routing.dmodc;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.PortPattern;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** One table, used again and again for few and for many groups, against a map of bit sets. */
class PatternTableTest {
    @Test
    void shouldFindWhatAMapWould() {
        SplittableRandom random = new SplittableRandom(1);
        PatternTable table = new PatternTable();
        for (int run = 0; run < 400; run++) {
            int groupCount = random.nextInt(1, CandidateSetTest.GROUPS_MAX + 1);
            int sets = random.nextInt(run % 10 == 0 ? 3_000 : 100);
            Map<BitSet, PortPattern> expected = new HashMap<>();
            table.clear(groupCount);
            for (int i = 0; i < sets; i++) {
                BitSet members = CandidateSetTest.draw(random, groupCount);
                CandidateSet set = CandidateSetTest.of(members);

                assertThat(table.get(set)).as("run %d: %s", run, members).isSameAs(expected.get(members));

                if (!expected.containsKey(members)) {
                    PortPattern pattern = PortPattern.constant(i & 0xff);
                    table.put(set, pattern);
                    expected.put(members, pattern);
                }
            }
            expected.forEach((members, pattern) ->
                    assertThat(table.get(CandidateSetTest.of(members))).isSameAs(pattern));
        }
    }

    @Test
    void shouldForgetEverythingWhenCleared() {
        PatternTable table = new PatternTable();
        table.clear(64);
        CandidateSet set = CandidateSet.firstOf(7);
        table.put(set, PortPattern.NO_ROUTE);

        table.clear(65);
        assertThat(table.get(set)).isNull();

        table.clear(3);
        assertThat(table.get(set)).isNull();
    }
}
