package io.dmodc.demo.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs small programs of the system to their end. Stateless; any thread. */
final class Commands {
    /** After so long a program is ended: none of those that are run here has anything to wait for. */
    private static final int PATIENCE_SECONDS = 120;

    private static final int SAID_MAX = 300;

    private Commands() {}

    /**
     * Runs it.
     *
     * @return what it printed, of both streams
     * @throws LinuxFailure in one line, with what it said, when it is not there or does not end well
     */
    static String run(String... command) throws LinuxFailure {
        return run(List.of(command), "");
    }

    /** Runs it with that input. */
    static String run(List<String> command, String input) throws LinuxFailure {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            try (var stdin = process.getOutputStream()) {
                stdin.write(input.getBytes(StandardCharsets.UTF_8));
            }
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new LinuxFailure(String.join(" ", command) + ": not done after " + PATIENCE_SECONDS + " s");
            }
            if (process.exitValue() != 0) {
                throw new LinuxFailure(String.join(" ", command) + ": " + oneLine(said, process.exitValue()));
            }
            return said;
        } catch (IOException e) {
            throw new LinuxFailure(command.get(0) + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LinuxFailure("interrupted");
        }
    }

    /** Runs it with that input, whatever comes of it. */
    static void tryRun(List<String> command, String input) {
        try {
            run(command, input);
        } catch (LinuxFailure e) {
            // Who clears away goes on with the rest.
            return;
        }
    }

    /**
     * Has all threads of a process run before what is not in real time. Where that is not allowed they stay as they are.
     *
     * @param priority 1 (least) to 99, in turns with others of the same
     */
    static void runInRealTime(Process process, int priority) {
        tryRun(
                List.of(
                        "chrt",
                        "--all-tasks",
                        "--rr",
                        "--pid",
                        Integer.toString(priority),
                        Long.toString(process.pid())),
                "");
    }

    private static String oneLine(String said, int status) {
        String line = String.join("; ", said.split("\\R"));
        return line.isEmpty()
                ? "status " + status
                : line.length() > SAID_MAX ? line.substring(0, SAID_MAX) + "…" : line;
    }

    /** A command that runs in a namespace and becomes the program itself: its process id is the program's. */
    static List<String> inside(String namespace, String... command) {
        List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
        all.addAll(Arrays.asList(command));
        return all;
    }
}
