package io.dmodc.detector.acceptance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A {@link RingProcess} seen from outside: what it says, how to stop it, and what it costs. */
final class RingChild implements AutoCloseable {
    private static final int ANSWER_SECONDS = 30;

    private final Process process;
    private final Writer words;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final Queue<Heard> heard = new ConcurrentLinkedQueue<>();

    /**
     * A member holds a subject dead or, in a new incarnation, alive. The machine's monotonic clock serves all
     * processes.
     *
     * @param accuses true: the member found the subject silent itself, as its observer
     */
    record Heard(boolean silent, boolean accuses, long nanos, int member, int subject) {}

    /** Counters of the members, since they started. */
    record Counts(long[] sent, long[] received, long lateWakeUps, long suspicions, long refutations) {}

    /** Takes part in a ring from {@link #join} on. */
    RingChild(Process process) {
        this.process = process;
        words = process.outputWriter(StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, "ring-child-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] said = line.split(" ");
                switch (said[0]) {
                    case RingProcess.SILENT, RingProcess.ALIVE ->
                        heard.add(new Heard(
                                said[0].equals(RingProcess.SILENT),
                                said[0].equals(RingProcess.SILENT) && said[4].equals("0"),
                                Long.parseLong(said[1]),
                                Integer.parseInt(said[2]),
                                Integer.parseInt(said[3])));
                    case RingProcess.PORTS, RingProcess.COUNT -> answers.add(line);
                    default -> {} // a log line
                }
            }
        } catch (IOException | UncheckedIOException broken) {
            // Its process is gone, as at the end of its output.
        }
        answers.add("(ended)");
    }

    /** Opens the sockets of its members, who share this key. */
    List<Integer> open(byte[] key) throws IOException, InterruptedException {
        say(RingProcess.KEY + " " + HexFormat.of().formatHex(key));
        return Arrays.stream(answer(RingProcess.PORTS).split(" "))
                .map(Integer::parseInt)
                .toList();
    }

    void join(List<Integer> ports) throws IOException {
        say(RingProcess.RING + " "
                + String.join(" ", ports.stream().map(String::valueOf).toList()));
    }

    Counts counts() throws IOException, InterruptedException {
        say(RingProcess.COUNT);
        String[] halves = answer(RingProcess.COUNT).split(" / ");
        String[] each = halves[0].split(" ");
        String[] sums = halves[1].split(" ");
        return new Counts(
                half(each, 0),
                half(each, 1),
                Long.parseLong(sums[0]),
                Long.parseLong(sums[1]),
                Long.parseLong(sums[2]));
    }

    private static long[] half(String[] pairs, int which) {
        return Arrays.stream(pairs)
                .mapToLong(pair -> Long.parseLong(pair.split(":")[which]))
                .toArray();
    }

    private void say(String line) throws IOException {
        words.write(line + "\n");
        words.flush();
    }

    private String answer(String kind) throws IOException, InterruptedException {
        String line = answers.poll(ANSWER_SECONDS, TimeUnit.SECONDS);
        if (line == null || !line.startsWith(kind + " ")) {
            throw new IOException("process " + process.pid() + " said '" + line + "', expected " + kind);
        }
        return line.substring(kind.length() + 1);
    }

    /** Everything heard so far. */
    List<Heard> heard() {
        return List.copyOf(heard);
    }

    void forget() {
        heard.clear();
    }

    /** Processor time used so far. */
    Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /**
     * Stops the process for a while, as a debugger, a hypervisor or swapping would.
     *
     * @return when it went on
     */
    long stopFor(long nanos) throws IOException, InterruptedException {
        signal("STOP");
        TimeUnit.NANOSECONDS.sleep(nanos);
        long goesOn = System.nanoTime();
        signal("CONT");
        return goesOn;
    }

    private void signal(String name) throws IOException, InterruptedException {
        int status = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("kill -" + name + " " + process.pid() + " ended with status " + status);
        }
    }

    @Override
    public void close() {
        ChildProcesses.end(process);
    }
}
