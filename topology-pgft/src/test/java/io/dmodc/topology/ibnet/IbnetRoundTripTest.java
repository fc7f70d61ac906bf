package io.dmodc.topology.ibnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.LinkRate;
import io.dmodc.topology.LinkRates;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.TestFabric;
import io.dmodc.topology.ViewText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the writer writes, the reader reads back as the same view. */
class IbnetRoundTripTest {
    private static String text(FabricView view) throws IOException {
        StringBuilder out = new StringBuilder();
        IbnetWriter.write(view, new LidMap(), out);
        return out.toString();
    }

    private static IbnetFabric read(String text) throws IOException {
        return IbnetReader.read("round-trip", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static void assertSameAgain(FabricView view) throws IOException {
        String text = text(view);
        IbnetFabric again = read(text);
        FabricView read = again.fabric().build(1, new NodeIndexMap(), new GuidNumbers());

        assertThat(withoutAddresses(read)).isEqualTo(withoutAddresses(view));
        assertThat(again.summary().skippedLineCount()).isZero();
        assertThat(again.summary().completedEndCount()).isZero();
        assertThat(again.summary().cableCount()).isEqualTo(view.linkCount());
        StringBuilder twice = new StringBuilder();
        IbnetWriter.write(read, again.lids(), twice);
        assertThat(twice.substring(twice.indexOf("vendid"))).isEqualTo(text.substring(text.indexOf("vendid")));
        assertSameLids(read, again.lids());
    }

    @Test
    void shouldKeepTheRatesOfLinks() throws IOException {
        FabricView view = TestFabric.fabric("2;2,2;1,2;1,1").view();
        LinkRates rates = new LinkRates();
        rates.put(view.switchGuid(0), 1, new LinkRate(1, LinkRate.Speed.HDR));
        rates.put(view.switchGuid(0), 3, new LinkRate(4, LinkRate.Speed.SDR));
        StringBuilder text = new StringBuilder();
        IbnetWriter.write(view, new LidMap(), rates, text);

        IbnetFabric again = read(text.toString());
        StringBuilder twice = new StringBuilder();
        IbnetWriter.write(view, again.lids(), again.rates(), twice);

        assertThat(again.rates().of(view.switchGuid(0), 1)).contains(new LinkRate(1, LinkRate.Speed.HDR));
        assertThat(again.rates().of(view.switchGuid(0), 3)).contains(new LinkRate(4, LinkRate.Speed.SDR));
        assertThat(text.toString().lines().filter(line -> line.endsWith(" 1xHDR")))
                .as("both ends of the cable to a host")
                .hasSize(2);
        assertThat(twice).hasToString(text.toString());
    }

    /** The text gives each host a LID, whether the view had one or not. */
    private static List<String> withoutAddresses(FabricView view) {
        return ViewText.of(view).stream()
                .map(line -> line.replaceAll("addresses=[^]]*", ""))
                .toList();
    }

    private static void assertSameLids(FabricView view, LidMap lids) throws IOException {
        LidMap ofViewAlone = read(text(view)).lids();
        for (int node = 0; node < view.nodeCount(); node++) {
            Host host = view.host(node);
            if (host != null) {
                int lid = lids.lidOf(host.portGuid());
                assertThat(host.addresses()).isEqualTo(HostAddresses.ofLid(lid));
                assertThat(ofViewAlone.lidOf(host.portGuid())).isEqualTo(lid);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1;4;1;1", "2;4,4;1,2;1,1", "3;2,2,3;1,2,2;1,2,1", "4;2,3,2,2;1,2,2,3;1,1,2,1"})
    void shouldReadBackWholeAndShuffledFabrics(String shape) throws IOException {
        assertSameAgain(TestFabric.fabric(shape).view());
        assertSameAgain(TestFabric.shuffled(shape, 5).view());
    }

    @Test
    void shouldReadBackDegradedFabrics() throws IOException {
        for (int seed = 0; seed < 50; seed++) {
            TestFabric fabric = TestFabric.shuffled("3;4,3,5;1,2,3;1,1,2", seed);
            assertSameAgain(fabric.damaged(seed % 3, seed % 17, seed).view());
        }
    }

    @Test
    void shouldReadBackAggregationNodes() throws IOException {
        FabricView view =
                TestFabric.shuffled("3;2,2,3;1,2,2;1,2,1", 7).withAggregation().view();

        assertSameAgain(view);

        IbnetFabric again = read(text(view).replace("Aggregation Node", "renamed"));
        assertThat(again.summary().hostPortCount()).isEqualTo(12);
        assertThat(again.summary().aggregationNodeCount()).isEqualTo(view.switchCount());
    }

    @Test
    void shouldReadBackSeveralAddressesOfAPort() throws IOException {
        FabricView view = TestFabric.fabric("2;2,2;1,1;1,1").view();
        LidMap lids = new LidMap();
        lids.put(view.nodeGuid(0), 8, 2);
        StringBuilder text = new StringBuilder();

        IbnetWriter.write(view, lids, text);

        LidMap again = read(text.toString()).lids();
        assertThat(again.lidOf(view.nodeGuid(0))).isEqualTo(8);
        Set<Integer> seen = new HashSet<>(Set.of(1, 2, 3));
        for (int node = 0; node < view.nodeCount(); node++) {
            assertThat(again.lmcOf(view.nodeGuid(node))).isEqualTo(2);
            for (int k = 0; k < 4; k++) {
                assertThat(seen.add(again.lidOf(view.nodeGuid(node)) + k)).isTrue();
            }
        }
        assertThat(again.lidOf(view.nodeGuid(1))).isEqualTo(4);
        assertThat(again.lidOf(view.nodeGuid(3))).isEqualTo(16);
    }

    @Test
    void shouldDealNoAddressInsideTheRangeOfAPort() {
        LidMap lids = new LidMap();

        assertThat(lids.put(0xa, 8, 1)).isTrue();
        assertThat(lids.put(0xb, 9)).isFalse();
        assertThat(lids.put(0xb, 8, 3)).isFalse();
        assertThat(lids.put(0xa, 8, 2)).isTrue();
        assertThat(lids.put(0xb, 11)).isFalse();
        assertThat(lids.put(0xa, 16)).isTrue();
        assertThat(lids.lmcOf(0xa)).isZero();
        assertThat(lids.put(0xb, 8, 3)).isTrue();
        assertThat(lids.lidMax()).isEqualTo(16);
        assertThatThrownBy(() -> lids.put(0xc, 9, 1))
                .hasMessageStartingWith("lid 9 lmc 1; expected a lid in 0..49151 that is a multiple of 2^lmc");
    }

    @Test
    void shouldGiveEachSwitchAndHostAnAddressOfItsOwn() throws IOException {
        FabricView view = TestFabric.fabric("3;2,2,3;1,2,2;1,2,1").view();

        LidMap lids = read(text(view)).lids();

        Set<Integer> seen = new HashSet<>();
        for (int s = 0; s < view.switchCount(); s++) {
            seen.add(lids.lidOf(view.switchGuid(s)));
        }
        for (int node = 0; node < view.nodeCount(); node++) {
            seen.add(lids.lidOf(view.nodeGuid(node)));
        }
        assertThat(seen).hasSize(view.switchCount() + view.nodeCount()).doesNotContain(LidMap.NONE);
        assertThat(lids.lidMax()).isEqualTo(view.switchCount() + view.nodeCount());
    }

    @Test
    void shouldWriteTheFormIbsimAndOpensmTake() throws IOException {
        String text = text(TestFabric.fabric("2;1,2;1,1;1,1").view());

        assertThat(text).contains("""

                vendid=0x2c9
                devid=0xcf08
                sysimgguid=0x02f0000000000000
                switchguid=0x02f0000000000000(02f0000000000000)
                Switch\t2 "S-02f0000000000000"\t\t# "leaf0" base port 0 lid 1 lmc 0
                [1]\t"H-02c0000000000000"[1](02c0000000000001) \t\t# "node0" lid 4 4xEDR
                [2]\t"S-02f0000000000002"[1]\t\t# "l2s0" lid 3 4xEDR
                """).contains("""

                vendid=0x2c9
                devid=0x1017
                sysimgguid=0x02c0000000000002
                caguid=0x02c0000000000002
                Ca\t1 "H-02c0000000000002"\t\t# "node1"
                [1](02c0000000000003) \t"S-02f0000000000001"[1]\t\t# lid 5 lmc 0 "leaf1" lid 2 4xEDR
                """);
    }

    @Test
    void shouldLeaveHostsWithoutAnAddressWhereASubnetHasNoMore() throws IOException {
        FabricView view = TestFabric.fabric("2;240,240;1,1;1,1").view();

        IbnetFabric again = read(text(view));

        assertThat(again.lids().lidMax()).isEqualTo(LidMap.LID_MAX);
        assertThat(again.lids().size()).isEqualTo(LidMap.LID_MAX);
        assertThat(again.summary().hostPortCount()).isEqualTo(57_600);
        assertThat(again.summary().unusableLidCount()).isZero();
    }

    @Test
    void shouldKeepAddressesAndFillTheGaps() {
        FabricView view = TestFabric.fabric("2;1,2;1,1;1,1").view();
        LidMap lids = new LidMap();
        assertThat(lids.put(view.switchGuid(1), 1)).isTrue();
        assertThat(lids.put(view.switchGuid(2), 1)).isFalse();

        LidMap all = lids.completedFor(view);

        assertThat(all.lidOf(view.switchGuid(0))).isEqualTo(2);
        assertThat(all.lidOf(view.switchGuid(1))).isEqualTo(1);
        assertThat(all.lidOf(view.switchGuid(2))).isEqualTo(3);
        assertThat(all.lidOf(view.nodeGuid(1))).isEqualTo(5);
        assertThat(lids.size()).isEqualTo(1);
    }
}
