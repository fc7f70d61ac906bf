package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeadlinesTest {
    private final Deadlines<Integer> deadlines = new Deadlines<>(Comparator.naturalOrder());

    @Test
    void shouldKeepWhatIsDueUntilItIsCancelledOrSetAnew() {
        deadlines.set(7, 100);

        assertThat(deadlines.due(99)).isEmpty();
        assertThat(deadlines.due(100)).containsExactly(7);
        assertThat(deadlines.due(100)).as("nobody dealt with it").containsExactly(7);
        deadlines.set(7, 200);
        assertThat(deadlines.due(100)).isEmpty();
        assertThat(deadlines.next()).isEqualTo(200);
        deadlines.cancel(7);
        assertThat(deadlines.next()).isEqualTo(Long.MAX_VALUE);
    }

    /** The slow twin looks at everything each time. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldFindWhatScanningEverythingFinds(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<Integer, Long> twin = new TreeMap<>();
        long now = -50;
        for (int step = 0; step < 2_000; step++) {
            int key = random.nextInt(40);
            switch (random.nextInt(4)) {
                case 0, 1 -> {
                    long nanos = now + random.nextInt(-20, 200);
                    deadlines.set(key, nanos);
                    twin.put(key, nanos);
                }
                case 2 -> {
                    deadlines.cancel(key);
                    twin.remove(key);
                }
                default -> {
                    now += random.nextInt(60);
                    List<Integer> due = scanned(twin, now);
                    assertThat(deadlines.due(now))
                            .as("seed %d step %d", seed, step)
                            .isEqualTo(due);
                    assertThat(deadlines.takeDue(now))
                            .as("seed %d step %d", seed, step)
                            .isEqualTo(due);
                    twin.keySet().removeAll(due);
                }
            }
            assertThat(deadlines.next())
                    .as("seed %d step %d", seed, step)
                    .isEqualTo(twin.values().stream().mapToLong(t -> t).min().orElse(Long.MAX_VALUE));
            assertThat(deadlines.size()).isEqualTo(twin.size());
            assertThat(deadlines.contains(key)).isEqualTo(twin.containsKey(key));
            assertThat(deadlines.isDue(key, now)).isEqualTo(twin.getOrDefault(key, Long.MAX_VALUE) <= now);
        }
    }

    /** By moment, then by key. */
    private static List<Integer> scanned(Map<Integer, Long> twin, long now) {
        return twin.entrySet().stream()
                .filter(entry -> entry.getValue() <= now)
                .sorted(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .toList();
    }
}
