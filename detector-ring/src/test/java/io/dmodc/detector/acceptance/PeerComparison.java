package io.dmodc.detector.acceptance;

import io.dmodc.detector.RingRules;
import io.dmodc.detector.net.RingCounters;
import io.dmodc.detector.net.RingKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * The ring beside JGroups on the same machine in the same run, with the same silence allowed: period 100 ms, δ and the
 * timeout of FD_ALL3 500 ms. Both in turn, twice: a group is formed, counted in its calm, and its members are killed one
 * after the other without a goodbye. Prints a line of row A2 for each size; started by hand (see CONTRIBUTING.md) or by
 * {@code fabricctl detector acceptance}.
 */
final class PeerComparison {
    private static final long PERIOD_MILLIS = 100;
    private static final long SILENCE_MILLIS = 500;
    private static final double RATIO_BOUND = 0.7;
    private static final int TURNS = 2;
    private static final int COUNT_SECONDS = 5;
    private static final long WARM_UP_SECONDS = 5;
    private static final long FORM_NANOS = TimeUnit.MINUTES.toNanos(4);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long SEED = 500;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final int kills;

    /** What one side came to at one size. */
    private static final class Side {
        final List<Kill> kills = new ArrayList<>();
        double receivedPerSecond;
        double cores;

        LongStream times() {
            return kills.stream().mapToLong(Kill::lastNanos);
        }

        double medianMillis() {
            return Workbench.median(times()) / 1e6;
        }

        String text() {
            return String.format(
                    Locale.ROOT,
                    "%.0f/%.0f/%.0f ms, %.1f messages/s, %.2f core",
                    times().min().orElse(0) / 1e6,
                    medianMillis(),
                    times().max().orElse(0) / 1e6,
                    receivedPerSecond / TURNS,
                    cores / TURNS);
        }
    }

    private PeerComparison(int kills) {
        this.kills = kills;
    }

    /** {@code --sizes 16,64,128 --kills 20}. */
    public static void main(String[] args) throws Exception {
        List<String> words = List.of(args);
        String sizes = option(words, "--sizes", "16,64,128");
        PeerComparison comparison = new PeerComparison(Integer.parseInt(option(words, "--kills", "20")));
        for (String size : sizes.split(",")) {
            System.out.println(comparison.compare(Integer.parseInt(size)).toJson());
            System.out.flush();
        }
        // Threads of either side must not keep the program.
        System.exit(0);
    }

    private static String option(List<String> words, String name, String otherwise) {
        int at = words.indexOf(name);
        return at < 0 || at + 1 == words.size() ? otherwise : words.get(at + 1);
    }

    private AcceptanceRow compare(int members) throws Exception {
        String claim = String.format(
                Locale.ROOT,
                "kill to all know against JGroups FD_ALL3 500 ms + VERIFY_SUSPECT2 200 ms, %d members, %d kills each",
                members,
                kills);
        Side ring = new Side();
        Side peer = new Side();
        for (int turn = 0; turn < TURNS; turn++) {
            int inThisTurn = kills / TURNS + (turn < kills % TURNS ? 1 : 0);
            ring(members, inThisTurn, ring);
            String trouble = peer(members, inThisTurn, peer);
            if (!trouble.isEmpty()) {
                return AcceptanceRow.notRun("A2", claim, trouble + "; the ring: " + ring.text());
            }
        }
        double ratio = ring.medianMillis() / peer.medianMillis();
        return AcceptanceRow.judged(
                "A2",
                claim,
                String.format(
                        Locale.ROOT,
                        "ratio of medians %.2f; min/median/max, received by each, processors: ring %s; JGroups %s",
                        ratio,
                        ring.text(),
                        peer.text()),
                "ratio <= 0.70",
                ratio <= RATIO_BOUND);
    }

    private void ring(int members, int count, Side side) throws InterruptedException {
        RingRules rules = RingRules.standard(
                TimeUnit.MILLISECONDS.toNanos(PERIOD_MILLIS), TimeUnit.MILLISECONDS.toNanos(SILENCE_MILLIS), members);
        try (LoopbackRing ring = new LoopbackRing(0, members, RingKey.random(), RealRings.DEAF)) {
            ring.install(ring.ports(), rules);
            TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
            countCalm(side, () -> ring.counts(RingCounters::received));
        }
        side.kills.addAll(KillSeries.run(members, count, rules, random.nextLong()));
    }

    /** Says in one line what did not work, or nothing. */
    private String peer(int members, int count, Side side) throws Exception {
        try (JGroupsCluster cluster = new JGroupsCluster(PERIOD_MILLIS, SILENCE_MILLIS)) {
            for (int i = 0; i <= count; i++) {
                if (!cluster.form(members, FORM_NANOS)) {
                    return "JGroups did not come together in " + TimeUnit.NANOSECONDS.toSeconds(FORM_NANOS)
                            + " s: the largest view has " + cluster.largestView() + " of " + members + " members";
                }
                if (i == 0) {
                    TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
                    countCalm(side, cluster::received);
                } else {
                    TimeUnit.MILLISECONDS.sleep(SILENCE_MILLIS + random.nextLong(PERIOD_MILLIS));
                }
                if (i < count) {
                    side.kills.add(cluster.kill(random.nextInt(members), PATIENCE_NANOS));
                }
            }
            return "";
        }
    }

    /** Numbers each member has counted so far. */
    @FunctionalInterface
    private interface Counters {
        long[] read();
    }

    private static void countCalm(Side side, Counters received) throws InterruptedException {
        long[] before = received.read();
        long cpu = cpuNanos();
        long start = System.nanoTime();
        TimeUnit.SECONDS.sleep(COUNT_SECONDS);
        double nanos = System.nanoTime() - start;
        long sum = Arrays.stream(received.read()).sum() - Arrays.stream(before).sum();
        side.cores += (cpuNanos() - cpu) / nanos;
        side.receivedPerSecond += sum / (nanos / 1e9) / before.length;
    }

    private static long cpuNanos() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
    }
}
