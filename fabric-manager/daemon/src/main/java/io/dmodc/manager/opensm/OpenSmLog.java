package io.dmodc.manager.opensm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Follows OpenSM's log for the few lines that matter, from its end on. A log that was cut or not there is begun anew when it is; one that was rotated is followed on until something is in the
 * new one, as OpenSM writes to it until it is told. What it
 * says is a hint and never needed: OpenSM keeps lines back unless {@code force_log_flush TRUE} is in its settings. At most
 * {@value #READ_MAX} bytes are read at a time; of more, the oldest are left out.
 *
 * <p>One that cannot be opened or read is opened anew {@value #AGAIN_SECONDS} s later, where it was left if it is the same file; one that is not there, as soon as it is. For one thread.
 */
final class OpenSmLog implements AutoCloseable {
    static final int READ_MAX = 1 << 20;
    static final int AGAIN_SECONDS = 1;
    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(AGAIN_SECONDS);

    /** What a line says. */
    enum Kind {
        /** A port changed its state, or something else did that a sweep follows. */
        CHANGED,
        /** A port has errors: something may have happened, but OpenSM looks at the whole fabric for it no sooner than it would. */
        ERRORS,
        /** A port's capabilities or name are others, or a subnet manager has come: no cable, but a sweep follows. */
        LOCAL,
        /** Tables of some engine were computed and sent. */
        CONFIGURED,
        /** A sweep ended, or began with OpenSM as the master. */
        SWEPT
    }

    /**
     * One of them.
     *
     * @param engine that made the tables, of {@link Kind#CONFIGURED}; else empty
     * @param lid of the switch that says that a link of it changed, of {@link Kind#CHANGED}, or of the port that says it, of {@link Kind#LOCAL}; 0 for any other change, and else
     */
    record News(Kind kind, String engine, int lid) {}

    private static final Pattern LINK_CHANGED =
            Pattern.compile("type:1 num:128 \\(Link state change\\) Producer:2 \\(Switch\\) from LID:(\\d{1,5})\\b");
    private static final Pattern ERRORS = Pattern.compile("type:1 num:(129|130|131) ");
    private static final Pattern LOCAL = Pattern.compile("Received Generic Notice .*num:144 .*from LID:(\\d{1,5})\\b");
    private static final Pattern CONFIGURED = Pattern.compile(": (\\S+) tables configured on all switches");

    private final Path file;
    private final LongSupplier clock;

    /** What is followed: also once it was rotated, until there is something in the one that took its name. */
    private @Nullable FileChannel followed;

    /** Of that, or of what was followed last. */
    private @Nullable Object key;

    private long position;
    private String unfinished = "";

    /** Why nothing is read; empty while it is. */
    private String trouble = "";

    /** When it is opened anew; only while there is something to read that cannot be. */
    private long againNanos;

    /** @param clock monotonic nanoseconds */
    OpenSmLog(Path file, LongSupplier clock) {
        this.file = file;
        this.clock = clock;
        againNanos = clock.getAsLong();
        attempt(() -> {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            key = attributes.fileKey();
            position = attributes.size();
            open(attributes);
        });
    }

    /** What was written since the last call. */
    List<News> news() {
        List<News> news = new ArrayList<>();
        if (followed != null || clock.getAsLong() - againNanos >= 0) {
            attempt(() -> follow(news));
        }
        return news;
    }

    /** Why nothing can be read, for people; empty while it can: also of one that was taken away, as OpenSM writes to it until it is told. */
    String trouble() {
        return trouble;
    }

    /** What may fail by the file. */
    private interface Reading {
        void run() throws IOException;
    }

    private void attempt(Reading reading) {
        try {
            reading.run();
            trouble = "";
        } catch (ClosedByInterruptException e) {
            close(); // This thread is to end.
        } catch (NoSuchFileException e) {
            trouble = followed == null ? file + ": not there" : "";
        } catch (IOException e) {
            close();
            againNanos = clock.getAsLong() + AGAIN_NANOS;
            trouble = file + ": " + reason(e);
        }
    }

    private static @Nullable String reason(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "no permission";
        }
        return e instanceof FileSystemException failed ? failed.getReason() : e.getMessage();
    }

    private void follow(List<News> news) throws IOException {
        read(news);
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        if (followed == null || (attributes.size() > 0 && !Objects.equals(key, attributes.fileKey()))) {
            read(news); // What it wrote last before it opened the new one.
            open(attributes);
            read(news);
        }
    }

    private void open(BasicFileAttributes attributes) throws IOException {
        close();
        if (!attributes.isRegularFile()) {
            throw new IOException("no regular file"); // To open a pipe may take for ever.
        }
        followed = FileChannel.open(file, StandardOpenOption.READ);
        if (!Objects.equals(key, attributes.fileKey())) {
            key = attributes.fileKey();
            position = 0;
            unfinished = "";
        }
    }

    private void read(List<News> news) throws IOException {
        FileChannel from = followed;
        if (from == null) {
            return;
        }
        long size = from.size();
        if (size < position) {
            position = 0; // Cut.
            unfinished = "";
        }
        if (size == position) {
            return; // As nearly always.
        }
        if (size - position > READ_MAX) {
            position = size - READ_MAX;
            unfinished = "";
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) (size - position));
        while (bytes.hasRemaining() && from.read(bytes, position + bytes.position()) > 0) {}
        position += bytes.position();
        String text = unfinished + new String(bytes.array(), 0, bytes.position(), StandardCharsets.ISO_8859_1);
        int end = text.lastIndexOf('\n') + 1;
        text.substring(0, end).lines().forEach(line -> take(line, news));
        unfinished = text.length() - end > READ_MAX ? "" : text.substring(end);
    }

    private static void take(String line, List<News> news) {
        Matcher configured = CONFIGURED.matcher(line);
        if (configured.find()) {
            news.add(new News(Kind.CONFIGURED, configured.group(1), 0));
        } else if (line.contains("Received Generic Notice type:1")) {
            Matcher link = LINK_CHANGED.matcher(line);
            Kind kind = ERRORS.matcher(line).find() ? Kind.ERRORS : Kind.CHANGED;
            news.add(new News(kind, "", link.find() ? Integer.parseInt(link.group(1)) : 0));
        } else if (line.contains("Received Generic Notice") && line.contains(" num:144 ")) {
            Matcher local = LOCAL.matcher(line);
            news.add(new News(Kind.LOCAL, "", local.find() ? Integer.parseInt(local.group(1)) : 0));
        } else if (line.contains("SUBNET UP") || line.contains("Entering MASTER")) {
            news.add(new News(Kind.SWEPT, "", 0));
        }
    }

    @Override
    public void close() {
        FileChannel old = followed;
        followed = null;
        if (old != null) {
            try {
                old.close();
            } catch (IOException e) {
                // It was only read.
            }
        }
    }
}
