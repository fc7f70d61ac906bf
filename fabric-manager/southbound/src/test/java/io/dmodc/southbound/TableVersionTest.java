package io.dmodc.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableVersionTest {
    @Test
    void shouldOrderByLeaderFirst() {
        List<TableVersion> ordered = List.of(
                TableVersion.NONE, new TableVersion(0, 9), new TableVersion(1, 0), new TableVersion(1, 1L << 40));

        assertThat(ordered).isSorted();
        assertThat(new TableVersion(1, 0)).isGreaterThan(new TableVersion(0, 9));
    }

    @Test
    void shouldEqualOneOfBothEpochsAlone() {
        TableVersion version = new TableVersion(3, 7);

        assertThat(version).isEqualTo(new TableVersion(3, 7)).hasSameHashCodeAs(new TableVersion(3, 7));
        assertThat(version).isNotEqualTo(new TableVersion(3, 8)).isNotEqualTo(new TableVersion(4, 7));
    }
}
