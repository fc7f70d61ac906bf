package io.dmodc.manager.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EntryJournalTest {
    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void name() {
        file = directory.resolve("inventory");
    }

    private List<String> entries() throws IOException {
        return EntryJournal.open(file).entries();
    }

    @Test
    void shouldHoldWhatWasAddedAndNotTakenBack() throws IOException {
        EntryJournal journal = EntryJournal.open(file).journal();

        journal.append(List.of("+switch a", "+switch b", "+link a b"));
        journal.append(List.of("-link a b", "-never there", "+switch a"));

        assertThat(entries()).containsExactly("switch a", "switch b");
        assertThat(Files.readString(file)).as("written anew when opened").isEqualTo("+switch a\n+switch b\n=\n");
    }

    @Test
    void shouldGoOnWhereACrashCutChangesShort() throws IOException {
        EntryJournal journal = EntryJournal.open(file).journal();
        journal.append(List.of("+switch before ü"));
        int kept = (int) Files.size(file);
        journal.append(List.of("-switch before ü", "+switch after"));
        byte[] whole = Files.readAllBytes(file);

        for (int length = kept; length < whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));

            EntryJournal.Opened opened = EntryJournal.open(file);
            opened.journal().append(List.of("+later"));

            assertThat(entries()).as("cut to %d bytes", length).containsExactly("switch before ü", "later");
        }
    }

    @Test
    void shouldReadAFileWithoutEndsOfBatches() throws IOException {
        Files.writeString(file, "+first\n+second\n-first\n+thi");

        assertThat(entries()).containsExactly("second");
    }

    @Test
    void shouldNotWriteBehindAHoleWhenTheFileWasReplaced() throws IOException {
        EntryJournal journal = EntryJournal.open(file).journal();
        journal.append(List.of("+kept"));
        Files.writeString(file, "");

        assertThatThrownBy(() -> journal.append(List.of("+behind")))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("state file " + file + " cannot be written: it was replaced or cut");
        Files.delete(file);
        assertThatThrownBy(() -> journal.append(List.of("+behind"))).isInstanceOf(IOException.class);
        assertThat(file).doesNotExist();
    }

    @Test
    void shouldRefuseADamagedFileWithItsLine() throws IOException {
        Files.writeString(file, "+switch a\nswitch b\n");

        assertThatThrownBy(() -> EntryJournal.open(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(file + ":2: 'switch b'; expected + or - and an entry");
        assertThat(Files.readString(file)).as("left as it was").isEqualTo("+switch a\nswitch b\n");
    }

    @Test
    void shouldLeaveNothingOfAnAppendThatFailed() throws IOException {
        EntryJournal journal = EntryJournal.open(file).journal();
        journal.append(List.of("+kept"));
        Path aside = directory.resolve("aside");
        Files.move(file, aside);
        Files.createDirectory(file);

        assertThatThrownBy(() -> journal.append(List.of("+lost")))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("state file " + file + " cannot be written: ")
                .hasMessageNotContaining("\n");

        Files.delete(file);
        // What a full disk leaves: the beginning of what was to be appended.
        Files.writeString(aside, Files.readString(aside) + "+lo");
        Files.move(aside, file);
        journal.append(List.of("+after"));
        assertThat(entries()).containsExactly("kept", "after");
    }

    @Test
    void shouldStayAsSmallAsWhatItHolds() throws IOException {
        EntryJournal journal = EntryJournal.open(file).journal();
        List<String> flap = new ArrayList<>();
        for (int i = 0; i < EntryJournal.APPENDED_MAX / 4; i++) {
            flap.add("+alarm " + i);
            flap.add("-alarm " + i);
        }

        for (int round = 0; round < 5; round++) {
            journal.append(flap);
        }

        assertThat(Files.size(file)).isLessThan(3L * EntryJournal.APPENDED_MAX * "+alarm 12345\n".length());
        assertThat(entries()).isEmpty();
    }

    @Test
    void shouldEqualASetWhateverIsAppended() throws IOException {
        for (long seed = 1; seed <= 20; seed++) {
            Files.deleteIfExists(file);
            Random random = new Random(seed);
            EntryJournal journal = EntryJournal.open(file).journal();
            Set<String> twin = new LinkedHashSet<>();
            for (int i = 0; i < 20; i++) {
                List<String> changes = new ArrayList<>();
                for (int change = random.nextInt(5); change >= 0; change--) {
                    String entry = "entry " + random.nextInt(12);
                    boolean add = random.nextBoolean();
                    changes.add((add ? "+" : "-") + entry);
                    if (add) {
                        twin.add(entry);
                    } else {
                        twin.remove(entry);
                    }
                }
                journal.append(changes);
                if (random.nextInt(10) == 0) {
                    journal = EntryJournal.open(file).journal();
                }
            }
            assertThat(entries()).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(twin);
        }
    }
}
