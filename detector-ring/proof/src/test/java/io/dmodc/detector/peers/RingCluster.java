package io.dmodc.detector.peers;

import io.dmodc.detector.Membership;
import io.dmodc.detector.RingRules;
import io.dmodc.detector.net.RingEndpoint;
import io.dmodc.detector.net.RingKey;
import io.dmodc.detector.net.RingLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.ToLongFunction;

/** Members of the ring, all on one event loop, with the rules a manager hands out. */
final class RingCluster implements Cluster {
    /** GUID of member 0; the others follow. */
    private static final long GUID_BASE = 0xB000L;

    /** Heartbeats each member has heard before the ring counts as whole. */
    private static final int HEARTBEATS_HEARD = 3;

    private static final int FIRST_INCARNATION = 1;

    private final PeerTiming timing;
    private final KillWatch watch;
    private final RingKey key = RingKey.random();
    private final RingLoop loop = RingLoop.start("peers-ring");
    private final List<Member> members = new ArrayList<>();

    RingCluster(int size, PeerTiming timing, KillWatch watch) {
        this.timing = timing;
        this.watch = watch;
        for (int slot = 0; slot < size; slot++) {
            members.add(new Member(slot, size));
        }
    }

    @Override
    public void form(long limitMillis) throws TrialNotRunException {
        long[] guids = members.stream().mapToLong(m -> guid(m.slot)).toArray();
        int[] incarnations = members.stream().mapToInt(m -> FIRST_INCARNATION).toArray();
        Membership membership = new Membership(1, 1, guids, incarnations);
        List<InetSocketAddress> addresses =
                members.stream().map(m -> m.endpoint.localAddress()).toList();
        RingRules rules = RingRules.standard(
                TimeUnit.MILLISECONDS.toNanos(timing.heartbeatMillis()),
                TimeUnit.MILLISECONDS.toNanos(timing.silenceMillis()),
                members.size());
        members.forEach(m -> m.endpoint.install(membership, m.slot, addresses, rules));
        AgreementWait.until("members that hear heartbeats", members.size(), this::hearing, limitMillis);
    }

    private int hearing() {
        return (int) members.stream()
                .filter(m -> m.endpoint.counters().received() >= HEARTBEATS_HEARD)
                .count();
    }

    @Override
    public void fallSilent(int member) {
        members.get(member).endpoint.pause();
    }

    /** It refutes its own death with a higher incarnation, of which all others must have heard. */
    @Override
    public void rejoin(int member, long limitMillis) throws TrialNotRunException {
        Member back = members.get(member);
        int before = back.ownIncarnation;
        back.endpoint.resume();
        AgreementWait.until(
                "others that took member " + member + " back",
                members.size() - 1,
                () -> back.ownIncarnation == before ? 0 : holdingAlive(member, back.ownIncarnation),
                limitMillis);
    }

    private int holdingAlive(int member, int incarnation) {
        return (int) members.stream()
                .filter(m -> m.slot != member && m.aliveAs.get(member) == incarnation)
                .count();
    }

    @Override
    public long sent() {
        return sum(m -> m.endpoint.counters().sent());
    }

    @Override
    public long received() {
        return sum(m -> m.endpoint.counters().received());
    }

    private long sum(ToLongFunction<Member> count) {
        return members.stream().mapToLong(count).sum();
    }

    @Override
    public void close() {
        members.forEach(m -> m.endpoint.close());
        loop.close();
    }

    private static long guid(int slot) {
        return GUID_BASE + slot;
    }

    private final class Member implements RingEndpoint.Listener {
        final int slot;
        final AtomicIntegerArray aliveAs;
        volatile int ownIncarnation = FIRST_INCARNATION;
        final RingEndpoint endpoint;

        Member(int slot, int size) {
            this.slot = slot;
            this.aliveAs = new AtomicIntegerArray(size);
            this.endpoint = RingEndpoint.bind(
                    loop,
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    guid(slot),
                    FIRST_INCARNATION,
                    key,
                    this);
        }

        @Override
        public void onSilent(long subjectGuid, int incarnation, long observerGuid, long silenceNanos, int hops) {
            watch.learnt(slot, (int) (subjectGuid - GUID_BASE), System.nanoTime());
        }

        @Override
        public void onAlive(long subjectGuid, int incarnation, int hops) {
            aliveAs.set((int) (subjectGuid - GUID_BASE), incarnation);
        }

        @Override
        public void onOwnIncarnation(int incarnation) {
            ownIncarnation = incarnation;
        }

        @Override
        public void onRevoked(long leaderEpoch, long fabricEpoch, int hops) {
            throw new IllegalStateException("member " + slot + ": revoked, though nobody revokes here");
        }

        @Override
        public void onDeaf(boolean deaf) {}

        @Override
        public void onForeignSource(long guid, InetSocketAddress expected, InetSocketAddress actual) {}
    }
}
