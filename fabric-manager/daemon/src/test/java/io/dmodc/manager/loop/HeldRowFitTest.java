package io.dmodc.manager.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Detours;
import io.dmodc.manager.core.LostPairs;
import io.dmodc.manager.core.RefusedEntries;
import io.dmodc.manager.loop.HeldRowFit.Fitted;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.TableCheck;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.PortPlace;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables for switches that hold what they held in another fabric, beside a twin that tries every mix packet by packet. */
class HeldRowFitTest {
    private static final int SEEDS = 150;

    /** A fabric whose cables come and go, and the tables it had. */
    private static final class History {
        final SplittableRandom random;
        private final FabricViewBuilder fabric;
        private final NodeIndexMap nodes = new NodeIndexMap();
        private final GuidNumbers levels = new GuidNumbers();
        private final FabricView whole;

        History(String shape, long seed) {
            random = new SplittableRandom(seed);
            fabric = PgftGenerator.generate(PgftShape.parse(shape));
            whole = fabric.build(1, nodes, levels);
            for (int s = 0; s < whole.switchCount(); s++) {
                levels.put(whole.switchGuid(s), whole.rank(s));
            }
        }

        int top() {
            return IntStream.range(0, whole.switchCount())
                    .filter(s -> whole.rank(s) == whole.rankMax())
                    .findFirst()
                    .orElseThrow();
        }

        FabricView without(int s, int port) {
            long guid = whole.switchGuid(s);
            fabric.apply(new PortSeen(guid, port, false, Objects.requireNonNull(fabric.neighbour(guid, port))));
            return fabric.build(2, nodes, levels);
        }

        FabricView next(int changes) {
            for (int i = 0; i < changes; i++) {
                int s = random.nextInt(whole.switchCount());
                int port = 1 + random.nextInt(whole.portCount(s));
                if (whole.peerSwitch(s, port) >= 0) {
                    long guid = whole.switchGuid(s);
                    fabric.apply(new PortSeen(
                            guid,
                            port,
                            !fabric.saysUp(guid, port),
                            Objects.requireNonNull(fabric.neighbour(guid, port))));
                }
            }
            return fabric.build(2, nodes, levels);
        }

        /** Up to three switches, each with one or two rows of what was; some may also hold nothing. */
        Map<Integer, List<LftRow>> held(List<LftSet> former) {
            Map<Integer, List<LftRow>> held = new TreeMap<>();
            for (int i = 0; i < 3; i++) {
                int s = random.nextInt(whole.switchCount());
                List<LftRow> rows = new ArrayList<>();
                for (int j = random.nextInt(2); j >= 0; j--) {
                    rows.add(former.get(random.nextInt(former.size())).row(s));
                }
                if (random.nextInt(4) == 0) {
                    rows.add(LftRow.noRoutes(former.get(0).entryCount()));
                }
                held.put(s, rows);
            }
            return held;
        }
    }

    private static LftSet route(FabricView view) {
        return Objects.requireNonNull(
                Dmodc.standard().route(view, Parallel.sequential()).tables());
    }

    private static Fitted fit(
            FabricView view,
            FabricView works,
            LftSet wanted,
            Map<Integer, List<LftRow>> held,
            Map<Integer, RefusedEntries> refused) {
        BitSet notRight = TableCheck.notRight(view, wanted, Parallel.sequential());
        return HeldRowFit.fit(view, works, wanted, notRight, held, refused, Map.of());
    }

    /**
     * How sources fare with one destination: lost in some mix, before its leaf or by turning in some mix, turned in some mix. Only those that are
     * routed are lost; all may turn.
     */
    private record Fate(BitSet lost, int astray, int turned) {}

    private static Fate fate(FabricView view, LftSet tables, LftSet wanted, Map<Integer, List<LftRow>> held, int d) {
        BitSet lost = new BitSet();
        int astray = 0;
        int turned = 0;
        for (int target = 0; target < view.targetCount(); target++) {
            int s = view.targetSwitch(target);
            if (view.alive(s)) {
                BitSet ends = new BitSet();
                mixes(held, new TreeMap<>(), mix -> {
                    ends.set(end(view, tables, mix, s, d, false));
                    ends.set(end(view, tables, mix, s, d, true));
                });
                boolean routed = wanted.port(s, d) != LftSet.NO_ROUTE;
                lost.set(s, routed && (ends.get(1) || ends.get(2) || ends.get(3)));
                astray += routed && (ends.get(1) || ends.get(2)) ? 1 : 0;
                turned += ends.get(2) ? 1 : 0;
            }
        }
        return new Fate(lost, astray, turned);
    }

    private interface Mix {
        void with(Map<Integer, LftRow> rows);
    }

    private static void mixes(Map<Integer, List<LftRow>> held, Map<Integer, LftRow> chosen, Mix each) {
        Integer next = held.keySet().stream()
                .filter(s -> !chosen.containsKey(s))
                .findFirst()
                .orElse(null);
        if (next == null) {
            each.with(chosen);
            return;
        }
        for (LftRow row : Objects.requireNonNull(held.get(next))) {
            chosen.put(next, row);
            mixes(held, chosen, each);
            chosen.remove(next);
        }
    }

    /**
     * 0 delivered, 1 dropped on the way, 2 turned, 3 dropped by the leaf of the destination.
     *
     * @param strays whether cables carry packets that are not in the view
     */
    private static int end(
            FabricView view, LftSet tables, Map<Integer, LftRow> mix, int source, int d, boolean strays) {
        int at = source;
        boolean descended = false;
        while (true) {
            int port = mix.containsKey(at) ? Objects.requireNonNull(mix.get(at)).port(d) : tables.port(at, d);
            if (at == view.nodeSwitch(d) && port == view.nodePort(d)) {
                return 0;
            }
            int next = port >= 1 && port <= view.portCount(at) ? view.peerSwitch(at, port) : -1;
            if (next < 0 && at == view.nodeSwitch(d)) {
                return 3;
            }
            if (next < 0 && strays && port >= 1 && port <= view.portCount(at)) {
                next = view.cabledSwitch(at, port);
            }
            if (next < 0 || !view.alive(next)) {
                return 1;
            }
            boolean up = view.rank(next) > view.rank(at);
            if (up && descended) {
                return 2;
            }
            descended = !up;
            at = next;
        }
    }

    /** Whether some choice of ports brings a packet to its leaf, which does not send it on, whatever those do that cannot be told; tried port by port. */
    private static boolean deliverable(
            FabricView view, Map<Integer, List<LftRow>> held, int s, boolean descended, int d) {
        List<LftRow> rows = held.get(s);
        return rows == null
                ? IntStream.rangeClosed(1, view.portCount(s))
                        .anyMatch(port -> deliverableBy(view, held, s, port, descended, d))
                : rows.stream().allMatch(row -> deliverableBy(view, held, s, row.port(d), descended, d));
    }

    private static boolean deliverableBy(
            FabricView view, Map<Integer, List<LftRow>> held, int s, int port, boolean descended, int d) {
        if (s == view.nodeSwitch(d) && port == view.nodePort(d)) {
            return true;
        }
        int next = port >= 1 && port <= view.portCount(s) ? view.peerSwitch(s, port) : -1;
        if (next < 0) {
            return s == view.nodeSwitch(d) && held.containsKey(s);
        }
        boolean up = view.rank(next) > view.rank(s);
        return !(up && descended) && deliverable(view, held, next, !up, d);
    }

    private static int undeliverable(FabricView view, LftSet wanted, Map<Integer, List<LftRow>> held, int d) {
        return (int) IntStream.range(0, view.targetCount())
                .map(view::targetSwitch)
                .filter(s -> view.alive(s) && wanted.port(s, d) != LftSet.NO_ROUTE)
                .filter(s -> !deliverable(view, held, s, false, d))
                .count();
    }

    /** Astray is only what nothing could deliver, and no more turns than if nothing had been done; what fits is left alone. */
    @ParameterizedTest
    @ValueSource(strings = {"2;3,4;1,3;1,1", "3;2,2,3;1,2,2;1,2,1", "3;2,3,3;1,2,3;1,1,1"})
    void shouldDeliverEverySourceThatSomeTablesWouldDeliver(String shape) {
        int detours = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            History history = new History(shape, seed);
            List<LftSet> former = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                former.add(route(history.next(3)));
            }
            FabricView view = history.next(3);
            LftSet wanted = route(view);
            Map<Integer, List<LftRow>> held = history.held(former);

            Fitted fitted = fit(view, view, wanted, held, Map.of());

            List<LostPairs.Pair> lost = new ArrayList<>();
            Set<Integer> onTheWay = new TreeSet<>();
            for (int d = 0; d < view.nodeCount(); d++) {
                Fate fate = fate(view, fitted.tables().lfts(), wanted, held, d);
                Fate plain = fate(view, wanted, wanted, held, d);
                String what = shape + " seed " + seed + " destination " + d;
                assertThat(fate.astray()).as(what).isEqualTo(undeliverable(view, wanted, held, d));
                assertThat(fate.turned()).as(what).isLessThanOrEqualTo(plain.turned());
                if (plain.astray() == 0 && plain.turned() == 0) {
                    assertThat(same(fitted.tables().lfts(), wanted, d)).as(what).isTrue();
                }
                int column = d;
                fate.lost().stream().forEach(s -> {
                    lost.add(new LostPairs.Pair(s, column));
                    for (int end : List.of(s, view.nodeSwitch(column))) {
                        addWhoLoses(view, wanted, held, end, column, new TreeSet<>(), onTheWay);
                    }
                });
            }
            assertThat(fitted.detours().lost().count())
                    .as("%s seed %d", shape, seed)
                    .isEqualTo(lost.size());
            assertThat(fitted.detours().lost().first())
                    .as("%s seed %d", shape, seed)
                    .isEqualTo(lost.subList(0, Math.min(lost.size(), LostPairs.NAMED)));
            assertThat(fitted.detours().lost().because())
                    .as("%s seed %d", shape, seed)
                    .containsExactlyElementsOf(onTheWay);
            assertThat(onTheWay.isEmpty()).isEqualTo(lost.isEmpty());
            assertThat(fitted.detours().around()).allMatch(misfits(held, wanted)::get);
            detours += fitted.detours().destinations();
        }
        assertThat(detours).isGreaterThan(SEEDS / 20);
    }

    /** Whoever may send a packet otherwise than he should, of those to whom it may come, and of those by whom it could go. */
    private static void addWhoLoses(
            FabricView view,
            LftSet wanted,
            Map<Integer, List<LftRow>> held,
            int s,
            int d,
            Set<Integer> seen,
            Set<Integer> whoLoses) {
        if (s < 0 || !seen.add(s)) {
            return;
        }
        List<LftRow> rows = new ArrayList<>(held.getOrDefault(s, List.of()));
        if (rows.stream().anyMatch(row -> row.port(d) != wanted.port(s, d))) {
            whoLoses.add(s);
        }
        rows.add(wanted.row(s));
        for (LftRow row : rows) {
            int port = row.port(d);
            int next = port >= 1 && port <= view.portCount(s) ? view.peerSwitch(s, port) : -1;
            addWhoLoses(view, wanted, held, next, d, seen, whoLoses);
        }
        for (int port = 1; port <= view.portCount(s); port++) {
            int next = view.peerSwitch(s, port);
            if (next >= 0 && view.rank(next) > view.rank(s)) {
                addWhoLoses(view, wanted, held, next, d, seen, whoLoses);
            }
        }
    }

    /** What is wanted of a switch that cannot be told fits the others as well: it is told so as soon as its agent is back. */
    @Test
    void shouldLoseNobodyWhenOneOfThemTakesItsTable() {
        for (int seed = 0; seed < SEEDS; seed++) {
            History history = new History("3;2,2,3;1,2,2;1,2,1", seed);
            List<LftSet> former = List.of(route(history.next(3)), route(history.next(3)));
            FabricView view = history.next(3);
            LftSet wanted = route(view);
            Map<Integer, List<LftRow>> held = history.held(former);

            LftSet tables = fit(view, view, wanted, held, Map.of()).tables().lfts();

            for (int back : held.keySet()) {
                Map<Integer, List<LftRow>> others = new TreeMap<>(held);
                others.remove(back);
                for (int d = 0; d < view.nodeCount(); d++) {
                    assertThat(fate(view, tables, wanted, others, d).astray())
                            .as("seed %d, switch %d back, destination %d", seed, back, d)
                            .isLessThanOrEqualTo(
                                    fate(view, tables, wanted, held, d).astray());
                }
            }
        }
    }

    /** Somebody in its name said so. By it no packet turns, and no other way leads to its hosts. */
    @Test
    void shouldSendToALeafThatMayHoldNothingWhileTheRowOfAnotherTurns() {
        FabricView view = new History("2;3,3;1,2;1,1", 1).next(0);
        LftSet wanted = route(view);
        int home = view.targetSwitch(0);
        int other = view.targetSwitch(1);
        int third = view.targetSwitch(2);
        int d = IntStream.range(0, view.nodeCount())
                .filter(node -> view.nodeSwitch(node) == home)
                .findFirst()
                .orElseThrow();
        int spine = view.peerSwitch(other, wanted.port(other, d));
        byte[] toTheThird = wanted.row(spine).toBytes();
        toTheThird[d] = (byte) IntStream.rangeClosed(1, view.portCount(spine))
                .filter(port -> view.peerSwitch(spine, port) == third)
                .findFirst()
                .orElseThrow();
        Map<Integer, List<LftRow>> held = Map.of(
                home,
                List.of(wanted.row(home), LftRow.noRoutes(wanted.entryCount())),
                spine,
                List.of(LftRow.of(toTheThird)));

        Fitted fitted = fit(view, view, wanted, held, Map.of());

        Fate plain = fate(view, wanted, wanted, held, d);
        Fate fate = fate(view, fitted.tables().lfts(), wanted, held, d);
        assertThat(plain.turned()).isPositive();
        assertThat(fate.lost().cardinality()).isEqualTo(3);
        assertThat(fate.astray() + fate.turned()).isZero();
        assertThat(fitted.detours().around()).containsExactly(spine);
    }

    /** Over a drained cable a packet goes all the same: the spine there may send it back by the other one, for ever. */
    @Test
    void shouldSendNothingToALeafThatMaySendItOnOverADrainedCable() {
        FabricView works = new History("2;3,3;1,2;1,2", 1).next(0);
        int home = works.targetSwitch(0);
        int drained = IntStream.rangeClosed(1, works.portCount(home))
                .filter(port -> works.peerSwitch(home, port) >= 0)
                .findFirst()
                .orElseThrow();
        FabricView view = works.without(new BitSet(), List.of(new PortPlace(works.switchGuid(home), drained)));
        LftSet wanted = route(view);
        int other = view.targetSwitch(1);
        int third = view.targetSwitch(2);
        int spine = works.peerSwitch(home, drained);
        int d = IntStream.range(0, view.nodeCount())
                .filter(node ->
                        view.nodeSwitch(node) == home && view.peerSwitch(other, wanted.port(other, node)) != spine)
                .findFirst()
                .orElseThrow();
        int misled = view.peerSwitch(other, wanted.port(other, d));
        byte[] toTheThird = wanted.row(misled).toBytes();
        toTheThird[d] = (byte) IntStream.rangeClosed(1, view.portCount(misled))
                .filter(port -> view.peerSwitch(misled, port) == third)
                .findFirst()
                .orElseThrow();
        byte[] backUp = wanted.row(home).toBytes();
        backUp[d] = (byte) drained;
        Map<Integer, List<LftRow>> held =
                Map.of(home, List.of(wanted.row(home), LftRow.of(backUp)), misled, List.of(LftRow.of(toTheThird)));

        Fitted fitted = fit(view, works, wanted, held, Map.of());

        assertThat(fitted.tables().lfts().port(spine, d)).isEqualTo(LftSet.NO_ROUTE);
    }

    /** One of two parallel cables is held down, and carries packets. Only the switch at which they would turn stops. */
    @Test
    void shouldSendNothingToASwitchThatSendsItBackOverACableThatIsNotInTheView() {
        History history = new History("3;1,2,2;1,1,1;1,1,2", 1);
        int top = history.top();
        int middle = history.whole.peerSwitch(top, 1);
        FabricView view = history.without(top, 1);

        Fitted fitted = fitWhereItSendsBack(view, top, middle, Map.of());

        assertThat(stopped(fitted.tables().lfts(), route(view))).containsOnly(middle);
    }

    /** Its cable is held down: it has no route, and what it holds sends packets all the same. */
    @Test
    void shouldSendNothingThatTurnsOfALeafWithoutARoute() {
        History history = new History("3;1,1,2;1,1,1;1,1,1", 1);
        int top = history.top();
        int middle = history.whole.peerSwitch(top, 1);
        int leaf = IntStream.range(0, history.whole.targetCount())
                .map(history.whole::targetSwitch)
                .filter(s -> history.whole.peerSwitch(s, uplink(history.whole, s)) == middle)
                .findFirst()
                .orElseThrow();
        LftRow held = route(history.whole).row(leaf);
        FabricView view = history.without(leaf, uplink(history.whole, leaf));

        Fitted fitted = fitWhereItSendsBack(view, top, middle, Map.of(leaf, List.of(held)));

        assertThat(stopped(fitted.tables().lfts(), route(view))).containsOnly(middle);
    }

    private static int uplink(FabricView view, int leaf) {
        return view.groupPort(view.groupStart(leaf), 0);
    }

    /** By the row that the top switch holds, what this one sends it to another leaf comes back through the first port. */
    private static Fitted fitWhereItSendsBack(FabricView view, int top, int middle, Map<Integer, List<LftRow>> others) {
        LftSet wanted = route(view);
        int d = IntStream.range(0, view.nodeCount())
                .filter(node -> wanted.port(middle, node) != LftSet.NO_ROUTE
                        && view.peerSwitch(middle, wanted.port(middle, node)) == top)
                .findFirst()
                .orElseThrow();
        byte[] back = wanted.row(top).toBytes();
        back[d] = 1;
        Map<Integer, List<LftRow>> held = new TreeMap<>(others);
        held.put(top, List.of(LftRow.of(back)));
        return fit(view, view, wanted, held, Map.of());
    }

    /** Switches with another entry than wanted, which is none. */
    private static List<Integer> stopped(LftSet tables, LftSet wanted) {
        List<Integer> stopped = new ArrayList<>();
        for (int s = 0; s < wanted.switchCount(); s++) {
            for (int d = 0; d < wanted.entryCount(); d++) {
                if (tables.port(s, d) != wanted.port(s, d)) {
                    assertThat(tables.port(s, d)).isEqualTo(LftSet.NO_ROUTE);
                    stopped.add(s);
                }
            }
        }
        return stopped;
    }

    /** As with one that may hold its row with and without them, and cannot be told anything; but it is given what it takes. */
    @Test
    void shouldLeadAroundSingleEntriesThatAreRefused() {
        int ledAround = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            History history = new History("3;2,2,3;1,2,2;1,2,1", seed);
            LftSet former = route(history.next(3));
            FabricView view = history.next(3);
            LftSet wanted = route(view);
            SplittableRandom random = new SplittableRandom(seed);
            int s = random.nextInt(view.switchCount());
            TreeMap<Integer, Integer> ports = new TreeMap<>();
            for (int i = 0; i < 3; i++) {
                int d = random.nextInt(view.nodeCount());
                boolean known = random.nextBoolean() && s < former.switchCount() && d < former.entryCount();
                ports.put(d, known ? former.port(s, d) : LftSet.NO_ROUTE);
            }
            RefusedEntries entries = new RefusedEntries(ports);
            LftRow without = entries.in(wanted.row(s));
            Map<Integer, List<LftRow>> held = Map.of(s, List.of(without, wanted.row(s)));

            Fitted fitted = fit(view, view, wanted, Map.of(), Map.of(s, entries));

            LftSet tables = fitted.tables().lfts();
            assertThat(tables.row(s).sameEntries(without)).isTrue();
            assertThat(fitted.detours().around()).isEmpty();
            assertThat(fitted.asWanted().containsKey(s)).isEqualTo(!without.sameEntries(wanted.row(s)));
            for (int d = 0; d < view.nodeCount(); d++) {
                String what = "seed " + seed + " switch " + s + " destination " + d;
                if (without.port(d) == wanted.port(s, d)) {
                    assertThat(same(tables, wanted, d)).as(what).isTrue();
                } else if (view.nodeSwitch(d) >= 0 && view.alive(view.nodeSwitch(d))) {
                    assertThat(fitted.asWanted().get(s).port(d)).as(what).isEqualTo(wanted.port(s, d));
                    assertThat(fate(view, tables, wanted, held, d).astray())
                            .as(what)
                            .isEqualTo(undeliverable(view, wanted, held, d));
                    ledAround += same(tables, wanted, d) ? 0 : 1;
                }
            }
        }
        assertThat(ledAround).isGreaterThan(SEEDS / 4);
    }

    /** Others have no agent meanwhile: whether it takes what it is offered or keeps what it refused, it leads to none of them that would lose its packets. */
    @Test
    void shouldOfferEntriesThatFitWhatHeadlessSwitchesHold() {
        int another = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            History history = new History("3;2,2,3;1,2,2;1,2,1", seed);
            List<LftSet> former = List.of(route(history.next(3)), route(history.next(3)));
            FabricView view = history.next(3);
            LftSet wanted = route(view);
            int s = history.random.nextInt(view.switchCount());
            TreeMap<Integer, Integer> ports = new TreeMap<>();
            for (int i = 0; i < 4; i++) {
                int d = history.random.nextInt(wanted.entryCount());
                ports.put(d, former.get(0).port(s, d));
            }
            Map<Integer, List<LftRow>> held = history.held(former);
            held.remove(s);

            Fitted fitted = fit(view, view, wanted, held, Map.of(s, new RefusedEntries(ports)));

            LftSet tables = fitted.tables().lfts();
            LftRow offered = fitted.asWanted().getOrDefault(s, tables.row(s));
            long lost = 0;
            for (int d = 0; d < view.nodeCount(); d++) {
                Map<Integer, List<LftRow>> either = new TreeMap<>(held);
                either.put(s, List.of(tables.row(s), offered));
                Map<Integer, List<LftRow>> kept = new TreeMap<>(held);
                if (ports.containsKey(d)) {
                    kept.put(s, List.of(tables.row(s)));
                }
                Fate fate = fate(view, tables, wanted, either, d);
                assertThat(fate.astray())
                        .as("seed %d switch %d destination %d", seed, s, d)
                        .isEqualTo(undeliverable(view, wanted, kept, d));
                lost += fate.lost().cardinality();
                another += offered.port(d) != wanted.port(s, d) ? 1 : 0;
            }
            assertThat(fitted.detours().lost().count()).as("seed %d", seed).isEqualTo(lost);
        }
        assertThat(another).isGreaterThan(SEEDS / 20);
    }

    private static boolean same(LftSet tables, LftSet wanted, int d) {
        return IntStream.range(0, wanted.switchCount()).allMatch(s -> tables.port(s, d) == wanted.port(s, d));
    }

    private static BitSet misfits(Map<Integer, List<LftRow>> held, LftSet wanted) {
        BitSet misfits = new BitSet();
        held.forEach((s, rows) -> misfits.set(s, !rows.stream().allMatch(row -> row.sameEntries(wanted.row(s)))));
        return misfits;
    }

    @Test
    void shouldLeaveTablesAloneWhereHeldRowsAreAsWanted() {
        History history = new History("3;2,3,3;1,2,3;1,1,1", 1);
        FabricView view = history.next(0);
        LftSet wanted = route(view);

        Fitted fitted = fit(
                view, view, wanted, Map.of(3, List.of(LftRow.of(wanted.row(3).toBytes()))), Map.of());

        assertThat(fitted.detours()).isEqualTo(Detours.NONE);
        for (int s = 0; s < view.switchCount(); s++) {
            assertThat(fitted.tables().row(s)).isSameAs(wanted.row(s));
        }
    }
}
