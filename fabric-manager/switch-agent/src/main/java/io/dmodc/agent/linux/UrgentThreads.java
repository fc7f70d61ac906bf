package io.dmodc.agent.linux;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Has the kernel prefer the threads that lead packets around what died, and the programs that the worker starts after that: nice {@value #NICE}. The JVM makes
 * −5 of its highest priority, which is three times the share of any other thread, and waited 11 ms for its second slice in a cut that was looked at. By {@code renice}; without the
 * right to it all stays as it is.
 */
final class UrgentThreads {
    private static final int NICE = -20;

    /** Their names, by which they are found. */
    static final String PLANE = "linux-plane";

    static final String IP_MONITOR = "ip-monitor";
    static final String IP_BATCH = "ip-batch";
    static final String WITHDRAWALS = "withdrawals";

    private static final Set<String> NAMES = Set.of(PLANE, IP_MONITOR, IP_BATCH, WITHDRAWALS);
    private static final Path THREADS = Path.of("/proc/self/task");
    private static final long WAIT_SECONDS = 2;

    private UrgentThreads() {}

    /** Raises those of this process that run by now. */
    static void raise() {
        List<String> command = new ArrayList<>(List.of("renice", "-n", Integer.toString(NICE), "-p"));
        String[] threads = THREADS.toFile().list();
        for (String thread : threads == null ? new String[0] : threads) {
            if (NAMES.contains(name(thread))) {
                command.add(thread);
            }
        }
        try {
            new ProcessBuilder(command)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start()
                    .waitFor(WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (IOException e) {
            // No such program: they have the JVM's priority.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String name(String thread) {
        try {
            return Files.readString(THREADS.resolve(thread).resolve("comm")).strip();
        } catch (IOException e) {
            return ""; // it ended meanwhile
        }
    }
}
