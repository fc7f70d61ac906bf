package io.dmodc.demo.linux;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One of our own programs, in a namespace, with a log that goes on when it is started again. */
final class JavaProcess {
    private final String namespace;
    private final List<String> options;
    private final String main;
    private final List<String> arguments;
    private final Path log;
    private Process process;
    private boolean killed;

    /**
     * Starts it.
     *
     * @param options of the JVM
     * @param log is appended to
     */
    JavaProcess(String namespace, List<String> options, String main, List<String> arguments, Path log)
            throws IOException {
        this.namespace = namespace;
        this.options = List.copyOf(options);
        this.main = main;
        this.arguments = List.copyOf(arguments);
        this.log = log;
        process = launch();
    }

    private Process launch() throws IOException {
        List<String> command = new ArrayList<>(Commands.inside(
                namespace,
                Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(Redirect.appendTo(log.toFile()));
        // What its logs say is for those who look for the reason of something, and goes into files.
        List.of("FM_LOG_LEVEL", "FM_LIBRARY_LEVEL", "FM_EVENT_LEVEL").forEach(builder.environment()::remove);
        return builder.start();
    }

    Process process() {
        return process;
    }

    /** Whether it ended without having been killed. */
    boolean hasEnded() {
        return !killed && !process.isAlive();
    }

    /** SIGKILL; returns when it is gone. */
    void kill() {
        killed = true;
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Starts it again as before. */
    void restart() throws IOException {
        kill();
        process = launch();
        killed = false;
    }

    /** The last line of its log. */
    String lastWords() {
        try {
            List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
            return lines.isEmpty() ? "nothing" : lines.get(lines.size() - 1);
        } catch (IOException e) {
            return "no log";
        }
    }
}
