package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.SwitchSnapshot;
import io.dmodc.manager.core.WaitingTables;
import io.dmodc.topology.Guid;
import java.time.Instant;
import java.util.List;

/**
 * Which switches keep entries that work until others have acknowledged theirs, and for whom they wait.
 *
 * @param epoch of the tables
 * @param switches how many wait
 * @param entries that they keep until then
 * @param waiting the first 100
 * @param awaited how many are waited for
 * @param waitedFor the 100 that most wait for
 */
public record WaitingAnswer(
        long epoch, int switches, long entries, List<Waiting> waiting, int awaited, List<Awaited> waitedFor) {
    /**
     * A switch that waits.
     *
     * @param round of its next table
     * @param entries that it keeps until then
     * @param since ISO 8601, UTC: when this became its next table
     * @param awaited how many switches it waits for; 0: packets that were sent before are to leave
     * @param waitsFor the first 10 of these
     */
    public record Waiting(
            String guid, String name, int round, int entries, String since, int awaited, List<Named> waitsFor) {
        static Waiting of(WaitingTables.Waiting it) {
            return new Waiting(
                    Guid.format(it.guid()),
                    it.name(),
                    it.round(),
                    it.entries(),
                    Instant.ofEpochMilli(it.sinceMillis()).toString(),
                    it.awaitedCount(),
                    it.awaited().stream()
                            .map(other -> new Named(Guid.format(other.guid()), other.name()))
                            .toList());
        }
    }

    /** A switch that is waited for. */
    public record Named(String guid, String name) {}

    /**
     * A switch that has not acknowledged what others wait for.
     *
     * @param state {@code connected}, {@code headless} or {@code dead}
     * @param silent its agent is connected and does not answer
     * @param pushInFlight it was sent a table and has not acknowledged it
     * @param switches how many wait for it
     */
    public record Awaited(String guid, String name, String state, boolean silent, boolean pushInFlight, int switches) {
        static Awaited of(WaitingTables.Awaited it) {
            SwitchSnapshot who = it.who();
            return new Awaited(
                    Guid.format(who.guid()),
                    who.name(),
                    EnumWords.of(who.condition()),
                    who.agentSilent(),
                    who.pushInFlight(),
                    it.switchCount());
        }
    }

    /** Those of a moment. */
    public static WaitingAnswer of(FabricSnapshot fabric) {
        WaitingTables tables = fabric.waiting();
        return new WaitingAnswer(
                tables.epoch(),
                tables.switchCount(),
                tables.entryCount(),
                tables.switches().stream().map(Waiting::of).toList(),
                tables.awaitedCount(),
                tables.awaited().stream().map(Awaited::of).toList());
    }
}
