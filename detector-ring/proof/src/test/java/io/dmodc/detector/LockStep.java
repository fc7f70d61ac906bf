package io.dmodc.detector;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Real detectors whose messages arrive one hop at a time, in the order in which they were sent: a broadcast as the papers
 * draw it. No time passes, so nothing but the broadcast moves.
 */
final class LockStep {
    final int count;
    final List<RingDetector> detectors = new ArrayList<>();

    /** Slots that drop all they are sent. */
    final BitSet down = new BitSet();

    /** Hops of the copy that was news, per slot; absent: 0. */
    final int[] newsHops;

    /** Deliveries since the last {@link #forget}, with the path each copy took. */
    final List<Delivery> deliveries = new ArrayList<>();

    private final ArrayDeque<Delivery> underway = new ArrayDeque<>();
    private final @Nullable SplittableRandom turns;
    private String path = "";

    record Delivery(int from, int to, RingMessage message, String path) {}

    LockStep(int count, Overlay.Kind overlay) {
        this(count, overlay, null);
    }

    /**
     * @param turns null: messages arrive one by one; else nodes take turns in an order drawn from it, and each reads all
     *     that waits for it as one batch, as endpoints on one event loop do
     */
    LockStep(int count, Overlay.Kind overlay, @Nullable SplittableRandom turns) {
        this.count = count;
        this.turns = turns;
        newsHops = new int[count];
        RingRules rules = new RingRules(100, 1_000, 0, 0, overlay);
        long[] guids = new long[count];
        for (int slot = 0; slot < count; slot++) {
            guids[slot] = OneNode.guid(slot);
        }
        Membership membership = new Membership(1, 1, guids, new int[count]);
        for (int slot = 0; slot < count; slot++) {
            RingDetector detector = new RingDetector(OneNode.guid(slot), 0, new Outbox(slot), new Listener(slot));
            detector.install(0, membership, slot, rules);
            detectors.add(detector);
        }
        run();
        forget();
    }

    /** One node revokes; everything that follows from it is delivered. */
    void revoke(int source, long fabricEpoch) {
        path = "";
        detectors.get(source).revoke(1, fabricEpoch);
        run();
    }

    /** One node gets this message; everything that follows from it is delivered. */
    void deliverTo(int slot, RingMessage message) {
        path = "";
        receive(slot, message);
        run();
    }

    /** A node learns of a death and keeps it to itself: as after an earlier broadcast. */
    void tellDead(int node, int subject) {
        RingDetector detector = detectors.get(node);
        int from = (node + 1) % count;
        while (from == subject || detector.isDead(from)) {
            from = (from + 1) % count;
        }
        learnDead(node, subject, from);
        underway.clear();
    }

    /** A node hears of a death from another one; what follows waits for {@link #run}. */
    void learnDead(int node, int subject, int from) {
        receive(node, dead(from, subject));
    }

    private static RingMessage dead(int sender, int subject) {
        RingMessage message = new RingMessage();
        message.type = MessageType.DEAD;
        message.cluster = 1;
        message.epoch = 1;
        message.senderGuid = OneNode.guid(sender);
        message.fromSlot = sender;
        message.subjectGuid = OneNode.guid(subject);
        message.observerSlot = sender;
        return message;
    }

    void forget() {
        deliveries.clear();
        Arrays.fill(newsHops, 0);
    }

    /** How many live nodes did not hear, besides the source. */
    long missed(int source) {
        long missed = 0;
        for (int slot = 0; slot < count; slot++) {
            missed += slot != source && !down.get(slot) && newsHops[slot] == 0 ? 1 : 0;
        }
        return missed;
    }

    private void receive(int slot, RingMessage message) {
        detectors.get(slot).receive(0, message);
        detectors.get(slot).spreadNews();
    }

    void run() {
        if (turns != null) {
            runInTurns(turns);
            return;
        }
        for (Delivery next = underway.poll(); next != null; next = underway.poll()) {
            if (!down.get(next.to)) {
                deliveries.add(next);
                path = next.path;
                receive(next.to, next.message);
            }
        }
    }

    private void runInTurns(SplittableRandom order) {
        while (!underway.isEmpty()) {
            List<Delivery> waiting = List.copyOf(underway);
            int node = waiting.get(order.nextInt(waiting.size())).to;
            underway.removeIf(delivery -> delivery.to == node);
            if (!down.get(node)) {
                for (Delivery delivery : waiting) {
                    if (delivery.to == node) {
                        deliveries.add(delivery);
                        detectors.get(node).receive(0, delivery.message);
                    }
                }
                detectors.get(node).spreadNews();
            }
        }
    }

    private final class Outbox implements RingOutbox {
        private final int slot;

        private Outbox(int slot) {
            this.slot = slot;
        }

        @Override
        public void send(int to, RingMessage message) {
            String travelled = path.isEmpty() ? "" + slot : path + "-" + slot;
            underway.add(new Delivery(slot, to, new RingMessage().set(message), travelled));
        }

        @Override
        public void reply(RingMessage message) {
            throw new AssertionError("nobody asks from another epoch");
        }
    }

    private final class Listener implements RingListener {
        @Override
        public void deaf(boolean isDeaf) {}

        private final int slot;

        private Listener(int slot) {
            this.slot = slot;
        }

        @Override
        public void agentSilent(int subject, int incarnation, int observer, long silenceNanos, int hops) {}

        @Override
        public void agentAlive(int subject, int incarnation, int hops) {}

        @Override
        public void ownIncarnation(int incarnation) {
            throw new AssertionError(slot + " was held dead");
        }

        @Override
        public void revoked(long leaderEpoch, long fabricEpoch, int hops) {
            newsHops[slot] = hops;
        }
    }
}
