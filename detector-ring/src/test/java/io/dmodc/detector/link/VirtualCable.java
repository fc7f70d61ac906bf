package io.dmodc.detector.link;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Two ends and a cable in virtual time, hellos as bytes. Each end has a clock of its own, far from the other's; the
 * cable delays, loses and overtakes by a seeded chance, and can be made to carry one way only.
 */
final class VirtualCable {
    static final long MILLI = 1_000_000L;

    /** Something one end was told, at the cable's time. */
    record Heard(long at, int end, HandshakeStatus handshakeStatus) {}

    /** One end doubted the other, at the cable's time. */
    record Doubted(long at, int end) {}

    /** A hello as it left. */
    record Sent(long at, int end, LinkState state) {}

    private record Flight(long due, long number, int to, byte[] bytes) {}

    final LinkLiveness[] ends = new LinkLiveness[2];
    final boolean[] blocked = new boolean[2];
    final boolean[] frozen = new boolean[2];
    final boolean[] onlyReads = new boolean[2];
    final List<Heard> heard = new ArrayList<>();
    final List<Doubted> doubts = new ArrayList<>();
    final List<Sent> sent = new ArrayList<>();
    final List<HelloDropReason> drops = new ArrayList<>();
    double loss;
    long delayMin = MILLI / 10;
    long delayMax = MILLI;
    long now;

    private final LinkRules[] rules;
    private final long[] clockOffset = new long[2];
    private final SplittableRandom random;
    private final PriorityQueue<Flight> flights =
            new PriorityQueue<>(Comparator.comparingLong(Flight::due).thenComparingLong(Flight::number));
    private final LinkHello inbound = new LinkHello();
    private long flightNumber;

    VirtualCable(long seed, LinkRules rules) {
        this(seed, rules, rules);
    }

    /** Makes a cable whose ends have no carrier yet. */
    VirtualCable(long seed, LinkRules near, LinkRules far) {
        random = new SplittableRandom(seed);
        rules = new LinkRules[] {near, far};
        for (int end = 0; end < 2; end++) {
            clockOffset[end] = random.nextLong(1L << 40);
            replace(end);
        }
    }

    /** Puts a new agent at an end, without a word from the old one. */
    void replace(int end) {
        ends[end] = new LinkLiveness(
                rules[end], 7, 0xa0 + end, 1 + end, random.split(), (port, hello) -> carry(end, hello), new Ears(end));
    }

    private final class Ears implements LinkListener {
        private final int end;

        Ears(int end) {
            this.end = end;
        }

        @Override
        public void heard(int port, HandshakeStatus handshakeStatus) {
            heard.add(new Heard(now, end, handshakeStatus));
        }

        @Override
        public void doubted(int port) {
            doubts.add(new Doubted(now, end));
        }
    }

    /** Somebody at an end found out that the cable does not carry. */
    void condemn(int end) {
        ends[end].condemn(local(end));
    }

    void start(int end) {
        ends[end].start(local(end));
    }

    private long local(int end) {
        return now + clockOffset[end];
    }

    private void carry(int from, LinkHello hello) {
        sent.add(new Sent(now, from, hello.state));
        if (blocked[from] || random.nextDouble() < loss) {
            return;
        }
        ByteBuffer bytes = ByteBuffer.allocate(LinkHello.LENGTH);
        hello.write(bytes);
        flights.add(new Flight(now + random.nextLong(delayMin, delayMax + 1), flightNumber++, 1 - from, bytes.array()));
    }

    /** An end that read last so long ago does what is due. */
    void tick(int end, long readBefore) {
        ends[end].tick(local(end), local(end) - readBefore);
    }

    /** Runs for so long; a frozen end neither ticks nor reads, and finds everything waiting when it thaws; one that only reads does not tick. */
    void run(long nanos) {
        long end = now + nanos;
        while (true) {
            int next = earliestEnd();
            Flight flight = earliestFlight();
            long tickAt = next < 0 ? Long.MAX_VALUE : Math.max(now, deadline(next));
            long landAt = flight == null ? Long.MAX_VALUE : Math.max(now, flight.due());
            if (Math.min(tickAt, landAt) > end) {
                now = end;
                return;
            }
            now = Math.min(tickAt, landAt);
            if (flight != null && landAt <= tickAt) {
                flights.remove(flight);
                land(flight);
            } else {
                ends[next].tick(local(next));
            }
        }
    }

    private int earliestEnd() {
        int best = -1;
        for (int end = 0; end < 2; end++) {
            boolean runs = !frozen[end] && !onlyReads[end] && ends[end].nextDeadline() != Long.MAX_VALUE;
            if (runs && (best < 0 || deadline(end) < deadline(best))) {
                best = end;
            }
        }
        return best;
    }

    private @Nullable Flight earliestFlight() {
        return flights.stream()
                .filter(flight -> !frozen[flight.to()])
                .min(Comparator.comparingLong(Flight::due).thenComparingLong(Flight::number))
                .orElse(null);
    }

    private long deadline(int end) {
        return ends[end].nextDeadline() - clockOffset[end];
    }

    private void land(Flight flight) {
        HelloDropReason drop = inbound.read(ByteBuffer.wrap(flight.bytes()));
        if (drop == null) {
            drop = ends[flight.to()].receive(local(flight.to()), inbound);
        }
        if (drop != null) {
            drops.add(drop);
        }
    }

    boolean bothUp() {
        return ends[0].state() == LinkState.UP && ends[1].state() == LinkState.UP;
    }

    /** When an end was first told this at or after a time; -1: never. */
    long toldAt(long from, int end, HandshakeStatus handshakeStatus) {
        return heard.stream()
                .filter(told -> told.at() >= from && told.end() == end && told.handshakeStatus() == handshakeStatus)
                .mapToLong(Heard::at)
                .findFirst()
                .orElse(-1);
    }
}
