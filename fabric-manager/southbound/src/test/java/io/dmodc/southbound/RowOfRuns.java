package io.dmodc.southbound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** A row as its owner says it, and the slow twin of all that expands it: the formula, entry by entry. */
final class RowOfRuns {
    record Run(int from, int to, int divider, int phase, byte[] ports) {}

    private final List<Run> runs = new ArrayList<>();
    private int end;

    /** A table that nobody knows a pattern in: said entry by entry. */
    static RowOfRuns ofEntries(byte[] table) {
        RowOfRuns row = new RowOfRuns();
        for (byte port : table) {
            row.to(row.end + 1, 1, 0, new byte[] {port});
        }
        return row;
    }

    RowOfRuns to(int to, int divider, int phase, int... ports) {
        byte[] bytes = new byte[ports.length];
        for (int i = 0; i < ports.length; i++) {
            bytes[i] = (byte) ports[i];
        }
        return to(to, divider, phase, bytes);
    }

    RowOfRuns to(int to, int divider, int phase, byte[] ports) {
        runs.add(new Run(end, to, divider, phase, ports));
        end = to;
        return this;
    }

    List<Run> runs() {
        return runs;
    }

    int entryCount() {
        return end;
    }

    byte[] expand() {
        byte[] table = new byte[end];
        for (Run run : runs) {
            for (int c = run.from; c < run.to; c++) {
                table[c] = run.ports[(int) (((long) c + run.phase) / run.divider % run.ports.length)];
            }
        }
        return table;
    }

    RunEncoder tell(RunEncoder encoder) {
        runs.forEach(run -> encoder.run(run.from, run.to, run.divider, run.phase, run.ports));
        return encoder;
    }

    /** Says only the runs that meet one of the blocks. */
    RunEncoder tell(RunEncoder encoder, int[] blocks) {
        for (Run run : runs) {
            if (Arrays.stream(blocks).anyMatch(block -> block * 64 < run.to && run.from < block * 64 + 64)) {
                encoder.run(run.from, run.to, run.divider, run.phase, run.ports);
            }
        }
        return encoder;
    }

    /** A row of any kind: few runs or many, long or short, patterns shared, thinned out, shifted, huge or of one port. */
    static RowOfRuns random(Random random, int entryCount) {
        byte[] all = new byte[1 + random.nextInt(random.nextInt(10) == 0 ? 300 : 40)];
        random.nextBytes(all);
        int longest = 1 << random.nextInt(17);
        RowOfRuns row = new RowOfRuns();
        while (row.end < entryCount) {
            int to = Math.min(entryCount, row.end + 1 + random.nextInt(longest));
            int divider = random.nextInt(4) == 0 ? 1 + random.nextInt(1 << random.nextInt(31)) : 1 + random.nextInt(3);
            int phase = random.nextInt(3) == 0 ? random.nextInt(1 << random.nextInt(31)) : 0;
            row.to(to, divider, phase, thinned(random, all));
        }
        return row;
    }

    private static byte[] thinned(Random random, byte[] all) {
        int kept = random.nextInt(4);
        if (kept == 0) {
            return new byte[] {random.nextBoolean() ? (byte) 255 : all[0]};
        }
        int less = random.nextInt(3);
        byte[] ports = all;
        for (int i = 0; i < less && ports.length > 1; i++) {
            int without = random.nextInt(ports.length);
            byte[] before = ports;
            int[] places =
                    IntStream.range(0, before.length).filter(p -> p != without).toArray();
            ports = new byte[places.length];
            for (int p = 0; p < places.length; p++) {
                ports[p] = before[places[p]];
            }
        }
        return ports;
    }
}
