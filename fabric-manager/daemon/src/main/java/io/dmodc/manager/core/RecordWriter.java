package io.dmodc.manager.core;

import io.dmodc.manager.state.StateRecord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects what must survive a restart, hands it to the store in numbered batches, and knows how far the store has come.
 *
 * <p>Identity (node indices, levels, leader epochs) must be durable before anything that uses it leaves the process;
 * what was observed only had better be. At most one record per key waits here.
 */
final class RecordWriter {
    private Map<StateRecord.Key, StateRecord> waiting = new LinkedHashMap<>();
    private boolean identityWaits;
    private long lastNumber;
    private long identityNumber;
    private long persistedNumber;

    /** Keeps what was observed. */
    void observed(StateRecord record) {
        waiting.remove(record.key());
        waiting.put(record.key(), record);
    }

    /** Keeps what was dealt; tables wait for it. */
    void identity(StateRecord record) {
        observed(record);
        identityWaits = true;
    }

    /** Asks the store to take everything that waits. */
    void flush(List<Effect> effects) {
        if (waiting.isEmpty()) {
            return;
        }
        lastNumber++;
        if (identityWaits) {
            identityNumber = lastNumber;
            identityWaits = false;
        }
        effects.add(new Effect.Persist(lastNumber, List.copyOf(waiting.values())));
        // A new one: clearing costs what was in it after the largest batch ever.
        waiting = new LinkedHashMap<>();
    }

    void persisted(long number) {
        persistedNumber = Math.max(persistedNumber, number);
    }

    /** Number of the last batch that was handed over; 0 before the first. */
    long lastNumber() {
        return lastNumber;
    }

    /** True if all batches up to this one survive a crash. */
    boolean isPersisted(long number) {
        return persistedNumber >= number;
    }

    /** True if everything ever dealt survives a crash. */
    boolean identityPersisted() {
        return !identityWaits && persistedNumber >= identityNumber;
    }
}
