package io.dmodc.manager.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricNote;
import io.dmodc.manager.core.FabricNote.Kind;
import io.dmodc.manager.core.FabricNote.Severity;
import io.dmodc.manager.loop.Diary.Entry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DiaryTest {
    private final Diary diary = new Diary(() -> 42);

    private void write(int notes) {
        for (int i = 0; i < notes; i++) {
            diary.write(new FabricNote(i, 1, Severity.INFO, Kind.LINK_UP, 0, "note " + i));
        }
    }

    @Test
    void shouldNumberNotesWithoutGaps() {
        write(3);

        assertThat(diary.after(1, 10)).extracting(Entry::number).containsExactly(2L, 3L);
        assertThat(diary.after(0, 2)).extracting(Entry::number).containsExactly(1L, 2L);
        assertThat(diary.last(1)).singleElement().satisfies(entry -> {
            assertThat(entry.epochMillis()).isEqualTo(42);
            assertThat(entry.note().text()).isEqualTo("note 2");
        });
    }

    @Test
    void shouldForgetTheOldestAtItsBound() {
        write(Diary.KEPT + 5);

        List<Entry> all = diary.after(0, Integer.MAX_VALUE);
        assertThat(all).hasSize(Diary.KEPT);
        assertThat(all.get(0).number()).isEqualTo(6);
        assertThat(diary.lastNumber()).isEqualTo(Diary.KEPT + 5);
    }

    @Test
    void shouldTellListenersUntilTheyGo() {
        List<Long> heard = new ArrayList<>();
        Diary.Subscription subscription = diary.listen(entry -> heard.add(entry.number()));
        write(2);

        subscription.close();
        write(1);

        assertThat(heard).containsExactly(1L, 2L);
    }
}
