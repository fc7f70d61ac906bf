package io.dmodc.topology.design;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SwitchLevelsTest {
    private static final PgftShape SHAPE = PgftShape.parse("3;4,4,4;1,4,4;1,1,1");

    private static FabricView view(FabricViewBuilder fabric) {
        return fabric.build(0, new NodeIndexMap(), new GuidNumbers());
    }

    @Test
    void shouldPreferKnownLevelsToRanks() {
        FabricView view = view(PgftGenerator.generate(SHAPE));
        GuidNumbers known = new GuidNumbers();
        known.put(view.switchGuid(3), 2);
        known.put(0xdead, 1);

        GuidNumbers levels = SwitchLevels.of(view, known);

        assertThat(levels.size()).isEqualTo(view.switchCount());
        assertThat(levels.getOrDefault(view.switchGuid(3), -1)).isEqualTo(2);
        assertThat(levels.getOrDefault(view.switchGuid(2), -1)).isEqualTo(view.rank(2));
    }

    /** Damage that hops draw wrong: by design all that have two neighbours left are where they were in the whole fabric. */
    @Test
    void shouldKeepTheLevelsOfTheWholeFabricUnderDamage() {
        int floated = 0;
        for (int seed = 0; seed < 60; seed++) {
            FabricViewBuilder fabric = PgftGenerator.generate(SHAPE);
            FabricView whole = view(fabric);
            SplittableRandom random = new SplittableRandom(seed);
            Degradation.apply(fabric, 2, random.nextInt(12), random);
            int middle = 16 + random.nextInt(16);
            for (Degradation.Cable cable : Degradation.cables(view(fabric))) {
                if (cable.farGuid() == whole.switchGuid(middle)) {
                    Degradation.cut(fabric, cable);
                }
            }
            FabricView hops = view(fabric);
            floated += hops.rank(middle) > 1 ? 1 : 0;
            DesignReport report = DesignCheck.verify(hops, SHAPE);

            assertThat(SwitchLevels.misfit(hops, report)).as("seed " + seed).isEmpty();
            GuidNumbers levels = SwitchLevels.of(hops, report.levels());
            for (int s = 0; s < hops.switchCount(); s++) {
                if (hops.groupStart(s) + 1 < hops.groupEnd(s)) {
                    assertThat(levels.getOrDefault(hops.switchGuid(s), -1))
                            .as("seed " + seed + ", switch " + hops.switchName(s))
                            .isEqualTo(whole.rank(s));
                }
            }
        }
        assertThat(floated).as("seeds that hops draw wrong").isGreaterThan(40);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3;4,4,4;1,4,4;1,1,1|",
                "3;4,4,4;1,4,4;1,1,2|",
                "3;4,4,8;1,4,4;1,1,1|",
                "2;4,16;1,4;1,1|28 of 48 switches with cables have no place in it",
                "3;4,4,4;1,2,4;1,1,1|16 of 48 switches with cables have no place in it",
                "3;4,4,9;1,4,16;1,1,1|88 of its 136 switches are missing"
            })
    void shouldTellADesignThatIsAnotherOne(String design, String why) {
        FabricView view = view(PgftGenerator.generate(SHAPE));

        assertThat(SwitchLevels.misfit(view, DesignCheck.verify(view, PgftShape.parse(design)))
                        .orElse(null))
                .isEqualTo(why);
    }
}
