package io.dmodc.settings;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Files and directories on their way to their names: each stands beside its place, under its name with the number of the process that makes it and
 * {@code .new} behind. So nobody else opens it, no two processes make the same one, and what one left that was killed can be told from what is being made.
 */
public final class FreshFiles {
    private static final String END = ".new";

    private FreshFiles() {}

    /** Returns where this process makes what is to get a name. */
    public static Path beside(Path file) {
        return beside(file, ProcessHandle.current().pid());
    }

    /** @param writer number of the process that makes it */
    public static Path beside(Path file, long writer) {
        return file.resolveSibling(file.getFileName() + "." + writer + END);
    }

    /**
     * Takes away what processes left of a file or directory that are no more.
     *
     * @throws IOException in one line when something is left that cannot be taken away
     */
    public static void discardLeft(Path file) throws IOException {
        discardLeft(file, each -> true);
    }

    /**
     * Takes away what processes left of a file that are no more. A directory or a link is none, so it is somebody else's.
     *
     * @throws IOException in one line when something is left that cannot be taken away
     */
    public static void discardLeftFiles(Path file) throws IOException {
        discardLeft(file, each -> Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS));
    }

    private static void discardLeft(Path file, Predicate<Path> kind) throws IOException {
        Path parent = Objects.requireNonNull(file.toAbsolutePath().getParent());
        if (!Files.isDirectory(parent)) {
            return;
        }
        try (DirectoryStream<Path> beside = Files.newDirectoryStream(
                parent, each -> isLeft(each.getFileName().toString(), file.getFileName() + "."))) {
            for (Path each : beside) {
                if (kind.test(each)) {
                    discardLeftOne(each);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static void discardLeftOne(Path left) throws IOException {
        try {
            delete(left);
        } catch (IOException e) {
            throw new IOException(
                    left + ": left by a process that was ended, and cannot be taken away: " + Reasons.of(e), e);
        }
    }

    private static boolean isLeft(String name, String begin) {
        return name.startsWith(begin)
                && name.endsWith(END)
                && name.length() > begin.length() + END.length()
                && isOver(name.substring(begin.length(), name.length() - END.length()));
    }

    private static boolean isOver(String writer) {
        try {
            return ProcessHandle.of(Long.parseLong(writer)).isEmpty();
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** Takes away a file, a link, or a directory with all that is in it; nothing happens when there is none. Follows no link. */
    public static void delete(Path path) throws IOException {
        if (Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        List<Path> inside;
        try (Stream<Path> walk = Files.walk(path)) {
            inside = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : inside) {
            Files.delete(each);
        }
    }
}
