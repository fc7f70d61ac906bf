package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.ToldLostPairs.Pair;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whether pairs are lost that nobody was told of. */
class ToldLostPairsTest {
    private static ToldLostPairs lost(long count, int... nodes) {
        Set<Pair> first = IntStream.of(nodes)
                .mapToObj(node -> new Pair(7, node))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        return new ToldLostPairs("some", count, first);
    }

    @Test
    void shouldCountAnotherPairThoughThereAreNotMore() {
        assertThat(lost(2, 3, 5).hasMoreThan(lost(2, 3, 4))).isTrue();
        assertThat(lost(1, 5).hasMoreThan(lost(2, 3, 4))).isTrue();
        assertThat(lost(1, 3).hasMoreThan(ToldLostPairs.NONE)).isTrue();
    }

    @Test
    void shouldNotCountThoseThatWereLostBefore() {
        assertThat(lost(2, 3, 5).hasMoreThan(lost(2, 3, 5))).isFalse();
        assertThat(lost(1, 5).hasMoreThan(lost(2, 3, 5))).isFalse();
        assertThat(ToldLostPairs.NONE.hasMoreThan(lost(2, 3, 5))).isFalse();
    }

    /** Those behind the named ones may have been lost before. */
    @Test
    void shouldGoByTheNumberAndTheFirstOfMany() {
        ToldLostPairs before = lost(20, 1, 2, 3, 4, 5, 6, 7, 9);

        assertThat(lost(21, 1, 2, 3, 4, 5, 6, 7, 9).hasMoreThan(before)).isTrue();
        assertThat(lost(20, 1, 2, 3, 4, 5, 6, 7, 8).hasMoreThan(before)).isTrue();
        assertThat(lost(19, 1, 2, 3, 4, 5, 6, 7, 10).hasMoreThan(before)).isFalse();
    }
}
