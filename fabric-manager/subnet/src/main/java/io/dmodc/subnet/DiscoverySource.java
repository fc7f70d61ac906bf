package io.dmodc.subnet;

import io.dmodc.topology.ibnet.IbnetFormatException;
import io.dmodc.topology.ibnet.IbnetReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
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
            ByteArrayOutputStream printed = new ByteArrayOutputStream();
            String complaint =
                    file != null ? "" : command.run(printed, ChildCommand.OUTPUT_MAX, OutputStream.nullOutputStream());
            byte[] text = file != null ? read(file) : printed.toByteArray();
            long seenNanos = clock.getAsLong();
            return new DiscoveredSubnet(
                    IbnetReader.read(name, new ByteArrayInputStream(text)), fromPort(text), seenNanos, complaint);
        } catch (IbnetFormatException e) {
            throw new CommandFailedException(String.valueOf(e.getMessage()));
        }
    }

    private static byte[] read(Path file) throws CommandFailedException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new CommandFailedException(file + ": no regular file; expected one of what ibnetdiscover prints");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] text = in.readNBytes(ChildCommand.OUTPUT_MAX + 1);
            if (text.length > ChildCommand.OUTPUT_MAX) {
                throw new CommandFailedException(file + ": more than " + (ChildCommand.OUTPUT_MAX >> 20) + " MiB");
            }
            return text;
        } catch (IOException e) {
            throw new CommandFailedException(file + ": cannot be read (" + e + "); expected what ibnetdiscover prints");
        }
    }

    /** {@code ibnetdiscover} says it in a comment at the top. */
    private static long fromPort(byte[] text) {
        String top = new String(text, 0, Math.min(text.length, TOP), StandardCharsets.ISO_8859_1);
        Matcher from = FROM.matcher(top);
        return from.find() ? Long.parseUnsignedLong(from.group(1), 16) : 0;
    }
}
