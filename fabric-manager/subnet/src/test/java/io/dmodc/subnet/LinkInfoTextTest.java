package io.dmodc.subnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.subnet.LinkInfoText.FarEnd;
import io.dmodc.subnet.LinkInfoText.SwitchLinks;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The lines are those of infiniband-diags 44. */
class LinkInfoTextTest {
    private static final String HOST =
            "0x02f0000000000036 \"                        leaf54\"     55    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>"
                    + "  0x02c0000000000799   1297    1[  ] \"node972\" (Could be 12X Could be 53.125 Gbps)\n";
    private static final String SWITCH =
            "0x02f0000000000036 \"                        leaf54\"     55    2[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>"
                    + "  0x02f00000000000a2    163    1[  ] \"l2s54\" (Could be 12X Could be 53.125 Gbps)\n";
    private static final String DOWN = "0x02f0000000000036 \"                        leaf54\"     55    3[  ] ==("
            + "                Down/ Polling)==>             [  ] \"\" ( )\n";

    private static SwitchLinks links(String text) throws CommandFailedException {
        return LinkInfoText.links(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void shouldTellWhatEachPortLeadsTo() throws CommandFailedException {
        SwitchLinks links = links(HOST + SWITCH + DOWN);

        assertThat(links.guid()).isEqualTo(0x02f0000000000036L);
        assertThat(links.lid()).isEqualTo(55);
        assertThat(links.ports())
                .containsExactly(
                        new FarEnd(0x02c0000000000799L, 1297, 1, "4X 25.78125 Gbps"),
                        new FarEnd(0x02f00000000000a2L, 163, 1, "4X 25.78125 Gbps"),
                        null);
    }

    /** Packets to it are lost, or it hangs: the port is up all the same. */
    @Test
    void shouldTellOfAPortThatIsUpAndWhoseEndDoesNotAnswer() throws CommandFailedException {
        FarEnd end = links(HOST + SWITCH + DOWN.replace("Down/ Polling", "Init/  LinkUp"))
                .ports()
                .get(2);

        assertThat(end).isNotNull();
        assertThat(end.isUnknown()).isTrue();
    }

    @Test
    void shouldRefuseWhatIsNotAllOfOneSwitch() {
        assertThatThrownBy(() -> links(HOST + DOWN))
                .hasMessageContaining("port 3 of")
                .hasMessageContaining("expected port 2");
        assertThatThrownBy(() -> links(HOST + SWITCH.replace("36 \"", "37 \"")))
                .hasMessageContaining("expected port 2 of one");
        assertThatThrownBy(() -> links(HOST + "Switch: 0x2 leaf\n"))
                .hasMessageContaining("none of iblinkinfo -l: Switch: 0x2");
        assertThatThrownBy(() -> links("")).hasMessageContaining("none of iblinkinfo");
    }
}
