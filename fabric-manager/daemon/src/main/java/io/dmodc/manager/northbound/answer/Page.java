package io.dmodc.manager.northbound.answer;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The first rows of a list.
 *
 * @param cut there are more
 */
record Page<T>(List<T> rows, boolean cut) {
    /** @param limit at least 1 */
    static <T> Page<T> of(Stream<T> rows, int limit) {
        List<T> found = rows.limit(limit + 1L).toList();
        return found.size() <= limit ? new Page<>(found, false) : new Page<>(found.subList(0, limit), true);
    }

    /** The row after which the next page begins; {@code null} when this is the last page. */
    @Nullable
    T last() {
        return cut ? rows.get(rows.size() - 1) : null;
    }
}
