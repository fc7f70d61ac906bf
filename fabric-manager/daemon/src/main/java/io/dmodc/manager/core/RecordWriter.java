package io.dmodc.manager.core;

import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.manager.state.StateRecord.SwitchLevel;
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
    private final Map<StateRecord.Key, StateRecord> waiting = new LinkedHashMap<>();
    private long lastNumber;
    private long persistedNumber;

    /** Indices were dealt since the last batch, and the last batch with some in it; the same for levels. */
    private boolean nodesWait;

    private long nodesNumber;
    private boolean levelsWait;
    private long levelsNumber;

    /** Keeps what was observed. */
    void observed(StateRecord record) {
        waiting.remove(record.key());
        waiting.put(record.key(), record);
    }

    /** Keeps a node index that was dealt; tables with that host wait for it. */
    void dealt(NodeIndex node) {
        observed(node);
        nodesWait = true;
    }

    /** Keeps a level that was dealt; tables wait for it. */
    void dealt(SwitchLevel level) {
        observed(level);
        levelsWait = true;
    }

    /** Asks the store to take everything that waits. */
    void flush(List<Effect> effects) {
        if (waiting.isEmpty()) {
            return;
        }
        lastNumber++;
        nodesNumber = nodesWait ? lastNumber : nodesNumber;
        levelsNumber = levelsWait ? lastNumber : levelsNumber;
        nodesWait = false;
        levelsWait = false;
        effects.add(new Effect.Persist(lastNumber, List.copyOf(waiting.values())));
        waiting.clear();
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

    /** True if every node index ever dealt survives a crash. */
    boolean nodesPersisted() {
        return !nodesWait && isPersisted(nodesNumber);
    }

    /** True if every level ever dealt survives a crash. */
    boolean levelsPersisted() {
        return !levelsWait && isPersisted(levelsNumber);
    }
}
