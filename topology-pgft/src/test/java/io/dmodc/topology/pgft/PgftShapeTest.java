package io.dmodc.topology.pgft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PgftShapeTest {
    @Test
    void shouldCountSwitchesOfTheBenchmarkFabrics() {
        assertThat(PgftShape.parse("3;24,12,30;1,12,24;1,2,1").switchCount()).isEqualTo(1008);
        assertThat(PgftShape.parse("3;24,12,30;1,12,24;1,2,1").nodeCount()).isEqualTo(8640);
        assertThat(PgftShape.parse("3;32,32,64;1,32,32;1,1,1").nodeCount()).isEqualTo(65536);
    }

    @Test
    void shouldPrintWhatItParsed() {
        assertThat(PgftShape.parse(" 3;2,2,3;1,2,2;1,2,1 ")).hasToString("3;2,2,3;1,2,2;1,2,1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|expected h;m1",
                "3;2,2;1,2,2;1,2,1|3 numbers in '2,2'",
                "2;2,x;1,2;1,1|a positive number instead of 'x'",
                "2;2,0;1,2;1,1|a number in 1..",
                "2;2,2;2,2;1,1|w1 = p1 = 1",
                "2;200,2;1,60;1,1|at most 254 ports instead of 260 on level 1",
                "2;128,2;1,127;1,1|at most 254 ports instead of 255 on level 1",
                "2;1,255;1,1;1,1|at most 254 ports instead of 255 on level 2",
                "4;100,100,100,100;1,1,1,1;1,1,1,1|at most 1048576 nodes",
                "5;1,500000,500000,500000,500000;1,1,1,1,1;1,1,1,1,1|at most 1048576 nodes",
                "9;1,1,1,1,1,1,1,1,1;1,1,1,1,1,1,1,1,1;1,1,1,1,1,1,1,1,1|at most 8 levels"
            })
    void shouldSayInOneLineWhatIsWrong(String text, String expected) {
        assertThatThrownBy(() -> PgftShape.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "' is not a PGFT")
                .hasMessageContaining(expected);
    }
}
