package io.dmodc.routing.vtftr.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TurnDumpReaderTest {
    @Test
    void shouldReadRecordsBetweenRemarks() {
        TurnDump dump = Dumps.read("""
                # by hand
                vtftr 1
                grid 2 3   # two rows
                vcs 2
                fault 1 2

                leaf 0 0 LXXYX-
                leafx 0 1 YLYYYY
                rsw 0 * *,1 1 0,2
                rsw 0 * 1,1 - 0
                rsw 0 3 *,1 - -
                csw 2 * 1,* - 0
                vc Y 0 X 1
                """);

        assertThat(dump.rows()).isEqualTo(2);
        assertThat(dump.columns()).isEqualTo(3);
        assertThat(dump.faultCount()).isEqualTo(1);
        assertThat(dump.turn(0, 0, 3)).isEqualTo('Y');
        assertThat(dump.turn(1, 1, 1)).isEqualTo('L');
        assertThat(dump.turn(1, 0, 3)).isEqualTo('Y');
        assertThat(dump.turn(2, 0, 3)).isEqualTo('X');
        assertThat(dump.nextVc(2, 0, Axis.X)).isEqualTo(1);
        assertThat(dump.nextVc(2, 1, Axis.X)).isEqualTo(TurnDump.DROP);
        assertThat(String.valueOf(dump.rowRoots.entry(Axis.X, 0, 7, 0, 1)))
                .isEqualTo("RootEntry[primary=1, spares={0, 2}]");
        assertThat(String.valueOf(dump.rowRoots.entry(Axis.X, 0, 7, 1, 1)))
                .isEqualTo("RootEntry[primary=-1, spares={0}]");
        assertThat(String.valueOf(dump.rowRoots.entry(Axis.X, 0, 3, 0, 1)))
                .isEqualTo("RootEntry[primary=-1, spares={}]");
        assertThat(dump.columnRoots.entry(Axis.Y, 1, 0, 1, 1)).isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            opensm 1          | dump:1: 'opensm 1'; expected 'vtftr 1' as first record
            vtftr 2           | dump:1: 'vtftr 2'; expected 'vtftr 1' as first record
            vtftr 1           | dump:1: the text ends; expected the records 'vtftr 1' and 'grid ROWS COLUMNS'
            vtftr 1;vcs 2     | dump:2: 'vcs'; expected 'grid ROWS COLUMNS' as second record
            vtftr 1;grid 2    | dump:2: 'grid' with 1 values; expected 2
            vtftr 1;grid 2 999 | dump:2: '999'; expected a number in 1..254
            """)
    void shouldSayWhatIsWrongWithTheHead(String text, String message) {
        assertThatThrownBy(() -> Dumps.read(text.replace(';', '\n'))).hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            lft 0 0             | 'lft'; expected one of vcs, fault, burst, leaf, leafx, leafy, rsw, csw, vc
            vcs 17              | '17'; expected a number in 1..16
            fault 2 0           | '2'; expected a number in 0..1
            fault 0 x           | 'x'; expected a number in 0..2
            fault 1 1           | fault 1 1; expected each leaf once
            leaf 0 0 LXX        | a table of 3 letters; expected 6, one for each leaf
            leaf 0 0 LXXYZX     | 'Z' in a table; expected L, X, Y or -
            leaf 0 1 LXXYXX     | a second table of leaf 0 1; expected one
            rsw 0 * 1 1 -       | '1'; expected a destination ROW,COLUMN
            rsw 0 * *,1 3 -     | '3'; expected a number in 0..2
            rsw 0 * 0,* 1 -     | '*'; expected a number in 0..2
            rsw 0 * *,0 0 2,,1  | ''; expected a number in 0..2
            rsw 1 * *,1 1 -     | a second entry rsw 1 * *,1; expected one
            vc Z 0 X 0          | 'Z'; expected H, X or Y
            vc H 1 X 0          | '1'; expected a number in 0..0
            vc X 0 Z 0          | 'Z'; expected X or Y
            vc X 0 Y 2          | '2'; expected a number in 0..1
            vc Y 1 X            | 'vc' with 3 values; expected 4
            vc Y 0 X 1          | a second entry vc Y 0 X; expected one
            """)
    void shouldSayWhatIsWrongWithARecordAndWhere(String record, String message) {
        String head = "vtftr 1\ngrid 2 3\nvcs 2\nfault 1 1\nleaf 0 1 XLXXYX\nrsw 1 * *,1 1 -\nvc Y 0 X 1\n";

        assertThatThrownBy(() -> Dumps.read(head + record))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("dump:8: " + message);
    }
}
