package io.dmodc.routing.dmodc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class LayerBitsTest {
    private final SplittableRandom random = new SplittableRandom(20261129);

    @Test
    void shouldSayWhereTargetsBeginAndEnd() {
        for (int run = 0; run < 5_000; run++) {
            long[] words = sparse(random.nextInt(1, 7));
            LayerBits bits = new LayerBits(words.clone());
            TargetSet targets = TargetSet.of(sparse(words.length));
            long[] found = sparse(targets.count());
            for (int i = 0; i < found.length; i++) {
                words[targets.word(i)] = found[i];
            }

            LayerBits after = bits.with(targets, found, words.length);

            assertBounds(bits, "run " + run);
            assertBounds(after, "run " + run + " after");
            assertThat(Arrays.copyOfRange(after.words, after.at, after.at + after.length))
                    .as("run %d", run)
                    .isEqualTo(words);
        }
    }

    @Test
    void shouldSayWhereOneTargetIs() {
        long[][] shared = new long[Long.SIZE][0];
        for (int target = 0; target < 300; target++) {
            assertBounds(LayerBits.of(target, 5, shared), "target " + target);
        }
    }

    private static void assertBounds(LayerBits bits, String what) {
        BitSet set = BitSet.valueOf(Arrays.copyOfRange(bits.words, bits.at, bits.at + bits.length));
        assertThat(bits.first()).as(what).isEqualTo(set.nextSetBit(0));
        assertThat(bits.last()).as(what).isEqualTo(set.length() - 1);
        assertThat(bits.to - bits.from)
                .as(what)
                .isEqualTo(set.isEmpty() ? 0 : (set.length() - 1) / 64 - set.nextSetBit(0) / 64 + 1);
    }

    private long[] sparse(int count) {
        long[] words = new long[count];
        Arrays.setAll(words, i -> random.nextInt(3) == 0 ? random.nextLong() >>> random.nextInt(64) : 0);
        return words;
    }
}
