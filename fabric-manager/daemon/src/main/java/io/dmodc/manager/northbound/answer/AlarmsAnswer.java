package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.FabricState;
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
    /** Copies them out; on the loop thread, in O(alarms). */
    public static AlarmsAnswer of(FabricState state) {
        List<AlarmAnswer> alarms = state.alarms().stream()
                .map(alarm -> AlarmAnswer.of(state, alarm))
                .toList();
        return new AlarmsAnswer(state.epoch(), alarms.size(), alarms, null);
    }

    /**
     * A part of them; on any thread.
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
