package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.FabricSnapshot;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Open alarms, oldest first.
 *
 * @param total all there are, listed or not
 * @param next what to give as {@code after} for the rest; left out when there is none
 */
public record AlarmsAnswer(
        long epoch,
        int total,
        List<AlarmAnswer> alarms,
        @Nullable Long next) {
    public static AlarmsAnswer of(FabricSnapshot fabric) {
        List<AlarmAnswer> alarms = fabric.alarms().stream()
                .map(alarm -> AlarmAnswer.of(fabric, alarm))
                .toList();
        return new AlarmsAnswer(fabric.epoch(), alarms.size(), alarms, null);
    }

    /** The first of those that no other explains. */
    public static List<AlarmAnswer> alone(FabricSnapshot fabric, int limit) {
        return fabric.alarms().stream()
                .filter(alarm -> fabric.parentOf(alarm) == null)
                .limit(limit)
                .map(alarm -> AlarmAnswer.of(fabric, alarm))
                .toList();
    }

    /**
     * A part of them.
     *
     * @param after only alarms with higher numbers
     */
    public AlarmsAnswer where(Predicate<AlarmAnswer> wanted, long after, int limit) {
        List<AlarmAnswer> found = alarms.stream()
                .filter(alarm -> alarm.id() > after && wanted.test(alarm))
                .toList();
        boolean cut = found.size() > limit;
        List<AlarmAnswer> listed = cut ? found.subList(0, limit) : found;
        return new AlarmsAnswer(
                epoch, total, listed, cut ? (Long) listed.get(limit - 1).id() : null);
    }
}
