package io.dmodc.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CandidatePortsTest {
    private final SplittableRandom random = new SplittableRandom(20_261_126);

    @Test
    void shouldMakeThePatternOfTheCandidatesThatThereAre() {
        for (int run = 0; run < 3_000; run++) {
            RandomPorts drawn = new RandomPorts(random);
            long candidates = drawn.candidates();
            int column = random.nextInt(1 << 20);

            assertThat(drawn.ports.pattern(candidates)).as("run %d", run).isEqualTo(drawn.pattern(candidates));
            assertThat(drawn.ports.port(candidates, column))
                    .as("run %d", run)
                    .isEqualTo(drawn.pattern(candidates).port(column));
            assertThat(drawn.ports.sameAt(candidates, candidates ^ drawn.ports.places()))
                    .isFalse();
            assertThat(drawn.ports.sameAt(candidates, candidates | ~drawn.ports.places()))
                    .isTrue();
        }
    }

    @Test
    void shouldWriteWhatThePatternSays() {
        for (int run = 0; run < 3_000; run++) {
            RandomPorts drawn = new RandomPorts(random);
            long candidates = drawn.candidates();
            int from = random.nextInt(1 << 20);
            int count = random.nextInt(random.nextBoolean() ? 70 : 5_000);
            byte[] into = new byte[count + 2];
            byte[] expected = new byte[count + 2];
            for (int i = 0; i < count; i++) {
                expected[1 + i] = RandomRows.entry(drawn.pattern(candidates), from + i);
            }

            drawn.ports.copyTo(candidates, from, from + count, into, 1);

            assertThat(into).as("run %d", run).isEqualTo(expected);
        }
    }

    @Test
    void shouldTellPortsWithoutAPattern() {
        for (int run = 0; run < 3_000; run++) {
            RandomPorts drawn = new RandomPorts(random);
            long candidates = drawn.candidates();
            byte[] into = new byte[Long.SIZE];

            int count = drawn.ports.ports(candidates, into);

            assertThat(Arrays.copyOf(into, count))
                    .as("run %d", run)
                    .isEqualTo(drawn.pattern(candidates).ports());
        }
    }

    @Test
    void shouldTellPortsThatMakeTheSamePatterns() {
        CandidatePorts ports = new CandidatePorts(new byte[] {5, 6, 7}, 2, 1, true);

        assertThat(ports.makeTheSame(new CandidatePorts(new byte[] {5, 6, 7}, 2, 1, true)))
                .isTrue();
        assertThat(ports.at(0b1101).makeTheSame(ports.at(0b1011).at(0b1101))).isTrue();
        assertThat(ports.makeTheSame(ports.at(0b1101))).isFalse();
        assertThat(ports.makeTheSame(new CandidatePorts(new byte[] {5, 6, 8}, 2, 1, true)))
                .isFalse();
        assertThat(ports.makeTheSame(new CandidatePorts(new byte[] {5, 6, 7}, 3, 1, true)))
                .isFalse();
        assertThat(ports.makeTheSame(new CandidatePorts(new byte[] {5, 6, 7}, 2, 0, true)))
                .isFalse();
        assertThat(ports.makeTheSame(new CandidatePorts(new byte[] {5, 6, 7}, 2, 1, false)))
                .isFalse();
    }

    @Test
    void shouldPutNeighboursAtTheirPlaces() {
        for (int run = 0; run < 3_000; run++) {
            RandomPorts drawn = new RandomPorts(random);
            long neighbours = random.nextLong() & -1L >>> -drawn.count();

            assertThat(drawn.ports.placed(neighbours)).as("run %d", run).isEqualTo(drawn.placed(neighbours));
        }
    }

    @Test
    void shouldShareThePatternOfAllWithThePortsAtOtherPlaces() {
        CandidatePorts ports = new CandidatePorts(new byte[] {5, 6, 7}, 2, 0, true);

        assertThat(ports.at(0b10101).all()).isSameAs(ports.all());
        assertThat(ports.at(0b10101).pattern(-1)).isSameAs(ports.all());
        assertThat(ports.at(0b10101).at(0b111).port(0b110, 2)).isEqualTo(7);
    }

    @Test
    void shouldRefusePortsWithoutPlacesAndPlacesWithoutPorts() {
        CandidatePorts ports = new CandidatePorts(new byte[] {5, 6, 7}, 2, 0, true);

        assertThatThrownBy(() -> ports.at(0b11))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("2 places; expected one for each of 3 ports");
        assertThatThrownBy(() -> new CandidatePorts(new byte[65], 1, 0, true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("65 ports; expected 1..64");
    }
}
