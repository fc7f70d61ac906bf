package io.dmodc.manager.core;

import io.dmodc.manager.congestion.CongestionHistory;
import io.dmodc.manager.northbound.answer.StatusAnswer;
import io.dmodc.manager.northbound.answer.SwitchesAnswer;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftShape;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a batch costs the loop that concerns one link, one acknowledgement or nothing but time, in fabrics of 512, 5,120
 * and 50,048 switches: taking the event in, settling, and saying when to be called next. The same batch in the smallest
 * fabric is what it may cost, so each row ends with the ratio to that. Drawing a view and taking new tables in are work
 * on the whole fabric; both are in rows of their own, and so is what readers make of a snapshot, which costs the loop
 * nothing. Processor time, which other work on the machine disturbs less. Run by hand:
 * {@code SettleBenchmark WARMUP ROUNDS SHAPE...}.
 */
final class SettleBenchmark {
    private static final List<String> SHAPES =
            List.of("4;1,8,8,2;1,8,8,2;1,1,1,1", "4;1,8,8,26;1,8,8,2;1,1,1,1", "4;1,8,8,254;1,8,8,20;1,1,1,1");

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final SettledFabric fabric;
    private final CongestionHistory congestion = new CongestionHistory();
    private final int rounds;
    private final Map<String, long[]> nanos = new LinkedHashMap<>();
    private final Map<String, long[]> settleNanos = new LinkedHashMap<>();

    /** Number of the present round; negative while nothing is kept. */
    private int round;

    private SettleBenchmark(String shape, int warmup, int rounds) {
        fabric = new SettledFabric(PgftShape.parse(shape));
        this.rounds = rounds;
        round = -warmup;
    }

    public static void main(String[] args) {
        int warmup = args.length > 0 ? Integer.parseInt(args[0]) : 500;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 500;
        List<String> shapes = args.length > 2 ? List.of(args).subList(2, args.length) : SHAPES;
        System.out.println(System.getProperty("os.arch") + ", Java " + Runtime.version() + ", " + warmup
                + " rounds to warm up, " + rounds + " measured; microseconds of processor time a batch");
        Map<String, Long> floor = null;
        for (String shape : shapes) {
            SettleBenchmark benchmark = new SettleBenchmark(shape, warmup, rounds);
            benchmark.run();
            floor = benchmark.print(shape, floor);
        }
    }

    private void run() {
        Cable[] cables = fabric.cables();
        for (int next = 0; round < rounds; round++, next++) {
            flapLink(cables[(int) (next * 7919L % cables.length)]);
            flapHost(fabric.leaf(next));
        }
    }

    /** Each end tells down, the view is drawn and served; then each tells up, and the cable is let go when it was held. */
    private void flapLink(Cable cable) {
        ToSwitch near = new ToSwitch(cable.guid(), cable.port());
        ToSwitch far = new ToSwitch(cable.farGuid(), cable.farPort());
        time("link down, told by its lower end", () -> fabric.tellPort(near, false, far));
        time("link down, told by its upper end", () -> fabric.tellPort(far, false, near));
        serve("link down");
        timeReader("status, on the reader's thread", () -> StatusAnswer.of(fabric.snapshot(), congestion, "", 0));
        timeReader("switches, on the reader's thread", this::listSwitches);
        time("link up, told by its lower end", () -> fabric.tellPort(near, true, far));
        time("link up, told by its upper end", () -> fabric.tellPort(far, true, near));
        time("records are kept", fabric::recordsKept);
        fabric.passHold();
        time("held link let go", fabric::timePassed);
        serve("link up");
    }

    private void listSwitches() {
        SwitchesAnswer.of(
                fabric.snapshot(), new SwitchesAnswer.Wanted(name -> true, null, null, null, 0, Integer.MAX_VALUE));
    }

    private void flapHost(long leaf) {
        ToHost host = fabric.host(leaf);
        ToSwitch port = new ToSwitch(leaf, 1);
        time("host down", () -> fabric.tellPort(port, false, host));
        fabric.recordsKept();
        time("host up", () -> fabric.tellPort(port, true, host));
        fabric.passHold();
        time("held host let go", fabric::timePassed);
        fabric.recordsKept();
        time("time passed, nothing due", fabric::timePassed);
    }

    private void serve(String why) {
        fabric.pass(SettledFabric.SETTLE_NANOS);
        time("view drawn, " + why, fabric::timePassed);
        time("records are kept", fabric::recordsKept);
        fabric.computeTables();
        time("tables accepted, 16 switches differ", fabric::routed);
        // Tables wait for what they rest on.
        time("records are kept", fabric::recordsKept);
        for (SwitchPush push = fabric.nextPush(); push != null; push = fabric.nextPush()) {
            SwitchPush one = push;
            time("acknowledgement", () -> fabric.acked(one));
        }
        time("records are kept", fabric::recordsKept);
    }

    private void time(String what, Runnable batch) {
        timeReader(what, batch);
        if (round >= 0) {
            settleNanos.merge(what, new long[] {fabric.settleNanos()}, SettleBenchmark::append);
        }
    }

    private void timeReader(String what, Runnable work) {
        long start = processorNanos();
        work.run();
        long took = processorNanos() - start;
        if (round >= 0) {
            nanos.merge(what, new long[] {took}, SettleBenchmark::append);
        }
    }

    /** What the present thread has had of the processor so far. */
    static long processorNanos() {
        return THREADS.getCurrentThreadCpuTime();
    }

    private static long[] append(long[] all, long[] one) {
        long[] more = Arrays.copyOf(all, all.length + 1);
        more[all.length] = one[0];
        return more;
    }

    private Map<String, Long> print(String shape, @Nullable Map<String, Long> floor) {
        System.out.printf("%d switches, PGFT(%s)%n", fabric.switchCount(), shape);
        Map<String, Long> medians = new LinkedHashMap<>();
        List<String> rows = new ArrayList<>(nanos.keySet());
        for (String what : rows) {
            long[] sorted = sorted(nanos, what);
            long[] settled = sorted(settleNanos, what);
            long median = sorted[sorted.length / 2];
            long least = floor == null ? median : floor.getOrDefault(what, median);
            medians.put(what, median);
            System.out.printf(
                    "  %-40s median %10.1f  of it settled in %10.1f  p99 %10.1f  %8.2f x smallest fabric (%d)%n",
                    what,
                    median / 1e3,
                    settled[settled.length / 2] / 1e3,
                    sorted[sorted.length * 99 / 100] / 1e3,
                    (double) median / least,
                    sorted.length);
        }
        return floor == null ? medians : floor;
    }

    private static long[] sorted(Map<String, long[]> rows, String what) {
        long[] sorted = rows.getOrDefault(what, new long[1]).clone();
        Arrays.sort(sorted);
        return sorted;
    }

    /** A table that was sent and not yet acknowledged. */
    record SwitchPush(long session, Effect.TableUpdate update) {}
}
