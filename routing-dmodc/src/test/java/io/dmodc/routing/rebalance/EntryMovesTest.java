package io.dmodc.routing.rebalance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.quality.Progress;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EntryMovesTest {
    private static final Parallel HERE = Parallel.sequential();

    @Test
    void shouldBeReadAgainAsTheyAreWritten() {
        String text = "0x0000000000000007:0=254,12=3;0xf000000000000001:5=1";

        EntryMoves moves = EntryMoves.parse(text);

        assertThat(moves).hasToString(text).isEqualTo(EntryMoves.parse(moves.toString()));
        assertThat(moves.size()).isEqualTo(3);
        assertThat(moves.switchCount()).isEqualTo(2);
        assertThat(EntryMoves.parse("")).isSameAs(EntryMoves.NONE).hasToString("");
    }

    @Test
    void shouldRefuseWhatIsNone() {
        for (String text :
                new String[] {"7", "0x7:", "0x7:1", "0x7:1=0", "0x7:1=255", "0x7:2=1,2=1", "0x7:-1=1", "x:1=1"}) {
            assertThatThrownBy(() -> EntryMoves.parse(text))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("expected");
        }
        Map<Long, RowMoves> many = new HashMap<>();
        String row = String.join(
                ",",
                IntStream.range(0, 1 + EntryMoves.MOVES_MAX)
                        .mapToObj(d -> d + "=1")
                        .toList());
        many.put(1L, RowMoves.parse(row));
        assertThatThrownBy(() -> EntryMoves.of(many)).hasMessage("65537 moved entries; expected at most 65536");
    }

    /** What a rebalance changed, laid over the tables it began with, is what it made. */
    @Test
    void shouldTurnTheTablesGivenIntoThoseOfARebalance() {
        for (long seed = 1; seed <= 3; seed++) {
            FabricView view = RebalanceTest.damaged("3;4,4,8;1,4,4;1,1,1", 3, seed);
            LftSet tables =
                    Objects.requireNonNull(Dmodc.standard().route(view, HERE).tables());
            Rebalanced rebalanced =
                    Rebalance.of(view, tables, Dmodc.standard().costsAndDividers(view, HERE), 200, HERE, Progress.NONE);

            EntryMoves moves = EntryMoves.between(view, tables, rebalanced.tables());
            MovedRows.Laid laid = new MovedRows().lay(view, tables, moves);

            assertThat(moves.size()).isEqualTo(rebalanced.entries()).isPositive();
            assertThat(moves.switchCount()).isEqualTo(rebalanced.switches());
            assertThat(laid.moves()).isEqualTo(moves);
            for (int s = 0; s < view.switchCount(); s++) {
                assertThat(Arrays.mismatch(
                                laid.tables().row(s).toBytes(),
                                rebalanced.tables().row(s).toBytes()))
                        .isEqualTo(-1);
            }
        }
    }
}
