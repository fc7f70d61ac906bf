package io.dmodc.demo.linux;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One of our own programs, in a namespace, with a log that goes on when it is started again. */
final class JavaProcess {
    /** Names the directory of the launchers; where this program was not started by one of them it is not set. */
    private static final String LAUNCHERS = "fabric-manager.launchers";

    private final List<String> command;
    private final Path log;
    private Process process;
    private boolean killed;

    /**
     * Starts it from the class path of this program.
     *
     * @param nice how far it stands back behind others that want the processor, 0..19
     * @param options of the JVM
     * @param log is appended to
     */
    JavaProcess(String namespace, int nice, List<String> options, String main, List<String> arguments, Path log)
            throws IOException {
        this(namespace, nice, java(options, main), arguments, log);
    }

    /**
     * Starts it as people do, with all that its launcher does for it.
     *
     * @param options of the JVM, in place of the launcher's own where both say something
     */
    JavaProcess(String namespace, int nice, List<String> options, Path launcher, List<String> arguments, Path log)
            throws IOException {
        this(
                namespace,
                nice,
                List.of("env", "FM_JAVA_OPTS=" + String.join(" ", options), launcher.toString()),
                arguments,
                log);
    }

    private JavaProcess(String namespace, int nice, List<String> program, List<String> arguments, Path log)
            throws IOException {
        command = new ArrayList<>(Commands.inside(namespace, "nice", "-n", String.valueOf(nice)));
        command.addAll(program);
        command.addAll(arguments);
        this.log = log;
        process = launch();
    }

    /** Returns the launcher of that name, which has the build of this program; null: not known. */
    static @Nullable Path launcher(String name) {
        String directory = System.getProperty(LAUNCHERS);
        return directory == null ? null : Path.of(directory, name);
    }

    private static List<String> java(List<String> options, String main) {
        List<String> program = new ArrayList<>();
        program.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        program.addAll(options);
        program.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
        return program;
    }

    private Process launch() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(Redirect.appendTo(log.toFile()));
        // What its logs say is for those who look for the reason of something, and goes into files; what the JVM of
        // this
        // program is told is not for all others.
        List.of("FM_LOG_LEVEL", "FM_LIBRARY_LEVEL", "FM_EVENT_LEVEL", "JAVA_OPTS", "FM_JAVA_OPTS")
                .forEach(builder.environment()::remove);
        builder.environment().put("FM_SKIP_BUILD", "1");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
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
