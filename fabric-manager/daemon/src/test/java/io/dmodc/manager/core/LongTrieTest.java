package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LongTrieTest {
    /** Few different bits, so that keys are met again; all 64, so that signs differ. */
    private static long key(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(16);
            case 1 -> 1L << random.nextInt(64);
            case 2 -> -1L >>> random.nextInt(64);
            default -> random.nextLong() & 0xc000_0000_0000_00ffL;
        };
    }

    /** What is kept when some map was handed out must be in it for ever. */
    private record HandedOut(LongTrie<Integer> trie, Map<Long, Integer> was) {}

    @Test
    void shouldDoAsATreeMapAndNeverChangeWhatWasHandedOut() {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            LongTrie<Integer> trie = LongTrie.empty();
            Map<Long, Integer> twin = new TreeMap<>(Long::compareUnsigned);
            List<HandedOut> handedOut = new ArrayList<>();
            for (int step = 0; step < 400; step++) {
                long key = key(random);
                if (random.nextInt(3) > 0) {
                    trie = trie.with(key, step);
                    twin.put(key, step);
                } else {
                    trie = trie.without(key);
                    twin.remove(key);
                }
                assertThat(trie.get(key)).as("seed %d step %d", seed, step).isEqualTo(twin.get(key));
                if (step % 40 == 0) {
                    handedOut.add(new HandedOut(trie, new TreeMap<>(twin)));
                }
            }
            handedOut.add(new HandedOut(trie, twin));
            for (HandedOut one : handedOut) {
                assertSame(one, "seed " + seed);
            }
        }
    }

    private static void assertSame(HandedOut one, String as) {
        List<Integer> ordered = new ArrayList<>();
        one.was.keySet().stream().sorted(Long::compareUnsigned).forEach(key -> {
            ordered.add(one.was.get(key));
            assertThat(one.trie.get(key)).as(as).isEqualTo(one.was.get(key));
            assertThat(one.trie.has(key)).as(as).isTrue();
        });
        assertThat(one.trie.values()).as(as).isEqualTo(ordered);
        assertThat(one.trie.size()).as(as).isEqualTo(ordered.size());
        assertThat(one.trie.first()).as(as).isEqualTo(ordered.isEmpty() ? null : ordered.get(0));
        assertThat(one.trie.last()).as(as).isEqualTo(ordered.isEmpty() ? null : ordered.get(ordered.size() - 1));
    }

    @Test
    void shouldHoldNothingAtFirst() {
        LongTrie<String> empty = LongTrie.empty();

        assertThat(empty.size()).isZero();
        assertThat(empty.get(0)).isNull();
        assertThat(empty.first()).isNull();
        assertThat(empty.last()).isNull();
        assertThat(empty.values()).isEmpty();
        assertThat(empty.without(5)).isSameAs(empty);
    }
}
