package io.dmodc.fuzz;

import io.dmodc.topology.ibnet.IbnetFormatException;
import io.dmodc.topology.ibnet.IbnetReader;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Text of {@code ibnetdiscover}. */
public final class IbnetFuzz {
    private static final String TWO_SWITCHES = """
            vendid=0x2c9
            switchguid=0x10(10)
            Switch	4 "S-0000000000000010"		# "leaf0" enhanced port 0 lid 1 lmc 0
            [1]	"H-0000000000000020"[1](21) 		# "node0 mlx5_0" lid 5 4xHDR
            [2]	"S-0000000000000011"[3]		# "spine0" lid 2 4xHDR

            switchguid=0x11(11)
            Switch	4 "S-0000000000000011"		# "spine0" base port 0 lid 2 lmc 0
            [3]	"S-0000000000000010"[2]		# "leaf0" lid 1 4xHDR

            caguid=0x20
            Ca	1 "H-0000000000000020"		# "node0 mlx5_0"
            [1](21) 	"S-0000000000000010"[1]		# lid 5 lmc 0 "leaf0" lid 1 4xHDR
            """;

    private IbnetFuzz() {}

    static List<byte[]> seeds() {
        return List.of(TWO_SWITCHES.getBytes(StandardCharsets.UTF_8));
    }

    public static void fuzzerTestOneInput(byte[] data) {
        try {
            IbnetReader.read("fabric.txt", new ByteArrayInputStream(data));
        } catch (IbnetFormatException refused) {
            OneLine.require(refused, "fabric.txt");
        }
    }
}
