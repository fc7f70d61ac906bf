package io.dmodc.detector.peers;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/**
 * A trial in a JVM of its own, so that its processor time is that of one system and nothing of the trial before it is
 * left. Prints the result as properties.
 */
final class TrialProcess {
    private static final String NOT_RUN = "notRun";

    private TrialProcess() {}

    /** The child: its arguments are {@link TrialPlan#toArguments}. */
    @SuppressWarnings("SystemOut")
    public static void main(String[] args) throws IOException {
        PrintStream answerTo = System.out;
        System.setOut(System.err); // where the log goes
        Properties answer = new Properties();
        try {
            answer = Trial.run(TrialPlan.ofArguments(args)).toProperties();
        } catch (TrialNotRunException e) {
            answer.setProperty(NOT_RUN, String.valueOf(e.getMessage()));
        }
        answer.store(answerTo, null);
        System.exit(0);
    }

    /** The parent: runs the plan in a child and waits for it. */
    static TrialResult run(TrialPlan plan) throws TrialNotRunException {
        try {
            Process child = new ProcessBuilder(command(plan))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try {
                return answer(plan, child);
            } finally {
                child.destroyForcibly();
            }
        } catch (IOException e) {
            throw new TrialNotRunException("child process: " + e.getMessage(), e);
        }
    }

    private static List<String> command(TrialPlan plan) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx3g",
                "-Djava.net.preferIPv4Stack=true",
                "-cp",
                System.getProperty("java.class.path"),
                TrialProcess.class.getName()));
        command.addAll(plan.toArguments());
        return command;
    }

    /** The answer is far smaller than a pipe, so the child never waits for its reader. */
    private static TrialResult answer(TrialPlan plan, Process child) throws TrialNotRunException, IOException {
        long limitMillis = Trial.limitMillis(plan);
        try {
            if (!child.waitFor(limitMillis, TimeUnit.MILLISECONDS)) {
                throw new TrialNotRunException("no answer from the trial's process after " + limitMillis + " ms");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TrialNotRunException("interrupted", e);
        }
        Properties answer = new Properties();
        try (InputStream out = child.getInputStream()) {
            answer.load(out);
        }
        if (child.exitValue() != 0 || answer.isEmpty()) {
            throw new TrialNotRunException("the trial's process ended with " + child.exitValue());
        }
        String reason = answer.getProperty(NOT_RUN);
        if (reason != null) {
            throw new TrialNotRunException(reason);
        }
        return TrialResult.ofProperties(answer);
    }
}
