package io.dmodc.demo.linux;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;

/**
 * What pairs of hosts lost in a stretch of time.
 *
 * @param pairs that were watched
 * @param hit one entry for each pair that lost something, in the order of the pairs
 * @param unsentPart how much of the schedule the senders could not keep, 0..1: it is known of nothing then
 * @param overflows datagrams that reached their host and found no room in a socket, of all times
 */
record Outages(int pairs, List<Pair> hit, double unsentPart, long overflows) {
    Outages {
        hit = List.copyOf(hit);
    }

    /**
     * A pair that lost something.
     *
     * @param from number of the host that sent, among those that are probed
     * @param to number of the other
     * @param lost probes in all
     * @param outageNanos from the first of its longest run of lost probes to the next that came
     * @param firstNanos when that first one was sent, by {@link System#nanoTime}
     * @param open true if nothing came after it
     */
    record Pair(int from, int to, int lost, long outageNanos, long firstNanos, boolean open) {}

    /** Milliseconds of outage that half of the pairs that were hit did not exceed; 0 without any. */
    double medianMillis() {
        List<Long> all = new ArrayList<>(hit.stream().map(Pair::outageNanos).toList());
        Collections.sort(all);
        return all.isEmpty() ? 0 : all.get((all.size() - 1) / 2) / 1e6;
    }

    double maxMillis() {
        return hit.stream().mapToLong(Pair::outageNanos).max().orElse(0) / 1e6;
    }

    /** Lost probes of all pairs, each for the time until the next one. */
    double lostPairMillis() {
        return hit.stream().mapToLong(Pair::lost).sum() * (Probes.PERIOD_NANOS / 1e6);
    }

    /** For people, one line: of the pairs whose first host is one of those. */
    String leaving(String where, IntPredicate isThere) {
        List<Pair> leaving =
                hit.stream().filter(pair -> isThere.test(pair.from())).toList();
        int most = leaving.stream().mapToInt(Pair::lost).max().orElse(0);
        return "of those that leave " + where + " " + leaving.size() + " were hit, and lost " + most
                + " probes at most";
    }

    /** For people, one line. */
    String text() {
        if (hit.isEmpty()) {
            return String.format(Locale.ROOT, "none of %d pairs lost a probe", pairs);
        }
        return String.format(
                Locale.ROOT,
                "%d of %d pairs hit, outage %.0f ms (median), %.0f ms (most), %,.0f pair-milliseconds lost",
                hit.size(),
                pairs,
                medianMillis(),
                maxMillis(),
                lostPairMillis());
    }
}
