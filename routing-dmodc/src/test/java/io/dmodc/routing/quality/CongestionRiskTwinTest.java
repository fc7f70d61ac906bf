package io.dmodc.routing.quality;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.check.NaiveTables;
import io.dmodc.routing.quality.LiteralRisk.Flow;
import io.dmodc.routing.quality.LiteralRisk.Place;
import io.dmodc.routing.quality.LiteralRisk.Users;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.Guid;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
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
import java.util.concurrent.ForkJoinPool;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Congestion risk against its slow twin. */
class CongestionRiskTwinTest {
    private static final int RUNS = 150 * Integer.getInteger("more", 1);
    private static final int PERMUTATIONS = 35;
    private static final int WHOLE = -1;
    private static final Users NOBODY = new Users(Set.of(), Set.of());

    private final ForkJoinPool pool = new ForkJoinPool(3);

    @AfterEach
    void endThreads() {
        pool.shutdown();
    }

    @Test
    void shouldAgreeWithItsLiteralTwinOnWholeAndSpoiltFabrics() {
        long seed = 20_261_121;
        System.out.println("seed " + seed);
        Map<String, Integer> engines = new TreeMap<>();
        int unrouted = 0;
        int across = 0;
        int alike = 0;
        int apart = 0;
        for (int run = 0; run < RUNS; run++) {
            SpoiltFabric fabric = SpoiltFabric.draw(new SplittableRandom(seed + run));
            Parallel parallel = run % 2 == 0 ? Parallel.sequential() : Parallel.on(pool);

            CongestionRisk risk = compare("seed " + (seed + run), fabric.view(), fabric.tables(), parallel);

            engines.merge(fabric.engine(), 1, Integer::sum);
            unrouted += risk.unroutedPairs() > 0 ? 1 : 0;
            Met met = met(fabric);
            alike += met.alike ? 1 : 0;
            apart += met.apart ? 1 : 0;
            across += risk.stages().stream().anyMatch(stage -> stage.direction() == PortStage.Direction.ACROSS) ? 1 : 0;
        }
        System.out.println(engines + ", with unrouted pairs " + unrouted + ", with links across " + across
                + ", with sources that send alike " + alike + ", with trees where that does not help " + apart);
        assertThat(engines)
                .containsOnlyKeys("dmodc", "dmodc-plain", "dmodk", "minimal", "shortest", "spoilt")
                .allSatisfy((engine, count) -> assertThat(count).isGreaterThan(RUNS / 100));
        assertThat(unrouted).isBetween(RUNS / 10, RUNS * 9 / 10);
        assertThat(across).isGreaterThan(RUNS / 30);
        assertThat(alike).isGreaterThan(RUNS / 30);
        assertThat(apart).isPositive();
    }

    private record Met(boolean alike, boolean apart) {}

    /** Whether a fabric has sources that are followed together, and such as must not be. */
    private static Met met(SpoiltFabric fabric) {
        NodePlaces places = new NodePlaces(fabric.view());
        RouteTree tree = new RouteTree(places, fabric.tables());
        boolean alike = false;
        boolean apart = false;
        for (int d : places.node) {
            tree.begin(d / LftRow.SPAN_COLUMNS);
            tree.grow(d);
            alike |= tree.alike().count < places.source.length;
            apart |= tree.groups() != tree.alike();
        }
        return new Met(alike, apart);
    }

    /** So many shifts that several pieces of work take part, each sliding through many. */
    @Test
    void shouldAgreeWithItsLiteralTwinAcrossPiecesOfWork() {
        FabricView view = Fabrics.pgft("2;16,20;1,4;1,1");
        byte[][] rows = NaiveTables.minimal(view, new SplittableRandom(3));
        NaiveTables.spoil(view, rows, 200, new SplittableRandom(4));
        assertThat(view.nodeCount() - 1).isGreaterThan(2 * Shifts.PIECE);

        CongestionRisk risk = compare("320 nodes", view, NaiveTables.set(view, rows), Parallel.on(pool));

        assertThat(risk.unroutedPairs()).isPositive();
        assertThat(risk.shifts(Progress.NONE).flows(Progress.NONE).shared()).isPositive();
    }

    /** The packets of leaf2 come through leaf0, which has the entries of leaf1. */
    @Test
    void shouldFollowSourcesApartWherePacketsComeThroughOneOfThem() {
        FabricViewBuilder fabric = PgftGenerator.generate(PgftShape.parse("2;2,4;1,2;1,1"));
        FabricView whole = Fabrics.view(fabric);
        int far = 2 * LftRow.SPAN_COLUMNS;
        List<String> indices = IntStream.range(0, whole.nodeCount())
                .mapToObj(d -> Guid.format(whole.nodeGuid(d)) + " " + (d == whole.nodeCount() - 1 ? far : d))
                .toList();
        FabricView view = fabric.build(1, NodeIndexMap.parse("one far", indices), new GuidNumbers());
        int home = view.nodeSwitch(far);
        int[] leaves = IntStream.range(0, view.switchCount())
                .filter(s -> view.rank(s) == 0 && s != home)
                .toArray();
        int[] spines = IntStream.range(0, view.switchCount())
                .filter(s -> view.rank(s) == 1)
                .toArray();
        byte[][] rows = NaiveTables.minimal(view, new SplittableRandom(1));
        rows[leaves[0]][far] = portTo(view, leaves[0], spines[1]);
        rows[leaves[1]][far] = portTo(view, leaves[1], spines[1]);
        rows[leaves[2]][far] = portTo(view, leaves[2], spines[0]);
        rows[spines[0]][far] = portTo(view, spines[0], leaves[0]);
        rows[spines[1]][far] = portTo(view, spines[1], home);
        LftSet tables = NaiveTables.set(view, rows);

        CongestionRisk risk = compare("a leaf passes packets on", view, tables, Parallel.sequential());

        assertThat(met(new SpoiltFabric(view, tables, "by hand"))).isEqualTo(new Met(true, true));
        assertThat(risk.unroutedPairs()).isZero();
    }

    private static byte portTo(FabricView view, int s, int remote) {
        return (byte) IntStream.rangeClosed(1, view.portCount(s))
                .filter(port -> view.peerSwitch(s, port) == remote)
                .findFirst()
                .orElseThrow();
    }

    private static CongestionRisk compare(String what, FabricView view, LftSet tables, Parallel parallel) {
        LiteralRisk twin = new LiteralRisk(view, tables);
        CongestionRisk risk = CongestionRisk.of(view, tables, parallel, Progress.NONE);
        assertThat(risk.nodeCount()).as(what).isEqualTo(twin.nodes.size());
        assertThat(risk.absentNodeCount()).as(what).isEqualTo(view.nodeCount() - twin.nodes.size());
        assertThat(risk.pairs()).as(what).isEqualTo(twin.allToAll().size());
        assertThat(risk.unroutedPairs()).as(what).isEqualTo(twin.unrouted(twin.allToAll()));

        checkBetween(what, view, twin, risk);

        PatternRisk shifts = risk.shifts(Progress.NONE);
        PatternRisk permutations = risk.permutations(PERMUTATIONS, 17, Progress.NONE);

        assertThat(shifts.patternCount()).as(what).isEqualTo(Math.max(0, twin.nodes.size() - 1));
        Map<Place, Users> users = twin.users(twin.allToAll());
        Map<Place, Integer> shiftPeaks = new HashMap<>();
        Map<Place, Integer> permutationPeaks = new HashMap<>();
        checkStages(
                what + ", all to all",
                twin,
                users,
                risk.stages(),
                stage -> stage == WHOLE ? risk.allToAll() : risk.allToAll(stage));
        assertThat(risk.allToAllFlows()).as(what).isEqualTo(twin.met(twin.allToAll(), users));
        FlowRisk met = FlowRisk.NONE;
        List<FlowRisk> metByShift = new ArrayList<>();
        for (int i = 0; i < shifts.patternCount(); i++) {
            List<Flow> flows = twin.shift(shifts.number(i));
            Map<Place, Users> of = twin.users(flows);
            metByShift.add(twin.met(flows, of));
            met = met.plus(metByShift.get(i));
            checkStages(what + ", shift " + i, twin, of, risk.stages(), figures(shifts, i));
            of.forEach((place, by) -> shiftPeaks.merge(place, by.risk(), Math::max));
        }
        assertThat(shifts.flows(Progress.NONE)).as(what).isEqualTo(met);
        PatternRisk some = risk.shifts(twin.nodes.size() * 2 / 3, 5, Progress.NONE);
        assertThat(some.flows(Progress.NONE))
                .as(what)
                .isEqualTo(IntStream.range(0, some.patternCount())
                        .mapToObj(i -> metByShift.get(some.number(i) - 1))
                        .reduce(FlowRisk.NONE, FlowRisk::plus));
        met = FlowRisk.NONE;
        Permutations drawn = new Permutations(ArrivingRoutes.of(view, tables, parallel), PERMUTATIONS, 17);
        for (int i = 0; i < PERMUTATIONS; i++) {
            List<Flow> flows = twin.permutation(drawn.order(i));
            Map<Place, Users> of = twin.users(flows);
            met = met.plus(twin.met(flows, of));
            checkStages(what + ", permutation " + i, twin, of, risk.stages(), figures(permutations, i));
            of.forEach((place, by) -> permutationPeaks.merge(place, by.risk(), Math::max));
        }
        assertThat(permutations.flows(Progress.NONE)).as(what).isEqualTo(met);
        checkPorts(
                what,
                view,
                risk.worstPorts(permutations, shifts, Integer.MAX_VALUE),
                users,
                permutationPeaks,
                shiftPeaks);
        return risk;
    }

    /** Two groups drawn anyhow: they may share nodes, be empty, or name nodes that take no part. */
    private static void checkBetween(String what, FabricView view, LiteralRisk twin, CongestionRisk risk) {
        SplittableRandom random = new SplittableRandom(what.hashCode());
        BitSet from = new BitSet();
        BitSet to = new BitSet();
        int rare = random.nextInt(1, 6);
        for (int node = 0; node < view.nodeCount(); node++) {
            from.set(node, random.nextBoolean());
            to.set(node, random.nextInt(rare) == 0);
        }
        List<Flow> flows = twin.allToAll().stream()
                .filter(flow -> from.get(flow.from()) && to.get(flow.to()))
                .toList();

        GroupRisk group = risk.between(from, to, Progress.NONE);

        Map<Place, Users> users = twin.users(flows);
        users.keySet().removeIf(place -> view.peerSwitch(place.s(), place.port()) < 0);
        assertThat(group.senders()).as(what).isEqualTo(count(twin, from));
        assertThat(group.receivers()).as(what).isEqualTo(count(twin, to));
        assertThat(group.pairs()).as(what).isEqualTo(flows.size());
        assertThat(group.unroutedPairs()).as(what).isEqualTo(twin.unrouted(flows));
        assertThat(group.portsUsed()).as(what).isEqualTo(users.size());
        assertThat(group.risk())
                .as(what)
                .isEqualTo(users.values().stream().mapToInt(Users::risk).max().orElse(0));
    }

    private static int count(LiteralRisk twin, BitSet nodes) {
        return (int) twin.nodes.stream().filter(nodes::get).count();
    }

    /** @param measured the risk of a stage; the whole fabric's under −1 */
    private static void checkStages(
            String what, LiteralRisk twin, Map<Place, Users> users, List<PortStage> stages, IntUnaryOperator measured) {
        int whole = users.values().stream().mapToInt(Users::risk).max().orElse(0);
        assertThat(measured.applyAsInt(WHOLE)).as(what).isEqualTo(whole);
        for (int i = 0; i < stages.size(); i++) {
            PortStage stage = stages.get(i);
            assertThat(stage.ports()).as(what + " " + stage).isEqualTo(twin.ports(stage));
            assertThat(measured.applyAsInt(i)).as(what + " " + stage).isEqualTo(twin.risk(users, stage));
        }
    }

    private static IntUnaryOperator figures(PatternRisk risk, int pattern) {
        return stage -> (stage == WHOLE ? risk.whole() : risk.stage(stage)).get(pattern);
    }

    private static void checkPorts(
            String what,
            FabricView view,
            List<PortRisk> ports,
            Map<Place, Users> users,
            Map<Place, Integer> permutationPeaks,
            Map<Place, Integer> shiftPeaks) {
        assertThat(ports)
                .as(what)
                .isSortedAccordingTo(Comparator.comparing((PortRisk port) -> -port.shifts())
                        .thenComparing(port -> -port.allToAll()));
        Set<Place> named = new HashSet<>();
        for (PortRisk port : ports) {
            Place place = new Place(port.switchIndex(), port.port());
            named.add(place);
            assertThat(port)
                    .as(what + " " + place)
                    .isEqualTo(new PortRisk(
                            place.s(),
                            place.port(),
                            view.peerSwitch(place.s(), place.port()),
                            view.peerPort(place.s(), place.port()),
                            port.stage(),
                            users.getOrDefault(place, NOBODY).sources().size(),
                            users.getOrDefault(place, NOBODY).destinations().size(),
                            permutationPeaks.getOrDefault(place, 0),
                            shiftPeaks.getOrDefault(place, 0)));
        }
        assertThat(named).as(what).hasSize(2 * view.linkCount());
    }
}
