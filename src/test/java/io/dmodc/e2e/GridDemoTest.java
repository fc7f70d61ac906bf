package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The demonstration of a grid: real sockets, leaves that die, packets by every switch's own table. */
class GridDemoTest {
    @Test
    void shouldLeadPacketsAroundDeadLeavesBeforeAndAfterTheManagerKnows() {
        MainRun demo = MainRun.of("demo", "--grid", "7x7;hosts=1;roots=2,2");

        assertThat(demo.status()).as(demo.out() + demo.err()).isZero();
        assertThat(demo.out())
                .contains("All checks held")
                .containsPattern(
                        "leaf 0,0 loses power.*\\R *at once: packets between all 2,256 pairs of live leaves: 0 lost")
                .containsPattern(
                        "without a manager: packets between all [0-9,]+ pairs of live leaves: 0 lost; over 1, 2, 3, 4 roots: [0-9,]+, [0-9,]+, [1-9]")
                .contains("The final tables of all 77 switches equal the first ones")
                .containsPattern("agents stay away\\R.*\\R *the start: no table had to change, 0 blocks");
    }

    @Test
    void shouldRefuseWhatItCannotPlay() {
        assertThat(MainRun.of("demo", "--grid", "4x4;hosts=1;roots=2,2").status())
                .as("too few leaves to lose")
                .isEqualTo(2);
        assertThat(MainRun.of("demo", "--plane", "linux", "--grid", "7x7;hosts=1;roots=2,2")
                        .status())
                .as("a kernel forwards by destination alone")
                .isEqualTo(2);
        assertThat(MainRun.of("demo", "--grid", "7x").status()).as("no shape").isEqualTo(2);
    }
}
