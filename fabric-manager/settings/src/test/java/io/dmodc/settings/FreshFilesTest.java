package io.dmodc.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FreshFilesTest {
    /** No process has a number above 2^22. */
    private static final long NOBODY = 1 << 23;

    @TempDir
    private Path directory = Path.of("");

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void shouldTakeAwayWhatProcessesLeftThatAreNoMore() throws IOException {
        Path place = directory.resolve("keys");
        Path inside = Files.createDirectories(FreshFiles.beside(place, NOBODY).resolve("0xa1"));
        Files.writeString(inside.resolve("private-key.pem"), "half");
        Files.writeString(FreshFiles.beside(place, NOBODY + 1), "half");
        List<String> others = List.of("keys", "keys..new", "keys.1.new", "keys.old.new", "more.8388608.new");
        for (String other : others) {
            Files.createFile(directory.resolve(other));
        }

        FreshFiles.discardLeft(place);

        assertThat(names()).isEqualTo(others);
        FreshFiles.discardLeft(directory.resolve("nowhere/keys"));
    }

    /** Whoever makes files only has made no directory, whatever it is called. */
    @Test
    void shouldLeaveDirectoriesAndLinksAloneWhereFilesWereMade() throws IOException {
        Path place = directory.resolve("dump");
        Files.writeString(FreshFiles.beside(place, NOBODY), "half");
        Path theirs = Files.createDirectory(FreshFiles.beside(place, NOBODY + 1));
        Path inside = Files.writeString(theirs.resolve("theirs"), "whole");
        Path empty = Files.createDirectory(FreshFiles.beside(place, NOBODY + 2));
        Path link = Files.createSymbolicLink(FreshFiles.beside(place, NOBODY + 3), inside);

        FreshFiles.discardLeftFiles(place);

        assertThat(names()).containsExactlyInAnyOrder(name(theirs), name(empty), name(link));
        assertThat(inside).hasContent("whole");
    }

    private static String name(Path file) {
        return file.getFileName().toString();
    }

    @Test
    void shouldFollowNoLink() throws IOException {
        Path foreign = Files.createDirectory(directory.resolve("foreign"));
        Path theirs = Files.writeString(foreign.resolve("theirs"), "whole");
        Path place = directory.resolve("keys");
        Files.createSymbolicLink(FreshFiles.beside(place, NOBODY), foreign);
        Files.createSymbolicLink(FreshFiles.beside(place, NOBODY + 1), theirs);
        Files.createSymbolicLink(FreshFiles.beside(place, NOBODY + 2), directory.resolve("nothing"));
        Files.createSymbolicLink(
                Files.createDirectory(FreshFiles.beside(place, NOBODY + 3)).resolve("out"), foreign);

        FreshFiles.discardLeft(place);

        assertThat(names()).containsExactly("foreign");
        assertThat(theirs).hasContent("whole");
    }
}
