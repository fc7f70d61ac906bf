package io.dmodc.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PortPatternTest {
    private static final byte UNTOUCHED = 77;

    @Test
    void shouldWriteWhatTheFormulaSays() {
        SplittableRandom random = new SplittableRandom(1);
        RandomRows rows = new RandomRows(random);
        for (int run = 0; run < 5_000; run++) {
            PortPattern pattern = rows.newPattern();
            int from = random.nextInt(6_000);
            int count = rows.entryCount();
            int at = random.nextInt(5);
            byte[] into = new byte[at + count + 3];
            Arrays.fill(into, UNTOUCHED);
            byte[] expected = into.clone();
            for (int i = 0; i < count; i++) {
                expected[at + i] = RandomRows.entry(pattern, from + i);
            }

            pattern.copyTo(from, from + count, into, at);

            assertThat(Arrays.mismatch(into, expected))
                    .as("run %d: %s, %d columns from %d, at %d", run, pattern, count, from, at)
                    .isEqualTo(-1);
            int column = random.nextInt(1 << 20);
            assertThat(pattern.port(column)).isEqualTo(RandomRows.entry(pattern, column) & 0xff);
        }
    }

    @Test
    void shouldHoldTheEntriesOfALiteralAtTheirColumns() {
        SplittableRandom random = new SplittableRandom(2);
        RandomRows rows = new RandomRows(random);
        for (int run = 0; run < 2_000; run++) {
            byte[] entries = rows.bytes(random.nextInt(1, 1_200));
            int at = random.nextInt(entries.length);
            int count = random.nextInt(1, entries.length - at + 1);
            int from = random.nextInt(1 << 20);

            PortPattern literal = PortPattern.literal(entries, at, count, from);

            byte[] into = new byte[count];
            literal.copyTo(from, from + count, into, 0);
            assertThat(into).as("run %d", run).isEqualTo(Arrays.copyOfRange(entries, at, at + count));
            int i = random.nextInt(count);
            assertThat(literal.port(from + i)).isEqualTo(entries[at + i] & 0xff);
        }
    }

    @Test
    void shouldReachTheFarthestColumnsWithTheLargestNumbers() {
        PortPattern pattern = new PortPattern(PortPattern.NUMBER_MAX, PortPattern.NUMBER_MAX, new byte[] {1, 2, 3});
        int last = PortPattern.NUMBER_MAX - 1;
        byte[] into = new byte[4];

        pattern.copyTo(last - 4, last, into, 0);

        assertThat(into).containsOnly(2);
        assertThat(pattern.port(0)).isEqualTo(2);
        assertThat(pattern.port(last)).isEqualTo(2);
    }

    @Test
    void shouldReadEntriesUnsigned() {
        assertThat(PortPattern.constant(254).port(5)).isEqualTo(254);
        assertThat(PortPattern.NO_ROUTE.port(1 << 20)).isEqualTo(LftSet.NO_ROUTE);
    }

    @Test
    void shouldEqualWhatIsWrittenAlike() {
        PortPattern pattern = new PortPattern(3, 2, new byte[] {1, 2});

        assertThat(pattern)
                .isEqualTo(new PortPattern(3, 2, new byte[] {1, 2}))
                .hasSameHashCodeAs(new PortPattern(3, 2, new byte[] {1, 2}))
                .isNotEqualTo(new PortPattern(4, 2, new byte[] {1, 2}))
                .isNotEqualTo(new PortPattern(3, 1, new byte[] {1, 2}))
                .isNotEqualTo(new PortPattern(3, 2, new byte[] {1, 2, 1}))
                .hasToString("(c+2)/3 of 2 ports");
    }

    @ParameterizedTest
    @CsvSource({"0,0,1", "-1,0,1", "1073741825,0,1", "1,-1,1", "1,1073741825,1", "1,0,0"})
    void shouldRefuseNumbersOutOfBounds(int divider, int phase, int ports) {
        assertThatThrownBy(() -> new PortPattern(divider, phase, new byte[ports]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("divider " + divider + ", phase " + phase + ", " + ports
                        + " ports; expected 1..1073741824, 0..1073741824 and at least 1");
    }
}
