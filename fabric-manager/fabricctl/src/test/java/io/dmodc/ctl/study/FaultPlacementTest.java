package io.dmodc.ctl.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FaultPlacementTest {
    @Test
    void shouldPlaceThemAsNamed() {
        assertThat(FaultPlacement.DIAGONAL.leaves(3, 4, 4, 0)).containsExactly(0, 5, 10);
        assertThat(FaultPlacement.DIAGONAL.leaves(4, 4, 4, 0)).containsExactly(0, 5, 10, 1);
        assertThat(FaultPlacement.ROW.leaves(4, 4, 4, 0)).containsExactly(0, 1, 2, 4);
        assertThat(FaultPlacement.COLUMN.leaves(4, 4, 4, 0)).containsExactly(0, 4, 8, 1);
        int[] drawn = FaultPlacement.RANDOM.leaves(4, 4, 4, 1);
        assertThat(FaultPlacement.RANDOM.leaves(4, 4, 4, 1)).isEqualTo(drawn);
        assertThat(FaultPlacement.RANDOM.leaves(4, 4, 4, 2)).isNotEqualTo(drawn);
    }

    @ParameterizedTest
    @EnumSource
    void shouldAlwaysLeaveARowOrAColumnWithoutFault(FaultPlacement placement) {
        for (int count = 0; count <= 9; count++) {
            for (int seed = 0; seed < 50; seed++) {
                int[] leaves = placement.leaves(count, 4, 4, seed);

                assertThat(Arrays.stream(leaves).distinct()).hasSize(count);
                long rows =
                        Arrays.stream(leaves).map(leaf -> leaf / 4).distinct().count();
                long columns =
                        Arrays.stream(leaves).map(leaf -> leaf % 4).distinct().count();
                assertThat(Math.min(rows, columns)).isLessThan(4);
            }
        }
        assertThatIllegalArgumentException().isThrownBy(() -> placement.leaves(10, 4, 4, 1));
    }
}
