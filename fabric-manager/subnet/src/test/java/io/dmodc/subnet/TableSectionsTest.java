package io.dmodc.subnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The text is that of infiniband-diags 44. */
class TableSectionsTest {
    private static final String FIRST = """
            Unicast lids [0x0-0x8dc] of switch DR path slid 0; dlid 0; 0,1,19,6 guid 0x02f000000000006b (leaf107):
              Lid  Out   Destination
                   Port     Info\s
            0x0001 019\s
            0x0002 019\s
            2 valid lids dumped\s
            """;

    private static final String SECOND = FIRST.replace("006b", "006c").replace("019", "020");

    private final List<String> taken = new ArrayList<>();
    private final TableSections sections =
            new TableSections(section -> taken.add(new String(section, StandardCharsets.US_ASCII)));

    @Test
    void shouldTellOfEachSwitchHoweverTheTextArrives() throws IOException {
        byte[] text = ("ibwarn: noise\n" + FIRST + SECOND).getBytes(StandardCharsets.US_ASCII);
        for (int size : new int[] {1, 7, 64, text.length}) {
            taken.clear();

            for (int at = 0; at < text.length; at += size) {
                sections.write(text, at, Math.min(size, text.length - at));
            }
            sections.end();

            assertThat(taken).as("%d bytes at a time", size).containsExactly(FIRST, SECOND);
        }
    }

    @Test
    void shouldTellOfNobodyWhenNothingIsPrinted() throws IOException {
        sections.write("no such device\n".getBytes(StandardCharsets.US_ASCII));
        sections.end();

        assertThat(taken).isEmpty();
    }

    @Test
    void shouldHoldNoMoreThanASwitchCanSay() {
        byte[] endless = new byte[TableSections.SECTION_MAX + 1];
        endless[0] = 'U';

        assertThatThrownBy(() -> sections.write(endless, 0, endless.length))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("for one switch");
    }
}
