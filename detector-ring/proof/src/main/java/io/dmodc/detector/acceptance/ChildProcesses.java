package io.dmodc.detector.acceptance;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The processes that were started to measure something. Whatever ends this program ends them too: those that are still
 * there are killed one by one, with what they started.
 */
final class ChildProcesses implements AutoCloseable {
    /** What says how this program logs holds for its children, too. */
    private static final List<String> LOGGING = List.of("logback.configurationFile", "slf4j.internal.verbosity");

    private static final int GONE_SECONDS = 10;

    private final Set<Process> running = ConcurrentHashMap.newKeySet();
    private final Thread hook = new Thread(this::killAll, "acceptance-children");

    ChildProcesses() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Starts a class of this program in a JVM of its own. Its errors appear on ours. */
    Process java(List<String> jvmOptions, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        for (String property : LOGGING) {
            String value = System.getProperty(property);
            if (value != null) {
                command.add("-D" + property + "=" + value);
            }
        }
        command.add(main.getName());
        command.addAll(List.of(arguments));
        return start(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT));
    }

    /** Starts a program in a directory. Its errors are dropped: the rows it prints tell what went wrong. */
    Process program(Path directory, List<String> command) throws IOException {
        return start(new ProcessBuilder(command)
                .directory(new File(directory.toString()))
                .redirectError(ProcessBuilder.Redirect.DISCARD));
    }

    private Process start(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        running.add(process);
        process.onExit().thenRun(() -> running.remove(process));
        return process;
    }

    private void killAll() {
        running.forEach(ChildProcesses::kill);
    }

    private static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** Kills a process and waits until it is gone. */
    static void end(Process process) {
        kill(process);
        process.onExit()
                .completeOnTimeout(process, GONE_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    @Override
    public void close() {
        running.forEach(ChildProcesses::end);
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException alreadyEnding) {
            // The hook runs by itself then.
        }
    }
}
