package io.dmodc.demo.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What the processes beside switches cost: read from {@code /proc}. Stateless. */
final class SwitchLoad {
    /** What the kernel counts processor time in: 1/100 s, on every machine Linux runs on here. */
    private static final long TICK_MILLIS = 10;

    private static final int USER_TIME = 11;

    private SwitchLoad() {}

    /** Milliseconds of processor time that these processes and those they started have used. */
    static long processorMillis(List<Process> processes) throws IOException {
        long ticks = 0;
        for (ProcessHandle handle : withChildren(processes)) {
            String stat = Files.readString(file(handle, "stat"));
            String[] words = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            ticks += Long.parseLong(words[USER_TIME]) + Long.parseLong(words[USER_TIME + 1]);
        }
        return ticks * TICK_MILLIS;
    }

    /** KiB of memory, what is shared in parts (PSS). */
    static long memoryKib(List<Process> processes) throws IOException {
        long kib = 0;
        for (ProcessHandle handle : withChildren(processes)) {
            for (String line : Files.readAllLines(file(handle, "smaps_rollup"))) {
                if (line.startsWith("Pss:")) {
                    kib += Long.parseLong(line.split("\\s+")[1]);
                }
            }
        }
        return kib;
    }

    /** Returns those that run, and those they started. */
    static List<ProcessHandle> withChildren(List<Process> processes) {
        return processes.stream()
                .filter(Process::isAlive)
                .flatMap(process -> Stream.concat(Stream.of(process.toHandle()), process.descendants()))
                .toList();
    }

    private static Path file(ProcessHandle handle, String name) {
        return Path.of("/proc", Long.toString(handle.pid()), name);
    }
}
