package io.dmodc.southbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.dmodc.southbound.proto.PatternRuns;
import io.dmodc.southbound.proto.PortTable;
import io.dmodc.southbound.proto.PortTable.Piece;
import io.dmodc.southbound.proto.TableRefusal.Reason;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunDecoderTest {

    private static PatternRuns.Builder runs(int firstBlock, int blockCount, int... numbers) {
        PatternRuns.Builder runs =
                PatternRuns.newBuilder().setFirstBlock(firstBlock).setBlockCount(blockCount);
        for (int number : numbers) {
            runs.addRun(number);
        }
        return runs;
    }

    private static PatternRuns.Pattern.Builder pattern(int ports) {
        return PatternRuns.Pattern.newBuilder().setPorts(ByteString.copyFrom(new byte[ports]));
    }

    private static PatternRuns.Pattern.Builder without(int base, int... gaps) {
        PatternRuns.Pattern.Builder pattern = PatternRuns.Pattern.newBuilder().setBase(base);
        for (int gap : gaps) {
            pattern.addWithout(gap);
        }
        return pattern;
    }

    private static PortTable.Builder push(int entryCount, PatternRuns.Builder... pieces) {
        PortTable.Builder push =
                PortTable.newBuilder().setEntryCount(entryCount).setComplete(true);
        for (PatternRuns.Builder piece : pieces) {
            push.addPieces(Piece.newBuilder().setRuns(piece));
        }
        return push;
    }

    private static void refused(PortTable.Builder push, String text) {
        assertThatThrownBy(() -> TableCodec.apply(push.build(), new byte[0]))
                .isInstanceOfSatisfying(
                        TableRefusedException.class, e -> assertThat(e.reason()).isEqualTo(Reason.MALFORMED))
                .hasMessageContaining(text);
    }

    private static byte[] expanded(PortTable.Builder push, byte[] table) {
        return TableCodec.apply(push.setResultDigest(TableDigest.of(table)).build(), new byte[0]);
    }

    @Test
    void shouldExpandPatternsBasesAndPorts() {
        byte[] table = new RowOfRuns()
                .to(30, 1, 0, 1, 2, 3, 4)
                .to(50, 3, 2, 1, 3)
                .to(64, 1, 0, 200)
                .to(128, 1, 0, 255)
                .to(140, 3, 2, 1, 3)
                .expand();
        PatternRuns.Builder first = runs(0, 1, 30, 0, 20, 2, 14, 401)
                .addPatterns(PatternRuns.Pattern.newBuilder().setPorts(ByteString.copyFrom(new byte[] {1, 2, 3, 4})))
                .addPatterns(without(0, 1, 1).setDivider(3).setPhase(2));

        assertThat(expanded(push(140, first, runs(2, 1, 12, 2)), table)).isEqualTo(table);
    }

    @Test
    void shouldRefuseBlocksOutsideTheTableOrOutOfOrder() {
        refused(push(100, runs(0, 0)), "piece 0: 0 blocks from block 0 on, of a table of 100 entries");
        refused(push(100, runs(0, 3, 100, 3)), "3 blocks from block 0 on");
        refused(push(100, runs(2, 1, 64, 3)), "1 blocks from block 2 on");
        refused(push(100, runs(-1, 2, 64, 3)), "2 blocks from block 4294967295 on");
        refused(push(100, runs(1, -1, 64, 3)), "4294967295 blocks from block 1 on");
        refused(push(0, runs(0, 1, 1, 3)), "of a table of 0 entries");
        refused(push(100, runs(1, 1, 36, 3), runs(1, 1, 36, 3)), "piece 1: block 1 after block 1");
        refused(push(100, runs(1, 1, 36, 3), runs(0, 1, 64, 3)), "piece 1: block 0 after block 1");
    }

    @Test
    void shouldRefuseRunsThatDoNotFillTheirBlocks() {
        refused(push(100, runs(0, 1, 63, 3)), "2 numbers of runs up to column 63, expected pairs up to 64");
        refused(push(100, runs(0, 1, 65, 3)), "run of 65 columns at column 0, expected 1..64");
        refused(push(100, runs(1, 1, 37, 3)), "run of 37 columns at column 64, expected 1..36");
        refused(push(100, runs(0, 1, 64, 3, 1, 3)), "run of 1 columns at column 64");
        refused(push(100, runs(0, 1, 0, 3, 64, 3)), "run of 0 columns");
        refused(push(100, runs(0, 1, -1, 3, 65, 3)), "run of 4294967295 columns");
        refused(push(100, runs(0, 1, 64, 3, 5)), "3 numbers of runs");
        refused(push(100, runs(0, 1)), "0 numbers of runs up to column 0");
    }

    @Test
    void shouldRefuseSourcesThatAreNeitherPortNorPattern() {
        refused(push(64, runs(0, 1, 64, 513)), "run of source 513 at column 0");
        refused(push(64, runs(0, 1, 64, -1)), "run of source 4294967295");
        refused(push(64, runs(0, 1, 64, 0)), "or one of 0 patterns");
        refused(push(64, runs(0, 1, 64, 2).addPatterns(pattern(1))), "source 2 at column 0");
        refused(push(64, runs(0, 1, 64, -2).addPatterns(pattern(1))), "source 4294967294");
    }

    @Test
    void shouldRefusePatternsThatCannotBe() {
        refused(push(64, runs(0, 1, 64, 0).addPatterns(pattern(3).setDivider(65))), "pattern 0: divider 65");
        refused(push(64, runs(0, 1, 64, 0).addPatterns(pattern(3).setDivider(-1))), "divider 4294967295");
        refused(push(64, runs(0, 1, 64, 0).addPatterns(pattern(3).setDivider(4).setPhase(12))), "phase 12 for 3 ports");
        refused(push(64, runs(0, 1, 64, 0).addPatterns(pattern(3).setPhase(-1))), "phase 4294967295");
        refused(push(64, runs(0, 1, 64, 0).addPatterns(without(0, 1))), "pattern 0 stands on pattern 0");
        refused(push(64, runs(0, 1, 64, 0).addPatterns(pattern(3)).addPatterns(without(-1, 1))), "pattern 4294967295");
        refused(
                push(64, runs(0, 1, 64, 0).addPatterns(pattern(3)).addPatterns(without(0, 0, 0, 0))),
                "pattern 1: 3 of 3 ports left out");
        refused(
                push(64, runs(0, 1, 64, 0).addPatterns(pattern(3)).addPatterns(without(0, 1, 1))),
                "pattern 1: 1 places left out after the next 1 of its last 1 ports");
        refused(
                push(64, runs(0, 1, 64, 0).addPatterns(pattern(3)).addPatterns(without(0, -1))),
                "after the next 4294967295 of its last 3 ports");
    }

    @Test
    void shouldRefusePatternsThatGrowBeyondTheTable() {
        PatternRuns.Builder fits = runs(0, 1, 64, 0);
        PatternRuns.Builder bomb = runs(0, 1, 64, 0).addPatterns(pattern(64));
        for (int i = 0; i < 4; i++) {
            fits.addPatterns(i == 0 ? pattern(64) : without(0));
            bomb.addPatterns(without(i));
        }

        assertThat(expanded(push(64, fits), new byte[64])).hasSize(64);
        refused(push(64, bomb), "pattern 4: more than 4 ports of patterns for each of 64 entries");
        refused(push(64, runs(0, 1, 64, 0).addPatterns(pattern(257))), "pattern 0: more than 4 ports");
    }

    /** The digests are set right, as a hostile manager would, so that only the decoder stands in the way. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldTakeOfDamagedPushesWhatTheSlowTwinTakes(long seed) {
        Random random = new Random(seed);
        int taken = 0;
        int refused = 0;
        for (int round = 0; round < 8000; round++) {
            RowOfRuns row = RowOfRuns.random(random, 1 + random.nextInt(1500));
            Optional<PortTable> damaged = damaged(random, push(random, row));
            if (damaged.isEmpty()) {
                continue;
            }
            Optional<byte[]> table = SlowPush.table(damaged.get());
            PortTable.Builder push = damaged.get().toBuilder();
            if (table.isPresent()) {
                taken++;
                assertThat(expanded(push, table.get())).isEqualTo(table.get());
            } else {
                refused++;
                refused(push, " ");
            }
        }
        assertThat(taken).as("pushes that are still right, seed " + seed).isGreaterThan(500);
        assertThat(refused).as("refused pushes, seed " + seed).isGreaterThan(1000);
    }

    /** A difference against nothing, so that a push has several pieces of either kind. */
    private static PortTable push(Random random, RowOfRuns row) {
        byte[] table = row.expand();
        int[] blocks = IntStream.range(0, TableCodec.blockCount(table.length))
                .filter(block -> random.nextInt(4) > 0)
                .toArray();
        return row.tell(RunEncoder.difference(table.length, blocks, 0, 0)).table();
    }

    private static Optional<PortTable> damaged(Random random, PortTable push) {
        byte[] bytes = push.toByteArray();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            int at = random.nextInt(Math.min(100, bytes.length));
            bytes[at] = random.nextBoolean() ? (byte) random.nextInt(256) : (byte) (bytes[at] ^ 1 << random.nextInt(8));
        }
        try {
            return Optional.of(
                    PortTable.parseFrom(bytes).toBuilder().setComplete(true).build());
        } catch (InvalidProtocolBufferException e) {
            return Optional.empty();
        }
    }
}
