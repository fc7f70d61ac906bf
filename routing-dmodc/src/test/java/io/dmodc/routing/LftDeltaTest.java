package io.dmodc.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.routing.RandomRows.Drawn;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LftDeltaTest {
    private static byte[] table(int length) {
        byte[] table = new byte[length];
        Arrays.fill(table, (byte) LftSet.NO_ROUTE);
        return table;
    }

    private static int[] changedBlocks(byte[] from, byte[] to) {
        return LftDelta.changedBlocks(LftRow.of(from), LftRow.of(to));
    }

    @Test
    void shouldCountBlocks() {
        assertThat(LftDelta.blockCount(0)).isEqualTo(0);
        assertThat(LftDelta.blockCount(1)).isEqualTo(1);
        assertThat(LftDelta.blockCount(64)).isEqualTo(1);
        assertThat(LftDelta.blockCount(65)).isEqualTo(2);
    }

    @Test
    void shouldFindFirstAndLastEntryOfABlock() {
        byte[] to = table(200);
        to[63] = 1;
        to[64] = 1;
        to[199] = 1;

        assertThat(changedBlocks(table(200), to)).containsExactly(0, 1, 3);
        assertThat(changedBlocks(to, to.clone())).isEmpty();
    }

    @Test
    void shouldTakeMissingEntriesAsNoRoute() {
        byte[] to = table(300);
        to[250] = 3;

        assertThat(changedBlocks(table(10), to)).containsExactly(3);
        assertThat(changedBlocks(new byte[0], table(300))).isEmpty();
        assertThat(changedBlocks(new byte[0], new byte[0])).isEmpty();
    }

    @Test
    void shouldRefuseToShrinkATable() {
        assertThatThrownBy(() -> changedBlocks(table(3), table(2)))
                .hasMessage("a table of 3 entries cannot shrink to 2");
    }

    @Test
    void shouldAgreeWithComparingEntryByEntry() {
        SplittableRandom random = new SplittableRandom(20_261_121);
        for (int run = 0; run < 2_000; run++) {
            byte[] to = table(random.nextInt(1, 1_500));
            byte[] from = Arrays.copyOf(to, random.nextInt(to.length + 1));
            for (int i = random.nextInt(40); i > 0; i--) {
                byte[] either = from.length > 0 && random.nextBoolean() ? from : to;
                either[random.nextInt(either.length)] = (byte) random.nextInt(256);
            }

            assertThat(changedBlocks(from, to)).as("run %d", run).isEqualTo(changedBlocksOneByOne(from, to));
        }
    }

    @Test
    void shouldAgreeWithComparingEntryByEntryOnRowsMadeOfRuns() {
        SplittableRandom random = new SplittableRandom(42);
        RandomRows rows = new RandomRows(random);
        for (int run = 0; run < 3_000; run++) {
            Drawn from = rows.row(rows.entryCount());
            Drawn to = random.nextInt(4) == 0 ? rows.row(from.patterns().length) : from;
            for (int edit = random.nextInt(3); edit > 0; edit--) {
                to = RandomRows.edited(to, from.row(), rows.runs(to.patterns().length));
            }
            byte[] old = from.entries();
            byte[] now = to.entries();

            int[] expected = changedBlocksOneByOne(old, now);

            assertThat(LftDelta.changedBlocks(from.row(), to.row()))
                    .as("run %d", run)
                    .isEqualTo(expected);
            int shorter = random.nextInt(old.length + 1);
            assertThat(LftDelta.changedBlocks(from.row().fittedTo(shorter), to.row()))
                    .as("run %d from %d entries", run, shorter)
                    .isEqualTo(changedBlocksOneByOne(Arrays.copyOf(old, shorter), now));
        }
    }

    @Test
    void shouldFindNothingWherePatternsDifferAndEntriesDoNot() {
        LftRowBuilder builder = new LftRowBuilder();
        builder.begin(LftRow.noRoutes(2_000));
        builder.put(0, 1_500, new PortPattern(1, 0, new byte[] {4, 4, 5, 5}));
        LftRow one = builder.build();
        builder.begin(LftRow.noRoutes(2_000));
        builder.put(0, 700, new PortPattern(2, 0, new byte[] {4, 5}));
        builder.put(700, 1_500, new PortPattern(2, 4, new byte[] {4, 5, 4, 5}));
        LftRow other = builder.build();

        assertThat(LftDelta.changedBlocks(one, other)).isEmpty();
        assertThat(one.sameEntries(other)).isTrue();
        assertThat(one.sameParts(other)).isFalse();
    }

    private static int[] changedBlocksOneByOne(byte[] from, byte[] to) {
        return IntStream.range(0, to.length)
                .filter(d -> to[d] != (d < from.length ? from[d] : (byte) LftSet.NO_ROUTE))
                .map(d -> d / LftDelta.BLOCK)
                .distinct()
                .toArray();
    }
}
