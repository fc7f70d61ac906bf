package io.dmodc.detector.sim;

import io.dmodc.detector.MessageType;
import io.dmodc.detector.RingMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * The simulated network: takes datagrams at the port of their sender, loses, doubles and delays them, and puts what is
 * left into the wheel. Each chance is drawn only if its share is above 0.
 */
final class SimulatedNetwork {
    /** A datagram that would wait longer for the port is dropped, as a full send buffer does. */
    static final long PORT_QUEUE_MICROS_MAX = 1_000_000;

    private final TimingWheel wheel;
    private final MessageStore store;
    private final SplittableRandom random;
    private final long[] portFree;
    private final int[] heartbeats;
    private final long[] sentByType = new long[MessageType.values().length + 1];
    private NetworkConditions conditions;
    private final List<Cut> cuts = new ArrayList<>();
    private RingMessage[] recorded = {};
    private int[] recordedTo = {};
    private int recordings;
    private long overflows;

    SimulatedNetwork(
            int nodeCount,
            NetworkConditions conditions,
            SplittableRandom random,
            TimingWheel wheel,
            MessageStore store) {
        this.conditions = conditions;
        this.random = random;
        this.wheel = wheel;
        this.store = store;
        portFree = new long[nodeCount];
        heartbeats = new int[nodeCount];
    }

    void conditions(NetworkConditions changed) {
        conditions = changed;
    }

    NetworkConditions conditions() {
        return conditions;
    }

    void cut(Cut cut) {
        cuts.add(cut);
    }

    void mend(Cut cut) {
        cuts.remove(cut);
    }

    /** Event numbers are the message's number above the receiving node: see {@link VirtualRing}. */
    void send(long nowMicros, int from, int to, RingMessage message) {
        sentByType[message.type.code()]++;
        if (message.type == MessageType.HEARTBEAT) {
            heartbeats[from]++;
        }
        long leaves = Math.max(nowMicros, portFree[from]) + conditions.sendCostMicros();
        if (leaves - nowMicros > PORT_QUEUE_MICROS_MAX) {
            overflows++;
            return;
        }
        portFree[from] = leaves;
        if (isCut(from, to) || happens(conditions.loss())) {
            return;
        }
        carry(leaves, to, message);
        if (happens(conditions.duplication())) {
            carry(leaves, to, message);
        }
    }

    private void carry(long leaves, int to, RingMessage message) {
        wheel.add(leaves + delay(), VirtualRing.arrival(store.keep(message), to));
        if (recorded.length > 0) {
            RingMessage copy = recorded[recordings % recorded.length];
            recordedTo[recordings++ % recorded.length] = to;
            copy.set(message);
        }
    }

    /** Keeps the datagrams carried last, to be played again. */
    void record(int most) {
        recorded = Stream.generate(RingMessage::new).limit(most).toArray(RingMessage[]::new);
        recordedTo = new int[most];
    }

    /** Delivers a recorded datagram once more to whom it was sent. */
    void replay(long nowMicros) {
        if (recordings > 0) {
            int which = random.nextInt(Math.min(recordings, recorded.length));
            wheel.add(nowMicros + 1, VirtualRing.arrival(store.keep(recorded[which]), recordedTo[which]));
        }
    }

    private int delay() {
        int tau = conditions.delayMicros();
        int delay = conditions.lockStep() ? tau : 1 + random.nextInt(tau);
        return happens(conditions.reordering()) ? delay + random.nextInt(NetworkConditions.HOLD_FACTOR * tau) : delay;
    }

    private boolean happens(double share) {
        return share > 0 && random.nextDouble() < share;
    }

    private boolean isCut(int from, int to) {
        for (int i = 0; i < cuts.size(); i++) {
            if (cuts.get(i).keeps(from, to)) {
                return true;
            }
        }
        return false;
    }

    long sent(MessageType type) {
        return sentByType[type.code()];
    }

    int heartbeats(int node) {
        return heartbeats[node];
    }

    long overflows() {
        return overflows;
    }
}
