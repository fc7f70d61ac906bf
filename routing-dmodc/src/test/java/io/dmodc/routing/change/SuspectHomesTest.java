package io.dmodc.routing.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.PgftShape;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The certificate of Theorem 1 against its definition, switch by switch. */
class SuspectHomesTest {
    private static final String[] SHAPES = {
        "2;2,4;1,2;1,1", "3;2,2,3;1,2,2;1,2,1", "3;2,3,4;1,3,2;1,1,1", "4;1,2,2,3;1,2,2,2;1,1,1,1", "2;70,3;1,3;1,1"
    };

    @Test
    void shouldBeNoneInAnyPgft() {
        for (String shape : SHAPES) {
            assertThat(new SuspectHomes(Fabrics.pgft(shape)).suspects())
                    .as(shape)
                    .isEqualTo(new BitSet());
        }
    }

    @Test
    void shouldBeThoseBelowTwoChildrenOfASwitch() {
        int suspect = 0;
        for (int run = 0; run < 1_000; run++) {
            SplittableRandom random = new SplittableRandom(run);
            FabricView view = Fabrics.spoiltView(PgftShape.parse(SHAPES[run % SHAPES.length]), random);

            BitSet found = new SuspectHomes(view).suspects();

            assertThat(found).as("seed %d", run).isEqualTo(belowTwoChildren(view));
            suspect += found.isEmpty() ? 0 : 1;
        }
        assertThat(suspect).isBetween(100, 900);
    }

    /** A cable that is known stays known while it is down. */
    @Test
    void shouldCountTheCablesOfAllViews() {
        int more = 0;
        for (int run = 0; run < 300; run++) {
            SplittableRandom random = new SplittableRandom(run);
            PgftShape shape = PgftShape.parse(SHAPES[run % 3]);
            ChangedFabric fabric = new ChangedFabric(shape, Dmodc.standard(), random);
            fabric.swapCables(2);
            fabric.draw();
            FabricView miscabled = fabric.works;
            fabric.cutCables(6);
            fabric.draw();
            SuspectHomes homes = new SuspectHomes(fabric.works);
            int before = homes.suspects().cardinality();

            homes.add(miscabled, IntStream.range(0, miscabled.switchCount()).toArray());

            assertThat(homes.suspects()).as("seed %d", run).isEqualTo(belowTwoChildren(miscabled));
            assertThat(homes.add(fabric.works, new int[] {0, 1, 2})).isFalse();
            more += homes.suspects().cardinality() - before;
        }
        assertThat(more).isPositive();
    }

    private static BitSet belowTwoChildren(FabricView view) {
        BitSet found = new BitSet();
        for (int s = 0; s < view.switchCount(); s++) {
            BitSet once = new BitSet();
            for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
                if (view.isDown(s, view.groupRemote(g))) {
                    BitSet below = new BitSet();
                    descend(view, view.groupRemote(g), below);
                    for (int t = below.nextSetBit(0); t >= 0; t = below.nextSetBit(t + 1)) {
                        if (view.targetOfSwitch(t) >= 0 && once.get(t)) {
                            found.set(t);
                        }
                    }
                    once.or(below);
                }
            }
        }
        return found;
    }

    private static void descend(FabricView view, int s, BitSet below) {
        below.set(s);
        for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
            if (view.isDown(s, view.groupRemote(g)) && !below.get(view.groupRemote(g))) {
                descend(view, view.groupRemote(g), below);
            }
        }
    }
}
