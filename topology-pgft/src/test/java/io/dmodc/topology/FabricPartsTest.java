package io.dmodc.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FabricPartsTest {
    private static FabricViewBuilder pgft(String shape, long seed) {
        PgftShape parsed = PgftShape.parse(shape);
        return seed == 0
                ? PgftGenerator.generate(parsed)
                : PgftGenerator.generateShuffled(parsed, new SplittableRandom(seed));
    }

    private static FabricView view(FabricViewBuilder fabric) {
        return fabric.build(1, new NodeIndexMap(), new GuidNumbers());
    }

    @Test
    void shouldBeOnePartWhateverFails() {
        FabricViewBuilder fabric = pgft("3;2,2,3;1,2,2;1,2,1", 0);
        FabricView whole = view(fabric);
        Degradation.cables(whole).forEach(cable -> Degradation.cut(fabric, cable));
        fabric.apply(new SwitchState(whole.switchGuid(5), false));

        FabricView damaged = view(fabric);

        assertThat(damaged.linkCount()).isZero();
        assertThat(damaged.partCount()).isEqualTo(1);
        assertThat(FabricParts.of(fabric, damaged)).containsExactly(fabric);
    }

    @Test
    void shouldBelongToAllWithoutACable() {
        FabricViewBuilder fabric = SeveralFabrics.of(List.of(pgft("2;2,2;1,2;1,1", 0), pgft("2;2,3;1,2;1,1", 0)));
        fabric.apply(new SwitchSeen(0x1, "alone", 4));
        fabric.apply(new PortSeen(0x1, 1, true, new ToHost(new Host(9, 9, 1, "lonely"))));

        FabricView view = view(fabric);

        int alone = view.switchOf(0x1);
        assertThat(view.part(alone)).isEqualTo(-1);
        assertThat(view.partCount()).isEqualTo(2);
        for (int s = 0; s < view.switchCount(); s++) {
            assertThat(view.belongTogether(alone, s)).isTrue();
            assertThat(view.belongTogether(s, alone)).isTrue();
        }
        assertThat(FabricParts.sizes(view)).containsExactly(4, 5);
        List<FabricViewBuilder> parts = FabricParts.of(fabric, view);
        assertThat(view(parts.get(0)).switchCount()).isEqualTo(4);
        assertThat(view(parts.get(1)).switchOf(0x1)).as("with the larger one").isNotNegative();
    }

    /** Also where one is higher than the other, and where damage came first. */
    @ParameterizedTest
    @CsvSource({
        "'3;2,2,3;1,2,2;1,2,1','3;2,2,3;1,2,2;1,2,1',0,0",
        "'3;2,2,3;1,2,2;1,2,1','2;3,5;1,3;1,1',3,7",
        "'2;4,4;1,2;1,2','4;2,2,2,2;1,2,2,2;1,1,2,1',5,0",
    })
    void shouldNumberTheHostsOfAPartInARowAsIfItWereAlone(String first, String second, long seed, long otherSeed) {
        for (int lost = 0; lost < 4; lost++) {
            FabricViewBuilder one = pgft(first, seed);
            FabricViewBuilder other = pgft(second, otherSeed);
            Degradation.apply(one, 0, lost, new SplittableRandom(lost));
            FabricViewBuilder both = SeveralFabrics.of(List.of(one, other));
            FabricView view = view(both);
            List<FabricViewBuilder> parts = FabricParts.of(both, view);

            assertThat(parts).hasSize(2);
            int[] parted = new int[view.nodeCount()];
            Arrays.setAll(parted, node -> view.part(view.nodeSwitch(node)));
            assertThat(Arrays.stream(parted).boxed().distinct()).hasSize(2);
            for (int part = 0; part < 2; part++) {
                FabricView alone = view(parts.get(part));
                int start = 0;
                while (parted[start] != part) {
                    start++;
                }
                for (int node = 0; node < alone.nodeCount(); node++) {
                    assertThat(view.nodeGuid(start + node)).isEqualTo(alone.nodeGuid(node));
                }
                for (int s = 0; s < alone.switchCount(); s++) {
                    int there = view.switchOf(alone.switchGuid(s));
                    assertThat(view.rank(there)).isEqualTo(alone.rank(s));
                    assertThat(view.alive(there)).isEqualTo(alone.alive(s));
                }
                assertThat(alone.partCount()).isEqualTo(1);
            }
        }
    }

    @Test
    void shouldTakeApartAsItIsNow() {
        FabricViewBuilder both = SeveralFabrics.of(List.of(pgft("2;2,4;1,2;1,1", 0), pgft("2;2,3;1,2;1,1", 4)));
        Degradation.apply(both, 1, 3, new SplittableRandom(2));
        FabricView view = view(both);

        int links = FabricParts.of(both, view).stream()
                .mapToInt(part -> view(part).linkCount())
                .sum();

        assertThat(links).isEqualTo(view.linkCount()).isPositive();
    }
}
