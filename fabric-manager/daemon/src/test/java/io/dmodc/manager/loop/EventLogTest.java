package io.dmodc.manager.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.LoggedEvent.Severity;
import io.dmodc.manager.loop.EventLog.Entry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventLogTest {
    private final EventLog eventLog = new EventLog(() -> 42);

    private void write(int notes) {
        for (int i = 0; i < notes; i++) {
            eventLog.write(new LoggedEvent(i, 1, Severity.INFO, Kind.LINK_UP, 0, "note " + i));
        }
    }

    @Test
    void shouldNumberNotesWithoutGaps() {
        write(3);

        assertThat(eventLog.after(1, 10)).extracting(Entry::number).containsExactly(2L, 3L);
        assertThat(eventLog.after(0, 2)).extracting(Entry::number).containsExactly(1L, 2L);
        assertThat(eventLog.last(1)).singleElement().satisfies(entry -> {
            assertThat(entry.epochMillis()).isEqualTo(42);
            assertThat(entry.note().text()).isEqualTo("note 2");
        });
    }

    @Test
    void shouldForgetTheOldestAtItsBound() {
        write(EventLog.KEPT + 5);

        List<Entry> all = eventLog.after(0, Integer.MAX_VALUE);
        assertThat(all).hasSize(EventLog.KEPT);
        assertThat(all.get(0).number()).isEqualTo(6);
        assertThat(eventLog.lastNumber()).isEqualTo(EventLog.KEPT + 5);
    }

    private void act(String text) {
        eventLog.write(new LoggedEvent(0, 1, Severity.INFO, Kind.DRAINED, 7, text));
    }

    /** However much one switch makes happen. */
    @Test
    void shouldKeepWhatOperatorsDidBeyondTheBoundOfAll() {
        write(3);
        act("drained");
        write(2 * EventLog.KEPT);
        act("again");
        write(5);

        List<Entry> all = eventLog.after(0, Integer.MAX_VALUE);
        assertThat(all).hasSize(EventLog.KEPT + 1);
        assertThat(all.get(0).number()).isEqualTo(4);
        assertThat(all).extracting(Entry::number).isSorted().doesNotHaveDuplicates();
        assertThat(eventLog.after(0, 2))
                .extracting(Entry::number)
                .containsExactly(4L, eventLog.lastNumber() - EventLog.KEPT + 1);
        assertThat(eventLog.after(4, 1).get(0).number()).isEqualTo(eventLog.lastNumber() - EventLog.KEPT + 1);
        assertThat(eventLog.last(Integer.MAX_VALUE)).isEqualTo(all);
        assertThat(eventLog.tail(0).entries()).isEqualTo(all);
        assertThat(eventLog.last(6).get(0).note().text()).isEqualTo("again");
    }

    @Test
    void shouldKeepABoundedNumberOfThem() {
        for (int i = 0; i < EventLog.ACTS_KEPT + 7; i++) {
            act("act " + i);
        }
        write(EventLog.KEPT);

        List<Entry> all = eventLog.after(0, Integer.MAX_VALUE);
        assertThat(all).hasSize(EventLog.KEPT + EventLog.ACTS_KEPT);
        assertThat(all.get(0).note().text()).isEqualTo("act 7");
    }

    @Test
    void shouldTellListenersUntilTheyGo() {
        List<Long> heard = new ArrayList<>();
        EventLog.Subscription subscription = eventLog.listen(entry -> heard.add(entry.number()));
        write(2);

        subscription.close();
        write(1);

        assertThat(heard).containsExactly(1L, 2L);
    }
}
