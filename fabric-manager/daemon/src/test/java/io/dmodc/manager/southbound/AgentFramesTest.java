package io.dmodc.manager.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.dmodc.southbound.ReportCheck;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.proto.Addresses;
import io.dmodc.southbound.proto.HostNeighbour;
import io.dmodc.southbound.proto.Port;
import io.dmodc.southbound.proto.PortReport;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.LinkRate;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What an agent's frames say, in the core's words. */
class AgentFramesTest {
    private static final long GUID = 0x10;

    /** As a manager takes it in that has checked it before. */
    private static Host taken(HostNeighbour.Builder host) {
        PortReport report = PortReport.newBuilder()
                .setSequence(1)
                .addPorts(Port.newBuilder().setNumber(1).setUp(true).setHostNeighbour(host))
                .build();
        assertThat(ReportCheck.refusal(report, GUID, 4, 0)).isEmpty();
        ToHost far = (ToHost) Objects.requireNonNull(
                AgentFrames.ports(0, 1, GUID, report).ports().get(0).neighbour());
        return far.host();
    }

    private static HostNeighbour.Builder node0() {
        return HostNeighbour.newBuilder()
                .setPortGuid(0x99)
                .setHostGuid(0x98)
                .setHostPort(1)
                .setName("node0");
    }

    private static Addresses.Builder wire(HostAddresses it) {
        return Addresses.newBuilder()
                .setLid(it.lid())
                .setIpv4(ByteString.copyFrom(it.ipv4Bytes()))
                .setIpv6(ByteString.copyFrom(it.ipv6Bytes()))
                .setMac(ByteString.copyFrom(it.macBytes()));
    }

    @Test
    void shouldTakeAHostWithTheAddressesItsAgentKnows() {
        Addresses.Builder addresses = Addresses.newBuilder()
                .setLid(12)
                .setIpv4(ByteString.fromHex("0a000007"))
                .setIpv6(ByteString.fromHex("fd000000000000000000000000000007"))
                .setMac(ByteString.fromHex("020000000007"));

        assertThat(taken(node0().setAddresses(addresses)))
                .isEqualTo(new Host(
                        0x99, 0x98, 1, "node0", HostAddresses.parse(12, "10.0.0.7", "fd00::7", "02:00:00:00:00:07")));
    }

    @Test
    void shouldTakeWhatIsAbsentOrZeroForNoAddress() {
        Addresses.Builder zeros = Addresses.newBuilder()
                .setIpv4(ByteString.copyFrom(new byte[4]))
                .setIpv6(ByteString.copyFrom(new byte[16]))
                .setMac(ByteString.copyFrom(new byte[6]));

        assertThat(taken(node0()).addresses()).isSameAs(HostAddresses.NONE);
        assertThat(taken(node0().setAddresses(Addresses.getDefaultInstance())).addresses())
                .isSameAs(HostAddresses.NONE);
        assertThat(taken(node0().setAddresses(zeros)).addresses()).isSameAs(HostAddresses.NONE);
    }

    @Test
    void shouldTakeRandomAddressesAsTheyWereSaid() {
        long seed = 77;
        System.out.println("seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 5_000; i++) {
            HostAddresses said = new HostAddresses(
                    random.nextInt(2) * random.nextInt(HostAddresses.LID_MAX + 1),
                    random.nextInt(2) * random.nextInt(),
                    random.nextInt(2) * random.nextLong(),
                    random.nextInt(2) * random.nextLong(),
                    random.nextInt(2) * (random.nextLong() >>> 16));

            assertThat(taken(node0().setAddresses(wire(said))).addresses()).isEqualTo(said);
        }
    }

    /** Agents of before these fields say none, and of a port that is down the last rate means nothing. */
    @Test
    void shouldKnowTheRatesOfPortsThatAreUpAndSayThem() throws Exception {
        PortReport report = PortReport.newBuilder()
                .setSequence(1)
                .addPorts(Port.newBuilder()
                        .setNumber(1)
                        .setUp(true)
                        .setMegabits(100_000)
                        .setLanes(4))
                .addPorts(Port.newBuilder().setNumber(2).setUp(true).setMegabits(25_000))
                .addPorts(Port.newBuilder().setNumber(3).setUp(true))
                .addPorts(Port.newBuilder().setNumber(4).setMegabits(25_000))
                .build();

        PortReport again = PortReport.parseFrom(report.toByteArray());

        assertThat(ReportCheck.refusal(again, GUID, 4, 0)).isEmpty();
        assertThat(AgentFrames.ports(0, 1, GUID, again).rates())
                .isEqualTo(Map.of(1, new LinkRate(100_000, 4), 2, new LinkRate(25_000, 0)));
    }

    @Test
    void shouldBoundRatesAsFramesDo() {
        assertThat(LinkRate.MEGABITS_MAX).isEqualTo(SouthboundProtocol.MAX_MEGABITS);
        assertThat(LinkRate.LANES_MAX).isEqualTo(SouthboundProtocol.MAX_LANES);
    }
}
