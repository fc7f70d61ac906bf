package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.manager.core.LoggedEvent.Cable;
import io.dmodc.manager.loop.EventLog;
import io.dmodc.topology.Guid;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One line of the fabric's event log.
 *
 * @param number from 1, without gaps; starts anew with the manager
 * @param time ISO 8601, UTC
 * @param epoch the fabric epoch it happened in
 * @param severity {@code info}, {@code warning} or {@code alarm}
 * @param guid the switch it is about; left out when it is about the fabric
 * @param name what people called that switch then
 * @param port of that switch, when it is about a cable
 * @param peer the switch or the port of the host at the other end of that cable
 * @param peerPort left out where that is a host
 */
public record EventAnswer(
        long number,
        String time,
        long epoch,
        String severity,
        String kind,
        @Nullable String guid,
        @Nullable String name,
        @Nullable Integer port,
        @Nullable String peer,
        @Nullable String peerName,
        @Nullable Integer peerPort,
        String text) {

    private static final Cable NO_CABLE = new Cable(0, 0, "", 0);

    public static EventAnswer of(EventLog.Entry entry) {
        LoggedEvent note = entry.note();
        Cable cable = note.cable() == null ? NO_CABLE : note.cable();
        return new EventAnswer(
                entry.number(),
                Instant.ofEpochMilli(entry.epochMillis()).toString(),
                note.epoch(),
                EnumWords.of(note.severity()),
                EnumWords.of(note.kind()),
                guid(note.guid()),
                known(note.name()),
                port(cable.port()),
                guid(cable.peerGuid()),
                known(cable.peerName()),
                port(cable.peerPort()),
                note.text());
    }

    private static @Nullable String guid(long guid) {
        return guid == 0 ? null : Guid.format(guid);
    }

    private static @Nullable String known(String name) {
        return name.isEmpty() ? null : name;
    }

    private static @Nullable Integer port(int port) {
        return port == 0 ? null : port;
    }
}
