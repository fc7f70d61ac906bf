package io.dmodc.manager.opensm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RehearsalTest {
    /** Each cable that is lost and each that is back changes at least the two blocks that hold its leaf's hosts or the ways to them. */
    @Test
    void shouldMakeAnotherDumpOfEachLoss() {
        assertThat(new Rehearsal().play()).isGreaterThan(2 * Rehearsal.ROUNDS);
    }

    @Test
    void shouldEndWhenItIsNotWantedAnyMore() {
        Thread.currentThread().interrupt();

        int blocks = new Rehearsal().play();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(blocks).isZero();
    }
}
