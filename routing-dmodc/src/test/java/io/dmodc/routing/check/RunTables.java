package io.dmodc.routing.check;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowBuilder;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.PortPattern;
import io.dmodc.topology.FabricView;
import java.util.random.RandomGenerator;

/** Tables as engines make them, runs in shared spans, and what can go wrong in them. */
final class RunTables {
    /** Most columns that are replaced at once. */
    private static final int RUN_MAX = 1_500;

    private RunTables() {}

    /** Some rows with some runs replaced by any pattern, or by one of the row itself, elsewhere. */
    static LftSet spoilt(FabricView view, LftSet tables, int count, RandomGenerator random) {
        LftRow[] rows = rows(tables);
        for (int i = 0; i < count; i++) {
            int s = random.nextInt(rows.length);
            int from = random.nextInt(tables.entryCount());
            int to =
                    1 + from + random.nextInt(random.nextBoolean() ? 2 : Math.min(tables.entryCount() - from, RUN_MAX));
            LftRowBuilder builder = new LftRowBuilder();
            builder.begin(rows[s]);
            builder.put(from, Math.min(to, tables.entryCount()), pattern(view, s, random));
            rows[s] = builder.build();
        }
        return new LftSet(tables.epoch(), tables.entryCount(), rows);
    }

    private static PortPattern pattern(FabricView view, int s, RandomGenerator random) {
        byte[] ports = new byte[1 + random.nextInt(4)];
        for (int i = 0; i < ports.length; i++) {
            int port = random.nextInt(view.portCount(s) + 3);
            ports[i] = (byte) (port > view.portCount(s) + 1 ? LftSet.NO_ROUTE : port);
        }
        return new PortPattern(1 + random.nextInt(5), random.nextInt(3), ports);
    }

    /** The same entries, without runs. */
    static LftSet written(LftSet tables) {
        byte[][] entries = new byte[tables.switchCount()][];
        for (int s = 0; s < entries.length; s++) {
            entries[s] = tables.row(s).toBytes();
        }
        return new LftSet(tables.epoch(), tables.entryCount(), entries);
    }

    static LftRow[] rows(LftSet tables) {
        LftRow[] rows = new LftRow[tables.switchCount()];
        for (int s = 0; s < rows.length; s++) {
            rows[s] = tables.row(s);
        }
        return rows;
    }
}
