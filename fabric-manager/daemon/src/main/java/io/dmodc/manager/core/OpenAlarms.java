package io.dmodc.manager.core;

import io.dmodc.manager.core.Alarm.Kind;
import io.dmodc.manager.core.AlarmKey.Subject;
import io.dmodc.manager.state.StateRecord.Acknowledgement;
import io.dmodc.manager.state.StateRecord.Intent;
import io.dmodc.manager.state.StateRecord.LastAlarm;
import io.dmodc.manager.state.StateRecord.OpenAlarm;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.manager.state.StoredState;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The alarms that are open, their numbers, and who acknowledged them; keeps all of it over a restart. At most one alarm
 * for each {@link AlarmKey}, and at most one acknowledgement for each alarm.
 */
final class OpenAlarms {
    private final FabricState state;

    /** Alarms of the last run: each keeps its number and its time if its cause is still there. */
    private final Map<AlarmKey, OpenAlarm> before = new LinkedHashMap<>();

    private final Map<AlarmKey, Acknowledgement> acknowledged = new HashMap<>();
    private final Map<AlarmKey, Alarm> open = new HashMap<>();

    /** The same by number: one that outlived a restart may be found after younger ones. */
    private LongTrie<Alarm> byId = LongTrie.empty();

    /** Those about a switch itself, and about a leaf that is cut off, by its GUID. */
    private LongTrie<Alarm> ofSwitches = LongTrie.empty();

    private LongTrie<Alarm> ofLeaves = LongTrie.empty();

    private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
    private long lastId;

    OpenAlarms(FabricState state, StoredState stored) {
        this.state = state;
        lastId = stored.lastAlarm();
        stored.all(OpenAlarm.class).forEach(this::wasOpen);
        stored.all(Acknowledgement.class).forEach(this::wasAcknowledged);
    }

    private void wasOpen(OpenAlarm alarm) {
        lastId = Math.max(lastId, alarm.id());
        AlarmKey key = AlarmKey.of(alarm.key());
        if (key != null) {
            before.put(key, alarm);
        } else {
            state.records.observed(new Removed(alarm.key()));
        }
    }

    private void wasAcknowledged(Acknowledgement given) {
        AlarmKey key = AlarmKey.of(given.key());
        OpenAlarm alarm = key == null ? null : before.get(key);
        if (key != null && alarm != null && alarm.id() == given.id()) {
            acknowledged.put(key, given);
        } else {
            state.records.observed(new Removed(given.key()));
        }
    }

    /** All, by number. */
    LongTrie<Alarm> byId() {
        return byId;
    }

    /** Those about a switch itself, by its GUID. */
    LongTrie<Alarm> ofSwitches() {
        return ofSwitches;
    }

    /** Those about a leaf that is cut off, by its GUID. */
    LongTrie<Alarm> ofLeaves() {
        return ofLeaves;
    }

    /** How many alarms of a kind are open. */
    int count(Kind kind) {
        return counts.getOrDefault(kind, 0);
    }

    @Nullable
    Alarm of(AlarmKey key) {
        return open.get(key);
    }

    /** True if the last run knew of it, and nothing showed since the start whether it is still so. */
    boolean wasOpenBefore(AlarmKey key) {
        return before.containsKey(key);
    }

    /** Opens an alarm, or says what is known of it now. */
    void open(AlarmKey key, Kind kind, long peerGuid, int peerPort, String text, long nowNanos) {
        Alarm was = open.get(key);
        int node = key.subject() == Subject.HOST ? state.nodeIndex(peerGuid) : -1;
        if (was != null
                && was.kind() == kind
                && was.text().equals(text)
                && was.nodeIndex() == node
                && was.peerGuid() == peerGuid) {
            return;
        }
        OpenAlarm since =
                was == null ? since(key, nowNanos) : key.opened(was.id(), was.sinceMillis(), was.causeEpoch());
        show(
                key,
                new Alarm(
                        since.id(),
                        since.sinceMillis(),
                        since.causeEpoch(),
                        kind,
                        key.guid(),
                        key.port(),
                        peerGuid,
                        peerPort,
                        node,
                        text,
                        null));
    }

    void openIf(boolean wrong, Subject subject, Kind kind, String text, long nowNanos) {
        if (wrong) {
            open(AlarmKey.ofFabric(subject), kind, 0, 0, text, nowNanos);
        } else {
            close(AlarmKey.ofFabric(subject));
        }
    }

    private OpenAlarm since(AlarmKey key, long nowNanos) {
        OpenAlarm known = before.remove(key);
        if (known != null) {
            return known;
        }
        // News that is not computed yet is answered by the next epoch.
        long cause = state.epoch + (state.news.pending() ? 1 : 0);
        OpenAlarm fresh = key.opened(++lastId, state.wallMillis(nowNanos), cause);
        state.records.observed(fresh);
        state.records.observed(new LastAlarm(lastId));
        return fresh;
    }

    /** Somebody's word; else that of who drained what it is about, as long as it is drained. */
    private @Nullable Acknowledgement acknowledgement(AlarmKey key, Alarm alarm) {
        Acknowledgement given = acknowledged.get(key);
        if (given != null && alarm.kind().isCoveredBy(given.kind())) {
            return given;
        }
        Intent drain = state.intent.drainOf(alarm);
        return drain == null
                ? null
                : key.acknowledged(
                        alarm,
                        drain.by(),
                        drain.atMillis(),
                        "drained" + (drain.why().isEmpty() ? "" : ": " + drain.why()));
    }

    /** Other things are drained than before; O(open alarms). */
    void drainsChanged() {
        for (Map.Entry<AlarmKey, Alarm> each : List.copyOf(open.entrySet())) {
            show(each.getKey(), each.getValue());
        }
    }

    private void show(AlarmKey key, Alarm found) {
        Alarm alarm = found.with(acknowledgement(key, found));
        Alarm was = open.put(key, alarm);
        if (alarm.equals(was)) {
            return;
        }
        byId = byId.with(alarm.id(), alarm);
        if (key.subject() == Subject.SWITCH) {
            ofSwitches = ofSwitches.with(key.guid(), alarm);
        } else if (key.subject() == Subject.LEAF) {
            ofLeaves = ofLeaves.with(key.guid(), alarm);
        }
        counts.merge(alarm.kind(), 1, Integer::sum);
        if (was != null) {
            counts.merge(was.kind(), -1, Integer::sum);
        }
    }

    void close(AlarmKey key) {
        Alarm was = open.remove(key);
        if (was != null) {
            byId = byId.without(was.id());
            if (key.subject() == Subject.SWITCH) {
                ofSwitches = ofSwitches.without(key.guid());
            } else if (key.subject() == Subject.LEAF) {
                ofLeaves = ofLeaves.without(key.guid());
            }
            counts.merge(was.kind(), -1, Integer::sum);
            remove(key);
        }
    }

    /** Closes what the last run knew and nobody found again, as far as it is clear that nobody will. */
    void closeMendedMeanwhile(Predicate<Subject> clear) {
        before.keySet().removeIf(key -> {
            boolean over = clear.test(key.subject());
            if (over) {
                remove(key);
            }
            return over;
        });
    }

    private void remove(AlarmKey key) {
        state.records.observed(new Removed(key.stored()));
        Acknowledgement given = acknowledged.remove(key);
        if (given != null) {
            state.records.observed(new Removed(given.key()));
        }
    }

    /** Somebody knows of an open alarm as it is now; an earlier acknowledgement is replaced. */
    void acknowledge(Alarm alarm, String by, String why, long nowNanos) {
        AlarmKey key = AlarmKey.of(alarm);
        Acknowledgement given = key.acknowledged(alarm, by, state.wallMillis(nowNanos), why);
        acknowledged.put(key, given);
        state.records.observed(given);
        show(key, alarm);
    }

    /** What was acknowledged of an alarm, if it is open and anything was, is not all there is. */
    void gotWorse(AlarmKey key) {
        Alarm alarm = open.get(key);
        if (alarm != null) {
            withdraw(alarm);
        }
    }

    /** Takes the acknowledgement of an open alarm back; false when there is none. */
    boolean withdraw(Alarm alarm) {
        AlarmKey key = AlarmKey.of(alarm);
        Acknowledgement given = acknowledged.remove(key);
        if (given == null) {
            return false;
        }
        state.records.observed(new Removed(given.key()));
        show(key, alarm);
        return true;
    }
}
