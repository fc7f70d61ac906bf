package io.dmodc.manager.opensm;

import io.dmodc.settings.Reasons;
import io.dmodc.subnet.ChildCommand;
import io.dmodc.subnet.CommandFailedException;
import io.dmodc.subnet.OpenSmSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Has OpenSM read its files again: SIGHUP, by its pid file or by a command. For one thread. */
final class HupSignal {
    private static final int PID_FILE_MAX = 64;

    private final @Nullable Path pidFile;
    private final String command;
    private final Duration timeout;
    private final Troubles troubles;
    private final Troubles.Kind trouble;

    /** The pid file named nobody who takes it, the last time. */
    private boolean unnamed;

    /** @param trouble what is wrong while nobody gets it from this */
    HupSignal(OpenSmSettings settings, Troubles troubles, Troubles.Kind trouble) {
        this.troubles = troubles;
        this.trouble = trouble;
        pidFile = settings.pidFile();
        command = settings.hupCommand();
        timeout = settings.commandTimeout();
    }

    /** @return true if somebody got it; else people are told why not, until somebody does or it is {@link #over} */
    boolean send() throws InterruptedException {
        try {
            command().run();
            over();
            return true;
        } catch (CommandFailedException e) {
            troubles.set(trouble, "OpenSM cannot be told to sweep and load the dump: " + e.getMessage());
            return false;
        }
    }

    /** Nobody need get it any more: what it was for is done. */
    void over() {
        troubles.clear(trouble);
    }

    /** True if nobody got the last one for want of a pid file that names OpenSM, and it does by now. */
    boolean isMended() {
        if (pidFile == null || !unnamed || !troubles.has(trouble)) {
            return false;
        }
        try {
            pid(pidFile);
            return true;
        } catch (CommandFailedException e) {
            return false;
        }
    }

    private ChildCommand command() throws CommandFailedException {
        if (pidFile == null) {
            return new ChildCommand(command, timeout);
        }
        unnamed = true;
        String pid = Long.toString(pid(pidFile));
        unnamed = false;
        return new ChildCommand(List.of("kill", "-HUP", pid), timeout);
    }

    /** A number that some other program has by now is not believed: a SIGHUP ends most of them, and OpenSM itself in the first moment after its start. */
    private static long pid(Path file) throws CommandFailedException {
        try {
            if (Files.exists(file) && !Files.isRegularFile(file)) { // To open a pipe may take for ever.
                throw new CommandFailedException(file + ": no regular file; expected the process id of opensm");
            }
            if (Files.size(file) > PID_FILE_MAX) {
                throw new CommandFailedException(
                        file + ": longer than " + PID_FILE_MAX + " bytes; expected a process id");
            }
            String text = Files.readString(file).strip();
            if (!text.matches("[1-9]\\d{0,9}")) {
                throw new CommandFailedException(file + ": no process id; expected that of opensm");
            }
            String name = name(text);
            if (!name.equals("opensm")) {
                throw new CommandFailedException(file + ": process " + text + " is "
                        + (name.isEmpty() ? "not there" : "'" + name + "'") + "; expected opensm");
            }
            if (!takesHup(text)) {
                throw new CommandFailedException(file + ": process " + text + " does not take SIGHUP yet");
            }
            return Long.parseLong(text);
        } catch (IOException e) {
            throw new CommandFailedException(
                    file + ": cannot be read (" + Reasons.of(e) + "); expected the process id of opensm");
        }
    }

    private static String name(String pid) {
        try {
            return Files.readString(Path.of("/proc", pid, "comm")).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /** The last hexadecimal digit of the signals that it catches has SIGHUP, which is 1, as its lowest bit. */
    private static boolean takesHup(String pid) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc", pid, "status"), StandardCharsets.ISO_8859_1)) {
            return lines.anyMatch(line -> line.matches("SigCgt:\\s*[0-9a-f]*[13579bdf]"));
        }
    }
}
