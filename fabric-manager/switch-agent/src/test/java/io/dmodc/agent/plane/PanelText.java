package io.dmodc.agent.plane;

/** {@code node0 - 3[leaf]1 = 1[spine], 2 = 2} as ibnetdiscover would print it: leaf 0x10, spine 0x20, host port 0x99. */
public final class PanelText {
    public static final String LEAF_TO_SPINE_1 = "[1]\t\"S-0000000000000020\"[1]\t\t# \"spine\" lid 2 4xEDR\n";
    public static final String SPINE_TO_LEAF_1 = "[1]\t\"S-0000000000000010\"[1]\t\t# \"leaf\" lid 1 4xEDR\n";
    public static final String LEAF_TO_HOST = "[3]\t\"H-0000000000000098\"[1](99)\t\t# \"node0\" lid 3 4xEDR\n";
    public static final String HOST_TO_LEAF =
            "[1](99)\t\"S-0000000000000010\"[3]\t\t# lid 3 lmc 0 \"leaf\" lid 1 4xEDR\n";
    public static final String SPINE = """
            switchguid=0x20(20)
            Switch\t5 "S-0000000000000020"\t\t# "spine" base port 0 lid 2 lmc 0
            """ + SPINE_TO_LEAF_1 + """
            [2]\t"S-0000000000000010"[2]\t\t# "leaf" lid 1 4xEDR

            """;
    public static final String HOST = """
            caguid=0x98
            Ca\t1 "H-0000000000000098"\t\t# "node0"
            """ + HOST_TO_LEAF;
    public static final String WHOLE = """
            # two switches
            switchguid=0x10(10)
            Switch\t4 "S-0000000000000010"\t\t# "leaf" base port 0 lid 1 lmc 0
            """ + LEAF_TO_SPINE_1 + """
            [2]\t"S-0000000000000020"[2]\t\t# "spine" lid 2 4xEDR
            """ + LEAF_TO_HOST + "\n" + SPINE + HOST;

    private PanelText() {}
}
