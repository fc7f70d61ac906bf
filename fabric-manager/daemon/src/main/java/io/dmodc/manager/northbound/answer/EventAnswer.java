package io.dmodc.manager.northbound.answer;

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
 */
public record EventAnswer(
        long number,
        String time,
        long epoch,
        String severity,
        String kind,
        @Nullable String guid,
        String text) {

    public static EventAnswer of(EventLog.Entry entry) {
        long guid = entry.note().guid();
        return new EventAnswer(
                entry.number(),
                Instant.ofEpochMilli(entry.epochMillis()).toString(),
                entry.note().epoch(),
                Words.of(entry.note().severity()),
                Words.of(entry.note().kind()),
                guid == 0 ? null : Guid.format(guid),
                entry.note().text());
    }
}
