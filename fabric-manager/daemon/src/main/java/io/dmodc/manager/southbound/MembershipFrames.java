package io.dmodc.manager.southbound;

import io.dmodc.detector.RingRules;
import io.dmodc.manager.core.Effect;
import io.dmodc.southbound.FrameEncoder;
import io.dmodc.southbound.proto.ManagerFrame;
import io.netty.buffer.ByteBuf;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The newest ring as bytes: whole, and as a difference against each of the last {@value #RINGS_KEPT}. Encoded when first
 * asked for, once for all sessions that hold the same ring and lead to the same address of this manager.
 *
 * <p>One restarted agent among S changes one member, so a ring costs S differences of some hundred bytes on the wire and a
 * few buffers here; only who holds none of the kept rings is sent the S members. Memory: {@value #RINGS_KEPT} lists of
 * members and {@value #FRAMES_KEPT} frames. May be used from any thread.
 */
final class MembershipFrames implements AutoCloseable {
    /** A session that was told the ring before these is told the whole. */
    static final int RINGS_KEPT = 8;

    /** Differences and whole frames of the newest ring; beyond it the oldest is encoded again when it is needed. */
    static final int FRAMES_KEPT = 32;

    /** A ring as it was told. */
    record Ring(Effect.Membership membership, int cluster, RingRules rules) {
        /** Members are not compared one by one: the core hands the same list over as long as it is the same ring. */
        @SuppressWarnings("ReferenceEquality")
        boolean isSameAs(@Nullable Ring other) {
            return other != null
                    && membership == other.membership
                    && cluster == other.cluster
                    && rules.equals(other.rules);
        }

        long epoch() {
            return membership.epoch();
        }
    }

    /**
     * A ring as one session is told it.
     *
     * @param bytes a whole frame with its length, shared and read only; the receiver's to release
     */
    record Frame(long epoch, ByteBuf bytes) {}

    /** @param base epoch of the ring a difference stands on; 0: whole */
    private record Key(long base, InetAddress manager) {}

    private final Deque<Ring> rings = new ArrayDeque<>();
    private final Map<Key, ByteBuf> frames = new LinkedHashMap<>();
    private boolean closed;

    /** Makes this the newest ring; the same again changes nothing. */
    synchronized void tell(Ring ring) {
        if (closed || ring.isSameAs(rings.peekFirst())) {
            return;
        }
        releaseFrames();
        rings.removeIf(before -> before.epoch() == ring.epoch());
        if (rings.size() == RINGS_KEPT) {
            rings.removeLast();
        }
        rings.addFirst(ring);
    }

    /**
     * Returns what brings a session to the newest ring.
     *
     * @param told epoch of the ring the agent holds
     * @param differences whether it takes a difference against that, if it is one of the kept ones
     * @param manager stands where a member's address has no host
     * @return null when the agent holds the newest, before the first ring, and after the end
     */
    synchronized @Nullable Frame after(long told, boolean differences, InetAddress manager) {
        Ring newest = rings.peekFirst();
        if (closed || newest == null || newest.epoch() == told) {
            return null;
        }
        Ring held = differences ? kept(told) : null;
        Key key = new Key(held == null ? 0 : told, manager);
        ByteBuf bytes = frames.computeIfAbsent(key, absent -> encoded(newest, held, manager));
        Frame frame = new Frame(newest.epoch(), bytes.retainedDuplicate());
        dropOldest();
        return frame;
    }

    private @Nullable Ring kept(long epoch) {
        return rings.stream().filter(ring -> ring.epoch() == epoch).findFirst().orElse(null);
    }

    private static ByteBuf encoded(Ring newest, @Nullable Ring held, InetAddress manager) {
        ManagerFrame whole = MembershipEncoder.whole(newest, manager);
        ManagerFrame shorter = held == null ? whole : MembershipEncoder.difference(held, newest, manager);
        return FrameEncoder.shared(shorter.getSerializedSize() < whole.getSerializedSize() ? shorter : whole);
    }

    private void dropOldest() {
        if (frames.size() > FRAMES_KEPT) {
            var oldest = frames.entrySet().iterator();
            oldest.next().getValue().release();
            oldest.remove();
        }
    }

    private void releaseFrames() {
        frames.values().forEach(ByteBuf::release);
        frames.clear();
    }

    /** Gives the memory back; what sessions still send stays theirs. */
    @Override
    public synchronized void close() {
        closed = true;
        releaseFrames();
    }
}
