package io.dmodc.manager.core;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a manager knew of its fabric when it stopped: the inventory, and since when which alarms are open. */
public final class KnownBefore {
    /** An alarm of the last run: it keeps its number and its time if its cause is still there. */
    record Since(long id, long sinceMillis, long causeEpoch) {}

    private final Inventory inventory = new Inventory();
    private final Map<AlarmKey, Since> alarms = new HashMap<>();
    private long lastAlarmId;

    /** Nothing: a first start. */
    public KnownBefore() {}

    /**
     * Reads the entries that effects of type {@link Effect.Remember} added and did not take back.
     *
     * @param source file name for messages
     * @throws IllegalArgumentException in one line: source, line number, what was expected
     */
    public static KnownBefore parse(String source, List<String> entries) {
        return InventoryLines.parse(source, entries);
    }

    /** The manager goes on with this very object. */
    public Inventory inventory() {
        return inventory;
    }

    long lastAlarmId() {
        return lastAlarmId;
    }

    void addAlarm(AlarmKey key, long id, long sinceMillis, long causeEpoch) {
        alarms.put(key, new Since(id, sinceMillis, causeEpoch));
        alarmIdsUpTo(id);
    }

    void alarmIdsUpTo(long id) {
        lastAlarmId = Math.max(lastAlarmId, id);
    }

    @Nullable
    Since alarm(AlarmKey key) {
        return alarms.get(key);
    }

    Map<AlarmKey, Since> alarms() {
        return alarms;
    }
}
