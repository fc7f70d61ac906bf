package io.dmodc.demo.linux;

import java.math.BigInteger;
import java.util.List;
import java.util.stream.IntStream;

/** Which hosts send probes to each other: all of them as long as they are few. Stateless. */
final class ProbedHosts {
    /** Each is a process and sends two hundred datagrams a second to each other one; as many as two cores can tell the time of. */
    static final int MAX = 16;

    private static final double GOLDEN_RATIO = 0.618;

    private ProbedHosts() {}

    /**
     * Returns the numbers of the probed hosts, ascending. Of many, each is the golden ratio of all behind the one before, so that they spread over all leaves, and over
     * all places at their leaves: tables choose uplinks by those.
     */
    static List<Integer> of(int hosts) {
        long step = hosts <= MAX ? 1 : stepOf(hosts);
        return IntStream.range(0, Math.min(hosts, MAX))
                .map(i -> (int) (i * step % hosts))
                .sorted()
                .boxed()
                .toList();
    }

    private static long stepOf(int hosts) {
        BigInteger all = BigInteger.valueOf(hosts);
        long step = Math.round(GOLDEN_RATIO * hosts);
        while (!all.gcd(BigInteger.valueOf(step)).equals(BigInteger.ONE)) {
            step++;
        }
        return step;
    }
}
