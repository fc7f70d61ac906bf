package io.dmodc.ctl;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Where a study leaves its files. */
final class StudyDirectory {
    private final Path path;

    private StudyDirectory(Path path) {
        this.path = path;
    }

    /**
     * Made before anything long, if it is not there.
     *
     * @throws IOException in one line, if it cannot be
     */
    static StudyDirectory made(Path path) throws IOException {
        try {
            Files.createDirectories(path);
        } catch (IOException e) {
            throw new IOException(path + ": is no directory and cannot be made one", e);
        }
        return new StudyDirectory(path);
    }

    /** Writes contents by file name. */
    void write(Map<String, String> files, PrintWriter standardOutput) throws IOException {
        for (Map.Entry<String, String> file : files.entrySet()) {
            OutputFile.write(path.resolve(file.getKey()).toString(), standardOutput, to -> to.append(file.getValue()));
        }
    }
}
