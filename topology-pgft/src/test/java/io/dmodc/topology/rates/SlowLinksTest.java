package io.dmodc.topology.rates;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.LinkRate;
import io.dmodc.topology.LinkRates;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
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
            for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
                of.add(view.groupRemote(g));
            }
            neighbours.add(of);
        }
        return neighbours;
    }

    /** Against all links put into a table by hand; and from view to view, while links and rates come and go, against a look at each view alone. */
    @Test
    void shouldFindTheSameHoweverItLooks() {
        SplittableRandom random = new SplittableRandom(11);
        List<LinkRate> some = List.of(EDR, HDR, ONE_LANE);
        int withSlow = 0;
        int without = 0;
        for (String shape : List.of("3;2,2,3;1,2,2;1,2,1", "2;2,4;1,2;1,2", "3;2,3,2;1,2,3;1,2,1")) {
            FabricViewBuilder fabric = PgftGenerator.generate(PgftShape.parse(shape));
            NodeIndexMap nodes = new NodeIndexMap();
            FabricView whole = fabric.build(0, nodes, new GuidNumbers());
            GuidNumbers levels = new GuidNumbers();
            for (int s = 0; s < whole.switchCount(); s++) {
                levels.put(whole.switchGuid(s), whole.rank(s));
            }
            List<Cable> cables = Degradation.cables(whole);
            SlowLinkFinder finder = new SlowLinkFinder();
            for (Cable cable : cables) {
                tell(fabric, finder, cable, usual(whole, cable));
            }
            for (int epoch = 1; epoch <= 400; epoch++) {
                for (int i = random.nextInt(3); i >= 0; i--) {
                    Cable cable = cables.get(random.nextInt(cables.size()));
                    boolean odd = epoch % 100 > 50 && random.nextInt(4) == 0;
                    tell(fabric, finder, cable, odd ? some.get(random.nextInt(3)) : usual(whole, cable));
                    boolean up = random.nextInt(4) > 0;
                    fabric.apply(
                            new PortSeen(cable.guid(), cable.port(), up, fabric.neighbour(cable.guid(), cable.port())));
                }
                FabricView view = fabric.build(epoch, nodes, levels);

                SlowLinks found = finder.find(view, fabric.rates());

                assertThat(found).as("%s, epoch %d", shape, epoch).isEqualTo(SlowLinks.of(view, fabric.rates()));
                assertThat(found).isEqualTo(byHand(view, fabric.rates()));
                withSlow += found.count() > 0 ? 1 : 0;
                without += found.count() == 0 ? 1 : 0;
            }
        }
        assertThat(withSlow).isGreaterThan(100);
        assertThat(without).isGreaterThan(100);
    }

    private static LinkRate usual(FabricView whole, Cable cable) {
        return whole.isLeaf(whole.switchOf(cable.guid())) || whole.isLeaf(whole.switchOf(cable.farGuid())) ? EDR : HDR;
    }

    private static void tell(FabricViewBuilder fabric, SlowLinkFinder finder, Cable cable, LinkRate rate) {
        if (fabric.setRate(cable.guid(), cable.port(), rate)) {
            finder.told(cable.guid());
        }
        if (fabric.setRate(cable.farGuid(), cable.farPort(), rate)) {
            finder.told(cable.farGuid());
        }
    }

    private static SlowLinks byHand(FabricView view, LinkRates rates) {
        Map<List<Integer>, List<SlowLink>> links = new TreeMap<>(Comparator.comparing(Object::toString));
        for (int s = 0; s < view.switchCount(); s++) {
            for (int port = 1; port <= view.portCount(s); port++) {
                int far = view.peerSwitch(s, port);
                if (far >= 0 && view.rank(s) >= 0 && view.rank(far) > view.rank(s)) {
                    LinkRate near = rates.of(view.switchGuid(s), port).orElseThrow();
                    links.computeIfAbsent(List.of(view.rank(s), view.rank(far)), any -> new ArrayList<>())
                            .add(new SlowLink(s, port, near));
                }
            }
        }
        List<RankPair> slow = new ArrayList<>();
        links.forEach((ranks, all) -> {
            LinkRate norm = all.stream()
                    .map(SlowLink::rate)
                    .max(Comparator.comparing((LinkRate rate) -> all.stream()
                                    .filter(link -> link.rate().equals(rate))
                                    .count())
                            .thenComparing(Comparator.naturalOrder()))
                    .orElseThrow();
            List<SlowLink> below =
                    all.stream().filter(link -> link.rate().compareTo(norm) < 0).toList();
            if (!below.isEmpty()) {
                slow.add(new RankPair(ranks.get(0), ranks.get(1), norm, all.size(), below));
            }
        });
        return new SlowLinks(slow);
    }
}
