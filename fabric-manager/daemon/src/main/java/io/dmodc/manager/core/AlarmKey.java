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
        LEAF,
        LINK,
        HOST,
        /** What a port says. */
        CLAIM,
        EPOCH,
        LEADER,
        STORE,
        PUSHES,
        DEFECT;

        /** True for a word of {@link OpenAlarm#subject}. */
        static boolean isOne(String word) {
            return Arrays.stream(values()).anyMatch(subject -> subject.is(word));
        }

        boolean is(String word) {
            return word().equals(word);
        }

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** @throws IllegalArgumentException unless its subject {@linkplain Subject#isOne is one} */
    static AlarmKey of(OpenAlarm alarm) {
        return new AlarmKey(Subject.valueOf(alarm.subject().toUpperCase(Locale.ROOT)), alarm.guid(), alarm.port());
    }

    static AlarmKey of(Alarm alarm) {
        return new AlarmKey(alarm.kind().subject(), alarm.guid(), alarm.port());
    }

    /** What an acknowledgement is about; {@code null} when this version does not know its subject. */
    static @Nullable AlarmKey of(Acknowledgement given) {
        return Subject.isOne(given.subject())
                ? new AlarmKey(Subject.valueOf(given.subject().toUpperCase(Locale.ROOT)), given.guid(), given.port())
                : null;
    }

    Acknowledgement acknowledged(Alarm alarm, String by, long atMillis, String why) {
        return new Acknowledgement(
                subject.word(), guid, port, alarm.id(), alarm.kind().word(), by, atMillis, why);
    }

    OpenAlarm opened(long id, long sinceMillis, long causeEpoch) {
        return new OpenAlarm(subject.word(), guid, port, id, sinceMillis, causeEpoch);
    }

    /** Under what it is kept. */
    StateRecord.Key stored() {
        return opened(0, 0, 0).key();
    }

    static AlarmKey ofFabric(Subject subject) {
        return new AlarmKey(subject, 0, 0);
    }
}
