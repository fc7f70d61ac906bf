package io.dmodc.manager.recording;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Recordings in a directory: one for each run of a manager, named by its start and its leader epoch, so that names sort by time. */
final class RecordingFiles {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss.SSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final Pattern NAME = Pattern.compile("\\d{8}T\\d{6}\\.\\d{3}Z-\\d+\\.events");

    private RecordingFiles() {}

    static Path of(Path directory, RunStart start) {
        String time = TIME.format(Instant.ofEpochMilli(start.millis()));
        return directory.resolve(time + "-" + start.stored().leaderEpoch() + ".events");
    }

    /** Takes the oldest away until this many are left; other files stay. */
    static void keepNewest(Path directory, int count) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(directory)) {
            files = all.filter(
                            file -> NAME.matcher(file.getFileName().toString()).matches())
                    .sorted()
                    .toList();
        }
        for (Path file : files.subList(0, Math.max(0, files.size() - count))) {
            Files.deleteIfExists(file);
        }
    }
}
