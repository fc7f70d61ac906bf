package io.dmodc.southbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.southbound.proto.PatternRuns;
import io.dmodc.southbound.proto.PortTable;
import io.dmodc.southbound.proto.PortTable.Piece;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunEncoderTest {
    private static final byte[] UP = up(32);

    private static byte[] up(int count) {
        byte[] ports = new byte[count];
        for (int i = 0; i < count; i++) {
            ports[i] = (byte) (33 + i);
        }
        return ports;
    }

    private static PortTable complete(RowOfRuns row) {
        byte[] table = row.expand();
        return row.tell(RunEncoder.complete(table.length, TableDigest.of(table)))
                .table();
    }

    private static RunEncoder difference(byte[] before, byte[] after, int[] blocks) {
        return RunEncoder.difference(after.length, blocks, TableDigest.of(before), TableDigest.of(after));
    }

    private static byte[] applied(PortTable push, byte[] present) throws Exception {
        return TableCodec.apply(PortTable.parseFrom(push.toByteArray()), present);
    }

    private static long portsOfPatterns(PortTable push) {
        long ports = 0;
        int[] lengths = new int[push.getEntryCount()];
        int number = 0;
        for (Piece piece : push.getPiecesList()) {
            for (PatternRuns.Pattern pattern : piece.getRuns().getPatternsList()) {
                lengths[number] = pattern.getPorts().isEmpty()
                        ? lengths[pattern.getBase()] - pattern.getWithoutCount()
                        : pattern.getPorts().size();
                ports += lengths[number++];
            }
        }
        return ports;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldCarryAnyRowWholeInNoMoreBytesThanRaw(long seed) throws Exception {
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            RowOfRuns row = RowOfRuns.random(random, random.nextInt(round % 30 == 0 ? 70_000 : 3000));
            byte[] table = row.expand();
            int[] all = IntStream.range(0, TableCodec.blockCount(table.length)).toArray();

            PortTable push = complete(row);

            assertThat(applied(push, new byte[] {1, 2})).isEqualTo(table);
            assertThat(portsOfPatterns(push)).isLessThanOrEqualTo(4L * table.length);
            assertThat(push.getSerializedSize())
                    .isLessThanOrEqualTo(RawPush.of(push, table, all).getSerializedSize());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldCarryAnyDifferenceBetweenRowsOfAnyLength(long seed) throws Exception {
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            RowOfRuns row = RowOfRuns.random(random, random.nextInt(round % 30 == 0 ? 70_000 : 5000));
            byte[] after = row.expand();
            byte[] before = Arrays.copyOf(after, random.nextBoolean() ? after.length : random.nextInt(5000));
            int changes = random.nextInt(1 << random.nextInt(8));
            for (int i = 0; i < changes && before.length > 0; i++) {
                int from = random.nextInt(before.length);
                Arrays.fill(before, from, Math.min(before.length, from + random.nextInt(200)), (byte) 77);
            }
            int[] blocks = changed(before, after);

            PortTable push = (round % 2 == 0
                            ? row.tell(difference(before, after, blocks))
                            : row.tell(difference(before, after, blocks), blocks))
                    .table();

            assertThat(applied(push, before)).isEqualTo(after);
            assertThat(portsOfPatterns(push)).isLessThanOrEqualTo(4L * after.length);
            assertThat(push.getSerializedSize())
                    .isLessThanOrEqualTo(RawPush.of(push, after, blocks).getSerializedSize());
        }
    }

    private static int[] changed(byte[] before, byte[] after) {
        byte[] same = new byte[after.length];
        Arrays.fill(same, (byte) 255);
        System.arraycopy(before, 0, same, 0, Math.min(before.length, after.length));
        return IntStream.range(0, TableCodec.blockCount(after.length))
                .filter(block -> {
                    int end = Math.min(after.length, block * 64 + 64);
                    return !Arrays.equals(same, block * 64, end, after, block * 64, end);
                })
                .toArray();
    }

    @Test
    void shouldSayALeafInFourRunsAndTwoPatterns() {
        byte[] own = new byte[32];
        for (int i = 0; i < 32; i++) {
            own[i] = (byte) (i + 1);
        }
        PortTable push =
                complete(new RowOfRuns().to(320, 1, 0, UP).to(352, 1, 0, own).to(65_536, 1, 0, UP));

        PatternRuns runs = push.getPieces(0).getRuns();
        assertThat(push.getPiecesCount()).isEqualTo(1);
        assertThat(runs.getBlockCount()).isEqualTo(1024);
        assertThat(runs.getPatternsCount()).isEqualTo(2);
        assertThat(runs.getRunList()).containsExactly(320, 0, 32, 2, 65_184, 0);
        assertThat(push.getSerializedSize()).isLessThan(120);
    }

    @Test
    void shouldJoinEqualNeighbours() {
        PortTable push = complete(new RowOfRuns()
                .to(100, 1, 0, UP)
                .to(200, 1, 32, UP.clone())
                .to(300, 1, 0, 7)
                .to(310, 400, 0, 7, 8)
                .to(640, 9, 0, 7));

        assertThat(push.getPieces(0).getRuns().getRunList()).containsExactly(200, 0, 440, 15);
    }

    @Test
    void shouldSayAPatternWithoutAPortByTheOneWithIt() {
        RowOfRuns row = new RowOfRuns().to(640, 1, 0, UP);
        for (int lost = 0; lost < 32; lost++) {
            byte[] left = new byte[31];
            System.arraycopy(UP, 0, left, 0, lost);
            System.arraycopy(UP, lost + 1, left, lost, 31 - lost);
            row.to(row.entryCount() + 32, 1, 0, left);
        }

        PortTable push = complete(row);

        assertThat(push.getPieces(0).getRuns().getPatternsCount()).isEqualTo(33);
        assertThat(push.getPieces(0).getRuns().getPatterns(5).getPorts()).isEmpty();
        assertThat(push.getPieces(0).getRuns().getPatterns(5).getWithoutList()).containsExactly(4);
        assertThat(push.getSerializedSize()).isLessThan(40 + 33 + 32 * (5 + 2));
    }

    @Test
    void shouldDoWithoutPatternsWhereADividerLeavesOnePortToARun() {
        RowOfRuns row = new RowOfRuns();
        for (int leaf = 0; leaf < 40; leaf++) {
            row.to(row.entryCount() + 32, 32, 0, up(31 - leaf % 3));
        }

        PatternRuns runs = complete(row).getPieces(0).getRuns();

        assertThat(runs.getPatternsCount()).isZero();
        assertThat(runs.getRunCount()).isEqualTo(80);
    }

    @Test
    void shouldListOnlyWhatAShortRunNeedsOfALongPattern() {
        PortTable push =
                complete(new RowOfRuns().to(600, 1, 0, 9).to(640, 1, 0, up(200)).to(1280, 1, 0, 9));

        assertThat(push.getPieces(0).getRuns().getPatterns(0).getPorts().size()).isEqualTo(40);
    }

    @Test
    void shouldUseThePatternsOfEarlierPieces() throws Exception {
        RowOfRuns row = new RowOfRuns().to(64_000, 1, 0, UP);
        byte[] after = row.expand();
        byte[] before = after.clone();
        int[] blocks = {3, 4, 9, 10, 700};
        for (int block : blocks) {
            before[block * 64] = 1;
        }

        PortTable push = row.tell(difference(before, after, blocks)).table();

        assertThat(push.getPiecesList())
                .extracting(piece -> piece.getRuns().getPatternsCount())
                .containsExactly(1, 0, 0);
        assertThat(applied(push, before)).isEqualTo(after);
    }

    @Test
    void shouldTakeRawBlocksWhereTheyAreShorter() throws Exception {
        byte[] noise = new byte[64];
        new Random(1).nextBytes(noise);
        RowOfRuns row = new RowOfRuns()
                .to(64, 1, 0, noise)
                .to(128, 1, 64, UP)
                .to(192, 1, 0, noise.clone())
                .to(960, 1, 0, UP)
                .to(1000, 1, 0, noise);
        byte[] after = row.expand();
        byte[] before = after.clone();
        before[0] = before[150] = before[256] = before[320] = before[999] = 0;

        PortTable push =
                row.tell(difference(before, after, new int[] {0, 2, 4, 5, 15})).table();

        assertThat(push.getPiecesList())
                .extracting(Piece::getEncodingCase)
                .containsExactly(Piece.EncodingCase.RAW, Piece.EncodingCase.RUNS, Piece.EncodingCase.RUNS);
        assertThat(push.getPieces(0).getRaw().getBlockList()).containsExactly(0, 2);
        assertThat(push.getPieces(2).getRuns().getPatterns(0).getPorts().size()).isEqualTo(40);
        assertThat(applied(push, before)).isEqualTo(after);
    }

    @Test
    void shouldNotPartRawBlocksToSaveLessThanAnotherRawPieceCosts() {
        byte[] noise = new byte[64];
        new Random(1).nextBytes(noise);
        byte[] less = Arrays.copyOf(noise, 44);
        RowOfRuns row = new RowOfRuns()
                .to(64, 1, 0, noise)
                .to(128, 1, 0, UP)
                .to(172, 1, 0, less)
                .to(192, 1, 0, 7)
                .to(256, 1, 0, UP)
                .to(320, 1, 0, noise.clone());
        byte[] after = row.expand();

        PortTable alone = row.tell(difference(after, after, new int[] {2})).table();
        PortTable between =
                row.tell(difference(after, after, new int[] {0, 2, 4})).table();

        assertThat(alone.getPieces(0).hasRuns()).isTrue();
        assertThat(between.getPiecesCount()).isEqualTo(1);
        assertThat(between.getPieces(0).getRaw().getBlockList()).containsExactly(0, 2, 4);
    }

    @Test
    void shouldRefuseRunsThatLeaveColumnsOut() {
        RunEncoder gap = RunEncoder.complete(200, 0).run(0, 64, 1, 0, UP).run(65, 200, 1, 0, UP);
        RunEncoder shortOne =
                difference(new byte[200], new byte[200], new int[] {1}).run(64, 127, 1, 0, UP);

        assertThatThrownBy(gap::table).hasMessage("columns 64..64 are in no run, expected all of a changed block");
        assertThatThrownBy(shortOne::table)
                .hasMessage("the runs end at column 127, expected 128 with the last changed block");
    }

    @Test
    void shouldRefuseImpossibleRunsAndBlocks() {
        RunEncoder encoder = RunEncoder.complete(200, 0).run(0, 64, 1, 0, UP);

        assertThatThrownBy(() -> encoder.run(63, 70, 1, 0, UP))
                .hasMessage("run of columns 63..69, expected some inside 64..199");
        assertThatThrownBy(() -> encoder.run(64, 64, 1, 0, UP)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> encoder.run(64, 201, 1, 0, UP)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> encoder.run(64, 65, 0, 0, UP)).hasMessageContaining("divider 0");
        assertThatThrownBy(() -> encoder.run(64, 65, 1, -1, UP)).hasMessageContaining("phase -1");
        assertThatThrownBy(() -> encoder.run(64, 65, 1, 0, new byte[0])).hasMessageContaining("0 ports");
        assertThatThrownBy(() -> difference(new byte[0], new byte[200], new int[] {1, 1}))
                .hasMessage("block 1 after 1: must ascend below 4");
        assertThatThrownBy(() -> difference(new byte[0], new byte[200], new int[] {4}))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
