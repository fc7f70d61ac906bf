package io.dmodc.detector.net;

import io.dmodc.detector.DropReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What one endpoint has done since it was bound. Written by its event loop only, readable from any thread; each number
 * only grows, several of them read together may be a moment apart.
 */
public final class RingCounters {
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong sendFailures = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong suspicions = new AtomicLong();
    private final AtomicLong refutations = new AtomicLong();
    private final AtomicLong lateWakeUps = new AtomicLong();
    private final AtomicLong vouched = new AtomicLong();
    private final Map<DropReason, AtomicLong> dropped = new EnumMap<>(DropReason.class);

    RingCounters() {
        for (DropReason reason : DropReason.values()) {
            dropped.put(reason, new AtomicLong());
        }
    }

    /** Datagrams given to the socket. */
    public long sent() {
        return sent.get();
    }

    /** Datagrams the socket refused; the ring treats them as lost on the way. */
    public long sendFailures() {
        return sendFailures.get();
    }

    /** Datagrams that arrived, dropped ones included. */
    public long received() {
        return received.get();
    }

    public long dropped(DropReason reason) {
        AtomicLong count = dropped.get(reason);
        return count == null ? 0 : count.get();
    }

    /** Dropped datagrams of all reasons. */
    public long dropped() {
        return dropped.values().stream().mapToLong(AtomicLong::get).sum();
    }

    /** Times this node declared its own emitter dead. */
    public long suspicions() {
        return suspicions.get();
    }

    /** Times this node raised its incarnation because others held it dead. */
    public long refutations() {
        return refutations.get();
    }

    /** Wake-ups more than η late. */
    public long lateWakeUps() {
        return lateWakeUps.get();
    }

    /** Times another one's word spoke for the watched agent when it was about to be accused. */
    public long vouched() {
        return vouched.get();
    }

    // One writer: a plain read and an ordered write are cheaper than an atomic add and lose nothing.
    private static void add(AtomicLong counter) {
        counter.lazySet(counter.getPlain() + 1);
    }

    void countSent() {
        add(sent);
    }

    void countSendFailure() {
        add(sendFailures);
    }

    void countReceived() {
        add(received);
    }

    void countSuspicion() {
        add(suspicions);
    }

    void countRefutation() {
        add(refutations);
    }

    void setLateWakeUps(long count) {
        lateWakeUps.lazySet(count);
    }

    void setVouched(long count) {
        vouched.lazySet(count);
    }

    void countDropped(DropReason reason) {
        AtomicLong count = dropped.get(reason);
        if (count != null) {
            add(count);
        }
    }
}
