package io.dmodc.settings.cli;

import io.dmodc.settings.HostPort;
import io.dmodc.settings.SettingsException;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * What {@code check-config} finds: each check adds at most one line. Sockets it binds stay bound until {@link #close}, so
 * that two settings that want the same port are noticed. Not thread-safe.
 */
public final class ConfigProblems implements AutoCloseable {
    /** Something that throws, in one line, what is wrong. */
    @FunctionalInterface
    public interface Check {
        /** Does what the program would do with the setting. */
        void run() throws IOException;
    }

    private final List<String> lines = new ArrayList<>();
    private final List<Closeable> bound = new ArrayList<>();
    private final boolean bind;

    /** @param bind false while the program runs and has the ports */
    public ConfigProblems(boolean bind) {
        this.bind = bind;
    }

    /** Runs one check; what it throws as bad input is a problem. */
    public void check(String key, Check check) {
        try {
            check.run();
        } catch (UncheckedIOException e) {
            add(key, Objects.requireNonNull(e.getCause()));
        } catch (IOException | IllegalArgumentException | IllegalStateException | SettingsException e) {
            add(key, e);
        }
    }

    private void add(String key, Exception e) {
        String message = e.getMessage() == null ? e.toString() : e.getMessage();
        lines.add(message.startsWith(key) ? message : key + ": " + message);
    }

    /** The host must be known. */
    public void resolve(String key, HostPort address) {
        check(key, () -> resolved(address));
    }

    /** The address must be one of this machine, with a TCP port that nobody has. */
    public void listen(String key, HostPort address) {
        check(
                key,
                () -> bind(address, at -> {
                    ServerSocket socket = new ServerSocket();
                    bound.add(socket);
                    socket.bind(at);
                }));
    }

    /** The same for UDP. */
    public void receive(String key, HostPort address) {
        check(
                key,
                () -> bind(address, at -> {
                    DatagramSocket socket = new DatagramSocket(null);
                    bound.add(socket);
                    socket.bind(at);
                }));
    }

    private interface Binding {
        void bind(InetSocketAddress address) throws IOException;
    }

    private void bind(HostPort address, Binding binding) throws IOException {
        InetSocketAddress resolved = resolved(address);
        if (!bind) {
            return;
        }
        try {
            binding.bind(resolved);
        } catch (SocketException e) {
            throw new IOException(
                    address + " cannot be listened on (" + e.getMessage()
                            + "); expected an address of this machine and a free port (--no-bind while it runs)",
                    e);
        }
    }

    private static InetSocketAddress resolved(HostPort address) throws IOException {
        InetSocketAddress resolved = address.resolve();
        if (resolved.isUnresolved()) {
            throw new IOException("host '" + address.host() + "' is unknown; expected a name or an address");
        }
        return resolved;
    }

    /** The directory must be writable, or, where it is missing, one that can be made. Nothing is made. */
    public void writable(String key, Path directory) {
        check(key, () -> {
            Path there = existing(directory.toAbsolutePath().normalize());
            if (there == null || !Files.isDirectory(there)) {
                throw new IOException(there + " is a file; expected a directory");
            }
            if (!Files.isWritable(there)) {
                throw new IOException(there + " is not writable; expected a directory for this user");
            }
        });
    }

    private static @Nullable Path existing(Path directory) {
        Path there = directory;
        while (there != null && !Files.exists(there)) {
            there = there.getParent();
        }
        return there;
    }

    /** Prints a line a problem to {@code err}, or that there is none to {@code out}; returns the exit code. */
    public int print(String source, PrintWriter out, PrintWriter err) {
        if (lines.isEmpty()) {
            out.println("ok");
            return CommandLine.ExitCode.OK;
        }
        lines.forEach(line -> err.println(source + ": " + line));
        return CommandLine.ExitCode.USAGE;
    }

    @Override
    public void close() {
        for (Closeable socket : bound) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
