package io.dmodc.routing.dmodc;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.PortPattern;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Patterns against equations (3) and (4), column by column. */
class PortLayoutTest {
    private static final int PORTS_MAX = 4_096;
    private static final int RUNS = 1_000 * Integer.getInteger("more", 1);

    private final SplittableRandom random = new SplittableRandom(20_261_121);

    @Test
    void shouldMakeThePatternsOfTheEquations() {
        int writtenOut = 0;
        for (int run = 0; run < RUNS; run++) {
            int groupCount = random.nextInt(1, random.nextBoolean() ? 12 : 255);
            RandomLayout drawn = new RandomLayout(random, groupCount, random.nextInt(1, 9));
            BitSet candidates = CandidateSetTest.draw(random, groupCount);
            if (candidates.isEmpty()) {
                candidates.set(random.nextInt(groupCount));
            }
            int from = random.nextInt(100_000);
            int to = from + random.nextInt(1, 3_000);

            PortPattern pattern = drawn.layout.pattern(CandidateSetTest.of(candidates));

            if (pattern == null) {
                assertThat(drawn.period(candidates)).isGreaterThan(PORTS_MAX);
                pattern = drawn.layout.writtenOut(CandidateSetTest.of(candidates), from, to);
                writtenOut++;
            } else {
                assertThat(pattern.portCount()).isEqualTo((int) drawn.period(candidates));
            }
            assertThat(drawn.layout.groupCount()).isEqualTo(groupCount);
            for (int column = from; column < to; column++) {
                if (pattern.port(column) != drawn.port(candidates, column)) {
                    assertThat(pattern.port(column))
                            .as("run %d: %s, column %d", run, candidates, column)
                            .isEqualTo(drawn.port(candidates, column));
                }
            }
        }
        assertThat(writtenOut).as("patterns that repeat too late").isBetween(RUNS / 30, RUNS * 2 / 3);
    }

    @Test
    void shouldKeepThePatternOfAllGroups() {
        for (int run = 0; run < 300; run++) {
            int groupCount = random.nextInt(1, 40);
            RandomLayout drawn = new RandomLayout(random, groupCount, 3);
            BitSet all = new BitSet();
            all.set(0, groupCount);

            PortPattern pattern = drawn.layout.allGroups();

            assertThat(pattern).isEqualTo(drawn.layout.pattern(CandidateSetTest.of(all)));
            assertThat(drawn.layout.allGroups()).isSameAs(pattern);
        }
    }

    @Test
    void shouldShareConstantsBetweenLayouts() {
        RandomLayout one = new RandomLayout(random, 254, 1);
        RandomLayout other = new RandomLayout(random, 254, 1);
        BitSet single = new BitSet();
        single.set(17);
        BitSet same = new BitSet();
        same.set(other.groups.indexOf(one.groups.get(17)));

        assertThat(one.layout.pattern(CandidateSetTest.of(single)))
                .isSameAs(other.layout.pattern(CandidateSetTest.of(same)));
    }
}
