package io.dmodc.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.detector.Membership;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class NewsReportersTest {
    private static Membership ring(int slots) {
        return new Membership(1, 1, LongStream.range(0x100, 0x100 + slots).toArray(), new int[slots]);
    }

    private static List<Integer> reporting(Membership ring, long source) {
        return IntStream.range(0, ring.slotCount())
                .filter(slot -> {
                    NewsReporters reporters = new NewsReporters();
                    reporters.join(ring, slot);
                    return reporters.include(source);
                })
                .boxed()
                .toList();
    }

    @Test
    void shouldLetTheSourceAndItsSuccessorsReport() {
        assertThat(reporting(ring(47), 0x100 + 5)).containsExactly(5, 6, 7, 8);
        assertThat(reporting(ring(47), 0x100 + 45)).as("around the ring").containsExactly(0, 1, 45, 46);
    }

    @Test
    void shouldLetEverybodyReportInASmallRing() {
        assertThat(reporting(ring(3), 0x101)).containsExactly(0, 1, 2);
    }

    /** As while a ring is drawn anew: some agents know the next one already. */
    @Test
    void shouldLetAsManyReportWhatComesFromNoMember() {
        for (long stranger = 0x999; stranger < 0x999 + 100; stranger++) {
            assertThat(reporting(ring(47), stranger)).hasSize(1 + NewsReporters.SUCCESSORS);
        }
        assertThat(reporting(ring(47), 0xf000_0000_0000_0001L)).hasSize(1 + NewsReporters.SUCCESSORS);
        assertThat(new NewsReporters().include(0x101))
                .as("before the first ring")
                .isTrue();
    }
}
