package io.dmodc.manager.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Replaces a file as a whole: written to a temporary one beside it, forced to disk, renamed. */
final class StateFile {
    private StateFile() {}

    /** @throws IOException in one line when the disk does not take it; the old file is whole then */
    static void replace(Path file, List<String> lines) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.write(fresh, lines, StandardCharsets.UTF_8);
            try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            Files.deleteIfExists(fresh);
            throw new IOException("state file " + file + " cannot be written: " + reason(e), e);
        }
    }

    /** Java says only the path when the operating system gave no text. */
    static String reason(IOException e) {
        if (e instanceof FileSystemException failed && failed.getReason() == null) {
            return e.getClass().getSimpleName() + " " + failed.getFile();
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
