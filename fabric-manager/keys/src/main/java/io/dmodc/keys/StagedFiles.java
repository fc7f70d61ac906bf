package io.dmodc.keys;

import io.dmodc.settings.FreshFiles;
import io.dmodc.settings.Reasons;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Files that belong together, for their owner alone: each is on disk under another name before the first gets its own, so that a full disk leaves what was there before.
 * The directory is made if there is none, and taken away again if nothing comes into it.
 */
final class StagedFiles implements AutoCloseable {
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_FILE = permissions("rw-------");
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_DIRECTORY = permissions("rwx------");

    private final Path directory;
    private final boolean made;

    /** By the name it is to get, where each is now. */
    private final Map<Path, Path> staged = new LinkedHashMap<>();

    StagedFiles(Path directory) throws IOException {
        this.directory = directory;
        made = Files.notExists(directory);
        makeDirectories(directory);
    }

    private static FileAttribute<Set<PosixFilePermission>> permissions(String text) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
    }

    /** Makes a directory and those above it, each for its owner alone, unless they are there. */
    static void makeDirectories(Path directory) throws IOException {
        Files.createDirectories(directory, OWNER_DIRECTORY);
    }

    /** Makes a directory for its owner alone, where there is nothing. */
    static void makeDirectory(Path directory) throws IOException {
        Files.createDirectory(directory, OWNER_DIRECTORY);
    }

    /** Has this on disk, under no name of its own yet. */
    void add(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        try {
            Path fresh = FreshFiles.beside(file);
            FreshFiles.delete(fresh); // A process of this number left it.
            Files.createFile(fresh, OWNER_FILE);
            staged.put(file, fresh);
            Files.writeString(fresh, text, StandardCharsets.US_ASCII);
            try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
        } catch (IOException e) {
            throw new IOException(file + ": cannot be written: " + Reasons.of(e), e);
        }
    }

    /** Gives all of them their names, also over what is there. */
    void replace() throws IOException {
        for (Map.Entry<Path, Path> each : staged.entrySet()) {
            Files.move(
                    each.getValue(),
                    each.getKey(),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /**
     * Gives all of them their names, or none.
     *
     * @throws FileAlreadyExistsException when somebody made one of them meanwhile
     */
    void create() throws IOException {
        List<Path> created = new ArrayList<>();
        try {
            for (Map.Entry<Path, Path> each : staged.entrySet()) {
                create(each.getKey(), each.getValue());
                created.add(each.getKey());
            }
        } catch (IOException e) {
            for (Path file : created) {
                Files.delete(file);
            }
            throw e;
        }
    }

    private static void create(Path file, Path fresh) throws IOException {
        try {
            Files.createLink(file, fresh);
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (IOException | UnsupportedOperationException noLinksHere) {
            Files.move(fresh, file);
        }
    }

    /** Takes away what has no name of its own. */
    @Override
    public void close() throws IOException {
        for (Path fresh : staged.values()) {
            Files.deleteIfExists(fresh);
        }
        if (made) {
            deleteIfEmpty();
        }
    }

    private void deleteIfEmpty() throws IOException {
        try {
            Files.delete(directory);
        } catch (DirectoryNotEmptyException filled) {
            // So it stays.
        }
    }
}
