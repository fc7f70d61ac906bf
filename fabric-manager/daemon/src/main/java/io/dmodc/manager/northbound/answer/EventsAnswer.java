package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.loop.Diary;
import java.util.List;

/**
 * Some lines of the diary, oldest first.
 *
 * @param last number of the newest line there is
 * @param lost how many lines after the one asked for were forgotten already
 */
public record EventsAnswer(long last, long lost, List<EventAnswer> events) {
    /** Lines with numbers above {@code after}. */
    public static EventsAnswer after(Diary diary, long after, int limit) {
        long last = diary.lastNumber();
        List<Diary.Entry> found = diary.after(after, limit);
        long lost = found.isEmpty() ? 0 : found.get(0).number() - after - 1;
        return new EventsAnswer(last, lost, found.stream().map(EventAnswer::of).toList());
    }

    /** The newest lines. */
    public static EventsAnswer last(Diary diary, int limit) {
        List<Diary.Entry> found = diary.last(limit);
        return new EventsAnswer(
                diary.lastNumber(), 0, found.stream().map(EventAnswer::of).toList());
    }
}
