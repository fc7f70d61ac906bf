package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.FabricState;
import java.util.ArrayList;
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
    /** Open alarms as they were, not put into words yet: there may be 100,000, and the loop has other work. */
    public record Seen(long epoch, List<AlarmAnswer.Seen> alarms) {
        /** The answer; on any thread. */
        public AlarmsAnswer answer() {
            return new AlarmsAnswer(
                    epoch,
                    alarms.size(),
                    alarms.stream().map(AlarmAnswer.Seen::answer).toList(),
                    null);
        }

        /** The first of those that no other explains; on any thread. */
        public List<AlarmAnswer> alone(int limit) {
            return alarms.stream()
                    .filter(alarm -> alarm.parent() == 0)
                    .limit(limit)
                    .map(AlarmAnswer.Seen::answer)
                    .toList();
        }
    }

    /** Copies them out; on the loop thread, in O(alarms). */
    public static Seen see(FabricState state) {
        List<AlarmAnswer.Seen> alarms = new ArrayList<>(state.alarms().size());
        state.alarms().forEach(alarm -> alarms.add(AlarmAnswer.see(state, alarm)));
        return new Seen(state.epoch(), alarms);
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
