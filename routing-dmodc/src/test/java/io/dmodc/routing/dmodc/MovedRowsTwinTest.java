package io.dmodc.routing.dmodc;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.check.CheckReport;
import io.dmodc.routing.check.TableCheck;
import io.dmodc.routing.dmodc.SlowDmodc.Form;
import io.dmodc.routing.minhop.MinHop;
import io.dmodc.routing.rebalance.EntryMoves;
import io.dmodc.routing.rebalance.MovedRows;
import io.dmodc.routing.rebalance.MovedRows.Laid;
import io.dmodc.routing.rebalance.RowMoves;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.PgftShape;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Moves laid over what an incremental reroute gives, epoch after epoch, against tables from scratch and moves filtered by the
 * definition of P_{s,d}, equation (2). {@code -Dmoves=N} for more sequences.
 */
class MovedRowsTwinTest {
    private static final Parallel HERE = Parallel.sequential();
    private static final List<PgftShape> SHAPES = List.of(
            PgftShape.parse("2;3,4;1,3;1,1"),
            PgftShape.parse("3;2,2,3;1,2,2;1,2,1"),
            PgftShape.parse("3;3,3,4;1,3,3;1,1,1"),
            PgftShape.parse("4;2,2,2,3;1,2,2,2;1,1,2,1"));

    private static final int EVENTS = 30;

    static LongStream seeds() {
        return LongStream.range(0, Integer.getInteger("moves", 24));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void shouldEqualTablesFromScratchWithTheMovesThatAreChoicesStill(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        FaultSequence faults =
                new FaultSequence(SHAPES.get((int) seed % SHAPES.size()), seed % 3 == 0, seed % 4 != 1, true, seed);
        Dmodc engine = seed % 5 == 0 ? Dmodc.strict() : Dmodc.standard();
        Form form = seed % 5 == 0 ? Form.STRICT : Form.DMODC;
        Rerouter rerouter = engine.rerouter();
        MovedRows rows = new MovedRows();
        EntryMoves moves = EntryMoves.NONE;
        FabricView view = faults.view();
        int laidOver = 0;
        int dropped = 0;
        for (int event = 0; event < EVENTS; event++, view = faults.next()) {
            String what = "seed " + seed + " event " + event;
            LftSet engines = rerouter.route(view, HERE).tables();
            LftSet anew = engine.route(view, HERE).tables();
            if (engines == null || anew == null) {
                continue;
            }
            SlowDmodc slow = new SlowDmodc(view, form, Map.of());
            if (event % 5 == 0) {
                moves = withMore(moves, view, slow, random);
            }

            Laid laid = rows.lay(view, engines, moves);

            assertThat(laid.moves()).as(what).isEqualTo(filtered(moves, view, slow));
            assertRows(what, view, laid, anew);
            assertShared(what, view, engines, laid, rows.lay(view, engines, moves));
            CheckReport report = TableCheck.check(view, laid.tables(), HERE);
            assertThat(report.failures())
                    .as(what)
                    .isEqualTo(TableCheck.check(view, anew, HERE).failures());
            laidOver += laid.moves().size();
            dropped += moves.size() - laid.moves().size();
            moves = random.nextInt(4) == 0 ? moves : laid.moves();
        }
        assertThat(laidOver).as("entries laid over, seed %d", seed).isPositive();
        assertThat(dropped).as("moves dropped, seed %d", seed).isPositive();
    }

    /** Some by choice, some at random, which are none mostly. */
    private static EntryMoves withMore(EntryMoves moves, FabricView view, SlowDmodc slow, SplittableRandom random) {
        Map<Long, Map<Integer, Integer>> more = new HashMap<>();
        moves.rows().forEach((guid, row) -> {
            for (int i = 0; i < row.size(); i++) {
                more.computeIfAbsent(guid, any -> new TreeMap<>()).put(row.column(i), row.port(i));
            }
        });
        for (int i = 0; i < 40; i++) {
            int s = random.nextInt(view.switchCount());
            int d = random.nextInt(view.nodeCount());
            List<Integer> ports = slow.alternatives(s, d);
            boolean chosen = ports.size() > 1 && random.nextInt(10) > 0;
            int port = chosen ? ports.get(random.nextInt(ports.size())) : 1 + random.nextInt(8);
            more.computeIfAbsent(view.switchGuid(s), any -> new TreeMap<>()).put(d, port);
        }
        return of(more);
    }

    private static EntryMoves of(Map<Long, Map<Integer, Integer>> moves) {
        Map<Long, RowMoves> rows = new HashMap<>();
        moves.forEach((guid, row) -> rows.put(
                guid,
                RowMoves.parse(row.entrySet().stream()
                        .map(move -> move.getKey() + "=" + move.getValue())
                        .collect(Collectors.joining(",")))));
        return EntryMoves.of(rows);
    }

    /** By the definition. */
    private static EntryMoves filtered(EntryMoves moves, FabricView view, SlowDmodc slow) {
        Map<Long, Map<Integer, Integer>> legal = new HashMap<>();
        moves.rows().forEach((guid, row) -> {
            int s = view.switchOf(guid);
            for (int i = 0; s >= 0 && i < row.size(); i++) {
                int d = row.column(i);
                if (d < view.nodeCount() && slow.alternatives(s, d).contains(row.port(i))) {
                    legal.computeIfAbsent(guid, any -> new TreeMap<>()).put(d, row.port(i));
                }
            }
        });
        return of(legal);
    }

    /** Entries from scratch where none is moved, and everywhere the ports that serve as well. */
    private static void assertRows(String what, FabricView view, Laid laid, LftSet anew) {
        for (int s = 0; s < view.switchCount(); s++) {
            byte[] expected = anew.row(s).toBytes();
            RowMoves moves = laid.moves().rows().get(view.switchGuid(s));
            for (int i = 0; moves != null && i < moves.size(); i++) {
                expected[moves.column(i)] = (byte) moves.port(i);
            }
            assertThat(laid.tables().row(s).toBytes())
                    .as("%s switch %d", what, s)
                    .isEqualTo(expected);
            assertThat(alternatives(laid.tables().row(s)))
                    .as("%s: alternatives of switch %d", what, s)
                    .isEqualTo(alternatives(anew.row(s)));
        }
    }

    private static List<Set<Integer>> alternatives(LftRow row) {
        return IntStream.range(0, row.entryCount())
                .mapToObj(d -> {
                    Set<Integer> ports = new TreeSet<>();
                    row.forEachRun(d, d + 1, (from, to, pattern) -> {
                        for (byte port : pattern.interchangeable() ? pattern.ports() : new byte[0]) {
                            ports.add(Byte.toUnsignedInt(port));
                        }
                    });
                    return ports;
                })
                .toList();
    }

    /** Rows without moves are the engine's own, and what is laid over the same rows again is the same. */
    private static void assertShared(String what, FabricView view, LftSet engines, Laid laid, Laid again) {
        for (int s = 0; s < view.switchCount(); s++) {
            assertThat(again.tables().row(s)).as(what).isSameAs(laid.tables().row(s));
            if (!laid.moves().rows().containsKey(view.switchGuid(s))) {
                assertThat(laid.tables().row(s)).as(what).isSameAs(engines.row(s));
            }
        }
    }

    @Test
    void shouldCostNothingWithoutMoves() {
        FabricView view = new FaultSequence(SHAPES.get(1), false, true, 1).view();
        LftSet tables =
                Objects.requireNonNull(Dmodc.standard().route(view, HERE).tables());

        assertThat(new MovedRows().lay(view, tables, EntryMoves.NONE).tables()).isSameAs(tables);
    }

    @Test
    void shouldMoveNothingInTablesOfAnotherEngine() {
        FabricView view = new FaultSequence(SHAPES.get(1), false, true, 1).view();
        EntryMoves moves =
                withMore(EntryMoves.NONE, view, new SlowDmodc(view, Form.DMODC, Map.of()), new SplittableRandom(1));
        RoutingResult other = new MinHop().route(view, HERE);
        LftSet tables = Objects.requireNonNull(other.tables());

        Laid laid = new MovedRows().lay(view, tables, moves);

        assertThat(laid.moves().size()).isLessThan(moves.size());
        assertThat(IntStream.range(0, view.switchCount()))
                .allMatch(s -> laid.tables().row(s) == tables.row(s));
    }
}
