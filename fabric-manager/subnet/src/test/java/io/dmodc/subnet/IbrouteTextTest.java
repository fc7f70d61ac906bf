package io.dmodc.subnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The text is that of infiniband-diags 44. */
class IbrouteTextTest {
    private static final String HEAD = """
            Unicast lids [0x0-0xc9] of switch Lid 100 guid 0x02f0000100000000 (leaf0):
              Lid  Out   Destination
                   Port     Info\s
            """;

    private static HeldLft parse(String text, long guid) throws CommandFailedException {
        return IbrouteText.table(text.getBytes(StandardCharsets.US_ASCII), guid);
    }

    @Test
    void shouldReadEntriesByLid() throws CommandFailedException {
        HeldLft held = parse(
                HEAD + "0x0001 001 \n0x0003 254 : (Channel Adapter portguid 0x02c0000000000041: 'node4')\n"
                        + "0x0064 000 \n3 valid lids dumped \n",
                0x02f0000100000000L);

        assertThat(held.port(1)).isEqualTo(1);
        assertThat(held.port(2)).isEqualTo(255);
        assertThat(held.port(3)).isEqualTo(254);
        assertThat(held.port(100)).isZero();
        assertThat(held.port(101)).isEqualTo(255);
    }

    /** The tools count blocks from below, and end before a LID that begins one. */
    @Test
    void shouldNotClaimToHaveReadTheHighestLidWhereItBeginsABlock() throws CommandFailedException {
        HeldLft held = parse(HEAD.replace("0xc9", "0xc0") + "0x0064 000 \n", 0x02f0000100000000L);

        assertThat(held.leavesOut(0xc0)).isTrue();
        assertThat(held.leavesOut(0x80)).isFalse();
        assertThat(held.leavesOut(0xbf)).isFalse();
        assertThat(held.leavesOut(0x100)).isFalse();
    }

    @Test
    void shouldTakeAnyOtherHighestLidForRead() throws CommandFailedException {
        for (String highest : new String[] {"0xbf", "0xc1", "0xc9", "0x100", "0x0", ""}) {
            HeldLft held = parse(HEAD.replace("0xc9", highest) + "0x0064 000 \n", 0x02f0000100000000L);

            assertThat(held.leavesOut(0xc0)).as(highest).isFalse();
            assertThat(held.leavesOut(0)).as(highest).isFalse();
        }
        HeldLft printed = parse(HEAD.replace("0xc9", "0xc0") + "0x00c0 001 \n", 0x02f0000100000000L);
        assertThat(printed.leavesOut(0xc0)).isFalse();
    }

    @Test
    void shouldNotTakeAnotherSwitchForTheOneItAsked() {
        assertThatThrownBy(() -> parse(HEAD + "0x0001 001 \n", 0x02f0000100000001L))
                .isInstanceOf(CommandFailedException.class)
                .hasMessage("another switch has its LID");
        assertThatThrownBy(() -> parse("", 0x02f0000100000001L)).isInstanceOf(CommandFailedException.class);
    }

    @Test
    void shouldRefuseLinesThatAreNone() {
        for (String line :
                new String[] {"0x", "0xzzzz 001", "0x0001", "0x0001 ", "0xffff 001", "0x0000 001", "0x0001 999"}) {
            assertThatThrownBy(() -> parse(HEAD + line, 0x02f0000100000000L))
                    .as(line)
                    .isInstanceOf(CommandFailedException.class);
        }
    }
}
