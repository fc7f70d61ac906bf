package io.dmodc.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PatternTest {
    private static byte[] byTheFormula(Pattern pattern, int from, int to) {
        byte[] entries = new byte[to - from];
        for (int c = from; c < to; c++) {
            long step = ((long) c + pattern.phase()) / pattern.divider();
            entries[c - from] = pattern.ports()[(int) (step % pattern.ports().length)];
        }
        return entries;
    }

    private static byte[] filled(Pattern pattern, int from, int to) {
        byte[] into = new byte[to - from + 7];
        pattern.fill(into, 3, from, to);
        byte[] between = new byte[to - from];
        System.arraycopy(into, 3, between, 0, between.length);
        assertThat(new byte[] {into[0], into[1], into[2]}).containsOnly(0);
        assertThat(into[into.length - 4]).isZero();
        return between;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldFillAnyColumnsAsTheFormulaSays(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 3000; round++) {
            byte[] ports = new byte[1 + random.nextInt(70)];
            random.nextBytes(ports);
            int divider = 1 + random.nextInt(1 << random.nextInt(31));
            Pattern pattern = new Pattern(divider, random.nextInt(Integer.MAX_VALUE), ports);
            int from = random.nextInt(1 << random.nextInt(20));
            int to = from + 1 + random.nextInt(2000);

            byte[] entries = byTheFormula(pattern, from, to);

            assertThat(filled(pattern, from, to)).isEqualTo(entries);
            assertThat(pattern.port(to - 1)).isEqualTo(entries[entries.length - 1]);
            if (pattern.steps(from, to) > 2) {
                assertThat(filled(pattern.cut(from, to), from, to)).isEqualTo(entries);
                assertThat(pattern.cut(from, to).ports()).hasSize(pattern.steps(from, to));
            }
        }
    }

    @Test
    void shouldCountStepsAndFindTheNext() {
        Pattern pattern = new Pattern(32, 5, new byte[] {1, 2, 3});

        assertThat(pattern.steps(0, 27)).isEqualTo(1);
        assertThat(pattern.steps(0, 28)).isEqualTo(2);
        assertThat(pattern.steps(26, 28)).isEqualTo(2);
        assertThat(pattern.nextStep(0)).isEqualTo(27);
        assertThat(pattern.nextStep(27)).isEqualTo(59);
    }

    @Test
    void shouldBeEqualWhereOnlyWholePeriodsLieBetweenThePhases() {
        Pattern pattern = new Pattern(4, 1, new byte[] {1, 2, 3});

        assertThat(pattern).isEqualTo(new Pattern(4, 25, new byte[] {1, 2, 3}));
        assertThat(pattern).hasSameHashCodeAs(new Pattern(4, 25, new byte[] {1, 2, 3}));
        assertThat(pattern).isNotEqualTo(new Pattern(4, 2, new byte[] {1, 2, 3}));
        assertThat(pattern).isNotEqualTo(new Pattern(3, 1, new byte[] {1, 2, 3}));
        assertThat(pattern).isNotEqualTo(new Pattern(4, 1, new byte[] {1, 2, 4}));
    }
}
