package io.dmodc.routing.dmodc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RankQueueTest {
    @Test
    void shouldKeepEachSwitchOnceInTheOrderAdded() {
        SplittableRandom random = new SplittableRandom(1);
        RankQueue queue = new RankQueue(300, 3);
        for (int run = 0; run < 200; run++) {
            List<List<Integer>> expected =
                    List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            for (int i = random.nextInt(600); i > 0; i--) {
                int s = random.nextInt(300);
                queue.add(s, s % 4);
                if (!expected.get(s % 4).contains(s)) {
                    expected.get(s % 4).add(s);
                }
            }

            for (int rank = 0; rank <= 3; rank++) {
                List<Integer> queued = new ArrayList<>();
                for (int i = 0; i < queue.count(rank); i++) {
                    queued.add(queue.get(rank, i));
                }
                assertThat(queued).as("run %d rank %d", run, rank).isEqualTo(expected.get(rank));
            }
            queue.clear();
            assertThat(queue.count(run % 4)).isZero();
        }
    }
}
