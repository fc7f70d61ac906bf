package io.dmodc.manager.state;

import io.dmodc.manager.state.StateRecord.FabricEpoch;
import io.dmodc.manager.state.StateRecord.Kind;
import io.dmodc.manager.state.StateRecord.LastAlarm;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StateRecord.Removed;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The state that records add up to: the last record of each key. Not thread-safe. */
public final class StoredState {
    private final NavigableMap<StateRecord.Key, StateRecord> records = new TreeMap<>();

    /** Nothing: a first start. */
    public StoredState() {}

    /** What these records add up to, applied in order. */
    public static StoredState of(Iterable<? extends StateRecord> records) {
        StoredState state = new StoredState();
        records.forEach(state::apply);
        return state;
    }

    /** Takes one record in. */
    public void apply(StateRecord record) {
        if (record instanceof Removed removed) {
            records.remove(removed.key());
        } else {
            records.put(record.key(), record);
        }
    }

    /** All records, by key. */
    public Collection<StateRecord> records() {
        return Collections.unmodifiableCollection(records.values());
    }

    /** The record of this key; {@code null} when there is none. */
    public @Nullable StateRecord find(StateRecord.Key key) {
        return records.get(key);
    }

    /** All records of this kind, by key. */
    public <T extends StateRecord> List<T> all(Class<T> kind) {
        return records.values().stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    public boolean isEmpty() {
        return records.isEmpty();
    }

    /** 0 before the first manager. */
    public long leaderEpoch() {
        return find(new StateRecord.Key(Kind.LEADER_EPOCH, 0, 0, "")) instanceof LeaderEpoch it ? it.epoch() : 0;
    }

    /** The last view tables were accepted for; number 0 when there was none. */
    public FabricEpoch lastEpoch() {
        return find(new StateRecord.Key(Kind.FABRIC_EPOCH, 0, 0, "")) instanceof FabricEpoch it
                ? it
                : new FabricEpoch(0);
    }

    /** Number of {@link #lastEpoch}. */
    public long fabricEpoch() {
        return lastEpoch().epoch();
    }

    /** 0 when there was none. */
    public long lastAlarm() {
        return find(new StateRecord.Key(Kind.LAST_ALARM, 0, 0, "")) instanceof LastAlarm it ? it.id() : 0;
    }
}
