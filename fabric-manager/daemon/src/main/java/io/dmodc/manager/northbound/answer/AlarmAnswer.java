package io.dmodc.manager.northbound.answer;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.dmodc.manager.core.Alarm;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.SwitchSnapshot;
import io.dmodc.manager.state.StateRecord.Acknowledgement;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.Guid;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that should be and is not.
 *
 * @param id never used again, also not after a restart
 * @param since ISO 8601, UTC
 * @param severity {@code warning} or {@code alarm}
 * @param causeEpoch the fabric epoch that answers it, or in which it was noticed when it needs no new tables
 * @param parent id of the alarm that explains it; left out for one that stands for itself
 * @param acknowledged somebody takes care of it, or of the alarm that explains it; left out when nobody does
 */
public record AlarmAnswer(
        long id,
        String since,
        String severity,
        String kind,
        Subject object,
        long causeEpoch,
        @Nullable Long parent,
        @Nullable Acknowledged acknowledged,
        String text) {

    /**
     * Who takes care of it.
     *
     * @param at ISO 8601, UTC
     */
    public record Acknowledged(String by, String at, String why) {
        static @Nullable Acknowledged of(@Nullable Acknowledgement given) {
            return given == null
                    ? null
                    : new Acknowledged(
                            given.by(), Instant.ofEpochMilli(given.atMillis()).toString(), given.why());
        }
    }

    /**
     * What it is about.
     *
     * @param type {@code switch}, {@code link}, {@code host} or {@code fabric}
     * @param switchGuid the switch; of a link one end, of a host where it is cabled; left out for the fabric
     * @param port of that switch, for links and hosts
     * @param peer the other end: a switch, or the port of the host
     * @param peerPort of the switch at the other end of a link
     */
    public record Subject(
            String type,
            @JsonProperty("switch") @Nullable String switchGuid,
            @Nullable String switchName,
            @Nullable Integer port,
            @Nullable String peer,
            @Nullable String peerName,
            @Nullable Integer peerPort) {}

    static AlarmAnswer of(FabricSnapshot fabric, Alarm alarm) {
        Alarm parent = fabric.parentOf(alarm);
        return new AlarmAnswer(
                alarm.id(),
                Instant.ofEpochMilli(alarm.sinceMillis()).toString(),
                EnumWords.of(alarm.kind().severity()),
                EnumWords.of(alarm.kind()),
                subject(fabric, alarm),
                alarm.causeEpoch(),
                parent == null ? null : (Long) parent.id(),
                Acknowledged.of(
                        alarm.acknowledgement() == null && parent != null
                                ? parent.acknowledgement()
                                : alarm.acknowledgement()),
                alarm.text());
    }

    private static Subject subject(FabricSnapshot fabric, Alarm alarm) {
        if (alarm.guid() == 0) {
            return new Subject("fabric", null, null, null, null, null, null);
        }
        String guid = Guid.format(alarm.guid());
        String name = fabric.nameOf(alarm.guid());
        if (alarm.port() == 0) {
            return new Subject("switch", guid, name, null, null, null, null);
        }
        String peer = Guid.format(alarm.peerGuid());
        if (alarm.peerPort() == 0) {
            String host = hostName(fabric, alarm);
            return new Subject("host", guid, name, alarm.port(), peer, host.isEmpty() ? peer : host, null);
        }
        return new Subject("link", guid, name, alarm.port(), peer, fabric.nameOf(alarm.peerGuid()), alarm.peerPort());
    }

    private static String hostName(FabricSnapshot fabric, Alarm alarm) {
        SwitchSnapshot near = fabric.findSwitch(alarm.guid());
        Neighbour far;
        if (alarm.kind() == Alarm.Kind.CABLE_DISAGREES) {
            far = near == null ? null : near.claim(alarm.port());
        } else {
            far = fabric.expected(alarm.guid(), alarm.port());
        }
        return far instanceof ToHost to ? to.host().name() : "";
    }
}
