package io.dmodc.manager.core;

import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.Acknowledgement;
import io.dmodc.manager.state.StateRecord.OpenAlarm;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What an alarm is about; there is at most one alarm for each.
 *
 * @param guid the switch; for a cable the lower GUID of its ends; 0 for the fabric
 * @param port the port at that switch, 0 unless it is about a port
 */
record AlarmKey(Subject subject, long guid, int port) {
    /** Kinds of thing that can be in alarm. */
    enum Subject {
        SWITCH,
        AGENT,
        /** Of its table. */
        ENTRIES,
        /** Whether its place in the ring hears; of the manager with GUID 0. */
        HEARING,
        /** Whether it comes and goes. */
        RETURNS,
        LEAF,
        /** Pairs of switches with hosts, one or both above the leaves. */
        PAIRS,
        /** Pairs that have no way by what switches hold. */
        LOST_PAIRS,
        LINK,
        HOST,
        /** What a port says. */
        CLAIM,
        EPOCH,
        LEADER,
        STORE,
        PUSHES,
        CERTIFICATES,
        SUBNET_MANAGER,
        DEFECT;

        private final String word = name().toLowerCase(Locale.ROOT);

        /** The one with this word, as {@link OpenAlarm#subject} has it; {@code null} when this version does not know it. */
        static @Nullable Subject of(String word) {
            return Arrays.stream(values())
                    .filter(subject -> subject.word.equals(word))
                    .findAny()
                    .orElse(null);
        }
    }

    /** What a record is about; {@code null} when this version does not know its subject. */
    static @Nullable AlarmKey of(StateRecord.Key key) {
        Subject subject = Subject.of(key.subject());
        return subject == null ? null : new AlarmKey(subject, key.guid(), key.port());
    }

    static AlarmKey of(Alarm alarm) {
        return new AlarmKey(alarm.kind().subject(), alarm.guid(), alarm.port());
    }

    Acknowledgement acknowledged(Alarm alarm, String by, long atMillis, String why) {
        return new Acknowledgement(
                subject.word, guid, port, alarm.id(), alarm.kind().word(), by, atMillis, why);
    }

    OpenAlarm opened(long id, long sinceMillis, long causeEpoch) {
        return new OpenAlarm(subject.word, guid, port, id, sinceMillis, causeEpoch);
    }

    /** Under what it is kept. */
    StateRecord.Key stored() {
        return opened(0, 0, 0).key();
    }

    static AlarmKey ofFabric(Subject subject) {
        return new AlarmKey(subject, 0, 0);
    }
}
