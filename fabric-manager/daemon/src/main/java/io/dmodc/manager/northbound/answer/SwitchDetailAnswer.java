package io.dmodc.manager.northbound.answer;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.SwitchSnapshot;
import io.dmodc.routing.LftRow;
import io.dmodc.topology.Guid;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * All that is known of one switch.
 *
 * @param ports all of them, by number
 */
public record SwitchDetailAnswer(
        long epoch, @JsonProperty("switch") SwitchAnswer summary, Table table, List<PortAnswer> ports) {

    /**
     * Its forwarding table.
     *
     * @param entries how many the desired table has, 0 before the first
     */
    public record Table(
            int entries,
            String desiredDigest,
            String ackedDigest,
            long ackedEpoch,
            boolean upToDate,
            boolean pushInFlight) {}

    public static SwitchDetailAnswer of(FabricSnapshot fabric, SwitchSnapshot record) {
        LftRow row = record.desiredRow();
        Table table = new Table(
                row == null ? 0 : row.entryCount(),
                Guid.format(record.desiredDigest()),
                Guid.format(record.ackedDigest()),
                record.ackedEpoch(),
                record.upToDate(),
                record.pushInFlight());
        return new SwitchDetailAnswer(
                fabric.epoch(),
                SwitchAnswer.of(fabric, record, Set.copyOf(fabric.cutOff())),
                table,
                IntStream.rangeClosed(1, record.portCount())
                        .mapToObj(port -> PortAnswer.of(fabric, record, port))
                        .toList());
    }
}
