package io.dmodc.southbound;

import io.dmodc.southbound.proto.PortTable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Makes what is sent of a table whose owner knows it as runs and periodic patterns, as a routing engine does.
 *
 * <p>Idea: the owner says the runs of the row in ascending order, all of them or only those that meet a changed block;
 * adjacent equal ones are joined. Each stretch of consecutive changed blocks then travels as runs, with the patterns no
 * earlier piece has written, or as raw entries, whichever is shorter when encoded. Entries are materialised only where
 * they travel raw.
 *
 * <p>Cost: O(runs) time and memory, plus O(entries) of the raw pieces. For one table, by one thread.
 */
public final class RunEncoder {
    private final PortTable.Builder table;
    private final int entryCount;
    private final StretchRuns runs;

    private int told;
    private @Nullable Pattern open;
    private int openFrom;

    private RunEncoder(PortTable.Builder table, StretchRuns runs) {
        this.table = table;
        this.entryCount = table.getEntryCount();
        this.runs = runs;
    }

    /**
     * Starts a whole table.
     *
     * @param resultDigest digest of the table that the runs will say
     */
    public static RunEncoder complete(int entryCount, long resultDigest) {
        int blocks = TableCodec.blockCount(entryCount);
        int[] stretches = blocks == 0 ? new int[0] : new int[] {0, blocks};
        return new RunEncoder(
                head(entryCount).setComplete(true).setResultDigest(resultDigest),
                new StretchRuns(entryCount, stretches));
    }

    /**
     * Starts some blocks of a table.
     *
     * @param blocks indices of the changed blocks, strictly ascending
     * @param baseDigest digest of the table the receiver has
     * @param resultDigest digest of the table that the runs will say
     */
    public static RunEncoder difference(int entryCount, int[] blocks, long baseDigest, long resultDigest) {
        return new RunEncoder(
                head(entryCount).setBaseDigest(baseDigest).setResultDigest(resultDigest),
                new StretchRuns(entryCount, stretches(blocks, TableCodec.blockCount(entryCount))));
    }

    private static PortTable.Builder head(int entryCount) {
        return PortTable.newBuilder().setEntryCount(entryCount);
    }

    private static int[] stretches(int[] blocks, int blockCount) {
        int[] stretches = new int[2 * blocks.length];
        int count = 0;
        int end = -1;
        for (int block : blocks) {
            if (block < Math.max(0, end) || block >= blockCount) {
                throw new IllegalArgumentException(
                        "block " + block + " after " + (end - 1) + ": must ascend below " + blockCount);
            }
            if (block == end) {
                stretches[count - 1] = ++end;
            } else {
                end = block + 1;
                stretches[count++] = block;
                stretches[count++] = end;
            }
        }
        return Arrays.copyOf(stretches, count);
    }

    /**
     * Says the next run: the port at column c of [{@code from}, {@code to}) is
     * {@code ports[((c + phase) / divider) % ports.length]}.
     *
     * @param from not below the end of the run before; what lies between must not be in a changed block
     * @param to above {@code from}, at most the number of entries
     * @param divider 1 or more
     * @param phase 0 or more
     * @param ports unsigned, 255 for no route; must not change afterwards, as the result may refer to it
     * @throws IllegalArgumentException when a value is outside these ranges
     */
    public RunEncoder run(int from, int to, int divider, int phase, byte[] ports) {
        if (from < told || to <= from || to > entryCount) {
            throw new IllegalArgumentException("run of columns " + from + ".." + (to - 1) + ", expected some inside "
                    + told + ".." + (entryCount - 1));
        }
        if (divider < 1 || phase < 0 || ports.length == 0) {
            throw new IllegalArgumentException("columns " + from + ".." + (to - 1) + ": divider " + divider + ", phase "
                    + phase + ", " + ports.length + " ports; expected 1, 0, 1 or more");
        }
        Pattern pattern = new Pattern(divider, phase, ports);
        if (from != told || !pattern.equals(open)) {
            close();
            open = pattern;
            openFrom = from;
        }
        told = to;
        return this;
    }

    private void close() {
        if (open != null) {
            runs.add(openFrom, told, open);
        }
    }

    /**
     * Returns what is to be sent. The encoder is of no use afterwards.
     *
     * @throws IllegalStateException when the runs do not reach the end of the last changed block
     */
    public PortTable table() {
        close();
        runs.requireAll();
        PieceWriter pieces = new PieceWriter(table, runs);
        for (int stretch = 0; stretch < runs.count(); stretch++) {
            pieces.add(stretch);
        }
        return pieces.done().build();
    }
}
