package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.SwitchRecord;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.topology.Guid;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The forwarding table a switch forwards by: the one it should hold, or the one it is known to hold while that is another.
 *
 * @param epoch of the tables in force, 0 before the first
 * @param digest of the table it should hold
 * @param acked the switch is known to hold that one
 * @param held entries and runs are of the table it holds, acknowledged in {@code ackedEpoch}, and not of the one it
 *     should hold: its agent is away, or the push is under way
 * @param runs neighbouring destinations that leave through the same port, ascending, covering all entries
 */
public record LftAnswer(
        String guid,
        String name,
        long epoch,
        String digest,
        boolean acked,
        boolean held,
        long ackedEpoch,
        String ackedDigest,
        int entries,
        List<Run> runs) {

    /**
     * Destinations {@code from..to}.
     *
     * @param port where they leave; 0 is the switch itself; left out where there is no route
     */
    public record Run(int from, int to, @Nullable Integer port) {}

    /** What is copied on the loop thread; the row is immutable. */
    public record Seen(
            long guid,
            String name,
            long epoch,
            long digest,
            boolean acked,
            boolean held,
            long ackedEpoch,
            long ackedDigest,
            LftRow row) {}

    /** Copies it out; on the loop thread. */
    public static Seen see(FabricState state, SwitchRecord record) {
        LftSet tables = state.tables();
        LftRow row = ForwardingRow.of(record);
        return new Seen(
                record.guid(),
                record.name(),
                tables == null ? 0 : tables.epoch(),
                record.desiredDigest(),
                record.upToDate(),
                ForwardingRow.isHeld(record),
                record.ackedEpoch(),
                record.ackedDigest(),
                row == null ? LftRow.noRoutes(0) : row);
    }

    /** Folds it into runs; on any thread. */
    public static LftAnswer of(Seen seen) {
        return new LftAnswer(
                Guid.format(seen.guid),
                seen.name,
                seen.epoch,
                Guid.format(seen.digest),
                seen.acked,
                seen.held,
                seen.ackedEpoch,
                Guid.format(seen.ackedDigest),
                seen.row.entryCount(),
                runs(seen.row.toBytes()));
    }

    private static List<Run> runs(byte[] row) {
        List<Run> runs = new ArrayList<>();
        int from = 0;
        for (int d = 1; d <= row.length; d++) {
            if (d == row.length || row[d] != row[from]) {
                int port = row[from] & 0xff;
                runs.add(new Run(from, d - 1, port == LftSet.NO_ROUTE ? null : port));
                from = d;
            }
        }
        return runs;
    }
}
