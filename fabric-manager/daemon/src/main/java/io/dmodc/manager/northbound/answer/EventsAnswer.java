package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.loop.EventLog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Some events, oldest first.
 *
 * @param last number of the newest event there is
 * @param lost how many events between the one asked for and the end of this list are not there any more
 * @param next number of the last one listed, when there are more
 * @param startedOver the number asked for was never given out by what this manager remembers: its history was lost, and
 *     the list begins with the oldest there is
 */
public record EventsAnswer(
        long last,
        long lost,
        List<EventAnswer> events,
        @Nullable Long next,
        @Nullable Boolean startedOver) {
    /**
     * Which events are listed.
     *
     * @param after number above which the list begins; negative: not asked for
     * @param fromOldest without {@code after}, the oldest are listed and not the newest
     * @param limit most events listed
     */
    public record Wanted(long after, boolean fromOldest, Predicate<EventLog.Entry> passes, int limit) {}

    public static EventsAnswer of(EventLog eventLog, Wanted wanted) {
        if (wanted.after < 0 && !wanted.fromOldest) {
            return newest(eventLog.tail(0), wanted);
        }
        EventLog.Tail tail = eventLog.tail(Math.max(0, wanted.after));
        boolean startedOver = wanted.after > tail.last();
        return onwards(startedOver ? eventLog.tail(0) : tail, wanted, startedOver);
    }

    private static EventsAnswer newest(EventLog.Tail tail, Wanted wanted) {
        Deque<EventAnswer> found = new ArrayDeque<>();
        List<EventLog.Entry> entries = tail.entries();
        for (int i = entries.size() - 1; i >= 0 && found.size() < wanted.limit; i--) {
            if (wanted.passes.test(entries.get(i))) {
                found.addFirst(EventAnswer.of(entries.get(i)));
            }
        }
        return new EventsAnswer(tail.last(), 0, List.copyOf(found), null, null);
    }

    private static EventsAnswer onwards(EventLog.Tail tail, Wanted wanted, boolean startedOver) {
        List<EventAnswer> found = new ArrayList<>();
        int seen = 0;
        int seenWithFound = 0;
        boolean cut = false;
        for (EventLog.Entry entry : tail.entries()) {
            boolean passes = wanted.passes.test(entry);
            cut = passes && found.size() == wanted.limit;
            if (cut) {
                break;
            }
            seen++;
            if (passes) {
                found.add(EventAnswer.of(entry));
                seenWithFound = seen;
            }
        }
        Long next = cut ? (Long) found.get(found.size() - 1).number() : null;
        long after = startedOver ? 0 : wanted.after;
        // Numbers up to here, less the events up to here; without a number asked for, none can be missed.
        long lost = after < 0 ? 0 : next != null ? next - after - seenWithFound : tail.last() - after - seen;
        return new EventsAnswer(tail.last(), lost, List.copyOf(found), next, startedOver ? true : null);
    }
}
