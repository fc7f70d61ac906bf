package io.dmodc.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.dmodc.southbound.proto.Addresses;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.Destination;
import io.dmodc.southbound.proto.Destinations;
import io.dmodc.southbound.proto.Endpoint;
import io.dmodc.southbound.proto.FaultReport;
import io.dmodc.southbound.proto.Hello;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.PortTable;
import io.dmodc.southbound.proto.Welcome;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The document's byte-level examples and its list of bounds are what this code does. */
class WireExamplesTest {
    private static final Path DOCUMENT = Path.of("../../docs/southbound-protocol.md");

    static Stream<MessageLite> frames() {
        AgentFrame hello = AgentFrame.newBuilder()
                .setHello(Hello.newBuilder()
                        .setProtocolMin(2)
                        .setProtocolMax(2)
                        .setSwitchGuid(0x0002c903_000a1b2cL)
                        .setName("leaf0")
                        .setPortCount(36)
                        .setIncarnation(7)
                        .setDetector(Endpoint.newBuilder()
                                .setAddress(ByteString.copyFrom(new byte[] {10, 0, 0, 5}))
                                .setPort(7471)))
                .build();
        ManagerFrame welcome = ManagerFrame.newBuilder()
                .setWelcome(Welcome.newBuilder()
                        .setProtocol(2)
                        .setLeaderEpoch(3)
                        .setKeepAliveMillis(2000)
                        .setMaxFrameBytes(SouthboundProtocol.MAX_FRAME_BYTES))
                .build();
        return Stream.of(
                hello,
                welcome,
                pushOfRawBlocks(),
                pushOfRuns(),
                pushOfTurns(),
                destinations(),
                alternatives(),
                foreignSource());
    }

    private static MessageLite foreignSource() {
        return AgentFrame.newBuilder()
                .setFaultReport(FaultReport.newBuilder()
                        .setSequence(9)
                        .setKind(FaultReport.Kind.FOREIGN_SOURCE)
                        .setSubjectGuid(0x0002c903_000a1b2dL)
                        .setObserverGuid(0x0002c903_000a1b2cL)
                        .setExpected(Endpoint.newBuilder()
                                .setAddress(ByteString.copyFrom(new byte[] {10, 0, 0, 7}))
                                .setPort(7471))
                        .setActual(Endpoint.newBuilder()
                                .setAddress(ByteString.copyFrom(new byte[] {10, 1, 0, 7}))
                                .setPort(7471)))
                .build();
    }

    /** One with all addresses and a name of two blocks, one with nothing but its GUID. */
    private static final Destination LONG = Destination.newBuilder()
            .setIndex(3)
            .setPortGuid(0x0002c903_000a1b2dL)
            .setName("rack-12-unit-07-blade-3-port-1")
            .setAddresses(Addresses.newBuilder()
                    .setLid(300)
                    .setIpv4(ByteString.copyFrom(new byte[] {10, 0, 0, 7}))
                    .setIpv6(ByteString.copyFrom(new byte[] {(byte) 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7}))
                    .setMac(ByteString.copyFrom(new byte[] {2, 0, 0, 0, 0, 7})))
            .build();

    private static final Destination SHORT =
            Destination.newBuilder().setIndex(5).setPortGuid(0xa0).build();

    private static MessageLite destinations() {
        return ManagerFrame.newBuilder()
                .setDestinations(Destinations.newBuilder()
                        .setFabricEpoch(17)
                        .setComplete(true)
                        .setResultDigest(DestinationDigest.of(LONG) + DestinationDigest.of(SHORT))
                        .addChanged(LONG)
                        .addChanged(SHORT))
                .build();
    }

    private static MessageLite alternatives() {
        Alternatives before = new Alternatives.Builder(0x1122334455667788L)
                .run(18, new byte[] {3, 4, 5})
                .run(36, new byte[] {})
                .build();
        Alternatives after = new Alternatives.Builder(0x1854afd55a60098dL)
                .run(9, new byte[] {3, 4, 5})
                .run(12, new byte[] {3, 5})
                .run(20, new byte[] {3, 4, 5})
                .run(36, new byte[] {})
                .build();
        return ManagerFrame.newBuilder()
                .setTablePush(TableCodec.push(new TableVersion(3, 17), AlternativesCodec.difference(before, after)))
                .build();
    }

    @Test
    void shouldSayWhatEachOfItsDestinationsAddsToTheDigest() throws Exception {
        String document = Files.readString(DOCUMENT);

        assertThat(document)
                .contains("adds 0x%016x".formatted(DestinationDigest.of(LONG)))
                .contains("adds 0x%016x".formatted(DestinationDigest.of(SHORT)));
    }

    private static MessageLite pushOfRawBlocks() {
        byte[] table = new byte[126];
        for (int i = 0; i < table.length; i++) {
            table[i] = (byte) (i * i % 251);
        }
        RunEncoder encoder = RunEncoder.difference(126, new int[] {1}, 0x1122334455667788L, TableDigest.of(table));
        return push(RowOfRuns.ofEntries(table).tell(encoder).table());
    }

    private static MessageLite pushOfRuns() {
        RowOfRuns row = new RowOfRuns()
                .to(32, 1, 0, 0x21, 0x22, 0x23, 0x24)
                .to(52, 2, 3, 0x21, 0x23, 0x24)
                .to(70, 1, 0, 7);
        return push(
                row.tell(RunEncoder.complete(70, TableDigest.of(row.expand()))).table());
    }

    private static MessageLite pushOfTurns() {
        byte[] table = TurnTableTest.leaf(2);
        return ManagerFrame.newBuilder()
                .setTablePush(TableCodec.push(
                        new TableVersion(3, 17),
                        TableKind.TURNS,
                        RowOfRuns.ofEntries(table)
                                .tell(RunEncoder.complete(table.length, TableDigest.of(table)))
                                .table()))
                .build();
    }

    private static MessageLite push(PortTable routes) {
        return ManagerFrame.newBuilder()
                .setTablePush(TableCodec.push(new TableVersion(3, 17), routes))
                .build();
    }

    @ParameterizedTest
    @MethodSource("frames")
    void shouldStandInTheDocumentByteByByte(MessageLite frame) throws Exception {
        String document = Files.readString(DOCUMENT);

        assertThat(document).contains(hexDump(frame));
    }

    static String hexDump(MessageLite frame) {
        EmbeddedChannel channel = new EmbeddedChannel(new FrameEncoder(SouthboundProtocol.MAX_FRAME_BYTES));
        channel.writeOutbound(frame);
        ByteBuf bytes = channel.readOutbound();
        StringBuilder dump = new StringBuilder();
        for (int i = 0; bytes.isReadable(); i++) {
            dump.append(String.format(i % 16 == 15 ? "%02x\n" : "%02x ", bytes.readByte()));
        }
        bytes.release();
        channel.finishAndReleaseAll();
        return dump.toString().strip().replace(" \n", "\n");
    }

    static Stream<Object> bounds() {
        return Stream.of(
                SouthboundProtocol.MAX_FRAME_BYTES,
                SouthboundProtocol.MIN_MAX_FRAME_BYTES,
                SouthboundProtocol.MAX_ENTRIES,
                SouthboundProtocol.PATTERN_PORTS_PER_ENTRY + " times `entry_count`",
                SouthboundProtocol.MAX_MEMBERS,
                "0.." + SouthboundProtocol.MAX_LID,
                SouthboundProtocol.HELLO_TIMEOUT.toSeconds() + " s",
                SouthboundProtocol.FRAME_TIMEOUT.toSeconds() + " s",
                SouthboundProtocol.DEFAULT_PORT,
                "0x154fed676dae8881");
    }

    @ParameterizedTest
    @MethodSource("bounds")
    void shouldStateTheBounds(Object bound) throws Exception {
        assertThat(Files.readString(DOCUMENT)).contains(String.valueOf(bound));
    }
}
