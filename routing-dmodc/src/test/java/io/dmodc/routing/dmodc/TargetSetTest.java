package io.dmodc.routing.dmodc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TargetSetTest {
    @Test
    void shouldKeepTheWordsThatAreNotZero() {
        SplittableRandom random = new SplittableRandom(1);
        for (int run = 0; run < 2_000; run++) {
            long[] set = new long[random.nextInt(20)];
            for (int w = 0; w < set.length; w++) {
                set[w] = random.nextInt(3) == 0 ? random.nextLong() : 0;
            }

            TargetSet targets = TargetSet.of(set);

            long[] again = new long[set.length];
            int before = -1;
            for (int i = 0; i < targets.count(); i++) {
                assertThat(targets.word(i)).isGreaterThan(before);
                assertThat(targets.bits(i)).isNotZero();
                before = targets.word(i);
                again[before] = targets.bits(i);
            }
            assertThat(again).as("run %d", run).isEqualTo(set);
            assertThat(targets.isEmpty()).isEqualTo(targets.count() == 0);
        }
    }

    @Test
    void shouldAddToWhatIsThere() {
        long[] set = {1, 0, 4};

        TargetSet.of(new long[] {2, 0, 5}).addTo(set);
        TargetSet.NONE.addTo(set);

        assertThat(set).containsExactly(3, 0, 5);
    }

    @Test
    void shouldHaveAllBits() {
        TargetSet all = TargetSet.all(3);

        assertThat(all.count()).isEqualTo(3);
        assertThat(all.word(2)).isEqualTo(2);
        assertThat(all.bits(2)).isEqualTo(-1);
        assertThat(TargetSet.all(0).isEmpty()).isTrue();
    }
}
