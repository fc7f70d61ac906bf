package io.dmodc.routing.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Spans at once against columns one by one. */
class WrongWaysTest {
    private static final String[] SHAPES = {
        "2;2,4;1,2;1,1", "3;2,2,3;1,2,2;1,2,1", "3;2,3,4;1,3,2;1,1,1", "4;1,2,2,3;1,2,2,2;1,1,1,1", "2;70,3;1,3;1,1"
    };

    /** More columns than one span has, in pods of half and of two spans. */
    private static final String[] LARGE = {"3;32,16,5;1,2,2;1,1,1", "3;64,32,2;1,2,2;1,1,1", "2;240,6;1,2;1,1"};

    @Test
    void shouldFindTheSameColumns() {
        int none = 0;
        int some = 0;
        for (int run = 0; run < 1_000; run++) {
            BitSet found = compare(SHAPES[run % SHAPES.length], run);
            none += found.isEmpty() ? 1 : 0;
            some += found.isEmpty() ? 0 : 1;
        }
        assertThat(none).isPositive();
        assertThat(some).isPositive();
    }

    @Test
    void shouldFindThemInEachSpan() {
        for (int run = 0; run < 60; run++) {
            compare(LARGE[run % LARGE.length], run);
        }
    }

    private static BitSet compare(String shape, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        FabricView view =
                random.nextInt(3) == 0 ? Fabrics.pgft(shape) : Fabrics.spoiltView(PgftShape.parse(shape), random);
        BitSet[] below = new SuspectHomes(view).homesBelow();
        LftSet tables = Objects.requireNonNull(
                Dmodc.standard().route(view, Parallel.sequential()).tables());
        WrongWays wrong = new WrongWays(view, below, tables.entryCount());
        BitSet found = new BitSet();
        BitSet expected = new BitSet();
        for (int s = 0; s < view.switchCount(); s++) {
            List<LftRow> rows = new ArrayList<>();
            for (int n = random.nextInt(3); n > 0; n--) {
                rows.add(spoilt(tables.row(random.nextInt(40) == 0 ? random.nextInt(view.switchCount()) : s), random));
            }
            wrong.addTo(found, s, rows.toArray(LftRow[]::new));
            for (LftRow row : rows) {
                slowly(view, below, s, row, expected);
            }
        }
        assertThat(found).as("%s, seed %d", shape, seed).isEqualTo(expected);
        return found;
    }

    /** Rarely with another entry, or several, that may lead anywhere. */
    private static LftRow spoilt(LftRow row, SplittableRandom random) {
        byte[] entries = row.toBytes();
        for (int n = random.nextInt(30) == 0 ? 1 + random.nextInt(3) : 0; n > 0 && entries.length > 0; n--) {
            int port = random.nextInt(4) == 0 ? random.nextInt(256) : random.nextInt(9);
            entries[random.nextInt(entries.length)] = (byte) port;
        }
        return random.nextBoolean() ? LftRow.of(entries) : row;
    }

    /** As it is defined. */
    private static void slowly(FabricView view, BitSet[] below, int s, LftRow row, BitSet wrong) {
        for (int d = 0; d < row.entryCount(); d++) {
            int home = view.nodeSwitch(d);
            int port = row.port(d);
            int next = port >= 1 && port <= view.portCount(s) ? view.peerSwitch(s, port) : -1;
            if (home >= 0 && next >= 0) {
                boolean descends = view.isDown(s, next) && below[next].get(home);
                boolean climbs = view.isUp(s, next) && !below[s].get(home);
                wrong.set(d, wrong.get(d) || !descends && !climbs);
            }
        }
    }
}
