package io.dmodc.subnet;

import io.dmodc.topology.ibnet.IbnetFormatException;
import io.dmodc.topology.ibnet.IbnetReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where the fabric is found out: a command, or a file that somebody keeps up to date. For one thread. */
public final class DiscoverySource {
    private static final Pattern FROM = Pattern.compile("Initiated from node [0-9a-f]{1,16} port ([0-9a-f]{1,16})");
    private static final int TOP = 1024;

    private final @Nullable Path file;
    private final ChildCommand command;
    private final String name;

    public DiscoverySource(OpenSmSettings settings) {
        file = settings.discoveryFile();
        command = new ChildCommand(settings.discovery(), settings.commandTimeout());
        name = file != null ? file.toString() : settings.discovery();
    }

    /** The file to watch for changes, or null. */
    public @Nullable Path file() {
        return file;
    }

    /** The command or the file, as people know it. */
    public String name() {
        return name;
    }

    /**
     * Looks now.
     *
     * @param clock monotonic nanoseconds, asked when there is something to see
     * @throws CommandFailedException if nothing comes of it that can be a fabric
     */
    public DiscoveredSubnet look(LongSupplier clock) throws CommandFailedException, InterruptedException {
        try {
            PrintedText text = new PrintedText();
            String complaint = file != null
                    ? read(file, text)
                    : command.run(text, ChildCommand.OUTPUT_MAX, OutputStream.nullOutputStream());
            long seenNanos = clock.getAsLong();
            return new DiscoveredSubnet(IbnetReader.read(name, text.in()), fromPort(text), seenNanos, complaint);
        } catch (IbnetFormatException e) {
            throw new CommandFailedException(String.valueOf(e.getMessage()));
        }
    }

    /** @return no complaint */
    private static String read(Path file, PrintedText into) throws CommandFailedException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new CommandFailedException(file + ": no regular file; expected one of what ibnetdiscover prints");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] some = in.readNBytes(PrintedText.PIECE);
            for (long read = some.length; some.length > 0; read += some.length) {
                if (read > ChildCommand.OUTPUT_MAX) {
                    throw new CommandFailedException(file + ": more than " + (ChildCommand.OUTPUT_MAX >> 20) + " MiB");
                }
                into.write(some, 0, some.length);
                some = in.readNBytes(PrintedText.PIECE);
            }
            return "";
        } catch (IOException e) {
            throw new CommandFailedException(file + ": cannot be read (" + e + "); expected what ibnetdiscover prints");
        }
    }

    /** {@code ibnetdiscover} says it in a comment at the top. */
    private static long fromPort(PrintedText text) {
        Matcher from = FROM.matcher(text.top(TOP));
        return from.find() ? Long.parseUnsignedLong(from.group(1), 16) : 0;
    }
}
