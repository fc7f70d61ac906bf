package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.state.KeptRow;
import io.dmodc.routing.LftRow;
import io.dmodc.southbound.TableDigest;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class KeptRowsTest {
    private static LftRow random(SplittableRandom random, int entryCount) {
        byte[] entries = new byte[entryCount];
        random.nextBytes(entries);
        return LftRow.of(entries);
    }

    @RepeatedTest(50)
    void shouldGiveBackTheRowFromWhatDiffersAndFromTheWhole(RepetitionInfo repetition) {
        SplittableRandom random = new SplittableRandom(repetition.getCurrentRepetition());
        LftRow base = random(random, random.nextInt(500));
        byte[] entries = Arrays.copyOf(base.toBytes(), random.nextInt(base.entryCount() + 1));
        for (int changes = entries.length == 0 ? 0 : random.nextInt(4); changes > 0; changes--) {
            entries[random.nextInt(entries.length)] = (byte) random.nextInt(256);
        }
        LftRow row = LftRow.of(entries);
        long digest = TableDigest.of(base.toBytes());

        assertThat(KeptRows.row(KeptRows.differing(row, 7, base, digest), base, digest))
                .satisfies(back -> assertThat(back.toBytes()).isEqualTo(entries));
        assertThat(KeptRows.row(KeptRows.whole(row, 7)).toBytes()).isEqualTo(entries);
    }

    @Test
    void shouldKeepNoMoreThanTheBlocksThatDiffer() {
        byte[] entries = new byte[640];
        LftRow base = LftRow.of(entries);
        entries[130] = 7;
        entries[639] = 9;

        KeptRow kept = KeptRows.differing(LftRow.of(entries), 7, base, 42);

        assertThat(kept.blocks()).containsExactly(2, 9);
        assertThat(kept.entries()).hasSize(2 * KeptRow.BLOCK);
    }

    @Test
    void shouldNotTakeADifferenceFromAnotherRowForOneFromThis() {
        LftRow base = LftRow.of(new byte[64]);
        KeptRow kept = KeptRows.differing(LftRow.of(new byte[] {1}), 7, base, 42);

        assertThat(KeptRows.row(kept, base, 43)).isNull();
        assertThat(KeptRows.row(kept, base, 42)).isNotNull();
    }
}
