package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.state.StateRecord.KeptEpoch;
import io.dmodc.topology.Guid;
import java.time.Instant;
import java.util.List;

/** The accepted epochs whose tables are kept, newest first: the first one is in force. */
public record KeptEpochsAnswer(List<Kept> epochs) {
    /**
     * One of them.
     *
     * @param accepted ISO 8601, UTC
     * @param engine that made the tables; empty for that of the settings
     * @param digest over all tables: the same for the same tables of the same switches
     */
    public record Kept(long epoch, String accepted, String cause, String engine, String digest) {
        static Kept of(KeptEpoch kept) {
            return new Kept(
                    kept.epoch(),
                    Instant.ofEpochMilli(kept.acceptedMillis()).toString(),
                    kept.cause(),
                    kept.engine(),
                    Guid.format(kept.digest()));
        }
    }

    /** Those of a moment. */
    public static KeptEpochsAnswer of(FabricSnapshot fabric) {
        return new KeptEpochsAnswer(
                fabric.kept().epochs().stream().map(Kept::of).toList());
    }
}
