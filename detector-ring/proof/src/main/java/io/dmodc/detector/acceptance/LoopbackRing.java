package io.dmodc.detector.acceptance;

import io.dmodc.detector.Membership;
import io.dmodc.detector.RingRules;
import io.dmodc.detector.net.RingCounters;
import io.dmodc.detector.net.RingEndpoint;
import io.dmodc.detector.net.RingKey;
import io.dmodc.detector.net.RingLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Some or all members of a ring, each with a UDP socket of its own on loopback, on one event loop. Slot i has GUID i +
 * 1.
 */
final class LoopbackRing implements AutoCloseable {
    private static final int CLUSTER = 7;
    private static final int FIRST_INCARNATION = 1;

    private final RingLoop loop = RingLoop.start("acceptance-ring");
    private final List<RingEndpoint> members = new ArrayList<>();
    private final int firstSlot;
    private final int step;
    private final RingKey key;
    private final Listener listener;
    private final int[] incarnations;
    private @Nullable Ring ring;

    /** What the members were told. */
    private record Ring(Membership membership, List<InetSocketAddress> addresses, RingRules rules) {}

    /** Hears what a member finds out, on the event loop; times are {@link System#nanoTime}. */
    interface Listener {
        /** @param hops 0: the member accuses the subject itself; more: it was told */
        void silent(int member, int subject, int hops);

        void alive(int member, int subject);
    }

    /** Binds the sockets of a whole ring; the members are silent until {@link #install}. */
    LoopbackRing(int count, RingKey key, Listener listener) {
        this(0, 1, count, key, listener);
    }

    /** Binds those of the members {@code firstSlot}, {@code firstSlot + step} and so on. */
    LoopbackRing(int firstSlot, int step, int count, RingKey key, Listener listener) {
        this.firstSlot = firstSlot;
        this.step = step;
        this.key = key;
        this.listener = listener;
        incarnations = new int[count];
        Arrays.fill(incarnations, FIRST_INCARNATION);
        for (int i = 0; i < count; i++) {
            members.add(bind(firstSlot + i * step, 0));
        }
    }

    private RingEndpoint bind(int slot, int port) {
        InetSocketAddress local = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        int incarnation = incarnations[index(slot)];
        return RingEndpoint.bind(loop, local, guid(slot), incarnation, key, new RingEndpoint.Listener() {
            @Override
            public void onSilent(long subject, int incarnation, long observer, long silenceNanos, int hops) {
                listener.silent(slot, slot(subject), hops);
            }

            @Override
            public void onAlive(long subject, int incarnation, int hops) {
                listener.alive(slot, slot(subject));
            }

            @Override
            public void onOwnIncarnation(int incarnation) {
                // Nothing of it outlives the measurement.
            }

            @Override
            public void onRevoked(long leaderEpoch, long fabricEpoch, int hops) {
                // There are no tables here.
            }

            @Override
            public void onDeaf(boolean deaf) {}

            @Override
            public void onForeignSource(long guid, InetSocketAddress expected, InetSocketAddress actual) {}
        });
    }

    private static long guid(int slot) {
        return slot + 1L;
    }

    private static int slot(long guid) {
        return (int) guid - 1;
    }

    /** Ports of the members here, in slot order. */
    List<Integer> ports() {
        return members.stream().map(member -> member.localAddress().getPort()).toList();
    }

    /** Makes a ring of the members that have these ports, here or in other processes. */
    void install(List<Integer> ports, RingRules rules) {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        List<InetSocketAddress> addresses = ports.stream()
                .map(port -> new InetSocketAddress(loopback, port))
                .toList();
        int[] first = new int[ports.size()];
        Arrays.fill(first, FIRST_INCARNATION);
        long[] guids = LongStream.rangeClosed(1, ports.size()).toArray();
        Ring told = new Ring(new Membership(1, CLUSTER, guids, first), addresses, rules);
        ring = told;
        for (int i = 0; i < members.size(); i++) {
            install(firstSlot + i * step, told);
        }
    }

    private void install(int slot, Ring told) {
        member(slot).install(told.membership, slot, told.addresses, told.rules);
    }

    /** Ends a member without a word. */
    void kill(int slot) {
        member(slot).close();
    }

    /** Lets a member flood that tables below leader epoch 1 and this fabric epoch are revoked. */
    void revoke(int slot, long fabricEpoch) {
        member(slot).revoke(1, fabricEpoch);
    }

    /** Starts a killed member anew: same port, next incarnation, nothing else remembered. */
    void restart(int slot) {
        Ring told = Objects.requireNonNull(ring, "restart before install");
        incarnations[index(slot)]++;
        members.set(index(slot), bind(slot, member(slot).localAddress().getPort()));
        install(slot, told);
    }

    int size() {
        return members.size();
    }

    private RingEndpoint member(int slot) {
        return members.get(index(slot));
    }

    private int index(int slot) {
        return (slot - firstSlot) / step;
    }

    /** One number of each member, in slot order. */
    long[] counts(ToLongFunction<RingCounters> number) {
        return members.stream().map(RingEndpoint::counters).mapToLong(number).toArray();
    }

    long count(ToLongFunction<RingCounters> number) {
        return LongStream.of(counts(number)).sum();
    }

    @Override
    public void close() {
        members.forEach(RingEndpoint::close);
        loop.close();
    }
}
