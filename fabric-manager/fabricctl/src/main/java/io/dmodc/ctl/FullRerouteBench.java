package io.dmodc.ctl;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;

/** Full reroutes of one view against the floor: filling buffers of the tables' size, in turn with them. */
final class FullRerouteBench {
    private final Dmodc engine;
    private final FabricView view;
    private final Parallel parallel;
    private final byte[][] buffers;

    final Samples route = new Samples();
    final Samples costs = new Samples();
    final Samples bytes = new Samples();
    final Samples unsharedBytes = new Samples();
    final Samples floor = new Samples();

    /** Route and bytes of the same round. */
    final Samples full = new Samples();

    private int distinctRows;

    /** @param buffers one for each switch, as long as a table; reused from run to run */
    FullRerouteBench(Dmodc engine, FabricView view, Parallel parallel, byte[][] buffers) {
        this.engine = engine;
        this.view = view;
        this.parallel = parallel;
        this.buffers = buffers;
    }

    void run(int rounds) {
        for (int round = 0; round < rounds; round++) {
            long start = System.nanoTime();
            LftSet tables = Objects.requireNonNull(engine.route(view, parallel).tables());
            route.add(start);
            int[] distinct = distinct(tables);
            start = System.nanoTime();
            parallel.forEach(distinct.length, i -> tables.copyRow(distinct[i], buffers[distinct[i]]));
            bytes.add(start);
            full.addMillis(route.last() + bytes.last());
            byte value = (byte) round;
            start = System.nanoTime();
            parallel.forEach(buffers.length, s -> Arrays.fill(buffers[s], value));
            start = floor.add(start);
            parallel.forEach(buffers.length, s -> tables.copyRow(s, buffers[s]));
            start = unsharedBytes.add(start);
            engine.costsAndDividers(view, parallel);
            costs.add(start);
            distinctRows = distinct.length;
        }
    }

    /** One switch for each row that is not the same object as another's. */
    private static int[] distinct(LftSet tables) {
        Map<LftRow, Integer> first = new IdentityHashMap<>();
        int[] switches = new int[tables.switchCount()];
        int count = 0;
        for (int s = 0; s < switches.length; s++) {
            if (first.putIfAbsent(tables.row(s), s) == null) {
                switches[count++] = s;
            }
        }
        return Arrays.copyOf(switches, count);
    }

    int distinctRows() {
        return distinctRows;
    }
}
