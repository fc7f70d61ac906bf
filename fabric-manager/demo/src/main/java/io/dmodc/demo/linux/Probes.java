package io.dmodc.demo.linux;

import io.dmodc.demo.linux.FabricPlan.HostPlace;
import io.dmodc.demo.linux.Outages.Pair;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A {@link Prober} in the namespace of each of {@link ProbedHosts}, and what they saw of each other. One clock counts for all: that of the machine. Used
 * by one thread.
 */
final class Probes implements AutoCloseable {
    /** Every pair sends a probe so often. */
    static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** Of the probers among what runs in real time. */
    static final int REAL_TIME_PRIORITY = 2;

    /** What was sent so long ago has arrived or never will. */
    private static final long IN_FLIGHT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** A process has so long to start in. */
    private static final long LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final List<String> SMALL_JVM = List.of(
            "-Xmx16m",
            "-Xms4m",
            "-Xss256k",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            "-XX:-UsePerfData");

    private final List<HostPlace> hosts;
    private final List<Process> processes = new ArrayList<>();
    private final List<BufferedReader> answers = new ArrayList<>();
    private final List<PrintStream> questions = new ArrayList<>();
    private final long runNanos;

    /** What one host says: its sent slots, and those that came by the number of who sent them. */
    private record Said(long[] sent, Map<Integer, long[]> came, long overflows) {}

    private Probes(List<HostPlace> hosts) {
        this.hosts = hosts;
        runNanos = System.nanoTime() + LEAD_NANOS;
    }

    /** Starts them; they send from now on. */
    static Probes start(FabricPlan plan) throws IOException, LinuxFailure {
        List<HostPlace> hosts = ProbedHosts.of(plan.hosts().size()).stream()
                .map(plan.hosts()::get)
                .toList();
        Probes probes = new Probes(hosts);
        boolean started = false;
        try {
            for (int host = 0; host < hosts.size(); host++) {
                probes.startOne(host);
            }
            for (int host = 0; host < hosts.size(); host++) {
                probes.expect(host, "ready");
            }
            probes.runInRealTime();
            started = true;
            return probes;
        } finally {
            if (!started) {
                probes.close();
            }
        }
    }

    private void startOne(int host) throws IOException {
        HostPlace place = hosts.get(host);
        List<String> command = new ArrayList<>(Commands.inside(
                place.namespace(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(SMALL_JVM);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Prober.class.getName()));
        long phase = PERIOD_NANOS * host / hosts.size();
        command.addAll(List.of(
                Integer.toString(host),
                place.address(),
                Long.toString(runNanos),
                Long.toString(phase),
                Long.toString(PERIOD_NANOS)));
        for (int other = 0; other < hosts.size(); other++) {
            if (other != host) {
                command.add("to=" + hosts.get(other).address());
                command.add("from=" + other);
            }
        }
        Process process =
                new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
        processes.add(process);
        answers.add(process.inputReader(StandardCharsets.US_ASCII));
        questions.add(new PrintStream(process.getOutputStream(), true, StandardCharsets.US_ASCII));
    }

    /**
     * Before all else: a host is a machine of its own, and what it is kept from sending by switches that are busy with a fault cannot be seen to be lost.
     */
    private void runInRealTime() {
        processes.forEach(prober -> Commands.runInRealTime(prober, REAL_TIME_PRIORITY));
    }

    private String line(int host) throws IOException, LinuxFailure {
        String line = answers.get(host).readLine();
        if (line == null) {
            throw new LinuxFailure("the prober of " + hosts.get(host).name() + " ended");
        }
        return line;
    }

    private void expect(int host, String word) throws IOException, LinuxFailure {
        String line = line(host);
        if (!line.equals(word)) {
            throw new LinuxFailure(
                    "the prober of " + hosts.get(host).name() + " said '" + line + "', expected " + word);
        }
    }

    /** A probed host, by its number among them. */
    HostPlace host(int number) {
        return hosts.get(number);
    }

    /** How many pairs there are. */
    int pairCount() {
        return hosts.size() * (hosts.size() - 1);
    }

    /** What was lost of all that was sent between two moments, by {@link System#nanoTime}; waits until the last can have arrived. */
    Outages between(long fromNanos, long toNanos) throws IOException, LinuxFailure {
        int first = slot(fromNanos);
        int last = Math.max(first, slot(toNanos) - 1);
        if (last >= Prober.SLOTS_MAX) {
            throw new LinuxFailure("probes are counted for " + Prober.SLOTS_MAX * PERIOD_NANOS / 60_000_000_000L
                    + " minutes; expected the demonstration to be over");
        }
        pause(toNanos + IN_FLIGHT_NANOS - System.nanoTime());
        List<Said> said = new ArrayList<>();
        for (PrintStream question : questions) {
            question.println("report " + first + " " + last);
        }
        for (int host = 0; host < hosts.size(); host++) {
            said.add(read(host));
        }
        return compare(said, first, last);
    }

    private int slot(long nanos) {
        return (int) Math.max(0, Math.min(Prober.SLOTS_MAX, (nanos - runNanos) / PERIOD_NANOS));
    }

    static void pause(long nanos) throws LinuxFailure {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LinuxFailure("interrupted");
        }
    }

    private Said read(int host) throws IOException, LinuxFailure {
        long[] sent = {};
        Map<Integer, long[]> came = new HashMap<>();
        while (true) {
            String[] words = line(host).split(" ");
            switch (words[0]) {
                case "sent" -> sent = bits(words, 1);
                case "from" -> came.put(Integer.valueOf(words[1]), bits(words, 2));
                case "end" -> {
                    return new Said(sent, came, Long.parseLong(words[1]));
                }
                default ->
                    throw new LinuxFailure("the prober of " + hosts.get(host).name() + " said " + words[0]);
            }
        }
    }

    private static long[] bits(String[] words, int from) {
        return Arrays.stream(words, from, words.length)
                .mapToLong(word -> Long.parseUnsignedLong(word, 16))
                .toArray();
    }

    private Outages compare(List<Said> said, int first, int last) {
        int shift = first / Long.SIZE * Long.SIZE;
        List<Pair> hit = new ArrayList<>();
        long unsent = 0;
        long overflows = 0;
        for (int from = 0; from < hosts.size(); from++) {
            long[] sent = said.get(from).sent;
            overflows += said.get(from).overflows;
            for (int slot = first; slot <= last; slot++) {
                unsent += LossCounter.bit(sent, slot - shift) ? 0 : 1;
            }
            for (int to = 0; to < hosts.size(); to++) {
                if (to == from) {
                    continue;
                }
                long[] came = Objects.requireNonNull(said.get(to).came.get(from));
                Pair pair = LossCounter.count(
                        from, to, sent, came, first - shift, last - shift, runNanos + shift * PERIOD_NANOS);
                if (pair != null) {
                    hit.add(pair);
                }
            }
        }
        return new Outages(pairCount(), hit, unsent / ((double) hosts.size() * (last - first + 1)), overflows);
    }

    /** Waits until no pair lost anything for a while. */
    void awaitWhole(String what, long forNanos, long patienceNanos) throws IOException, LinuxFailure {
        long end = System.nanoTime() + patienceNanos;
        Outages last;
        do {
            long now = System.nanoTime();
            pause(forNanos);
            last = between(now, now + forNanos);
            if (last.hit().isEmpty() && last.unsentPart() < 1) {
                return;
            }
        } while (System.nanoTime() < end);
        Pair pair = last.hit().get(0);
        throw new LinuxFailure(what + ": after " + TimeUnit.NANOSECONDS.toSeconds(patienceNanos) + " s "
                + last.hit().size() + " of " + last.pairs() + " pairs are still not connected, the first "
                + hosts.get(pair.from()).name() + " to " + hosts.get(pair.to()).name());
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        processes.forEach(process -> process.onExit().join());
    }
}
