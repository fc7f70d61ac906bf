package io.dmodc.routing.minhop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.minhop.IncrementalMinHop.Result;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The cases of the memo's section 6, and a slow twin that walks every route after every change. */
class IncrementalMinHopTest {
    /** Leaves 0, 1, 2 with two nodes each; spines 3, 4; two parallel cables between each leaf and spine. */
    private static final PgftShape DOUBLED = PgftShape.parse("2;2,3;1,2;1,2");

    private static final PgftShape THREE_LEVELS = PgftShape.parse("3;2,2,2;1,2,2;1,1,1");

    private final NodeIndexMap nodes = new NodeIndexMap();

    private FabricView view(FabricViewBuilder fabric) {
        return fabric.build(1, nodes, new GuidNumbers());
    }

    private static MinHopTables minHops(FabricView view) {
        return MinHop.minHops(view, TargetChoice.ALL, Parallel.sequential());
    }

    private static LftSet route(FabricView view) {
        return PortAssignment.nodes(view, minHops(view), null, Parallel.sequential());
    }

    private static Result reroute(FabricView before, FabricView now) {
        return IncrementalMinHop.reroute(before, route(before), minHops(before), now);
    }

    private static Cable cable(FabricView view, int s, int remote) {
        return Degradation.cables(view).stream()
                .filter(c -> c.guid() == view.switchGuid(s) && c.farGuid() == view.switchGuid(remote))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldChangeNothingWhenALinkToANodeIsLost() {
        FabricViewBuilder fabric = PgftGenerator.generate(DOUBLED);
        FabricView before = view(fabric);
        fabric.apply(new PortSeen(before.switchGuid(0), 1, false, fabric.neighbour(before.switchGuid(0), 1)));

        Result result = reroute(before, view(fabric));

        assertThat(result.moved()).isZero();
        assertThat(result.lost()).isZero();
        assertThat(differences(route(before), result.tables())).isEmpty();
    }

    @Test
    void shouldSpreadRoutesOverTheOtherCablesToTheSameSwitch() {
        FabricViewBuilder fabric = PgftGenerator.generate(DOUBLED);
        FabricView before = view(fabric);
        Cable lost = cable(before, 0, 3);
        Degradation.cut(fabric, lost);

        Result result = reroute(before, view(fabric));

        LftSet old = route(before);
        assertThat(differences(old, result.tables())).isNotEmpty().allMatch(at -> {
            int port = result.tables().port(at[0], at[1]);
            return (at[0] == 0 && old.port(0, at[1]) == lost.port() && before.peerSwitch(0, port) == 3)
                    || (at[0] == 3 && old.port(3, at[1]) == lost.farPort() && before.peerSwitch(3, port) == 0);
        });
        assertThat(result.lost()).isZero();
        assertThat(broken(before, view(fabric), result.tables())).isZero();
    }

    @Test
    void shouldTakeADifferentSwitchWhenTheLastCableIsLost() {
        FabricViewBuilder fabric = PgftGenerator.generate(THREE_LEVELS);
        FabricView before = view(fabric);
        Cable lost = cable(before, 0, 4);
        Degradation.cut(fabric, lost);

        Result result = reroute(before, view(fabric));

        LftSet old = route(before);
        for (int d = 2; d < before.nodeCount(); d++) {
            boolean wasThere = old.port(0, d) == lost.port();
            int remote = before.peerSwitch(0, result.tables().port(0, d));
            assertThat(remote).isEqualTo(wasThere ? 5 : before.peerSwitch(0, old.port(0, d)));
        }
        assertThat(result.moved()).isPositive();
    }

    @Test
    void shouldLetFeedingSwitchesChooseAnotherWayDown() {
        FabricViewBuilder fabric = PgftGenerator.generate(THREE_LEVELS);
        FabricView before = view(fabric);
        LftSet old = route(before);
        Cable lost = cable(before, 0, 4);
        Degradation.cut(fabric, lost);
        FabricView now = view(fabric);

        Result result = reroute(before, now);

        // Leaf 1 fed the routes to leaf 0's nodes into switch 4; now it feeds them into 5.
        assertThat(List.of(0, 1)).anyMatch(d -> before.peerSwitch(1, old.port(1, d)) == 4);
        assertThat(List.of(0, 1))
                .allMatch(d -> before.peerSwitch(1, result.tables().port(1, d)) == 5);
        for (int leaf = 0; leaf < 4; leaf++) {
            for (int d = 0; d < before.nodeCount(); d++) {
                assertThat(arrives(now, result.tables(), leaf, d)).isTrue();
            }
        }
    }

    @Test
    void shouldDoNothingWhereThereIsNoOtherWay() {
        FabricViewBuilder fabric = PgftGenerator.generate(PgftShape.parse("2;2,3;1,1;1,1"));
        FabricView before = view(fabric);
        Degradation.cut(fabric, cable(before, 0, 3));

        Result result = reroute(before, view(fabric));

        assertThat(result.moved()).isZero();
        assertThat(differences(route(before), result.tables())).isEmpty();
        // Leaf 0 to four nodes, and to its two from the spine and two leaves.
        assertThat(result.lost()).isEqualTo(4 + 2 * 3);
    }

    @Test
    void shouldRefuseAFabricWithOtherSwitches() {
        FabricView before = view(PgftGenerator.generate(DOUBLED));
        FabricView other = view(PgftGenerator.generate(THREE_LEVELS));

        assertThatThrownBy(() -> reroute(before, other))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected 5 and 6 as before");
    }

    @Test
    void shouldDoAsTheSlowTwinDoesAndLoseOnlyWhatTheMinHopTablesCannotReach() {
        List<PgftShape> shapes = List.of(DOUBLED, THREE_LEVELS, PgftShape.parse("3;1,3,3;1,3,2;1,1,2"));
        long moved = 0;
        for (long seed = 0; seed < 600; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            FabricViewBuilder fabric = PgftGenerator.generateShuffled(shapes.get((int) (seed % shapes.size())), random);
            NodeIndexMap numbering = new NodeIndexMap();
            Degradation.apply(fabric, 0, random.nextInt(3), random);
            FabricView before = fabric.build(1, numbering, new GuidNumbers());
            Degradation.apply(fabric, random.nextInt(4) == 0 ? 1 : 0, 1 + random.nextInt(3), random);
            FabricView now = fabric.build(2, numbering, new GuidNumbers());

            Result result = reroute(before, now);
            int[][] expected = new Twin(before, now).reroute();

            for (int s = 0; s < expected.length; s++) {
                for (int d = 0; d < expected[s].length; d++) {
                    assertThat(result.tables().port(s, d))
                            .as("seed %d: %d to %d", seed, s, d)
                            .isEqualTo(expected[s][d]);
                }
            }
            assertThat(result.lost()).as("seed %d", seed).isEqualTo(broken(before, now, result.tables()));
            moved += result.moved();
        }
        assertThat(moved).isGreaterThan(1_000);
    }

    private static List<int[]> differences(LftSet one, LftSet other) {
        List<int[]> differences = new ArrayList<>();
        for (int s = 0; s < one.switchCount(); s++) {
            for (int d = 0; d < one.entryCount(); d++) {
                if (one.port(s, d) != other.port(s, d)) {
                    differences.add(new int[] {s, d});
                }
            }
        }
        return differences;
    }

    /** Pairs that had a route and do not arrive now. */
    private static long broken(FabricView before, FabricView now, LftSet tables) {
        LftSet old = route(before);
        long count = 0;
        for (int s = 0; s < now.switchCount(); s++) {
            for (int d = 0; d < now.nodeCount(); d++) {
                boolean had = now.alive(s) && old.port(s, d) != LftSet.NO_ROUTE && before.nodeSwitch(d) != s;
                count += had && !arrives(now, tables, s, d) ? 1 : 0;
            }
        }
        return count;
    }

    private static boolean arrives(FabricView view, LftSet tables, int from, int d) {
        int at = from;
        for (int hop = 0; hop <= view.switchCount() && at >= 0; hop++) {
            if (at == view.nodeSwitch(d)) {
                return view.alive(at);
            }
            int port = tables.port(at, d);
            at = port == LftSet.NO_ROUTE ? -1 : view.peerSwitch(at, port);
        }
        return false;
    }

    /** Walks every route again after every change. */
    private static final class Twin {
        private final FabricView before;
        private final FabricView now;
        private final MinHopTables minHops;
        private final int[][] rows;

        Twin(FabricView before, FabricView now) {
            this.before = before;
            this.now = now;
            minHops = minHops(before);
            LftSet old = route(before);
            rows = new int[before.switchCount()][before.nodeCount()];
            for (int s = 0; s < rows.length; s++) {
                for (int d = 0; d < rows[s].length; d++) {
                    rows[s][d] = old.port(s, d);
                }
            }
        }

        int[][] reroute() {
            List<Integer> order = order();
            for (int d : order) {
                IntStream.range(0, rows.length)
                        .filter(s -> isLost(s, rows[s][d]))
                        .forEach(s -> {
                            int neighbour = before.peerSwitch(s, rows[s][d]);
                            choose(s, d, port -> now.peerSwitch(s, port) == neighbour);
                        });
            }
            for (int d : order) {
                for (int s : nearestFirst(d)) {
                    if (now.alive(s) && rows[s][d] != LftSet.NO_ROUTE && !arrives(s, d)) {
                        choose(s, d, port -> arrives(now.peerSwitch(s, port), d));
                    }
                }
            }
            return rows;
        }

        private boolean isLost(int s, int port) {
            return port != LftSet.NO_ROUTE && before.peerSwitch(s, port) >= 0 && now.peerSwitch(s, port) < 0;
        }

        private void choose(int s, int d, IntPredicate wanted) {
            int[] ports = new int[before.portCount(s)];
            int count = minHops.ports(s, before.nodeSwitch(d), ports);
            IntStream.range(0, count)
                    .map(i -> ports[i])
                    .filter(port -> now.peerSwitch(s, port) >= 0 && wanted.test(port))
                    .boxed()
                    .min(Comparator.comparingLong((Integer port) -> IntStream.of(rows[s])
                                    .filter(other -> other == port)
                                    .count())
                            .thenComparing(port -> port))
                    .ifPresent(port -> rows[s][d] = port);
        }

        private boolean arrives(int from, int d) {
            int at = from;
            while (at >= 0 && at != before.nodeSwitch(d)) {
                at = rows[at][d] == LftSet.NO_ROUTE ? -1 : now.peerSwitch(at, rows[at][d]);
            }
            return at >= 0 && now.alive(at);
        }

        private List<Integer> nearestFirst(int d) {
            int target = before.nodeSwitch(d);
            return IntStream.range(0, rows.length)
                    .boxed()
                    .filter(s -> s != target && minHops.hops(s, target) != MinHopTables.NO_PATH)
                    .sorted(Comparator.comparingInt(s -> minHops.hops(s, target)))
                    .toList();
        }

        /** All leaves have as many nodes here. */
        private List<Integer> order() {
            return IntStream.range(0, before.nodeCount())
                    .boxed()
                    .filter(d -> before.alive(before.nodeSwitch(d)))
                    .sorted(Comparator.comparingLong(
                                    (Integer d) -> Long.reverseBytes(before.switchGuid(before.nodeSwitch(d))))
                            .thenComparing(before::nodePort))
                    .toList();
        }
    }
}
