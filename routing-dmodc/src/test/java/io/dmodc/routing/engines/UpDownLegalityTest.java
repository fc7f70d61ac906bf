package io.dmodc.routing.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.dmodc.RandomFabrics;
import io.dmodc.routing.minhop.IncrementalMinHop;
import io.dmodc.routing.minhop.MinHopTables;
import io.dmodc.routing.minhop.PortAssignment;
import io.dmodc.routing.minhop.TargetChoice;
import io.dmodc.routing.updown.RootGuids;
import io.dmodc.routing.updown.UpDown;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.Guid;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Routes of {@code updn} walked hop by hop, on any cabling and from any roots. */
class UpDownLegalityTest {
    @Test
    void shouldNeverClimbAfterDescendingAndReachWhateverCanBeReached() {
        int routes = 0;
        for (long seed = 0; seed < 600; seed++) {
            FabricView view = RandomFabrics.draw(seed);
            BitSet roots = new UpDown(null).roots(view, Parallel.sequential());
            if (!roots.isEmpty()) {
                routes += walkAll("seed " + seed, view, roots);
            }
        }
        assertThat(routes).isGreaterThan(10_000);
    }

    @Test
    void shouldNeverClimbAfterDescendingFromAnyRoots() {
        int routes = 0;
        for (long seed = 0; seed < 600; seed++) {
            FabricView view = RandomFabrics.draw(seed);
            BitSet roots = anyRoots(view, seed);
            if (!roots.isEmpty()) {
                routes += walkAll("seed " + seed, view, roots);
            }
        }
        assertThat(routes).isGreaterThan(10_000);
    }

    /** Here OpenSM's search forgets that it came down, and its tables climb again; ours must not follow. */
    @Test
    void shouldDifferFromOpenSmWhereItsTablesClimbAgain() {
        for (long seed : new long[] {184, 828, 885}) {
            FabricView view = RandomFabrics.draw(seed);
            BitSet roots = anyRoots(view, seed);
            int[] rank = LiteralOpenSm.ranks(view, roots);
            int[][] rows = LiteralOpenSm.updn(view, roots).tables(true);
            byte[][] literal = new byte[rows.length][rows.length];
            for (int s = 0; s < rows.length; s++) {
                for (int t = 0; t < rows.length; t++) {
                    literal[s][t] = (byte) rows[s][t];
                }
            }
            LftSet tables = new LftSet(1, rows.length, literal);

            assertThatThrownBy(() -> walkAll("OpenSM", view, rank, tables))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("after descending");
            assertThat(walkAll("ours", view, roots)).isPositive();
        }
    }

    /** Up to three switches, whatever they are. */
    private static BitSet anyRoots(FabricView view, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        BitSet roots = new BitSet();
        for (int k = 0; k <= random.nextInt(3); k++) {
            int s = random.nextInt(view.switchCount());
            roots.set(s, view.alive(s) || roots.get(s));
        }
        return roots;
    }

    private static int walkAll(String what, FabricView view, BitSet roots) {
        UpDown engine = new UpDown(RootGuids.parse(
                "roots",
                roots.stream().mapToObj(s -> Guid.format(view.switchGuid(s))).toList()));
        int[] rank = LiteralOpenSm.ranks(view, roots);
        LftSet tables = engine.routeSwitches(view, Parallel.sequential());
        for (int s = 0; s < view.switchCount(); s++) {
            for (int t = 0; t < view.switchCount(); t++) {
                boolean reachable = s == t || (view.alive(s) && view.alive(t) && legalPath(view, rank, s, t));
                assertThat(tables.port(s, t) != LftSet.NO_ROUTE)
                        .as("%s: %d to %d", what, s, t)
                        .isEqualTo(reachable);
            }
        }
        return walkAll(what, view, rank, tables);
    }

    private static int walkAll(String what, FabricView view, int[] rank, LftSet tables) {
        int routes = 0;
        for (int s = 0; s < view.switchCount(); s++) {
            for (int t = 0; t < view.switchCount(); t++) {
                routes += s == t ? 0 : walk(what, view, rank, tables, s, t);
            }
        }
        return routes;
    }

    @Test
    void shouldStayLegalWhenLinksAreLostWithoutRoutingAnew() {
        long moved = 0;
        for (long seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            FabricViewBuilder fabric = PgftGenerator.generateShuffled(PgftShape.parse("3;3,2,4;1,2,3;1,1,2"), random);
            NodeIndexMap nodes = new NodeIndexMap();
            FabricView before = fabric.build(1, nodes, new GuidNumbers());
            UpDown engine = new UpDown(null);
            BitSet roots = engine.roots(before, Parallel.sequential());
            MinHopTables minHops = engine.minHops(before, roots, TargetChoice.ALL, Parallel.sequential());
            LftSet old = PortAssignment.nodes(before, minHops, null, Parallel.sequential());
            Degradation.apply(fabric, random.nextInt(2), 1 + random.nextInt(6), random);
            FabricView now = fabric.build(2, nodes, new GuidNumbers());

            IncrementalMinHop.Result result = IncrementalMinHop.reroute(before, old, minHops, now);

            int[] rank = LiteralOpenSm.ranks(before, roots);
            long lost = 0;
            for (int s = 0; s < now.switchCount(); s++) {
                for (int d = 0; d < now.nodeCount() && now.alive(s); d++) {
                    lost += arrivesWithoutClimbingAgain(now, rank, result.tables(), s, d) ? 0 : 1;
                }
            }
            assertThat(result.lost()).as("seed %d", seed).isEqualTo(lost);
            moved += result.moved();
        }
        assertThat(moved).isGreaterThan(1_000);
    }

    private static boolean arrivesWithoutClimbingAgain(FabricView view, int[] rank, LftSet tables, int from, int d) {
        boolean descended = false;
        int at = from;
        for (int hop = 0; at != view.nodeSwitch(d); hop++) {
            int next = view.peerSwitch(at, tables.port(at, d));
            if (next < 0) {
                return false;
            }
            boolean up = LiteralOpenSm.isUp(view, rank, at, next);
            assertThat(up && descended).isFalse();
            assertThat(hop).isLessThan(view.switchCount());
            descended |= !up;
            at = next;
        }
        return true;
    }

    private static int walk(String what, FabricView view, int[] rank, LftSet tables, int from, int to) {
        boolean descended = false;
        int at = from;
        for (int hop = 0; tables.port(from, to) != LftSet.NO_ROUTE && at != to; hop++) {
            int next = view.peerSwitch(at, tables.port(at, to));
            assertThat(hop).as("%s: hops %d to %d", what, from, to).isLessThan(view.switchCount());
            assertThat(next).as("%s: %d to %d at %d", what, from, to, at).isNotNegative();
            boolean up = LiteralOpenSm.isUp(view, rank, at, next);
            boolean betweenRoots = rank[at] == 0 && rank[next] == 0;
            assertThat(up && descended && !betweenRoots)
                    .as("%s: %d to %d climbs at %d after descending", what, from, to, at)
                    .isFalse();
            descended |= !up;
            at = next;
        }
        return tables.port(from, to) == LftSet.NO_ROUTE ? 0 : 1;
    }

    /** Spreads (switch, has descended) pairs until nothing changes. */
    private static boolean legalPath(FabricView view, int[] rank, int from, int to) {
        boolean[][] met = new boolean[2][view.switchCount()];
        met[0][from] = true;
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int s = 0; s < view.switchCount(); s++) {
                for (int port = 1; port <= view.portCount(s); port++) {
                    int next = view.peerSwitch(s, port);
                    if (next < 0) {
                        continue;
                    }
                    // As OpenSM walks: from the destination, where a step between roots counts as climbing.
                    boolean descends = LiteralOpenSm.isUp(view, rank, next, s);
                    if (met[0][s] && !descends && !met[0][next]) {
                        met[0][next] = true;
                        changed = true;
                    }
                    if ((met[0][s] || met[1][s]) && descends && !met[1][next]) {
                        met[1][next] = true;
                        changed = true;
                    }
                }
            }
        }
        return met[0][to] || met[1][to];
    }
}
