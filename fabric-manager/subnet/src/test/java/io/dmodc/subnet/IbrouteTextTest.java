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

    private static byte[] parse(String text, long guid) throws CommandFailedException {
        return IbrouteText.ports(text.getBytes(StandardCharsets.US_ASCII), guid);
    }

    @Test
    void shouldReadEntriesByLid() throws CommandFailedException {
        byte[] ports = parse(
                HEAD + "0x0001 001 \n0x0003 254 : (Channel Adapter portguid 0x02c0000000000041: 'node4')\n"
                        + "0x0064 000 \n3 valid lids dumped \n",
                0x02f0000100000000L);

        assertThat(ports).hasSize(101);
        assertThat(ports[1]).isEqualTo((byte) 1);
        assertThat(ports[2]).isEqualTo((byte) 255);
        assertThat(ports[3]).isEqualTo((byte) 254);
        assertThat(ports[100]).isZero();
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
