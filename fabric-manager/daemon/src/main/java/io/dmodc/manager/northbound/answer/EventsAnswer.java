package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.loop.EventLog;
import java.util.List;

/**
 * Some lines of the event log, oldest first.
 *
 * @param last number of the newest line there is
 * @param lost how many lines after the one asked for were forgotten already
 */
public record EventsAnswer(long last, long lost, List<EventAnswer> events) {
    /** Lines with numbers above {@code after}. */
    public static EventsAnswer after(EventLog eventLog, long after, int limit) {
        long last = eventLog.lastNumber();
        List<EventLog.Entry> found = eventLog.after(after, limit);
        long lost = found.isEmpty() ? 0 : found.get(0).number() - after - 1;
        return new EventsAnswer(last, lost, found.stream().map(EventAnswer::of).toList());
    }

    /** The newest lines. */
    public static EventsAnswer last(EventLog eventLog, int limit) {
        List<EventLog.Entry> found = eventLog.last(limit);
        return new EventsAnswer(
                eventLog.lastNumber(), 0, found.stream().map(EventAnswer::of).toList());
    }
}
