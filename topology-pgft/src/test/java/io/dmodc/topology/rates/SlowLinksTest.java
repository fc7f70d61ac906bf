package io.dmodc.topology.rates;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.PortPlace;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import io.dmodc.topology.rates.SlowLinks.RankPair;
import io.dmodc.topology.rates.SlowLinks.SlowLink;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SlowLinksTest {
    private static final LinkRate EDR = new LinkRate(4, LinkRate.Speed.EDR);
    private static final LinkRate HDR = new LinkRate(4, LinkRate.Speed.HDR);
    private static final LinkRate ONE_LANE = new LinkRate(1, LinkRate.Speed.EDR);

    private static FabricView view(String shape) {
        return PgftGenerator.generate(PgftShape.parse(shape)).build(0, new NodeIndexMap(), new GuidNumbers());
    }

    private static void rate(LinkRates rates, Cable cable, LinkRate rate) {
        rates.put(cable.guid(), cable.port(), rate);
        rates.put(cable.farGuid(), cable.farPort(), rate);
    }

    @Test
    void shouldTakeTheNormOfEachPairOfRanks() {
        FabricView view = view("3;2,2,2;1,2,2;1,1,1");
        LinkRates rates = new LinkRates();
        for (Cable cable : Degradation.cables(view)) {
            rate(rates, cable, view.isLeaf(view.switchOf(cable.guid())) ? EDR : HDR);
        }
        assertThat(SlowLinks.of(view, rates).ranks()).isEmpty();
        Cable slow = Degradation.cables(view).get(0);
        rates.put(slow.farGuid(), slow.farPort(), ONE_LANE);

        SlowLinks found = SlowLinks.of(view, rates);

        int s = view.switchOf(slow.guid());
        assertThat(found.ranks())
                .containsExactly(new RankPair(0, 1, EDR, 8, List.of(new SlowLink(s, slow.port(), ONE_LANE))));
        assertThat(found.avoidable(view)).as("no other link to that switch").isEmpty();
    }

    /** Half and half: the faster half is what was bought. */
    @Test
    void shouldTakeTheFastestOfSeveralNorms() {
        FabricView view = view("2;1,2;1,1;1,2");
        LinkRates rates = new LinkRates();
        List<Cable> cables = Degradation.cables(view);
        for (int i = 0; i < cables.size(); i++) {
            rate(rates, cables.get(i), i % 2 == 0 ? ONE_LANE : EDR);
        }

        SlowLinks found = SlowLinks.of(view, rates);

        assertThat(found.count()).isEqualTo(2);
        assertThat(found.ranks().get(0).norm()).isEqualTo(EDR);
        assertThat(found.avoidable(view))
                .containsExactly(
                        new PortPlace(cables.get(0).guid(), cables.get(0).port()),
                        new PortPlace(cables.get(2).guid(), cables.get(2).port()));
    }

    /** Against a literal reading: a slow cable is avoided if and only if another of its bundle is not slow. */
    @Test
    void shouldAvoidExactlyThoseBesideAFasterOneAndKeepAllNeighbours() {
        int avoidedInAll = 0;
        int keptInAll = 0;
        for (int seed = 0; seed < 100; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            FabricView view = view(seed % 2 == 0 ? "3;2,2,3;1,2,2;1,1,3" : "2;3,4;1,2;1,3");
            LinkRates rates = new LinkRates();
            Map<Cable, LinkRate> told = new HashMap<>();
            for (Cable cable : Degradation.cables(view)) {
                LinkRate rate = random.nextInt(10) < 2 ? ONE_LANE : EDR;
                if (random.nextInt(10) > 0) {
                    rate(rates, cable, rate);
                    told.put(cable, rate);
                }
            }
            Set<PortPlace> expected = new HashSet<>();
            for (Cable cable : Degradation.cables(view)) {
                boolean slow = told.getOrDefault(cable, EDR).equals(ONE_LANE);
                boolean fasterBeside = Degradation.cables(view).stream()
                        .anyMatch(other -> other.guid() == cable.guid()
                                && other.farGuid() == cable.farGuid()
                                && !told.getOrDefault(other, EDR).equals(ONE_LANE));
                if (slow && fasterBeside) {
                    expected.add(new PortPlace(cable.guid(), cable.port()));
                }
                keptInAll += slow && !fasterBeside ? 1 : 0;
            }

            SlowLinks found = SlowLinks.of(view, rates);
            List<PortPlace> avoided = found.avoidable(view);

            assertThat(found.ranks())
                    .as("seed " + seed)
                    .allMatch(pair -> pair.norm().equals(EDR));
            assertThat(avoided).as("seed " + seed).containsExactlyInAnyOrderElementsOf(expected);
            FabricView without = view.without(new BitSet(), avoided);
            assertThat(without.linkCount()).isEqualTo(view.linkCount() - avoided.size());
            assertThat(neighbours(without)).as("seed " + seed).isEqualTo(neighbours(view));
            avoidedInAll += avoided.size();
        }
        assertThat(avoidedInAll).isGreaterThan(100);
        assertThat(keptInAll).isGreaterThan(20);
    }

    private static List<List<Integer>> neighbours(FabricView view) {
        List<List<Integer>> neighbours = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            List<Integer> of = new ArrayList<>();
            for (int g = view.groupStart(s); g < view.groupStart(s + 1); g++) {
                of.add(view.groupRemote(g));
            }
            neighbours.add(of);
        }
        return neighbours;
    }
}
