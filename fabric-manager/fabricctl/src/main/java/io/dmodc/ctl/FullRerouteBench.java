package io.dmodc.ctl;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.RoutingResult.Unroutable;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Full reroutes of one view, in turn with the floor: filling buffers of the tables' size on the same threads.
 *
 * <p>Both write to the same buffers, which are allocated before and reused, so that neither pays for new memory. Without
 * buffers nothing is written, and there is no floor.
 */
final class FullRerouteBench {
    /** The compiler is done with the inner loops by then. */
    private static final long WARM_UP_NANOS = 4_000_000_000L;

    private final Dmodc engine;
    private final FabricView view;
    private final Parallel parallel;
    private final byte @Nullable [][] buffers;

    /** From the view to tables as runs of patterns. */
    final Samples route = new Samples();

    /** Costs and dividers alone, which {@link #route} finds, too. */
    final Samples costs = new Samples();

    /** Finding the distinct rows and writing each of them out once. */
    final Samples bytes = new Samples();

    /** Route and bytes of the same round. */
    final Samples full = new Samples();

    /** Writing the rows of all switches out, shared or not. */
    final Samples unsharedBytes = new Samples();

    /** Filling all buffers. */
    final Samples floor = new Samples();

    private final int[] all;
    private int distinctRows;
    private int rounds;
    private byte filling;

    /** @param buffers one for each switch, as long as a table; null if there is no room for them */
    FullRerouteBench(Dmodc engine, FabricView view, Parallel parallel, byte @Nullable [][] buffers) {
        this.engine = engine;
        this.view = view;
        this.parallel = parallel;
        this.buffers = buffers;
        all = IntStream.range(0, view.switchCount()).toArray();
    }

    /** Warmed up by as many rounds, ten times as many if these take no longer than some seconds. */
    FullRerouteBench run(Repetition repetition) {
        long start = System.nanoTime();
        repetition.run(this::measure);
        long left = WARM_UP_NANOS - (System.nanoTime() - start);
        if (left > 0) {
            new Repetition(9 * repetition.count(), left, System::nanoTime).run(this::measure);
        }
        List.of(route, costs, bytes, full, unsharedBytes, floor).forEach(Samples::clear);
        rounds = repetition.run(this::measure);
        return this;
    }

    private void measure() {
        long start = System.nanoTime();
        LftSet tables = tables(engine.route(view, parallel));
        start = route.add(start);
        int[] distinct = distinct(tables);
        distinctRows = distinct.length;
        if (buffers != null) {
            write(tables, distinct, start, buffers);
        }
        start = System.nanoTime();
        engine.costsAndDividers(view, parallel);
        costs.add(start);
    }

    private void write(LftSet tables, int[] distinct, long since, byte[][] to) {
        tables.copyRows(distinct, to, parallel);
        bytes.add(since);
        full.addMillis(route.last() + bytes.last());

        filling++;
        long start = System.nanoTime();
        parallel.forEach(to.length, s -> Arrays.fill(to[s], filling));
        start = floor.add(start);
        tables.copyRows(all, to, parallel);
        unsharedBytes.add(start);
    }

    /** @throws IllegalStateException if there are none; the message says why */
    static LftSet tables(RoutingResult result) {
        if (result instanceof Unroutable no) {
            throw new IllegalStateException("no tables: " + no.reason());
        }
        return Objects.requireNonNull(result.tables());
    }

    /** One switch for each row that is not the same object as another's. */
    private static int[] distinct(LftSet tables) {
        Set<LftRow> seen = Collections.newSetFromMap(new IdentityHashMap<>(tables.switchCount()));
        int[] switches = new int[tables.switchCount()];
        int count = 0;
        for (int s = 0; s < switches.length; s++) {
            switches[count] = s;
            count += seen.add(tables.row(s)) ? 1 : 0;
        }
        return Arrays.copyOf(switches, count);
    }

    /** How many were measured. */
    int rounds() {
        return rounds;
    }

    int distinctRows() {
        return distinctRows;
    }
}
