package io.dmodc.agent.linux;

import io.dmodc.agent.plane.PlaneException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs {@code ip}, or a shell, to its end. From any thread, which waits. */
final class IpProgram {
    /** So long one may take. */
    static final long RUN_SECONDS = 10;

    /** So Java says that there is none in PATH: ENOENT. */
    private static final String NO_IP = "Cannot run program \"ip\": error=2,";

    private static final int ERROR_BYTES_MAX = 4096;

    private final List<String> command;

    /** @param command what it is started with; empty: as it is */
    IpProgram(List<String> command) {
        this.command = command;
    }

    /** Reads what a program writes. */
    interface Reader<T> {
        T read(InputStream out) throws IOException;
    }

    /** Returns the whole command. */
    List<String> command(String... arguments) {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of(arguments));
        return all;
    }

    /**
     * Runs a program.
     *
     * @throws PlaneException in one line, when there is none, it fails, takes too long, or writes what cannot be read
     */
    <T> T run(Reader<T> reader, String... arguments) throws PlaneException {
        List<String> all = command(arguments);
        Process process;
        try {
            process = new ProcessBuilder(all).start();
        } catch (IOException e) {
            String why = String.valueOf(e.getMessage());
            throw new PlaneException(why.startsWith(NO_IP) ? "needs ip (iproute2) in PATH" : why);
        }
        process.onExit().orTimeout(RUN_SECONDS, TimeUnit.SECONDS).exceptionally(tooLong -> {
            process.destroyForcibly();
            return process;
        });
        try {
            process.getOutputStream().close();
            T result = reader.read(process.getInputStream());
            process.getInputStream().transferTo(OutputStream.nullOutputStream());
            String said = new String(process.getErrorStream().readNBytes(ERROR_BYTES_MAX), StandardCharsets.UTF_8);
            if (!process.waitFor(RUN_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new PlaneException(
                        "'" + String.join(" ", all) + "' failed: " + withNeed(firstLine(said, process)));
            }
            return result;
        } catch (IOException e) {
            throw new PlaneException("'" + String.join(" ", all) + "' was not understood: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PlaneException("the agent ends");
        } finally {
            process.destroyForcibly();
        }
    }

    /** Returns what {@code ip} said, and the capability that is missing if it was that. */
    static String withNeed(String said) {
        return said.contains("Operation not permitted") ? said + ": needs CAP_NET_ADMIN" : said;
    }

    private static String firstLine(String said, Process process) {
        return said.lines()
                .filter(line -> !line.isBlank())
                .findFirst()
                .orElseGet(() -> process.isAlive() ? "it took too long" : "exit code " + process.exitValue());
    }

    /** Runs a program and returns what it wrote. */
    String text(String... arguments) throws PlaneException {
        return run(out -> new String(out.readAllBytes(), StandardCharsets.UTF_8), arguments);
    }
}
