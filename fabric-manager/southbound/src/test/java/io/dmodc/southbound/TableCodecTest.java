package io.dmodc.southbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.UnsafeByteOperations;
import io.dmodc.southbound.proto.PortTable;
import io.dmodc.southbound.proto.PortTable.Piece;
import io.dmodc.southbound.proto.RawBlocks;
import io.dmodc.southbound.proto.TableRefusal.Reason;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableCodecTest {

    private static byte[] table(int length, int salt) {
        byte[] table = new byte[length];
        for (int i = 0; i < length; i++) {
            table[i] = (byte) ((i * 7 + salt) % 36 + 1);
        }
        return table;
    }

    private static int[] changed(byte[] before, byte[] after) {
        return IntStream.range(0, TableCodec.blockCount(after.length))
                .filter(block -> {
                    int from = block * 64;
                    int end = Math.min(after.length, from + 64);
                    return before.length < end || Arrays.mismatch(before, from, end, after, from, end) >= 0;
                })
                .toArray();
    }

    static PortTable difference(byte[] before, byte[] after) {
        RunEncoder encoder = RunEncoder.difference(
                after.length, changed(before, after), TableDigest.of(before), TableDigest.of(after));
        return RowOfRuns.ofEntries(after).tell(encoder).table();
    }

    private static PortTable complete(byte[] table) {
        return RowOfRuns.ofEntries(table)
                .tell(RunEncoder.complete(table.length, TableDigest.of(table)))
                .table();
    }

    /** As the frame decoder does: the entries become a view of the frame's bytes. */
    private static PortTable overTheWire(PortTable push) throws Exception {
        CodedInputStream input =
                UnsafeByteOperations.unsafeWrap(push.toByteArray()).newCodedInput();
        input.enableAliasing(true);
        return PortTable.parseFrom(input);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 64, 65, 128, 1000, 8640, SouthboundProtocol.MAX_ENTRIES})
    void shouldCarryAWholeTable(int length) throws Exception {
        byte[] table = table(length, 1);

        PortTable push = complete(table);

        assertThat(TableCodec.apply(overTheWire(push), new byte[] {1, 2})).isEqualTo(table);
        assertThat(push.getSerializedSize()).isLessThan(SouthboundProtocol.MAX_FRAME_BYTES);
    }

    @Test
    void shouldLeaveBlocksOfAWholeTableThatAreNotListedWithoutRoutes() throws Exception {
        byte[] table = table(640, 1);
        Arrays.fill(table, 64, 600, SouthboundProtocol.NO_ROUTE);

        PortTable push = RawPush.of(complete(table), table, new int[] {0, 9});

        assertThat(TableCodec.apply(overTheWire(push), new byte[] {1, 2})).isEqualTo(table);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldCarryRandomDifferencesBetweenTablesOfAnyLength(long seed) throws Exception {
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            byte[] before = table(random.nextInt(1500), 1);
            byte[] after = Arrays.copyOf(before, random.nextBoolean() ? before.length : random.nextInt(1500));
            int kept = Math.min(before.length, after.length);
            Arrays.fill(after, kept, after.length, SouthboundProtocol.NO_ROUTE);
            for (int i = random.nextInt(6); i > 0 && after.length > 0; i--) {
                after[random.nextInt(after.length)] = (byte) random.nextInt(256);
            }
            byte[] present = before.clone();

            byte[] next = TableCodec.apply(overTheWire(difference(before, after)), present);

            assertThat(next).isEqualTo(after);
            assertThat(present).as("the table in force is left alone").isEqualTo(before);
        }
    }

    private static PortTable raw(int entryCount, int bytes, int... blocks) {
        RawBlocks.Builder raw = RawBlocks.newBuilder().setEntries(ByteString.copyFrom(new byte[bytes]));
        for (int block : blocks) {
            raw.addBlock(block);
        }
        return PortTable.newBuilder()
                .setEntryCount(entryCount)
                .setComplete(true)
                .addPieces(Piece.newBuilder().setRaw(raw))
                .build();
    }

    private static void refused(PortTable push, byte[] present, Reason reason, String text) {
        byte[] before = present.clone();
        assertThatThrownBy(() -> TableCodec.apply(push, present))
                .isInstanceOfSatisfying(
                        TableRefusedException.class, e -> assertThat(e.reason()).isEqualTo(reason))
                .hasMessageContaining(text);
        assertThat(present).isEqualTo(before);
    }

    @Test
    void shouldRefuseMalformedPushes() {
        byte[] present = table(100, 1);
        PortTable unknown = PortTable.newBuilder()
                .setComplete(true)
                .addPieces(Piece.getDefaultInstance())
                .build();

        refused(raw(100, 64, 2), present, Reason.MALFORMED, "piece 0: block 2 is outside a table of 100 entries");
        refused(raw(100, 64, -1), present, Reason.MALFORMED, "block 4294967295 is outside");
        refused(raw(128, 128, 1, 0), present, Reason.MALFORMED, "piece 0: block 0 after block 1");
        refused(raw(128, 128, 1, 1), present, Reason.MALFORMED, "piece 0: block 1 after block 1");
        refused(raw(128, 65, 1), present, Reason.MALFORMED, "piece 0: 65 bytes for 1 blocks of 64");
        refused(raw(100, 64, 1), present, Reason.MALFORMED, "block 1: entry 100 past the end is not 255");
        refused(raw(SouthboundProtocol.MAX_ENTRIES + 1, 0), present, Reason.MALFORMED, "table of 524289 entries");
        refused(raw(-1, 0), present, Reason.MALFORMED, "table of 4294967295 entries");
        refused(unknown, present, Reason.MALFORMED, "piece 0: unknown encoding");
    }

    @Test
    void shouldRefuseADifferenceOnAnotherTable() {
        refused(
                difference(table(100, 1), table(100, 2)),
                table(100, 3),
                Reason.BASE_MISMATCH,
                "the difference stands on");
    }

    @Test
    void shouldRefuseAnotherResultThanWasMeant() {
        PortTable push = difference(table(100, 1), table(100, 2)).toBuilder()
                .setResultDigest(1)
                .build();

        refused(push, table(100, 1), Reason.DIGEST_MISMATCH, "meant was 0x0000000000000001");
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13})
    void shouldNeverFailOtherwiseOnDamagedPushes(long seed) {
        Random random = new Random(seed);
        byte[] present = table(700, 1);
        byte[] good = difference(present, table(700, 2)).toByteArray();
        for (int round = 0; round < 5000; round++) {
            byte[] damaged = good.clone();
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                damaged[random.nextInt(round % 2 == 0 ? 60 : damaged.length)] = (byte) random.nextInt(256);
            }
            try {
                PortTable push = PortTable.parseFrom(damaged);
                assertThat(TableDigest.of(TableCodec.apply(push, present))).isEqualTo(push.getResultDigest());
            } catch (com.google.protobuf.InvalidProtocolBufferException | TableRefusedException refused) {
                assertThat(refused.getMessage()).isNotBlank();
            }
        }
    }
}
