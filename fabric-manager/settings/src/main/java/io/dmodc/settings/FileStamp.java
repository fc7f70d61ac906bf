package io.dmodc.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What shows that a file was changed, or who may read it, without reading it.
 *
 * @param key tells a file that replaced another of the same time and size; null where the file system has none
 * @param status when content, owner or mode changed last, which nobody can set; null where the system does not tell
 */
public record FileStamp(
        FileTime modified,
        long bytes,
        @Nullable Object key,
        @Nullable Object status) {
    /** The stamp of a file that is not there; different from that of any file. */
    public static final FileStamp NONE = new FileStamp(FileTime.fromMillis(0), -1, null, null);

    public static FileStamp of(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new FileStamp(
                    attributes.lastModifiedTime(), attributes.size(), attributes.fileKey(), statusChanged(file));
        } catch (IOException e) {
            return NONE;
        }
    }

    // Written out: what the JVM makes for a record is method handles, and some processes compare no other record than
    // this.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FileStamp it
                && it.modified.equals(modified)
                && it.bytes == bytes
                && Objects.equals(it.key, key)
                && Objects.equals(it.status, status);
    }

    @Override
    public int hashCode() {
        return modified.hashCode() + 31 * Long.hashCode(bytes);
    }

    private static @Nullable Object statusChanged(Path file) throws IOException {
        boolean told = file.getFileSystem().supportedFileAttributeViews().contains("unix");
        return told ? Files.getAttribute(file, "unix:ctime") : null;
    }
}
