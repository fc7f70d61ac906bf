package io.dmodc.manager.northbound.answer;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.dmodc.manager.core.Alarm;
import io.dmodc.manager.core.FabricState;
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
 */
public record AlarmAnswer(
        long id,
        String since,
        String severity,
        String kind,
        Subject object,
        long causeEpoch,
        @Nullable Long parent,
        String text) {

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

    /**
     * An alarm, and what else the loop knows of it.
     *
     * @param parent number of the alarm that explains it, 0 for none
     * @param switchName empty for the fabric
     * @param peerName empty where there is no other end
     */
    record Seen(Alarm alarm, long parent, String switchName, String peerName) {
        AlarmAnswer answer() {
            return new AlarmAnswer(
                    alarm.id(),
                    Instant.ofEpochMilli(alarm.sinceMillis()).toString(),
                    EnumWords.of(alarm.kind().severity()),
                    EnumWords.of(alarm.kind()),
                    subject(),
                    alarm.causeEpoch(),
                    parent == 0 ? null : (Long) parent,
                    alarm.text());
        }

        private Subject subject() {
            if (alarm.guid() == 0) {
                return new Subject("fabric", null, null, null, null, null, null);
            }
            String guid = Guid.format(alarm.guid());
            if (alarm.port() == 0) {
                return new Subject("switch", guid, switchName, null, null, null, null);
            }
            String peer = Guid.format(alarm.peerGuid());
            if (alarm.peerPort() == 0) {
                String host = peerName.isEmpty() ? peer : peerName;
                return new Subject("host", guid, switchName, alarm.port(), peer, host, null);
            }
            return new Subject("link", guid, switchName, alarm.port(), peer, peerName, alarm.peerPort());
        }
    }

    /** Copies it out; on the loop thread. */
    static Seen see(FabricState state, Alarm alarm) {
        Alarm parent = state.parentOf(alarm);
        String name = alarm.guid() == 0 ? "" : state.nameOf(alarm.guid());
        return new Seen(alarm, parent == null ? 0 : parent.id(), name, peerName(state, alarm));
    }

    private static String peerName(FabricState state, Alarm alarm) {
        if (alarm.port() == 0) {
            return "";
        }
        if (alarm.peerPort() != 0) {
            return state.nameOf(alarm.peerGuid());
        }
        Neighbour far = alarm.kind() == Alarm.Kind.CABLE_DISAGREES
                ? state.cabling().claim(alarm.guid(), alarm.port())
                : state.inventory().expected(alarm.guid(), alarm.port());
        return far instanceof ToHost to ? to.host().name() : "";
    }
}
