package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.SwitchSnapshot;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Tables;
import io.dmodc.routing.TurnTableSet;
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
     * @param input what came in by a port of this class: {@code host}, {@code row} or {@code column}; left out where tables are by destination alone
     */
    public record Run(
            int from,
            int to,
            @Nullable Integer port,
            @Nullable String input) {}

    private static final List<String> INPUTS = List.of("host", "row", "column");

    /** Folds a row into runs: O(entries). */
    public static LftAnswer of(FabricSnapshot fabric, SwitchSnapshot record) {
        Tables tables = fabric.tables();
        LftRow row = ForwardingRow.of(record);
        return new LftAnswer(
                Guid.format(record.guid()),
                record.name(),
                tables == null ? 0 : tables.epoch(),
                Guid.format(record.desiredDigest()),
                record.upToDate(),
                ForwardingRow.isHeld(record),
                record.ackedEpoch(),
                Guid.format(record.ackedDigest()),
                row == null ? 0 : row.entryCount(),
                row == null ? List.of() : TurnTableSet.isTurnTable(row) ? turnRuns(row) : runs(row.toBytes(), null));
    }

    /** By class of input, those that have any route. */
    private static List<Run> turnRuns(LftRow row) {
        List<Run> runs = new ArrayList<>();
        for (int inputClass = 0; inputClass < INPUTS.size(); inputClass++) {
            byte[] ports = new byte[TurnTableSet.nodeCount(row.entryCount())];
            for (int d = 0; d < ports.length; d++) {
                ports[d] = (byte) row.port(TurnTableSet.entry(inputClass, d));
            }
            List<Run> of = runs(ports, INPUTS.get(inputClass));
            if (of.stream().anyMatch(run -> run.port() != null)) {
                runs.addAll(of);
            }
        }
        return runs;
    }

    private static List<Run> runs(byte[] row, @Nullable String input) {
        List<Run> runs = new ArrayList<>();
        int from = 0;
        for (int d = 1; d <= row.length; d++) {
            if (d == row.length || row[d] != row[from]) {
                int port = row[from] & 0xff;
                runs.add(new Run(from, d - 1, port == LftSet.NO_ROUTE ? null : port, input));
                from = d;
            }
        }
        return runs;
    }
}
