package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program of the tests in a network namespace of its own, which goes with it: Java cannot change its namespace. Skips the
 * test, with the reason, where such namespaces are refused.
 */
final class OwnNamespace {
    private static final long LONGEST_SECONDS = 90;

    private OwnNamespace() {}

    /** Runs {@code main} of a class, and fails with what it printed unless it ends with 0; returns what it printed. */
    static String run(Class<?> program, String... arguments) throws Exception {
        return run("true", program, arguments);
    }

    /** The same after a command of the shell. */
    static String run(String first, Class<?> program, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(entering());
        // The program's own loopback has ::1 before Java looks whether there is IPv6.
        command.addAll(List.of("sh", "-c", "ip link set lo up && " + first + " && exec \"$@\"", "sh"));
        command.addAll(java());
        command.add(program.getName());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS))
                    .as(out)
                    .isTrue();
            assertThat(process.exitValue()).as(out).isZero();
            return out;
        } finally {
            process.destroyForcibly();
        }
    }

    /** A Java that starts fast, with this one's classes. */
    static List<String> java() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"));
    }

    private static List<String> entering() throws Exception {
        StringBuilder refusals = new StringBuilder();
        for (List<String> way : List.of(List.of("unshare", "-nm"), List.of("unshare", "-Urnm"))) {
            String refusal = refusal(way);
            if (refusal.isEmpty()) {
                return way;
            }
            refusals.append(String.join(" ", way)).append(": ").append(refusal).append("; ");
        }
        assumeTrue(false, "no network namespace with veth pairs here: " + refusals);
        throw new IllegalStateException("skipped");
    }

    /** Empty: none. */
    private static String refusal(List<String> way) throws InterruptedException {
        List<String> command = new ArrayList<>(way);
        command.addAll(List.of("ip", "link", "add", "type", "veth"));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? "" : out.strip() + " (exit code " + process.exitValue() + ")";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
