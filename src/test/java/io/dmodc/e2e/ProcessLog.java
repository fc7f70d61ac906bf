package io.dmodc.e2e;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A process of our own and the lines it wrote so far; a thread reads them as they come. */
final class ProcessLog implements AutoCloseable {
    private static final int EXIT_MAX_SECONDS = 180;

    private final Process process;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    private final Thread reader;

    private ProcessLog(Process process) {
        this.process = process;
        reader = new Thread(this::read, "process-log");
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a main class with the class path and the log settings of this test. */
    static ProcessLog start(Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(ClassArchives.java(main));
        command.addAll(List.of(arguments));
        return start(command);
    }

    /** Starts a program that is no main class of ours. */
    static ProcessLog start(List<String> command) throws IOException {
        return new ProcessLog(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    private void read() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            reader.lines().forEach(lines::add);
        } catch (UncheckedIOException | IOException e) {
            lines.add("(the process was killed: " + e.getMessage() + ")");
        }
    }

    /** All lines, for the message of a test that fails. */
    String text() {
        return String.join("\n", lines);
    }

    /** What each match of the pattern's first group was, in the order of the lines. */
    List<String> found(Pattern pattern) {
        return lines.stream()
                .map(pattern::matcher)
                .filter(Matcher::find)
                .map(match -> match.group(1))
                .toList();
    }

    /** The process itself, for those who look at its children. */
    ProcessHandle handle() {
        return process.toHandle();
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Waits for its end, long; all lines are there then. */
    int exitCode() throws InterruptedException {
        if (!process.waitFor(EXIT_MAX_SECONDS, TimeUnit.SECONDS)) {
            kill();
            throw new AssertionError("did not end by itself: " + text());
        }
        reader.join();
        return process.exitValue();
    }

    /** SIGKILL: nothing is closed, flushed or said. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** SIGHUP. */
    void hangUp() throws IOException, InterruptedException {
        String pid = Long.toString(process.pid());
        int status = new ProcessBuilder("kill", "-HUP", pid).inheritIO().start().waitFor();
        if (status != 0) {
            throw new IOException("kill -HUP " + pid + " ended with " + status);
        }
    }

    /** SIGTERM to all of them, then waits for their ends; whoever does not end is killed. */
    static void stop(Stream<ProcessLog> logs) throws InterruptedException {
        List<ProcessLog> all = logs.toList();
        all.forEach(log -> log.process.destroy());
        for (ProcessLog log : all) {
            if (!log.process.waitFor(20, TimeUnit.SECONDS)) {
                log.kill();
            }
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
