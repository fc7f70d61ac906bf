package io.dmodc.routing.dmodc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchForgotten;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.Guid;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.PlaneNumbers;
import io.dmodc.topology.SwitchClaims;
import io.dmodc.topology.SwitchClaims.PortClaim;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plane numbers: how they are found, and that they stay. */
class PlaneNumbersTest {
    private static Map<Long, Integer> numbers(PlaneNumbers planes) {
        Map<Long, Integer> numbers = new TreeMap<>(Long::compareUnsigned);
        GuidNumbers.parse("test", planes.lines(), PlaneNumbers.NUMBER_MAX).forEach(numbers::put);
        return numbers;
    }

    @Test
    void shouldFindWhatTheSlowTwinFinds() {
        for (long seed = 0; seed < 1_000; seed++) {
            FabricView view = seed % 4 == 0 ? LineCards.random(seed) : RandomFabrics.draw(seed);
            PlaneNumbers planes = new PlaneNumbers();

            planes.number(view);

            assertThat(numbers(planes))
                    .as("seed %d", seed)
                    .containsExactlyInAnyOrderEntriesOf(new SlowPlanes(view).numbers());
        }
    }

    /** Each switch of the middle rank is in the plane of the cores it leads to; each core is one itself. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldFindThePlanesOfAShuffledFabric(long seed) {
        FabricView view = view(
                PgftGenerator.generateShuffled(PgftShape.parse("3;8,8,16;1,8,8;1,1,1"), new SplittableRandom(seed)));

        view = new PlaneNumbers().number(view);

        for (int s = 0; s < view.switchCount(); s++) {
            for (int port = 1; view.rank(s) == 2 && port <= view.portCount(s); port++) {
                assertThat(view.plane(view.peerSwitch(s, port))).isEqualTo(view.plane(view.peerSwitch(s, 1)));
            }
        }
        FabricView numbered = view;
        assertThat(IntStream.range(0, view.switchCount())
                        .filter(s -> numbered.rank(s) == 1)
                        .map(numbered::plane)
                        .distinct()
                        .sorted())
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    }

    /** A leaf without hosts stands above the leaves, on a rank with the directors' line cards, and joins nothing. */
    @Test
    void shouldFindTwoDirectorsWhereALeafLostItsHosts() {
        SmallFabric drawn = new SmallFabric().switches("l0", "l1", "l2", "drained", "a0", "a1", "b0", "b1");
        drawn.switches("as0", "as1", "as2", "bs0", "bs1", "bs2");
        for (String leaf : List.of("l0", "l1", "l2")) {
            drawn.hosts(leaf, 2)
                    .cable(leaf, "a0")
                    .cable(leaf, "a1")
                    .cable(leaf, "b0")
                    .cable(leaf, "b1");
        }
        for (String card : List.of("a0", "a1", "b0", "b1")) {
            drawn.cable("drained", card);
            for (int spine = 0; spine < 3; spine++) {
                drawn.cable(card, card.charAt(0) + "s" + spine);
            }
        }

        FabricView view = new PlaneNumbers().number(drawn.view());

        assertThat(view.rank(drawn.at("drained"))).isEqualTo(2);
        assertThat(view.plane(drawn.at("a0"))).isEqualTo(view.plane(drawn.at("a1")));
        assertThat(view.plane(drawn.at("b0"))).isEqualTo(view.plane(drawn.at("b1")));
        assertThat(view.plane(drawn.at("a0"))).isNotEqualTo(view.plane(drawn.at("b0")));
    }

    /** What happens to a fabric changes no number and, once it is whole again, no entry. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19})
    void shouldKeepNumbersThroughLossAndReturn(long seed) {
        for (boolean levelsKnown : new boolean[] {true, false}) {
            PgftShape shape = PgftShape.parse(seed % 2 == 0 ? "3;3,3,4;1,3,3;1,1,1" : "4;2,2,2,3;1,2,2,2;1,1,1,1");
            SplittableRandom random = new SplittableRandom(seed);
            FabricViewBuilder fabric = PgftGenerator.generateShuffled(shape, random);
            NodeIndexMap nodes = new NodeIndexMap();
            PlaneNumbers planes = new PlaneNumbers();
            FabricView whole = planes.number(fabric.build(0, nodes, new GuidNumbers()));
            Map<Long, Integer> first = numbers(planes);
            GuidNumbers levels = levelsKnown ? levels(whole) : new GuidNumbers();
            for (int event = 1; event <= 30; event++) {
                long guid = whole.switchGuid(random.nextInt(whole.switchCount()));
                fabric.apply(new SwitchState(guid, random.nextInt(3) == 0));
                planes.number(fabric.build(event, nodes, levels));

                assertThat(numbers(planes)).containsAllEntriesOf(first);
            }
            IntStream.range(0, whole.switchCount())
                    .forEach(s -> fabric.apply(new SwitchState(whole.switchGuid(s), true)));
            FabricView again = planes.number(fabric.build(99, nodes, levels));

            assertSameTables(route(whole), route(again));
        }
    }

    /** A core that is lost before the manager is started again must not sort the others anew. */
    @Test
    void shouldGoOnWithTheRecordInADamagedFabric() {
        FabricViewBuilder fabric =
                PgftGenerator.generateShuffled(PgftShape.parse("3;3,3,4;1,3,3;1,1,1"), new SplittableRandom(3));
        NodeIndexMap nodes = new NodeIndexMap();
        PlaneNumbers first = new PlaneNumbers();
        FabricView whole = first.number(fabric.build(0, nodes, new GuidNumbers()));
        for (int s = 0; s < whole.switchCount(); s++) {
            if (whole.rank(s) > 0 && s % 3 == 0) {
                fabric.apply(new SwitchState(whole.switchGuid(s), false));
            }
        }

        PlaneNumbers record = PlaneNumbers.parse("planes", first.lines());
        FabricView damaged = fabric.build(1, nodes, levels(whole));

        assertSameTables(route(first.number(damaged)), route(record.number(damaged)));
        assertThat(record.takeDealt()).isEmpty();
        assertThat(record.lines()).isEqualTo(first.lines());
    }

    @Test
    void shouldGiveAReplacedSwitchItsPlanesNumber() {
        FabricViewBuilder fabric =
                PgftGenerator.generateShuffled(PgftShape.parse("3;3,3,4;1,3,3;1,1,1"), new SplittableRandom(5));
        NodeIndexMap nodes = new NodeIndexMap();
        PlaneNumbers planes = new PlaneNumbers();
        FabricView whole = planes.number(fabric.build(0, nodes, new GuidNumbers()));
        int middle = IntStream.range(0, whole.switchCount())
                .filter(s -> whole.rank(s) == 1)
                .skip(4)
                .findFirst()
                .orElseThrow();
        long old = whole.switchGuid(middle);
        long fresh = 0x7fff_0000_0000_0001L;
        planes.takeDealt();
        replace(fabric, old, fresh);

        FabricView view = planes.number(fabric.build(1, nodes, levels(whole)));

        assertThat(planes.takeDealt()).containsExactly(fresh);
        assertThat(view.plane(view.switchOf(fresh))).isEqualTo(planes.of(old));
    }

    /** A top switch is a plane of its own, so nothing but the command says whose place it takes. */
    @Test
    void shouldHandTheNumberOverWhenTold() {
        PlaneNumbers planes = PlaneNumbers.parse("planes", List.of("0x10 0", "0x11 1"));

        planes.handOver(0x10, 0x99);
        planes.forget(0x10);

        assertThat(planes.of(0x99)).isZero();
        assertThat(planes.of(0x10)).isEqualTo(-1);
        assertThat(planes.takeDealt()).containsExactly(0x99L);
    }

    /** Nobody is to keep a number that is gone by then. */
    @Test
    void shouldNotNameAsDealtWhatWasForgottenSince() {
        PlaneNumbers planes = PlaneNumbers.parse("planes", List.of("0x10 0", "0x11 1"));

        planes.handOver(0x10, 0x99);
        planes.handOver(0x11, 0x98);
        planes.forget(0x99);

        assertThat(planes.takeDealt()).containsExactly(0x98L);
    }

    /** Swapped cables may have made one plane of two. */
    @Test
    void shouldGiveANewSwitchTheLowestNumberInItsPlane() {
        FabricView view = view(PgftGenerator.generate(PgftShape.parse("3;2,2,3;1,2,1;1,1,1")));
        List<Long> plane = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.rank(s) == 1 && new PlaneNumbers().number(view).plane(s) == 0) {
                plane.add(view.switchGuid(s));
            }
        }
        assertThat(plane).hasSize(3);
        for (int fresh = 0; fresh < 3; fresh++) {
            long one = plane.get((fresh + 1) % 3);
            long other = plane.get((fresh + 2) % 3);
            PlaneNumbers planes =
                    PlaneNumbers.parse("planes", List.of(Guid.format(one) + " 7", Guid.format(other) + " 3"));

            planes.number(view);

            assertThat(planes.of(plane.get(fresh))).isEqualTo(3);
            assertThat(planes.of(one)).isEqualTo(7);
        }
    }

    /** Nothing else changed, so the view has the very arrays of the last one. */
    @Test
    void shouldNumberAgainWhoeverWasForgotten() {
        FabricView view = view(PgftGenerator.generate(PgftShape.parse("2;2,2;1,2;1,1")));
        PlaneNumbers planes = new PlaneNumbers();
        FabricView first = planes.number(view);
        Map<Long, Integer> numbers = numbers(planes);
        numbers.keySet().forEach(planes::forget);

        FabricView again = planes.number(view);

        assertThat(numbers(planes)).isEqualTo(numbers);
        for (int s = 0; s < view.switchCount(); s++) {
            assertThat(again.plane(s)).isEqualTo(first.plane(s));
        }
    }

    /** And the last numbers of an edited file leave room for no others: new planes have the last one, then. */
    @Test
    void shouldGiveNoNumberAboveTheHighest() {
        FabricView view = view(PgftGenerator.generate(PgftShape.parse("2;2,2;1,2;1,1")));
        PlaneNumbers planes = PlaneNumbers.parse("planes", List.of("0x7000 16777214"));

        planes.number(view);

        assertThat(numbers(planes).values()).containsExactly(16777214, 16777215, 16777215);
        assertThat(numbers(PlaneNumbers.parse("planes", planes.lines()))).isEqualTo(numbers(planes));
    }

    @Test
    void shouldHideNumbersForAWhileAlone() {
        FabricView view = view(PgftGenerator.generate(PgftShape.parse("2;2,2;1,2;1,1")));
        PlaneNumbers planes = new PlaneNumbers();
        FabricView numbered = planes.number(view);
        int spine = numbered.rank(0) == 1 ? 0 : numbered.switchCount() - 1;

        FabricView hiding = planes.numberKnown(view, Set.of(view.switchGuid(spine)));

        assertThat(hiding.plane(spine)).isEqualTo(Integer.MAX_VALUE);
        assertThat(planes.numberKnown(view, Set.of()).plane(spine)).isEqualTo(numbered.plane(spine));
    }

    @Test
    void shouldNumberNewPlanesBehindAllOnRecord() {
        FabricView view = view(PgftGenerator.generate(PgftShape.parse("2;2,2;1,2;1,1")));
        PlaneNumbers planes = PlaneNumbers.parse("planes", List.of("0x7000 4"));

        FabricView numbered = planes.number(view);

        assertThat(IntStream.range(0, view.switchCount())
                        .filter(s -> view.rank(s) == 1)
                        .map(numbered::plane))
                .containsExactly(5, 6);
    }

    @Test
    void shouldRefuseANumberOutOfBounds() {
        assertThatThrownBy(() -> PlaneNumbers.parse("planes", List.of("0x10 0", "0x11 16777216")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("planes:2: number 16777216; expected 0..16777215");
    }

    private static void replace(FabricViewBuilder fabric, long old, long fresh) {
        SwitchClaims claims = fabric.claims(old);
        fabric.apply(new SwitchForgotten(old));
        fabric.apply(new SwitchSeen(fresh, "fresh", claims.portCount()));
        for (PortClaim port : claims.ports()) {
            fabric.apply(new PortSeen(fresh, port.port(), true, port.neighbour()));
            if (port.neighbour() instanceof ToSwitch to) {
                fabric.apply(new PortSeen(to.guid(), to.port(), true, new ToSwitch(fresh, port.port())));
            }
        }
    }

    private static FabricView view(FabricViewBuilder fabric) {
        return fabric.build(0, new NodeIndexMap(), new GuidNumbers());
    }

    private static GuidNumbers levels(FabricView view) {
        GuidNumbers levels = new GuidNumbers();
        IntStream.range(0, view.switchCount()).forEach(s -> levels.put(view.switchGuid(s), view.rank(s)));
        return levels;
    }

    private static LftSet route(FabricView view) {
        return Objects.requireNonNull(
                Dmodc.standard().route(view, Parallel.sequential()).tables());
    }

    private static void assertSameTables(LftSet one, LftSet other) {
        for (int s = 0; s < one.switchCount(); s++) {
            assertThat(one.row(s).sameEntries(other.row(s))).as("row %d", s).isTrue();
        }
    }
}
