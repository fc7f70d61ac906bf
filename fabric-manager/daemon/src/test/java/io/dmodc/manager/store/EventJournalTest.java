package io.dmodc.manager.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.manager.core.LoggedEvent.Cable;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.LoggedEvent.Severity;
import io.dmodc.manager.loop.EventLog;
import io.dmodc.manager.loop.EventLog.Entry;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events over restarts, and over what killed managers and bad disks leave behind. */
class EventJournalTest {
    @TempDir
    Path directory;

    private Path current() {
        return directory.resolve("events");
    }

    private static Entry entry(long number) {
        Cable cable = number % 3 == 0 ? new Cable(7, 0x2f, "spine \"ü\"\n1", (int) (number % 2)) : null;
        LoggedEvent note = new LoggedEvent(
                0,
                number / 2,
                Severity.WARNING,
                Kind.LINK_DOWN,
                number % 5,
                "leaf" + number,
                cable,
                "text – " + number);
        return new Entry(number, 1_800_000_000_000L + number, note);
    }

    private static List<Entry> entries(long from, long to) {
        List<Entry> entries = new ArrayList<>();
        for (long number = from; number <= to; number++) {
            entries.add(entry(number));
        }
        return entries;
    }

    private void write(long from, long to) throws IOException {
        try (EventJournal journal = new EventJournal(directory)) {
            journal.append(entries(from, to), to);
            journal.end(to);
        }
    }

    @Test
    void shouldBeginWithNothing() {
        EventJournal journal = new EventJournal(directory);

        assertThat(journal.history()).isEmpty();
        assertThat(journal.lastNumber()).isZero();
        assertThat(journal.remarks()).isEmpty();
        assertThat(current()).doesNotExist();
    }

    @Test
    void shouldGiveBackWhatWasWritten() throws IOException {
        write(1, 10);
        write(11, 12);

        EventJournal journal = new EventJournal(directory);

        assertThat(journal.history()).containsExactlyElementsOf(entries(1, 12));
        assertThat(journal.lastNumber()).isEqualTo(12);
        assertThat(journal.remarks()).isEmpty();
    }

    private static Entry act(long number) {
        return new Entry(number, 1, new LoggedEvent(0, 1, Severity.INFO, Kind.DRAINED, 7, "act " + number));
    }

    /** Files of other events are replaced, as often as one switch likes. */
    @Test
    void shouldKeepWhatOperatorsDidWhenFilesAreReplaced() throws IOException {
        List<Entry> acts = List.of(act(1), act(2));
        long number = 2;
        try (EventJournal journal = new EventJournal(directory)) {
            journal.append(acts, number);
            for (int file = 0; file < 5; file++) {
                journal.append(entries(number + 1, number + EventJournal.SEGMENT), number + EventJournal.SEGMENT);
                number += EventJournal.SEGMENT;
            }
            journal.end(number);
        }

        EventJournal journal = new EventJournal(directory);

        assertThat(journal.remarks()).isEmpty();
        assertThat(journal.history().subList(0, 2)).isEqualTo(acts);
        assertThat(journal.history()).extracting(Entry::number).isSorted().doesNotHaveDuplicates();
        assertThat(journal.history()).hasSizeLessThanOrEqualTo(2 + 2 * (EventJournal.SEGMENT + 2));
    }

    @Test
    void shouldKeepABoundedNumberOfThem() throws IOException {
        long number = 0;
        try (EventJournal journal = new EventJournal(directory)) {
            for (int file = 0; file < 3; file++) {
                List<Entry> acts = new ArrayList<>();
                while (acts.size() < EventJournal.SEGMENT) {
                    acts.add(act(++number));
                }
                journal.append(acts, number);
            }
        }

        assertThat(Files.readAllLines(directory.resolve("events.acts"))).hasSize(EventLog.ACTS_KEPT);
        assertThat(new EventJournal(directory).history())
                .hasSize(EventLog.ACTS_KEPT + 2 * EventJournal.SEGMENT)
                .extracting(Entry::number)
                .isSorted();
    }

    /** What cannot be kept of them keeps nothing else out. */
    @Test
    void shouldGoOnWhereTheirFilesAreDamaged() throws IOException {
        Files.createDirectory(directory.resolve("events.acts"));
        try (RandomAccessFile old =
                new RandomAccessFile(directory.resolve("events.old").toFile(), "rw")) {
            old.setLength(65L << 20);
        }
        long number = 0;
        try (EventJournal journal = new EventJournal(directory)) {
            for (int file = 0; file < 3; file++) {
                List<Entry> some = entries(number + 1, number + EventJournal.SEGMENT - 1);
                some.add(act(number + EventJournal.SEGMENT));
                number += EventJournal.SEGMENT;
                journal.append(some, number);
            }
            journal.end(number);
        }

        assertThat(new EventJournal(directory).history()).hasSize(2 * EventJournal.SEGMENT);
    }

    /** Between the two renames: what is in the file of acts is in the one before, too. */
    @Test
    void shouldNotCountWhatACrashLeftInTwoFilesTwice() throws IOException {
        write(1, 1);
        try (EventJournal journal = new EventJournal(directory)) {
            journal.append(List.of(act(2)), 2);
        }
        Files.move(current(), directory.resolve("events.old"));
        write(3, 4);
        Files.write(directory.resolve("events.acts"), EventLines.line(act(2)));

        EventJournal journal = new EventJournal(directory);

        assertThat(journal.history()).extracting(Entry::number).containsExactly(1L, 2L, 3L, 4L);
        assertThat(journal.remarks()).isEmpty();
    }

    /** What a manager that was killed may have told somebody is not told again about another event. */
    @Test
    void shouldNotGiveANumberTwiceAfterAKill() throws IOException {
        try (EventJournal killed = new EventJournal(directory)) {
            killed.append(entries(1, 10), 2_000);
        }

        EventJournal journal = new EventJournal(directory);

        assertThat(journal.history()).containsExactlyElementsOf(entries(1, 10));
        assertThat(journal.lastNumber()).isBetween(2_000L, 2_000L + EventJournal.AHEAD);
        assertThat(journal.remarks()).isEmpty();
    }

    @Test
    void shouldGoOnAheadWithoutTheFileOfNumbers() throws IOException {
        write(1, 10);
        Files.delete(directory.resolve("event-number"));

        EventJournal journal = new EventJournal(directory);

        assertThat(journal.lastNumber()).isEqualTo(10 + EventJournal.AHEAD);
        assertThat(journal.remarks())
                .containsExactly(directory.resolve("event-number") + " is missing or damaged; numbers go on from "
                        + (11 + EventJournal.AHEAD));
    }

    @Test
    void shouldGoOnGrowingWithoutTheHistory() throws IOException {
        write(1, 10);
        Files.delete(current());

        EventJournal journal = new EventJournal(directory);

        assertThat(journal.history()).isEmpty();
        assertThat(journal.lastNumber()).isEqualTo(10);
    }

    /** Wherever a write stopped: whole lines stay, the rest is cut off, and the journal goes on behind it. */
    @Test
    void shouldCutOffATornLineAtEveryByte() throws IOException {
        write(1, 2);
        byte[] whole = Files.readAllBytes(current());
        for (int length = 0; length < whole.length; length++) {
            byte[] torn = Arrays.copyOf(whole, length);
            Files.write(current(), torn);
            int lines = (int) new String(torn, StandardCharsets.ISO_8859_1)
                    .chars()
                    .filter(c -> c == '\n')
                    .count();
            boolean cut = length > 0 && torn[length - 1] != '\n';

            try (EventJournal journal = new EventJournal(directory)) {
                assertThat(journal.history()).containsExactlyElementsOf(entries(1, lines));
                assertThat(journal.lastNumber()).isEqualTo(2);
                assertThat(journal.remarks()).hasSize(cut ? 1 : 0).allMatch(line -> line.contains(" are cut off"));
                journal.append(List.of(entry(3)), 3);
                journal.end(3);
            }
            EventJournal again = new EventJournal(directory);

            assertThat(again.history()).hasSize(lines + 1).endsWith(entry(3));
            assertThat(again.remarks()).isEmpty();
            Files.writeString(directory.resolve("event-number"), "0000000000000000003\n");
        }
    }

    /** One bit anywhere is another: at most two lines are lost, and never is one read that was not written. */
    @Test
    void shouldKeepWhatIsIntactAroundDamage() throws IOException {
        write(1, 20);
        byte[] whole = Files.readAllBytes(current());
        SplittableRandom random = new SplittableRandom(20261121);
        for (int i = 0; i < whole.length; i++) {
            byte[] bad = whole.clone();
            bad[i] ^= (byte) (1 << random.nextInt(8));

            EventSegment segment = EventSegment.of(bad, 0);

            assertThat(entries(1, 20)).containsAll(segment.entries());
            assertThat(segment.entries()).hasSizeBetween(18, 19);
            assertThat(segment.damaged() > 0 || segment.torn() > 0).isTrue();
        }
    }

    @Test
    void shouldSetADamagedFileAsideAndSayWhere() throws IOException {
        write(1, 5);
        List<String> lines = new ArrayList<>(Files.readAllLines(current()));
        lines.set(2, lines.get(2).replace("leaf3", "leaf4"));
        Files.write(current(), lines);
        byte[] bad = Files.readAllBytes(current());

        EventJournal journal = new EventJournal(directory);

        assertThat(journal.history()).hasSize(4).doesNotContain(entry(3));
        assertThat(journal.remarks())
                .containsExactly(current() + ":3: 1 of 5 lines are damaged and left out; the file is kept as "
                        + directory.resolve("events.damaged"));
        assertThat(directory.resolve("events.damaged")).hasBinaryContent(bad);
        assertThat(new EventJournal(directory).remarks()).isEmpty();
        assertThat(new EventJournal(directory).history()).isEqualTo(journal.history());
    }

    @Test
    void shouldStartOnBinaryRubbish() throws IOException {
        byte[] rubbish = new byte[100_000];
        new java.util.Random(1).nextBytes(rubbish);
        Files.write(current(), rubbish);
        Files.write(directory.resolve("event-number"), new byte[] {1, 2, (byte) 0xff});

        EventJournal journal = new EventJournal(directory);

        assertThat(journal.history()).isEmpty();
        assertThat(journal.remarks())
                .isNotEmpty()
                .allMatch(line -> line.startsWith(current().toString()));
    }

    @Test
    void shouldStartAndGoOnWhenSomethingElseIsInItsPlace() throws IOException {
        Files.createDirectories(current().resolve("full"));

        try (EventJournal journal = new EventJournal(directory)) {
            assertThat(journal.remarks())
                    .singleElement()
                    .asString()
                    .startsWith(current() + " cannot be read or mended: ");
            journal.append(entries(1, 2), 2);
        }

        assertThat(new EventJournal(directory).history()).hasSize(2);
        assertThat(directory.resolve("events.damaged")).isDirectory();
    }

    @Test
    void shouldKeepTwoFilesAtMost() throws IOException {
        int segments = 3;
        try (EventJournal journal = new EventJournal(directory)) {
            for (long number = 1; number <= (long) segments * EventJournal.SEGMENT + 250; number += 250) {
                journal.append(entries(number, number + 249), number + 249);
            }
        }

        EventJournal journal = new EventJournal(directory);

        assertThat(journal.history()).hasSize(EventJournal.SEGMENT + 250);
        assertThat(journal.history().get(0).number()).isEqualTo((segments - 1L) * EventJournal.SEGMENT + 1);
        try (var files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("events", "events.old", "event-number");
        }
    }
}
