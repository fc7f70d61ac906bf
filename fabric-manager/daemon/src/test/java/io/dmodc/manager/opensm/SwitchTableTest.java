package io.dmodc.manager.opensm;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftRow;
import io.dmodc.subnet.CommandFailedException;
import io.dmodc.subnet.DiscoveredSubnet;
import io.dmodc.subnet.HeldLft;
import io.dmodc.subnet.IbrouteText;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.ibnet.IbnetReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a switch holds beside what is written for it, in a fabric of 64 LIDs: the tools end before an entry that is the first of a block. */
class SwitchTableTest {
    private static final String UNLIKE = "LID 64 leads to nowhere, written is port 1";

    private SwitchTable table;
    private LftRow row;
    private String whole;

    @BeforeEach
    void write() throws IOException {
        DrawnSubnet drawn = new DrawnSubnet("2;7,7;1,8;1,1");
        FabricView view = drawn.view();
        byte[] text = drawn.text().getBytes(StandardCharsets.UTF_8);
        Discovery found =
                new Discovery(new DiscoveredSubnet(IbnetReader.read("test", new ByteArrayInputStream(text)), 0, 0), 0);
        byte[] entries = new byte[view.nodeCount()];
        Arrays.fill(entries, (byte) 1);
        row = LftRow.of(entries);
        long guid = view.switchGuid(0);
        table = new DumpTables(null, view, null, found, Map.of(guid, row)).of(guid);
        whole = new String(table.section(DumpForm.WITH_GUIDS), StandardCharsets.US_ASCII);
    }

    private HeldLft held(String printed) throws CommandFailedException {
        return IbrouteText.table(printed.getBytes(StandardCharsets.US_ASCII), table.guid());
    }

    private String difference(String printed) throws CommandFailedException {
        return table.difference(held(printed));
    }

    private String without(String lid) {
        return whole.replaceFirst("(?m)^" + lid + " .*\n", "");
    }

    @Test
    void shouldTakeForHeldWhatTheToolsLeaveOut() throws Exception {
        assertThat(whole).contains("[0x0-0x40]", "\n0x0040 001 ");

        assertThat(difference(whole)).isEmpty();
        assertThat(difference(without("0x0040"))).isEmpty();
        assertThat(table.rowOf(held(without("0x0040"))).toBytes()).isEqualTo(row.toBytes());
    }

    @Test
    void shouldRefuseATableThatEndsBelowTheHighestLid() throws Exception {
        assertThat(difference(without("0x0040").replace("-0x40]", "-0x3f]"))).isEqualTo(UNLIKE);
        assertThat(difference(without("0x0040").replace("-0x40]", "-0x41]"))).isEqualTo(UNLIKE);
        assertThat(difference(without("0x0040").replace("[0x0-0x40] ", ""))).isEqualTo(UNLIKE);
    }

    @Test
    void shouldCompareAllThatIsPrinted() throws Exception {
        assertThat(difference(whole.replace("\n0x0040 001 ", "\n0x0040 002 ")))
                .isEqualTo("LID 64 leads to port 2, written is port 1");
        assertThat(difference(without("0x003f"))).isEqualTo("LID 63 leads to nowhere, written is port 1");
    }
}
