package io.dmodc.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LftSetTest {
    @Test
    void shouldReadEntriesUnsigned() {
        LftSet tables = new LftSet(7, 3, new byte[][] {{0, (byte) 254, (byte) LftSet.NO_ROUTE}, {1, 2, 127}});

        assertThat(tables.epoch()).isEqualTo(7);
        assertThat(tables.switchCount()).isEqualTo(2);
        assertThat(tables.entryCount()).isEqualTo(3);
        assertThat(tables.port(0, 0)).isEqualTo(0);
        assertThat(tables.port(0, 1)).isEqualTo(254);
        assertThat(tables.port(0, 2)).isEqualTo(LftSet.NO_ROUTE);
        assertThat(tables.port(1, 2)).isEqualTo(127);
    }

    @Test
    void shouldShareRowsInsteadOfCopyingThem() {
        LftRow row = LftRow.of(new byte[] {1, 2});
        LftSet tables = new LftSet(1, 2, new LftRow[] {row, row});

        assertThat(tables.row(0)).isSameAs(row).isSameAs(tables.row(1));
    }

    @Test
    void shouldRefuseRowsOfDifferentLength() {
        assertThatThrownBy(() -> new LftSet(1, 2, new byte[][] {{1, 2}, {1}}))
                .hasMessage("row 1 has 1 entries, expected 2");
    }
}
