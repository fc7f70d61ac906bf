package io.dmodc.detector.acceptance;

import io.dmodc.detector.RingRules;
import io.dmodc.detector.net.RingCounters;
import io.dmodc.detector.net.RingKey;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** Rows A1, A3 and A5 as far as real rings in this process can tell. */
final class RealRings {
    private static final double MEDIAN_DELTA = 1.00;
    private static final double MOST_DELTA = 1.10;
    private static final double TRAFFIC_TOLERANCE = 0.03;
    private static final long PROPAGATION_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int DATAGRAM_BYTES = 64;
    private static final int COPY_BYTES = 125;
    private static final int WARM_UP_PERIODS = 20;
    private static final int SNIFFED = 20;
    static final LoopbackRing.Listener UNHEEDED = new LoopbackRing.Listener() {
        @Override
        public void silent(int member, int subject, int hops) {
            // Counters tell.
        }

        @Override
        public void alive(int member, int subject) {
            // Counters tell.
        }
    };

    private RealRings() {}

    /** A1: one silent kill is known to all others. */
    static void kills(ProbeContext context) throws InterruptedException {
        for (int members : context.effort().sizes()) {
            List<KillTiming> kills = context.kills(members);
            double median = context.inDelta(ProbeContext.median(kills.stream().mapToLong(KillTiming::lastNanos)));
            double most = context.inDelta((double)
                    kills.stream().mapToLong(KillTiming::lastNanos).max().orElse(0));
            long late = kills.stream().filter(kill -> !kill.wasPunctual()).count();
            long tooLate = kills.stream()
                    .filter(kill -> kill.lastNanos() > bound(context, kill))
                    .count();
            context.judge(
                    "A1",
                    "silent kill known to all, " + members + " members over UDP loopback, " + kills.size() + " kills",
                    median <= MEDIAN_DELTA && tooLate == 0,
                    "median <= 1.00 delta, max <= 1.10 delta; with late wake-ups <= delta + 2 eta + stall",
                    "median %.3f, max %.3f delta; %d kills with late wake-ups, %d beyond their bound",
                    median,
                    most,
                    late,
                    tooLate);
        }
    }

    private static long bound(ProbeContext context, KillTiming kill) {
        long delta = context.effort().suspicionNanos();
        return kill.wasPunctual()
                ? (long) (MOST_DELTA * delta)
                : delta + 2 * context.effort().heartbeatNanos() + kill.stallNanos();
    }

    /** A5: from the first that knows to the last. */
    static void propagation(ProbeContext context) throws InterruptedException {
        int members = context.effort().largestRing();
        long[] spread = context.kills(members).stream()
                .mapToLong(kill -> kill.lastNanos() - kill.firstNanos())
                .toArray();
        long most = LongStream.of(spread).max().orElse(0);
        context.judge(
                "A5",
                "propagation after first knowledge, " + members + " members over UDP loopback",
                most <= PROPAGATION_NANOS,
                "<= 20 ms",
                "median %.1f, max %.1f ms",
                ProbeContext.median(LongStream.of(spread)) / 1e6,
                most / 1e6);
    }

    /** A3: heartbeats of a calm ring, and how long a datagram is. */
    static void traffic(ProbeContext context) throws IOException, InterruptedException {
        for (int members : context.effort().sizes()) {
            context.tell(
                    "steady traffic of %d members, %d s",
                    members, context.effort().steadySeconds());
            steady(context, members);
        }
        judgeLengths(context, DatagramLengths.ofAllKinds(), longestDatagram(context.rules(2)));
    }

    /** Each kind says as much as it can; what comes over a socket is what was written. */
    static void judgeLengths(ProbeContext context, DatagramLengths written, int longestReceived) {
        context.judge(
                "A3",
                "length of a datagram, each of the " + written.byKind().size() + " kinds",
                written.byKind().values().stream().allMatch(bytes -> bytes <= DATAGRAM_BYTES)
                        && longestReceived <= DATAGRAM_BYTES
                        && written.copy() <= COPY_BYTES,
                "<= 64 bytes, copies of a hypercube broadcast <= 125",
                "%s bytes; copies of a hypercube broadcast up to %d",
                written.text(),
                written.copy());
    }

    private static void steady(ProbeContext context, int members) throws InterruptedException {
        try (LoopbackRing ring = new LoopbackRing(members, RingKey.random(), UNHEEDED)) {
            ring.install(ring.ports(), context.rules(members));
            TimeUnit.NANOSECONDS.sleep(WARM_UP_PERIODS * context.effort().heartbeatNanos());
            long start = System.nanoTime();
            long[] sentBefore = ring.counts(RingCounters::sent);
            long[] receivedBefore = ring.counts(RingCounters::received);
            TimeUnit.SECONDS.sleep(context.effort().steadySeconds());
            long[] sent = ring.counts(RingCounters::sent);
            long[] received = ring.counts(RingCounters::received);
            double periods =
                    (double) (System.nanoTime() - start) / context.effort().heartbeatNanos();
            judgeTraffic(
                    context,
                    members + " members over UDP loopback",
                    periods,
                    minus(sent, sentBefore),
                    minus(received, receivedBefore));
        }
    }

    private static void judgeTraffic(ProbeContext context, String where, double periods, long[] sent, long[] received) {
        double least = Math.min(
                LongStream.of(sent).min().orElse(0),
                LongStream.of(received).min().orElse(0));
        double most = Math.max(
                LongStream.of(sent).max().orElse(0),
                LongStream.of(received).max().orElse(0));
        double perSecond = 1e9 / context.effort().heartbeatNanos();
        double slack = TRAFFIC_TOLERANCE * periods;
        context.judge(
                "A3",
                "steady traffic of each member, sent and received, " + where,
                Math.abs(least - periods) <= slack && Math.abs(most - periods) <= slack,
                String.format(Locale.ROOT, "%.1f/s +-3 %%", perSecond),
                "%.2f..%.2f/s",
                least / periods * perSecond,
                most / periods * perSecond);
    }

    private static long[] minus(long[] after, long[] before) {
        long[] difference = after.clone();
        for (int i = 0; i < difference.length; i++) {
            difference[i] -= before[i];
        }
        return difference;
    }

    /** Sits in the ring as its second member with an ordinary socket that never answers, and measures what comes. */
    private static int longestDatagram(RingRules rules) throws IOException {
        byte[] buffer = new byte[2 * DATAGRAM_BYTES];
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                LoopbackRing ring = new LoopbackRing(1, RingKey.random(), UNHEEDED)) {
            socket.setSoTimeout(10_000);
            ring.install(List.of(ring.ports().get(0), socket.getLocalPort()), rules);
            int longest = 0;
            for (int i = 0; i < SNIFFED; i++) {
                DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                socket.receive(packet);
                longest = Math.max(longest, packet.getLength());
            }
            return longest;
        }
    }
}
