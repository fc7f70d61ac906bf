package io.dmodc.manager.core;

import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.manager.state.StateRecord.SwitchLevel;
import io.dmodc.manager.state.StateRecord.SwitchPlane;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Collects what must survive a restart, hands it to the store in numbered batches, and knows how far the store has come.
 *
 * <p>Identity (node indices, levels, plane numbers, leader epochs) must be durable before anything that uses it leaves the process;
 * what was observed only had better be. At most one record per key waits here.
 */
final class RecordWriter {
    /** Stands for a batch: in none yet, but with what is staged. */
    private static final long STAGED = Long.MAX_VALUE;

    private Map<StateRecord.Key, StateRecord> waiting = new LinkedHashMap<>();

    /** What is kept only when the tables of a view are accepted. */
    private Map<StateRecord.Key, StateRecord> staged = new LinkedHashMap<>();

    private long lastNumber;
    private long persistedNumber;

    /** The last batch with something that somebody asked for. */
    private long askedNumber;

    /** What an act writes that is not in force yet, by key, as long as nothing else was written there. */
    private final Map<StateRecord.Key, StateRecord> ahead = new LinkedHashMap<>();

    /** Host ports whose index does not survive a crash yet, by the batch it is in. */
    private final Map<Long, Long> nodesUnderWay = new LinkedHashMap<>();

    /**
     * A level does not survive a crash yet.
     *
     * @param number batch it is in
     * @param before what survives instead; negative when nothing does
     */
    private record LevelUnderWay(long number, int before) {}

    /** Switches whose plane number does not survive a crash yet, by the batch it is in. */
    private final Map<Long, Long> planesUnderWay = new LinkedHashMap<>();

    /** By switch. */
    private final Map<Long, LevelUnderWay> levelsUnderWay = new LinkedHashMap<>();

    /** Keeps what was observed. */
    void observed(StateRecord record) {
        ahead.remove(record.key());
        waiting.remove(record.key());
        waiting.put(record.key(), record);
    }

    /** Keeps a part of what a view was drawn from, from {@link #takeStaged} on. */
    void stage(StateRecord record) {
        staged.put(record.key(), record);
    }

    boolean anyStaged() {
        return !staged.isEmpty();
    }

    /** Keeps all that was staged. */
    void takeStaged() {
        staged.values().forEach(this::observed);
        staged = new LinkedHashMap<>();
        nodesUnderWay.replaceAll((host, number) -> number == STAGED ? lastNumber + 1 : number);
    }

    /**
     * Keeps a node index that was dealt; tables with that host wait for it. The index of one that handed its former one over is kept with
     * that, not before, else it would be taken away by it.
     */
    void dealt(NodeIndex node) {
        if (staged.containsKey(node.key())) {
            stage(node);
            nodesUnderWay.put(node.portGuid(), STAGED);
        } else {
            observed(node);
            nodesUnderWay.put(node.portGuid(), lastNumber + 1);
        }
    }

    /** Keeps a plane number that was dealt, or handed over; tables that rest on it wait for it. */
    void dealt(SwitchPlane plane) {
        observed(plane);
        planesUnderWay.put(plane.guid(), lastNumber + 1);
    }

    /**
     * Keeps a level that was dealt; tables with that switch wait for it.
     *
     * @param before what it was until now; negative when there was none
     */
    void dealt(SwitchLevel level, int before) {
        observed(level);
        levelsUnderWay.put(level.guid(), new LevelUnderWay(lastNumber + 1, keptLevel(level.guid(), before)));
    }

    /** Somebody asked for what waits, and is answered when a crash would not undo it. */
    void asked() {
        askedNumber = lastNumber + 1;
    }

    /** Keeps what somebody asked for; what was written ahead of it is there already. */
    void asked(StateRecord record) {
        if (!record.equals(ahead.remove(record.key()))) {
            observed(record);
            asked();
        }
    }

    /**
     * Keeps what an act writes before it is in force.
     *
     * @return the batch that it is in
     */
    long writeAhead(Collection<StateRecord> records) {
        records.forEach(this::observed);
        records.forEach(record -> ahead.put(record.key(), record));
        return lastNumber + 1;
    }

    /** The act is in force or declined; returns where what was written ahead is not in force. */
    List<StateRecord.Key> endAhead() {
        List<StateRecord.Key> left = List.copyOf(ahead.keySet());
        ahead.clear();
        return left;
    }

    /** All that waits to be handed over to the store. */
    List<StateRecord> waiting() {
        return List.copyOf(waiting.values());
    }

    /** True if a crash would undo nothing that somebody asked for. */
    boolean askedIsPersisted() {
        return isPersisted(askedNumber);
    }

    /** Asks the store to take everything that waits. */
    void flush(List<Effect> effects) {
        if (waiting.isEmpty()) {
            return;
        }
        lastNumber++;
        effects.add(new Effect.Persist(lastNumber, List.copyOf(waiting.values())));
        // A new one: clearing costs what was in it after the largest batch ever.
        waiting = new LinkedHashMap<>();
    }

    void persisted(long number) {
        persistedNumber = Math.max(persistedNumber, number);
        nodesUnderWay.values().removeIf(this::isPersisted);
        planesUnderWay.values().removeIf(this::isPersisted);
        levelsUnderWay.values().removeIf(level -> isPersisted(level.number));
    }

    /** Number of the last batch that was handed over; 0 before the first. */
    long lastNumber() {
        return lastNumber;
    }

    /** True if all batches up to this one survive a crash. */
    boolean isPersisted(long number) {
        return persistedNumber >= number;
    }

    /** Host ports whose index would be lost in a crash. */
    Set<Long> nodesUnderWay() {
        return Collections.unmodifiableSet(nodesUnderWay.keySet());
    }

    /** True if a crash would lose none that the tables in force rest on, or those accepted last: what is only staged is in no accepted ones. */
    boolean nodesPersisted() {
        return nodesUnderWay.values().stream().allMatch(number -> number == STAGED);
    }

    /** Switches whose plane number would be lost in a crash. */
    Set<Long> planesUnderWay() {
        return Collections.unmodifiableSet(planesUnderWay.keySet());
    }

    /** True if every level ever dealt survives a crash. */
    boolean levelsPersisted() {
        return levelsUnderWay.isEmpty();
    }

    /**
     * The level of a switch that would survive a crash now; negative when none would.
     *
     * @param level that it was dealt last; negative for none
     */
    int keptLevel(long guid, int level) {
        LevelUnderWay underWay = levelsUnderWay.get(guid);
        return underWay == null ? level : underWay.before;
    }
}
