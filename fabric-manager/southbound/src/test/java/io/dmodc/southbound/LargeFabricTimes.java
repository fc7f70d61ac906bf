package io.dmodc.southbound;

import com.google.protobuf.InvalidProtocolBufferException;
import io.dmodc.southbound.proto.PortTable;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Prints what the tables of {@link LargeFabric} weigh as pushes and what encoding, digest and expansion cost, in
 * processor time of the thread; run by hand.
 */
public final class LargeFabricTimes {
    private static final int RUNS = 21;
    private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

    private LargeFabricTimes() {}

    public static void main(String[] args) throws Exception {
        List<RowOfRuns> whole = LargeFabric.rows();
        report("leaves", whole.subList(0, 2048));
        report("middle switches", whole.subList(2048, 4096));
        report("top switches", whole.subList(4096, 5120));
        for (int lost : new int[] {1, 2, 4}) {
            List<RowOfRuns> degraded = new ArrayList<>();
            for (int seed = 0; seed < 256; seed++) {
                degraded.add(LargeFabric.degradedLeaf(new Random(seed), lost));
            }
            report("256 leaves, to each other leaf 0.." + lost + " of 32 uplinks useless", degraded);
        }
        digest();
    }

    private static void report(String what, List<RowOfRuns> rows) throws Exception {
        List<byte[]> tables = new ArrayList<>();
        List<Long> digests = new ArrayList<>();
        List<PortTable> pushes = new ArrayList<>();
        long bytes = 0;
        for (RowOfRuns row : rows) {
            tables.add(row.expand());
            digests.add(TableDigest.of(row.expand()));
            pushes.add(encode(row, TableDigest.of(row.expand())));
            bytes += pushes.get(pushes.size() - 1).getSerializedSize();
        }
        double entries = (double) rows.size() * LargeFabric.NODES;
        System.out.printf(
                "%s: %,d tables, %,d bytes of %,.0f: %.2f %%, %,d a table%n",
                what, rows.size(), bytes, entries, 100 * bytes / entries, bytes / rows.size());
        print("encode", entries, i -> encode(rows.get(i), digests.get(i)));
        byte[] table = new byte[LargeFabric.NODES];
        print("expand", entries, i -> expand(pushes.get(i), table));
        List<byte[]> frames = pushes.stream().map(PortTable::toByteArray).toList();
        print("parse, expand and prove", entries, i -> apply(frames.get(i)));
        print(
                "parse, copy and prove raw blocks",
                Math.min(entries, 512.0 * LargeFabric.NODES),
                rawFrames(pushes, tables));
    }

    private static IntConsumer rawFrames(List<PortTable> pushes, List<byte[]> tables) {
        int[] all = IntStream.range(0, TableCodec.blockCount(LargeFabric.NODES)).toArray();
        List<byte[]> frames = IntStream.range(0, Math.min(512, tables.size()))
                .mapToObj(i -> RawPush.of(pushes.get(i), tables.get(i), all).toByteArray())
                .toList();
        return i -> apply(frames.get(i));
    }

    private static void expand(PortTable push, byte[] table) {
        RunDecoder decoder = new RunDecoder(table);
        for (int piece = 0; piece < push.getPiecesCount(); piece++) {
            decoder.apply(push.getPieces(piece).getRuns(), piece, -1);
        }
    }

    private static PortTable encode(RowOfRuns row, long digest) {
        return row.tell(RunEncoder.complete(row.entryCount(), digest)).table();
    }

    private static void apply(byte[] frame) {
        try {
            TableCodec.apply(PortTable.parseFrom(frame), new byte[0]);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void print(String what, double entries, IntConsumer work) {
        int tables = (int) (entries / LargeFabric.NODES);
        double nanos = median(() -> {
            for (int i = 0; i < tables; i++) {
                work.accept(i);
            }
        });
        System.out.printf("  %s: %.1f us a table, %.3f ns an entry%n", what, nanos / tables / 1e3, nanos / entries);
    }

    private static void digest() {
        byte[] span = new byte[1024];
        new Random(1).nextBytes(span);
        long[] sum = new long[1];
        double nanos = median(() -> {
            for (int i = 0; i < 100_000; i++) {
                sum[0] += TableDigest.range(span, 0, i, 1024);
            }
        });
        System.out.printf("digest: %.1f ns a block of 64 entries (sum %x)%n", nanos / 100_000 / 16, sum[0]);
    }

    private static double median(Runnable work) {
        double[] nanos = new double[RUNS];
        for (int i = 0; i < RUNS; i++) {
            long start = CPU.getCurrentThreadCpuTime();
            work.run();
            nanos[i] = CPU.getCurrentThreadCpuTime() - start;
        }
        Arrays.sort(nanos);
        return nanos[RUNS / 2];
    }
}
