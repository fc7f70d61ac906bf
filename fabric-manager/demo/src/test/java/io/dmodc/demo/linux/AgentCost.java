package io.dmodc.demo.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one process with all that it started has used so far, and keeps: read from {@code /proc}.
 *
 * @param ticks of processor time, 1/100 s each; of children that ended, too
 * @param threads by number and name
 */
record AgentCost(long ticks, Map<String, ThreadCost> threads, long residentKib, long shareKib) {
    private static final int USER_TIME = 11;
    private static final int SYSTEM_TIME = 12;
    private static final int ENDED_USER_TIME = 13;
    private static final int ENDED_SYSTEM_TIME = 14;

    /**
     * A thread.
     *
     * @param nanos on a processor
     * @param waits how often it gave the processor up to wait for something
     */
    record ThreadCost(long nanos, long waits) {}

    static AgentCost of(Process process) throws IOException {
        long ticks = 0;
        for (ProcessHandle each : Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .toList()) {
            String[] words = words(Path.of("/proc", Long.toString(each.pid()), "stat"));
            ticks += Long.parseLong(words[USER_TIME])
                    + Long.parseLong(words[SYSTEM_TIME])
                    + Long.parseLong(words[ENDED_USER_TIME])
                    + Long.parseLong(words[ENDED_SYSTEM_TIME]);
        }
        Path own = Path.of("/proc", Long.toString(process.pid()));
        return new AgentCost(
                ticks,
                threads(own),
                field(own.resolve("smaps_rollup"), "Rss:"),
                field(own.resolve("smaps_rollup"), "Pss:"));
    }

    private static String[] words(Path stat) throws IOException {
        String text = Files.readString(stat);
        return text.substring(text.lastIndexOf(')') + 2).split(" ");
    }

    private static Map<String, ThreadCost> threads(Path process) throws IOException {
        Map<String, ThreadCost> threads = new TreeMap<>();
        try (Stream<Path> tasks = Files.list(process.resolve("task"))) {
            for (Path task : tasks.toList()) {
                try {
                    String name = Files.readString(task.resolve("comm")).strip();
                    String[] spent = Files.readString(task.resolve("schedstat")).split(" ");
                    threads.put(
                            task.getFileName() + " " + name,
                            new ThreadCost(
                                    Long.parseLong(spent[0]),
                                    field(task.resolve("status"), "voluntary_ctxt_switches:")));
                } catch (IOException e) {
                    // It ended.
                }
            }
        }
        return threads;
    }

    private static long field(Path file, String name) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.split("\\s+")[1]))
                .findFirst()
                .orElse(0);
    }

    /** Returns the same less what was used before; what is kept stays. */
    AgentCost since(AgentCost before) {
        Map<String, ThreadCost> spent = threads.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> {
                    ThreadCost earlier = before.threads.getOrDefault(entry.getKey(), new ThreadCost(0, 0));
                    return new ThreadCost(
                            entry.getValue().nanos - earlier.nanos, entry.getValue().waits - earlier.waits);
                }));
        return new AgentCost(ticks - before.ticks, spent, residentKib, shareKib);
    }
}
