package io.dmodc.topology.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GridShapeTest {
    @Test
    void shouldCountThePapersFabric() {
        GridShape shape = GridShape.parse(" 16x16;hosts=16;roots=16,16 ");

        assertThat(shape.nodeCount()).isEqualTo(4_096);
        assertThat(shape.leafCount()).isEqualTo(256);
        assertThat(shape.switchCount()).isEqualTo(256 + 256 + 256);
        assertThat(shape.leafPortCount()).isEqualTo(48);
        assertThat(shape).hasToString("16x16;hosts=16;roots=16,16");
    }

    /** "With switches of 72 ports a two-dimensional fat-tree has more than 100,000 nodes": section 1.2. */
    @Test
    void shouldHoldMoreThanAHundredThousandNodes() {
        GridShape shape = GridShape.parse("72x72;hosts=24;roots=24,24");

        assertThat(shape.leafPortCount()).isEqualTo(72);
        assertThat(shape.nodeCount()).isEqualTo(124_416);
        assertThat(shape.switchCount()).isEqualTo(5_184 + 3_456);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            4x4                            | ROWSxCOLUMNS;hosts=H;roots=OF_A_ROW,OF_A_COLUMN, as in 16x16;hosts=16;roots=16,16
            4x4;hosts=2;roots=1            | ROWSxCOLUMNS;hosts=H;roots=OF_A_ROW,OF_A_COLUMN, as in 16x16;hosts=16;roots=16,16
            4x-4;hosts=2;roots=1,1         | ROWSxCOLUMNS;hosts=H;roots=OF_A_ROW,OF_A_COLUMN, as in 16x16;hosts=16;roots=16,16
            1x4;hosts=2;roots=1,1          | 2..254 rows instead of 1
            4x255;hosts=2;roots=1,1        | 2..254 columns instead of 255
            4x4;hosts=0;roots=1,1          | 1..252 hosts of a leaf instead of 0
            4x4;hosts=2;roots=0,1          | 1..252 roots of a row instead of 0
            4x4;hosts=2;roots=1,253        | 1..252 roots of a column instead of 253
            4x4;hosts=200;roots=30,30      | at most 254 ports of a leaf instead of 260
            200x200;hosts=40;roots=1,1     | at most 1048576 nodes instead of 1600000
            """)
    void shouldSayWhatIsWrong(String text, String expected) {
        assertThatThrownBy(() -> GridShape.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + text + "' is not a grid; expected " + expected);
    }
}
