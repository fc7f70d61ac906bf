package io.dmodc.topology.ibnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.LinkRate;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.ibnet.ImportSummary.SkippedLine;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a real fabric's text may look like, one irregularity a test. */
class IbnetReaderTest {
    /** Two leaves under one spine, a host on each leaf; every cable told from both ends. */
    private static final String WHOLE = """
            #
            # Topology file: generated on Sat Nov 21
            #

            vendid=0x2c9
            devid=0xcf08
            sysimgguid=0x10
            switchguid=0x10(10)
            Switch\t3 "S-0000000000000010"\t\t# "leaf A" base port 0 lid 4 lmc 0
            [1]\t"H-0000000000000100"[1](101) \t\t# "alpha HCA-1" lid 8 4xEDR
            [3]\t"S-0000000000000030"[1]\t\t# "spine" lid 6 4xEDR

            switchguid=0x20(20)
            Switch\t3 "S-0000000000000020"\t\t# "leaf B" enhanced port 0 lid 5 lmc 0
            [1]\t"H-0000000000000200"[1](201) \t\t# "beta HCA-1" lid 9 4xEDR
            [3]\t"S-0000000000000030"[2]\t\t# "spine" lid 6 4xEDR

            switchguid=0x30(30)
            Switch\t3 "S-0000000000000030"\t\t# "spine" base port 0 lid 6 lmc 0
            [1]\t"S-0000000000000010"[3]\t\t# "leaf A" lid 4 4xEDR
            [2]\t"S-0000000000000020"[3]\t\t# "leaf B" lid 5 4xEDR

            caguid=0x100
            Ca\t1 "H-0000000000000100"\t\t# "alpha HCA-1"
            [1](101) \t"S-0000000000000010"[1]\t\t# lid 8 lmc 0 "leaf A" lid 4 4xEDR

            caguid=0x200
            Ca\t1 "H-0000000000000200"\t\t# "beta HCA-1"
            [1](201) \t"S-0000000000000020"[1]\t\t# lid 9 lmc 0 "leaf B" lid 5 4xEDR
            """;

    private static final int LAST_LINE = 29;

    private static IbnetFabric read(String text) {
        return read(text, StandardCharsets.UTF_8);
    }

    private static IbnetFabric read(String text, Charset charset) {
        try {
            return IbnetReader.read("f.txt", new ByteArrayInputStream(text.getBytes(charset)));
        } catch (IbnetFormatException e) {
            throw new AssertionError(e);
        }
    }

    private static FabricView view(IbnetFabric fabric) {
        return fabric.fabric().build(1, new NodeIndexMap(), new GuidNumbers());
    }

    @Test
    void shouldReadTheRatesOfSwitchPorts() {
        String text = WHOLE.replace("\"spine\" lid 6 4xEDR", "\"spine 1xSDR\" lid 6 4xHDR")
                .replace("\"alpha HCA-1\" lid 8 4xEDR", "\"alpha HCA-1\" lid 8 4x???")
                .replace("[2]\t\"S-0000000000000020\"[3]\t\t# \"leaf B\" lid 5 4xEDR\n", "");

        IbnetFabric read = read(text);
        FabricView view = view(read);

        LinkRate fast = new LinkRate(4, LinkRate.Speed.HDR);
        assertThat(read.rates().of(0x10, 3)).contains(fast);
        assertThat(read.rates().of(0x10, 1)).isEmpty();
        assertThat(rateOfCable(read, view, 0x10, 3)).isEqualTo(new LinkRate(4, LinkRate.Speed.EDR));
        assertThat(rateOfCable(read, view, 0x30, 2)).as("told from one end").isEqualTo(fast);
    }

    private static @Nullable LinkRate rateOfCable(IbnetFabric read, FabricView view, long guid, int port) {
        int s = view.switchOf(guid);
        return LinkRate.slower(
                read.rates().of(guid, port).orElse(null),
                read.rates()
                        .of(view.switchGuid(view.peerSwitch(s, port)), view.peerPort(s, port))
                        .orElse(null));
    }

    /** What the host itself is told to have. */
    private static int lidOfHost(IbnetFabric fabric, int node) {
        return Objects.requireNonNull(view(fabric).host(node)).addresses().lid();
    }

    private static void assertWhole(IbnetFabric fabric) {
        FabricView view = view(fabric);
        assertThat(view.switchCount()).isEqualTo(3);
        assertThat(view.linkCount()).isEqualTo(2);
        assertThat(view.hostCount()).isEqualTo(2);
        assertThat(view.leafCount()).isEqualTo(2);
        assertThat(fabric.summary().switchCount()).isEqualTo(3);
        assertThat(fabric.summary().hostPortCount()).isEqualTo(2);
        assertThat(fabric.summary().cableCount()).isEqualTo(2);
    }

    private static void assertRefused(String text, String message) {
        assertThatThrownBy(() ->
                        IbnetReader.read("f.txt", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))))
                .isInstanceOf(IbnetFormatException.class)
                .hasMessageStartingWith("f.txt:")
                .hasMessageContaining(message)
                .message()
                .hasLineCount(1);
    }

    @Test
    void shouldTakeAWholeFabric() {
        IbnetFabric fabric = read(WHOLE);

        assertWhole(fabric);
        assertThat(fabric.summary())
                .isEqualTo(new ImportSummary("f.txt", 3, 2, 2, 2, 0, 0, 0, 0, false, 0, List.of(), 0, List.of()));
        FabricView view = view(fabric);
        assertThat(view.host(0)).isEqualTo(new Host(0x101, 0x100, 1, "alpha HCA-1", HostAddresses.ofLid(8)));
        assertThat(lidOfHost(fabric, 1)).isEqualTo(9);
        assertThat(view.nodePort(1)).isEqualTo(1);
        assertThat(view.switchName(2)).isEqualTo("spine");
        assertThat(view.portCount(2)).isEqualTo(3);
        assertThat(fabric.lids().lidOf(0x30)).isEqualTo(6);
        assertThat(fabric.lids().lidOf(0x101)).isEqualTo(8);
        assertThat(fabric.lids().lidOf(0x100)).isEqualTo(LidMap.NONE);
    }

    @Test
    void shouldTakeByteOrderMarkPromptSpacesAndDosLines() {
        String odd = "\ufeff[root@mgmt ~]# ibnetdiscover\n"
                + WHOLE.replace('\t', ' ').replace(" # ", "# ");

        IbnetFabric fabric = read(odd.replace("\n", "\r\n"));

        assertWhole(fabric);
        assertThat(fabric.summary().firstSkipped())
                .extracting(SkippedLine::line)
                .containsExactly(1);
        assertThat(fabric.lids().lidOf(0x201)).isEqualTo(9);
    }

    @Test
    void shouldTakeIbdiagnetFlavour() {
        String text = "# This database file was automatically generated by IBDIAG\n"
                + WHOLE.replaceAll("(?m)^\\[(\\d)]\t", "[$1]($1) ").replaceAll("(?m)^\\[1]\\([12]01\\)", "[1](1)");

        IbnetFabric fabric = read(text);

        assertWhole(fabric);
        assertThat(view(fabric).host(1)).isEqualTo(new Host(0x201, 0x200, 1, "beta HCA-1", HostAddresses.ofLid(9)));
    }

    @Test
    void shouldTakeGroupedOutputWithExternalPorts() {
        assertWhole(read(WHOLE.replace("[3]\t", "[3][ext 7]\t").replace("\"[2]\t", "\"[2][ext 2]\t")));
    }

    @Test
    void shouldTakeGuidsWithoutLeadingZeros() {
        assertWhole(read(WHOLE.replaceAll("-0+", "-")));
    }

    @Test
    void shouldTakeLastLineWithoutLineFeedWhenItIsWhole() {
        IbnetFabric fabric = read(WHOLE.strip());

        assertWhole(fabric);
        assertThat(fabric.summary().openEnd()).isTrue();
        assertThat(fabric.summary().skippedLineCount()).isZero();
        assertThat(read(WHOLE).summary().openEnd()).isFalse();
    }

    @Test
    void shouldTakeLastLineWithoutLineFeedWhenOnlyWidthAndSpeedAreMissing() {
        assertWhole(read(WHOLE.substring(0, WHOLE.length() - 3)));
    }

    @Test
    void shouldRefuseALastLineThatEndsWithinAnAddress() {
        String text = WHOLE.replaceAll("lid 9", "lid 97");

        assertRefused(
                text.substring(0, text.lastIndexOf("lid 97") + 5),
                "f.txt:29: the file ends within this line, with lid 9 where line 15 has 97; expected a whole one");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[root@mgmt ~]# ibnetdiscover",
                "[root@mgmt fabric (old)]# ibnetdiscover -C \"mlx5_0\" | tee f",
                "root@mgmt:~# ibnetdiscover -p",
                "(base) me@mgmt:/tmp$ sudo ibnetdiscover",
                "me@mgmt ~ % ibnetdiscover",
                "bash-5.1$ ibnetdiscover",
                "mgmt# ibnetdiscover",
                "$ ibnetdiscover",
                "> ibnetdiscover",
                "$"
            })
    void shouldSkipAPromptBeforeWithinAndAfterTheText(String prompt) {
        String within = WHOLE.replace("[1]\t\"S-0000000000000010\"", prompt + "\n[1]\t\"S-0000000000000010\"");

        IbnetFabric fabric = read(prompt + '\n' + within + prompt);

        assertWhole(fabric);
        assertThat(fabric.summary().completedEndCount()).isZero();
        assertThat(fabric.summary().openEnd()).isFalse();
        assertThat(fabric.summary().firstSkipped())
                .extracting(SkippedLine::line)
                .containsExactly(1, 21, LAST_LINE + 3);
        assertThat(fabric.summary().firstSkipped())
                .allMatch(line -> line.reason().equals("'" + prompt + "' is a shell's prompt"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ibwarn: [4711] mad_rpc: _do_madrpc failed; dport (DR path slid 0; dlid 0; 0,1)",
                "[2026-11-21 10:00:00] discovering",
                "garbage \u0007"
            })
    void shouldSkipNoiseWithinABlock(String noise) {
        IbnetFabric fabric =
                read(WHOLE.replace("[1]\t\"S-0000000000000010\"", noise + "\n[1]\t\"S-0000000000000010\""));

        assertWhole(fabric);
        assertThat(fabric.summary().completedEndCount()).isZero();
        assertThat(fabric.summary().skippedLineCount()).isEqualTo(1);
    }

    @Test
    void shouldTakeDescriptionsWithQuotesHashesAndOtherLetters() {
        FabricView view = view(read(WHOLE.replace("alpha HCA-1", "n\u0153ud \"lid 77\" # [1] HCA-1")));

        assertThat(Objects.requireNonNull(view.host(0)).name()).isEqualTo("n\u0153ud \"lid 77\" # [1] HCA-1");
    }

    @Test
    void shouldTakeDescriptionsThatAreNotUtf8() {
        IbnetFabric fabric = read(WHOLE.replace("alpha", "d\u00e9but"), StandardCharsets.ISO_8859_1);

        assertWhole(fabric);
        assertThat(Objects.requireNonNull(view(fabric).host(0)).name()).isEqualTo("d\u00e9but HCA-1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lid 0", ""})
    void shouldTakeMissingLids(String lid) {
        IbnetFabric fabric = read(WHOLE.replaceAll("lid \\d", lid));

        assertWhole(fabric);
        assertThat(fabric.lids().size()).isZero();
        assertThat(Objects.requireNonNull(view(fabric).host(0)).addresses()).isSameAs(HostAddresses.NONE);
    }

    @Test
    void shouldTakeTheLidOfAHostFromEitherLineOfItsCable() {
        IbnetFabric own = read(WHOLE.replace("\"alpha HCA-1\" lid 8", "\"alpha HCA-1\""));
        IbnetFabric far = read(WHOLE.replace("# lid 8 lmc 0", "#"));
        IbnetFabric withLmc = read(WHOLE.replace("lid 8 lmc 0", "lid 8 lmc 3"));

        assertThat(lidOfHost(own, 0)).isEqualTo(8);
        assertThat(lidOfHost(far, 0)).isEqualTo(8);
        assertThat(lidOfHost(withLmc, 0)).isEqualTo(8);
    }

    @ParameterizedTest
    @ValueSource(ints = {0xc000, 65535, 999_999_999})
    void shouldTakeAnAddressThatIsNoUnicastLidAsMissing(int lid) {
        IbnetFabric fabric = read(WHOLE.replaceAll("lid [489]", "lid " + lid));

        assertWhole(fabric);
        assertThat(fabric.lids().size()).isEqualTo(2);
        assertThat(fabric.lids().lidOf(0x10)).isEqualTo(LidMap.NONE);
        assertThat(fabric.lids().lidOf(0x101)).isEqualTo(LidMap.NONE);
        assertThat(lidOfHost(fabric, 0)).isZero();
        assertThat(fabric.summary().skippedLineCount()).isZero();
        assertThat(fabric.summary().unusableLidCount()).isEqualTo(3);
        assertThat(fabric.summary().firstUnusableLids())
                .startsWith(new SkippedLine(9, "lid " + lid + " of 0x0000000000000010"));
    }

    @Test
    void shouldTakeTheUsableOneOfTwoAddressesOfAHost() {
        IbnetFabric own = read(WHOLE.replace("# lid 8", "# lid 65535"));
        IbnetFabric far = read(WHOLE.replace("\"alpha HCA-1\" lid 8", "\"alpha HCA-1\" lid 65535"));

        assertThat(own.lids().lidOf(0x101)).isEqualTo(8);
        assertThat(far.lids().lidOf(0x101)).isEqualTo(8);
        assertThat(lidOfHost(own, 0)).isEqualTo(8);
        assertThat(lidOfHost(far, 0)).isEqualTo(8);
        assertThat(own.summary().unusableLidCount()).isZero();
    }

    @Test
    void shouldReportALidThatTwoClaim() {
        IbnetFabric fabric = read(WHOLE.replace("lid 9", "lid 8"));

        assertThat(fabric.lids().lidOf(0x101)).isEqualTo(8);
        assertThat(fabric.lids().lidOf(0x201)).isEqualTo(LidMap.NONE);
        assertThat(lidOfHost(fabric, 0)).isEqualTo(8);
        assertThat(lidOfHost(fabric, 1)).isZero();
        assertThat(fabric.summary().firstSkipped().get(0).reason()).startsWith("lid 8 of 0x0000000000000201");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Mellanox Technologies Aggregation Node",
                "MF0;sw1:MQM8700 aggregation node",
                "Quantum Mellanox Technologies AggregationNode"
            })
    void shouldTakeAggregationNodesAsDestinationsThatAreNoHosts(String name) {
        String text = WHOLE.replace(
                        "[2]\t\"S-0000000000000020\"[3]",
                        "[3]\t\"H-31\"[1](31) \t# \"" + name + "\" lid 7 4xEDR\n[2]\t\"S-0000000000000020\"[3]")
                + "\ncaguid=0x31\nCa\t1 \"H-31\"\t# \"" + name
                + "\"\n[1](31)\t\"S-30\"[3]\t# lid 7 lmc 0 \"spine\" lid 6\n";

        IbnetFabric fabric = read(text);

        assertWhole(fabric);
        assertThat(fabric.summary().aggregationNodeCount()).isEqualTo(1);
        assertThat(fabric.summary().hostCount()).isEqualTo(2);
        assertThat(fabric.summary().skippedLineCount()).isZero();
        FabricView view = view(fabric);
        int spine = view.switchOf(0x30);
        assertThat(view.host(2))
                .isEqualTo(new Host(0x31, 0x31, 1, name, HostAddresses.ofLid(7), Host.Kind.AGGREGATION));
        assertThat(view.isHost(2)).isFalse();
        assertThat(view.nodeSwitch(2)).isEqualTo(spine);
        assertThat(view.nodePort(2)).isEqualTo(3);
        assertThat(view.rank(spine)).isEqualTo(1);
    }

    @Test
    void shouldKnowAggregationNodesByDeviceToo() {
        String text = WHOLE
                + "\ndevid=0xcf09\nCa\t1 \"H-31\"\t# \"renamed\"\n[1](31)\t\"S-30\"[3]\t# lid 7 lmc 0 \"spine\" lid 6\n";

        assertThat(read(text).summary().aggregationNodeCount()).isEqualTo(1);
        assertWhole(read(text));
    }

    private static final String INSIDE = WHOLE.replace("switchguid=0x30", "sysimgguid=0x30\nswitchguid=0x30")
            + "\nsysimgguid=0x30\nCa\t1 \"H-38\"\t# \"renamed\"\n[1](38)\t\"S-30\"[3]\t# lid 7 lmc 0 \"spine\" lid 6\n";

    @Test
    void shouldKnowAggregationNodesByBeingInsideTheirSwitch() {
        assertThat(read(INSIDE).summary().aggregationNodeCount()).isEqualTo(1);
        assertWhole(read(INSIDE));
        assertThat(read(INSIDE.replace("sysimgguid=0x30", "sysimgguid=0x77"))
                        .summary()
                        .aggregationNodeCount())
                .as("as in a director, where all of a chassis say the same")
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "Ca\t1, Ca\t2, two ports",
        "\"S-30\"[3], \"S-20\"[2], on a port in the middle",
        "\"S-30\"[3], \"S-30\"[1], on a port that says another cable",
        "30~Ca, 38~Ca, a system of its own",
        "sysimgguid=0x30~Ca, Ca, no system told",
        "H-38, H-2f, a GUID before the switch's",
        "H-38, H-70, a GUID far behind the switch's",
    })
    void shouldTakeNoOrdinaryHostForAnAggregationNode(String text, String instead, String why) {
        String host = INSIDE.replace(text.replace('~', '\n'), instead.replace('~', '\n'));

        assertThat(host).isNotEqualTo(INSIDE);
        assertThat(read(host).summary().aggregationNodeCount()).as(why).isZero();
    }

    @Test
    void shouldReadHowManyAddressesAPortHas() {
        IbnetFabric fabric = read(WHOLE.replace("lid 8 lmc 0", "lid 8 lmc 1").replace("lid 9", "lid 10"));

        assertThat(fabric.lids().lidOf(0x101)).isEqualTo(8);
        assertThat(fabric.lids().lmcOf(0x101)).isEqualTo(1);
        assertThat(fabric.lids().lmcOf(0x201)).isZero();
        assertThat(fabric.lids().lmcOf(0x10)).isZero();
        assertThat(fabric.summary().skippedLineCount()).isZero();
    }

    @Test
    void shouldTakeTheSubnetsLmcWhereOnlyTheSwitchTellsOfAHost() {
        IbnetFabric fabric = read(WHOLE.replace("lid 8 lmc 0", "lid 8 lmc 1")
                .replace("lid 9 4x", "lid 10 4x")
                .replaceAll("(?s)\\ncaguid=0x200.*", ""));

        assertThat(fabric.lids().lidOf(0x201)).isEqualTo(10);
        assertThat(fabric.lids().lmcOf(0x201)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"lid 9 lmc 1, lid 9 lmc 1 of 0x0000000000000201; expected lmc 0..7", "lid 9 lmc 8, lid 9 lmc 8 of"})
    void shouldTakeAddressesThatAreNoRangeAsMissing(String text, String reason) {
        IbnetFabric fabric = read(WHOLE.replace("lid 9 lmc 0", text));

        assertThat(fabric.lids().lidOf(0x201)).isEqualTo(LidMap.NONE);
        assertThat(fabric.summary().firstSkipped().get(0).reason()).startsWith(reason);
    }

    @Test
    void shouldTakeAnAddressInsideAnothersRangeAsMissing() {
        IbnetFabric fabric = read(WHOLE.replace("lid 8 lmc 0", "lid 8 lmc 1"));

        assertThat(fabric.lids().lidOf(0x201)).isEqualTo(LidMap.NONE);
        assertThat(fabric.summary().firstSkipped().get(0).reason())
                .startsWith("lid 9 of 0x0000000000000201 belongs to");
    }

    @Test
    void shouldCompleteCablesToldFromOneEnd() {
        String onlySpine = WHOLE.replaceAll("(?m)^\\[3].*\n", "");
        String onlyHosts = onlySpine.replaceAll("(?m)^\\[1]\t\"H.*\n", "");

        IbnetFabric fabric = read(onlyHosts);

        assertWhole(fabric);
        assertThat(fabric.summary().completedEndCount()).isEqualTo(4);
        assertThat(fabric.lids().lidOf(0x101)).isEqualTo(8);
        assertThat(lidOfHost(fabric, 0)).isEqualTo(8);
    }

    @Test
    void shouldTakeHostsThatOnlyTheirSwitchesMention() {
        IbnetFabric fabric = read(WHOLE.substring(0, WHOLE.indexOf("caguid=0x200")));

        assertWhole(fabric);
        assertThat(fabric.summary().undescribedHostCount()).isEqualTo(1);
        assertThat(view(fabric).host(1)).isEqualTo(new Host(0x201, 0x200, 1, "beta HCA-1", HostAddresses.ofLid(9)));
        assertThat(fabric.lids().lidOf(0x201)).isEqualTo(9);
    }

    @Test
    void shouldSkipALineItsFarEndContradicts() {
        IbnetFabric fabric = read(WHOLE.replace("[2]\t\"S-0000000000000020\"[3]", "[2]\t\"S-0000000000000010\"[3]"));

        assertThat(fabric.summary().cableCount()).isEqualTo(1);
        assertThat(fabric.summary().skippedLineCount()).isEqualTo(2);
        assertThat(fabric.summary().firstSkipped())
                .contains(new SkippedLine(
                        21,
                        "switch 0x0000000000000030 port 2: switch 0x0000000000000010 port 3 names another cable on"
                                + " line 11"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1]\t\"S-0000000000000010\"|[1]\t\"S-00000000zz000010\"|20",
                "[1]\t\"S-0000000000000010\"|[1]|20",
                "[1]\t\"S-0000000000000010\"|[1?\t\"S-0000000000000010\"|20",
                "[1]\t\"H-0000000000000200\"|[1]\t\"H-0000|15",
                "[1](101) \t\"S-|[1](1#1) \t\"S-|25"
            })
    void shouldTakeACableWithOneDamagedEndFromTheOther(String line, String damaged, int number) {
        IbnetFabric fabric = read(WHOLE.replace(line, damaged));

        assertWhole(fabric);
        assertThat(fabric.summary().completedEndCount()).isEqualTo(1);
        assertThat(fabric.summary().firstSkipped())
                .extracting(SkippedLine::line)
                .containsExactly(number);
    }

    @Test
    void shouldRefuseADamagedLineWhoseCableNoOtherLineTells() {
        String oneEnd = WHOLE.replaceAll("(?m)^\\[3].*\n", "");

        assertRefused(
                oneEnd.replace("[2]\t\"S-0000000000000020\"", "[2]\t\"S-0000000x\""),
                "f.txt:19: '[2] \"S-0000000x\"[3]");
        assertRefused(
                oneEnd.replace("[2]\t\"S-0000000000000020\"", "[]\t\"S-0000000000000020\""),
                "expected a number as port instead of '', and no other line tells of this cable of switch"
                        + " 0x0000000000000030");
        assertRefused(
                WHOLE.replace("\"H-0000000000000200\"[1](201)", "\"H-0000000000000200\"[](201)")
                        .replace("[1](201) \t", "[1](201) ?"),
                "f.txt:15: '[1] \"H-0000000000000200\"[](201)");
    }

    @Test
    void shouldMissNothingWhenADamagedLineToldOfACableThatIsLeftOut() {
        String loop = WHOLE.replace("Switch\t3", "Switch\t6")
                .replace(
                        "[2]\t\"S-0000000000000020\"[3]",
                        "[4]\t\"S-30\"[5]\n[5]\t\"S-3?\"[4]\n[2]\t\"S-0000000000000020\"[3]");
        String aggregation =
                WHOLE.replace("[2]\t\"S-0000000000000020\"[3]", "[3]\t\"H-3?\"[1](31)\n[2]\t\"S-0000000000000020\"[3]")
                        + "\ncaguid=0x31\nCa\t1 \"H-31\"\t# \"Mellanox Technologies Aggregation Node\"\n"
                        + "[1](31)\t\"S-30\"[3]\t# lid 7 lmc 0 \"spine\" lid 6\n";

        assertWhole(read(loop));
        assertThat(read(loop).summary().loopBackCount()).isEqualTo(1);
        assertWhole(read(aggregation));
        assertThat(read(aggregation).summary().aggregationNodeCount()).isEqualTo(1);
    }

    @Test
    void shouldSkipPortsThatDoNotExist() {
        IbnetFabric fabric = read(WHOLE.replace("[1]\t\"S-0000000000000010\"[3]", "[4]\t\"S-0000000000000010\"[3]")
                .replace("\"S-0000000000000030\"[1]", "\"S-0000000000000030\"[9]"));

        assertThat(fabric.summary().cableCount()).isEqualTo(1);
        assertThat(fabric.summary().firstSkipped())
                .extracting(SkippedLine::reason)
                .anySatisfy(reason -> assertThat(reason).endsWith("switch 0x0000000000000030: port 4 outside 1..3"))
                .anySatisfy(reason -> assertThat(reason).endsWith("switch 0x0000000000000030: port 9 outside 1..3"));
    }

    @Test
    void shouldReportUnusableLinesAndKeepTheFirst() {
        StringBuilder junk = new StringBuilder(WHOLE);
        for (int i = 0; i < 50; i++) {
            junk.append("junk ").append(i).append('\n');
        }

        ImportSummary summary = read(junk.toString()).summary();

        assertThat(summary.skippedLineCount()).isEqualTo(50);
        assertThat(summary.firstSkipped()).hasSize(ImportSummary.SKIPPED_KEPT);
        assertThat(summary.firstSkipped().get(0).line()).isEqualTo(LAST_LINE + 1);
        assertThat(summary.firstSkipped().get(19).reason()).startsWith("'junk 19'");
    }

    @Test
    void shouldTakeHostsWithSeveralPortsOnSeveralSwitches() {
        String text = WHOLE.replace(
                        "[3]\t\"S-0000000000000030\"[2]",
                        "[2]\t\"H-0000000000000100\"[3] \t\t# \"alpha HCA-1\" lid 10 4xEDR\n"
                                + "[3]\t\"S-0000000000000030\"[2]")
                .replace("Ca\t1 \"H-0000000000000100\"", "Ca\t3 \"H-0000000000000100\"");

        IbnetFabric fabric = read(text);

        assertThat(fabric.summary().hostCount()).isEqualTo(2);
        assertThat(fabric.summary().hostPortCount()).isEqualTo(3);
        FabricView view = view(fabric);
        assertThat(view.host(2)).isEqualTo(new Host(0x102, 0x100, 3, "alpha HCA-1", HostAddresses.ofLid(10)));
    }

    @Test
    void shouldNotTakeOneHostPortTwice() {
        IbnetFabric fabric = read(WHOLE.replace("(201)", "(101)"));

        assertThat(fabric.summary().hostPortCount()).isEqualTo(1);
        assertThat(fabric.summary().firstSkipped().get(0).reason())
                .isEqualTo("host port 0x0000000000000101 is cabled to another switch port already");
    }

    @Test
    void shouldKeepHostsOnUpperSwitches() {
        String text = WHOLE.replace(
                "[2]\t\"S-0000000000000020\"[3]",
                "[3]\t\"H-300\"[1](301) \t# \"admin\" lid 7 4xEDR\n[2]\t\"S-0000000000000020\"[3]");

        FabricView view = view(read(text.replace("Switch\t3", "Switch\t8")
                .replace("[1]\t\"H-0000000000000100\"", "[7]\t\"H-111\"[1](112)\n[1]\t\"H-0000000000000100\"")
                .replace("[1]\t\"H-0000000000000200\"", "[7]\t\"H-221\"[1](222)\n[1]\t\"H-0000000000000200\"")));

        assertThat(view.nodeCount()).isEqualTo(5);
        assertThat(view.leafCount()).isEqualTo(2);
        assertThat(view.targetCount()).isEqualTo(3);
        assertThat(view.rank(2)).isEqualTo(1);
    }

    @Test
    void shouldTakeLeafToLeafLinksAndUnequalParallelCables() {
        String text = WHOLE.replace("Switch\t3", "Switch\t6")
                + "switchguid=0x40(40)\nSwitch 6 \"S-40\" # \"extra\" base port 0 lid 0 lmc 0\n"
                + "[1] \"S-10\"[4]\n[2] \"S-10\"[5]\n[3] \"S-20\"[4]\n[4] \"S-30\"[4]\n";

        FabricView view = view(read(text));

        assertThat(view.linkCount()).isEqualTo(6);
        int extra = view.switchOf(0x40);
        assertThat(view.groupSize(view.groupStart(extra))).isEqualTo(2);
        assertThat(view.groupSize(view.groupStart(extra) + 1)).isEqualTo(1);
    }

    @Test
    void shouldLeaveLoopBacksOut() {
        String text = WHOLE.replace("Switch\t3", "Switch\t6")
                .replace(
                        "[2]\t\"S-0000000000000020\"[3]",
                        "[4]\t\"S-30\"[5]\n[5]\t\"S-30\"[4]\n[6]\t\"S-30\"[6]\n[2]\t\"S-0000000000000020\"[3]");

        IbnetFabric fabric = read(text);

        assertWhole(fabric);
        assertThat(fabric.summary().loopBackCount()).isEqualTo(2);
        assertThat(fabric.summary().skippedLineCount()).isZero();
    }

    /** A cable from a switch to itself whose other end is no port at all: found by a fuzzer. */
    @Test
    void shouldLeaveALoopBackToNoPortOut() {
        IbnetFabric fabric = read(WHOLE.replace("Switch\t3", "Switch\t6")
                .replace("[2]\t\"S-0000000000000020\"[3]", "[4]\t\"S-30\"[0]\n[2]\t\"S-0000000000000020\"[3]"));

        assertWhole(fabric);
        assertThat(fabric.summary().loopBackCount()).isEqualTo(1);
    }

    @Test
    void shouldTakeARouterAsAHost() {
        assertWhole(
                read(WHOLE.replace("H-0000000000000200", "R-0000000000000200").replace("Ca\t1 \"R", "Rt\t1 \"R")));
    }

    @Test
    void shouldTakeASwitchToldTwice() {
        IbnetFabric fabric = read(WHOLE + WHOLE);

        assertWhole(fabric);
        assertThat(fabric.summary().skippedLineCount()).isEqualTo(5);
        assertThat(fabric.summary().firstSkipped().get(0).reason())
                .isEqualTo("switch 0x0000000000000010 a second time; first on line 9");
    }

    @Test
    void shouldRefuseAFileCutOffInsideTheSwitches() {
        assertRefused(
                WHOLE.substring(0, WHOLE.indexOf("switchguid=0x30")),
                "f.txt:11: switch 0x0000000000000030 has no block in the file; expected a block for each switch");
    }

    @Test
    void shouldRefuseAFileCutOffInsideALine() {
        int blocks = WHOLE.indexOf("caguid=0x200");

        assertRefused(WHOLE.substring(0, WHOLE.length() - 60), "f.txt:29: the file ends within this line");
        assertRefused(WHOLE.substring(0, blocks + 5), "f.txt:27: the file ends within this line");
        assertRefused(WHOLE.substring(0, blocks + 9), "host 0x0000000000000200 has no block in the file");
        assertRefused(WHOLE.substring(0, WHOLE.indexOf("caguid")), "f.txt:10: host 0x0000000000000100 has no block");
    }

    @Test
    void shouldNeverThrowAnythingElseWhereverAFileIsCutOff() {
        for (int length = 0; length < WHOLE.length(); length++) {
            String text = WHOLE.substring(0, length);
            try {
                IbnetFabric fabric =
                        IbnetReader.read("f.txt", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
                assertThat(fabric.summary().hostPortCount()).as(text).isEqualTo(2);
                assertThat(fabric.summary().cableCount()).as(text).isEqualTo(2);
            } catch (IbnetFormatException e) {
                assertThat(e)
                        .message()
                        .startsWith("f.txt:")
                        .contains("expected")
                        .hasLineCount(1);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|f.txt:1: the file is empty; expected",
                "hello|f.txt:1: the file ends without any switch; expected",
                "Switch 3 \"S-1\"|f.txt:1: no cable in the whole file; expected port lines",
                "Switch 255 \"S-1\"|f.txt:1: 'Switch 255 \"S-1\"': switch 0x0000000000000001: 255 ports, expected 1..254",
                "Switch 0 \"S-1\"|0 ports, expected 1..254",
                "Switch x \"S-1\"|expected a number as port count instead of 'x'",
                "Switch 3 \"S-1|expected \"S-, H- or R- and a GUID\"",
                "Switch 3 \"H-1\"|expected the name of a switch, S-",
                "Switch 3 \"S-xyz\"|'xyz' is not a GUID",
                "Switch : 0x1 ports 36 'sw'|expected a number as port count instead of ':'"
            })
    void shouldSayInOneLineWhatIsWrong(String text, String message) {
        assertRefused(text + (text.isEmpty() ? "" : "\n"), message);
    }

    @Test
    void shouldRefuseTwoBlocksOfASwitchThatDisagree() {
        assertRefused(
                WHOLE + "Switch 4 \"S-10\"\n",
                "f.txt:30: 'Switch 4 \"S-10\"': switch 0x0000000000000010: 4 ports, expected 3 as on line 9");
    }

    @Test
    void shouldRefuseBinaryFilesAndEndlessLines() {
        assertRefused("\u001f\u008b\b\0\0\0", "f.txt:1: a zero byte; expected ibnetdiscover text");
        assertThatThrownBy(() ->
                        IbnetReader.read("f.txt", new ByteArrayInputStream(WHOLE.getBytes(StandardCharsets.UTF_16))))
                .hasMessage("f.txt:1: UTF-16 text; expected UTF-8");
        assertRefused(
                "#\n" + "x".repeat(IbnetLines.LINE_BYTES_MAX + 1), "f.txt:2: the line is too long; expected at most");
    }

    @Test
    void shouldNameAFileItCannotRead(@TempDir Path directory) {
        Path missing = directory.resolve("missing.txt");

        assertThatThrownBy(() -> IbnetReader.read(missing))
                .isInstanceOf(IbnetFormatException.class)
                .hasMessage(missing + ": cannot be read (no such file); expected a file of ibnetdiscover text");
        assertThatThrownBy(() -> IbnetReader.read(directory))
                .isInstanceOf(IbnetFormatException.class)
                .hasMessageStartingWith(directory + ": cannot be read (");
    }

    @Test
    void shouldNameASourceThatBreaks() {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("disk on fire");
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                return read();
            }
        };

        assertThatThrownBy(() -> IbnetReader.read("pipe", broken))
                .isInstanceOf(IbnetFormatException.class)
                .hasMessageStartingWith("pipe: cannot be read (disk on fire)");
    }

    @Test
    void shouldReadAFile(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("fabric.txt"), WHOLE);

        assertWhole(IbnetReader.read(file));
    }
}
