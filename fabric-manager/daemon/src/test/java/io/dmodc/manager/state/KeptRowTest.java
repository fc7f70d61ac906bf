package io.dmodc.manager.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeptRowTest {
    private static KeptRow row(int entryCount, long digest, long base, int block, int first) {
        byte[] entries = new byte[KeptRow.end(block, entryCount) - block * KeptRow.BLOCK];
        entries[0] = (byte) first;
        return new KeptRow(entryCount, digest, base, new int[] {block}, entries);
    }

    @ParameterizedTest
    @ValueSource(strings = {"entries", "digest", "base", "block", "first"})
    void shouldTellTwoRowsApartByEachOfTheirParts(String part) {
        KeptRow row = row(128, 3, 5, 0, 7);
        KeptRow other = row(
                part.equals("entries") ? 192 : 128,
                part.equals("digest") ? 4 : 3,
                part.equals("base") ? 6 : 5,
                part.equals("block") ? 1 : 0,
                part.equals("first") ? 8 : 7);

        assertThat(row).isNotEqualTo(other).doesNotHaveSameHashCodeAs(other);
        assertThat(row).isEqualTo(row(128, 3, 5, 0, 7)).hasSameHashCodeAs(row(128, 3, 5, 0, 7));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "2, 1", "-1, 0"})
    void shouldRefuseBlocksThatDoNotAscendInsideTheTable(int first, int second) {
        int[] blocks = {first, second};

        assertThatThrownBy(() -> new KeptRow(128, 0, 0, blocks, new byte[128]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("of a table of 128 entries; expected ascending ones inside");
    }

    @Test
    void shouldRefuseEntriesThatDoNotFillTheirBlocks() {
        assertThatThrownBy(() -> new KeptRow(70, 0, 0, new int[] {1}, new byte[64]))
                .hasMessage("64 entries; expected 6 in these blocks");
    }
}
