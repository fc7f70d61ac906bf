package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.IntentSnapshot;
import io.dmodc.manager.core.IntentSnapshot.Drain;
import io.dmodc.manager.state.StateRecord.Intent;
import io.dmodc.routing.rebalance.EntryMoves;
import io.dmodc.topology.Guid;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What operators want to hold until they take it back.
 *
 * @param drained switches and cables that routes lead around
 * @param pause left out while tables are sent
 * @param engine the engine that somebody chose; left out for that of the settings
 * @param rebalance entries that are moved; left out while none are
 */
public record IntentAnswer(
        List<Drained> drained,
        @Nullable Wanted pause,
        @Nullable Wanted engine,
        @Nullable Moved rebalance) {

    /**
     * A switch or a cable that is drained.
     *
     * @param name of the switch, or {@code SWITCH:PORT}
     * @param port left out for a whole switch
     * @param since ISO 8601, UTC
     * @param safe nothing is sent there any more: it can be unplugged
     * @param senders switches that may still send there, as far as they were looked at
     */
    public record Drained(
            String name,
            String guid,
            @Nullable Integer port,
            String by,
            String why,
            String since,
            boolean safe,
            List<String> senders) {}

    /**
     * Something that holds for the whole fabric.
     *
     * @param since ISO 8601, UTC
     * @param until ISO 8601, UTC; left out when no end is set
     * @param faultsEndIt tables that mend something end it; left out for an engine
     * @param name of an engine; left out for a pause
     */
    public record Wanted(
            String by,
            String why,
            String since,
            @Nullable String until,
            @Nullable Boolean faultsEndIt,
            @Nullable String name) {}

    /**
     * Entries that are moved to where shifts press less.
     *
     * @param entries how many
     * @param blocks of 64 entries in which they are
     * @param switches whose
     * @param since ISO 8601, UTC
     */
    public record Moved(int entries, int blocks, int switches, String by, String why, String since) {}

    public static IntentAnswer of(IntentSnapshot intent) {
        Intent pause = intent.pause();
        Intent engine = intent.engine();
        return new IntentAnswer(
                intent.drains().stream().map(IntentAnswer::drained).toList(),
                pause == null
                        ? null
                        : new Wanted(
                                pause.by(),
                                pause.why(),
                                time(pause.atMillis()),
                                Act.pauseEnd(pause.value()) == Long.MAX_VALUE
                                        ? null
                                        : time(Act.pauseEnd(pause.value())),
                                Act.faultsEndPause(pause.value()),
                                null),
                engine == null
                        ? null
                        : new Wanted(engine.by(), engine.why(), time(engine.atMillis()), null, null, engine.value()),
                moved(intent));
    }

    private static @Nullable Moved moved(IntentSnapshot intent) {
        Intent by = intent.rebalance();
        EntryMoves moves = intent.moves();
        return by == null
                ? null
                : new Moved(
                        moves.size(), moves.blockCount(), moves.switchCount(), by.by(), by.why(), time(by.atMillis()));
    }

    private static Drained drained(Drain drain) {
        Intent intent = drain.intent();
        return new Drained(
                drain.name(),
                Guid.format(intent.guid()),
                intent.port() == 0 ? null : intent.port(),
                intent.by(),
                intent.why(),
                time(intent.atMillis()),
                drain.safe(),
                drain.senders());
    }

    private static String time(long millis) {
        return Instant.ofEpochMilli(millis).toString();
    }
}
