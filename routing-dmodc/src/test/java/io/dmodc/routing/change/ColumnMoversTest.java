package io.dmodc.routing.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.change.ChangePlan.Delay;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whom the last round waits for, against asking each switch for each column. */
class ColumnMoversTest {
    private static final int COLUMNS = 2_500;

    private final FabricView view = Fabrics.view(PgftGenerator.generate(PgftShape.parse("3;2,2,3;1,2,2;1,2,1")));

    @Test
    void shouldFindWhoeverMovesAColumnThatIsLost() {
        int waiting = 0;
        for (int run = 0; run < 300; run++) {
            SplittableRandom random = new SplittableRandom(run);
            List<List<LftRow>> possible = new ArrayList<>();
            LftRow[] next = new LftRow[view.switchCount()];
            @Nullable Delay[] delays = new Delay[view.switchCount()];
            List<LftRow> known = List.of(row(random), row(random), row(random));
            BitSet lost = new BitSet();
            for (int s = 0; s < next.length; s++) {
                next[s] = known.get(random.nextInt(3));
                possible.add(
                        random.nextInt(5) == 0
                                ? List.of(row(random), row(random))
                                : List.of(known.get(random.nextInt(3))));
                if (random.nextInt(3) == 0) {
                    loseSome(s, delays, lost, random);
                }
            }
            RowsInForce inForce = RowsInForce.of(COLUMNS, possible);
            LftSet tables = new LftSet(1, COLUMNS, next);
            SpanDifferences differences = new SpanDifferences(view, inForce, tables, new Sides(view));

            BitSet[] awaited = new ColumnMovers(differences, inForce, tables, delays).awaited(lost);

            for (int s = 0; s < next.length; s++) {
                Delay delay = delays[s];
                boolean due = inForce.mayDiffer(s, next[s]);
                BitSet expected = delay == null || !due ? new BitSet() : movers(delay.lost, inForce, tables, delays);
                assertThat(awaited[s]).as("run %d, switch %d", run, s).isEqualTo(expected);
                waiting += expected.isEmpty() ? 0 : 1;
            }
        }
        assertThat(waiting).isGreaterThan(300);
    }

    /** Few columns of three ports lead elsewhere than the others do. */
    private static LftRow row(SplittableRandom random) {
        byte[] entries = new byte[COLUMNS];
        for (int i = 0; i < 30; i++) {
            entries[random.nextInt(COLUMNS / 500) * 500] = (byte) random.nextInt(-1, 3);
        }
        return LftRow.of(entries);
    }

    private static void loseSome(int s, @Nullable Delay[] delays, BitSet lost, SplittableRandom random) {
        Delay delay = Delay.of(s, delays);
        for (int i = 0; i < 2; i++) {
            delay.lost.set(random.nextInt(COLUMNS / 500) * 500);
        }
        lost.or(delay.lost);
    }

    private static BitSet movers(BitSet columns, RowsInForce inForce, LftSet tables, @Nullable Delay[] delays) {
        BitSet movers = new BitSet();
        for (int d = columns.nextSetBit(0); d >= 0; d = columns.nextSetBit(d + 1)) {
            for (int s = 0; s < tables.switchCount(); s++) {
                Delay delay = delays[s];
                for (LftRow row : inForce.of(s)) {
                    boolean moves = row.port(d) != LftSet.NO_ROUTE && row.port(d) != tables.port(s, d);
                    if (moves && (delay == null || !delay.lost.get(d))) {
                        movers.set(s);
                    }
                }
            }
        }
        return movers;
    }
}
