package io.dmodc.detector;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Real detectors on a network of virtual time: seeded delays (and with them reordering), loss, duplicates, partitions,
 * crashes and restarts. Same seed, same run. Times are nanoseconds; η = 100 ms, δ = 1 s, delay up to τ = 1 ms.
 */
final class VirtualNetwork {
    static final long MILLI = 1_000_000L;
    static final RingRules PUBLISHED = RingRules.published(100 * MILLI, 1_000 * MILLI);
    static final long ETA = PUBLISHED.heartbeatNanos();
    static final long DELTA = PUBLISHED.suspicionNanos();
    static final long TAU = MILLI;

    final Node[] nodes;
    long now;

    private final RingRules rules;
    private final SplittableRandom random;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Map<MessageType, Long> sentByType = new HashMap<>();
    private long order;
    private double loss;
    private double duplication;
    private int cutFrom = -1;
    private int cutTo = -1;
    private IntPredicate island = slot -> false;

    private record Event(long at, long order, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    VirtualNetwork(int slotCount, long seed) {
        this(slotCount, seed, PUBLISHED);
    }

    VirtualNetwork(int slotCount, long seed, RingRules rules) {
        this.rules = rules;
        random = new SplittableRandom(seed);
        nodes = IntStream.range(0, slotCount).mapToObj(Node::new).toArray(Node[]::new);
    }

    VirtualNetwork losing(double share) {
        loss = share;
        return this;
    }

    VirtualNetwork duplicating(double share) {
        duplication = share;
        return this;
    }

    /** All members learn the first membership within one η, in random order. */
    VirtualNetwork start() {
        installEverywhere(membership(1), ETA);
        return this;
    }

    Membership membership(long epoch) {
        long[] guids = IntStream.range(0, nodes.length).mapToLong(OneNode::guid).toArray();
        return new Membership(epoch, 1, guids, new int[nodes.length]);
    }

    /** Installs at each node at a random moment within the spread. */
    void installEverywhere(Membership membership, long spread) {
        for (Node node : nodes) {
            at(now + random.nextLong(spread), () -> {
                if (node.up) {
                    node.detector.install(now, membership, node.slot, rules);
                    node.arm();
                }
            });
        }
    }

    void kill(int... slots) {
        for (int slot : slots) {
            nodes[slot].up = false;
        }
    }

    /** The agent starts anew: it has forgotten everything but its incarnation counter. */
    void restart(int slot, int incarnation) {
        Node node = new Node(slot, incarnation);
        nodes[slot] = node;
        node.detector.install(now, membership(1), slot, rules);
        node.arm();
    }

    /** Nothing passes between the slots of the island and the others; an island of nobody heals the network. */
    void cutOff(IntPredicate slots) {
        island = slots;
    }

    /** What one slot sends to another, this way round, is lost from now on. */
    void cutWay(int from, int to) {
        cutFrom = from;
        cutTo = to;
    }

    void runFor(long nanos) {
        long end = now + nanos;
        for (Event next = events.peek(); next != null && next.at <= end; next = events.peek()) {
            events.remove();
            now = next.at;
            next.action.run();
        }
        now = end;
    }

    void at(long time, Runnable action) {
        events.add(new Event(Math.max(time, now), order++, action));
    }

    long sent(MessageType type) {
        return sentByType.getOrDefault(type, 0L);
    }

    List<Node> live() {
        return IntStream.range(0, nodes.length)
                .mapToObj(slot -> nodes[slot])
                .filter(node -> node.up)
                .toList();
    }

    /** What is not as it should be once the network is calm: empty when all live nodes know all dead and no others. */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        for (Node node : live()) {
            for (Node other : nodes) {
                if (node.detector.isDead(other.slot) == other.up) {
                    faults.add(node.slot + " holds " + other.slot + (other.up ? " dead" : " alive"));
                }
            }
            Node emitter = nodes[node.detector.emitter()];
            if (node.detector.emitter() != liveBefore(node.slot) || emitter.detector.observer() != node.slot) {
                faults.add("ring open at " + node.slot + ": emitter " + emitter.slot + ", whose observer is "
                        + emitter.detector.observer());
            }
        }
        return faults;
    }

    private int liveBefore(int slot) {
        int found = slot;
        do {
            found = Math.floorMod(found - 1, nodes.length);
        } while (!nodes[found].up);
        return found;
    }

    private void transmit(int from, int to, RingMessage message) {
        sentByType.merge(message.type, 1L, Long::sum);
        if (island.test(from) != island.test(to) || (from == cutFrom && to == cutTo)) {
            return;
        }
        int copies = random.nextDouble() < loss ? 0 : random.nextDouble() < duplication ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            RingMessage copy = new RingMessage().set(message);
            at(now + 1 + random.nextLong(TAU), () -> nodes[to].deliver(from, copy));
        }
    }

    final class Node implements RingOutbox, RingListener {
        final int slot;
        final RingDetector detector;
        boolean up = true;
        final Map<Integer, Long> silentAt = new HashMap<>();
        int suspicions;
        long refutations;
        long revokedAt = Long.MAX_VALUE;

        private long armedFor = Long.MAX_VALUE;
        private int answering;

        Node(int slot) {
            this(slot, 0);
        }

        Node(int slot, int incarnation) {
            this.slot = slot;
            this.detector = new RingDetector(OneNode.guid(slot), incarnation, this, this);
        }

        /** When this node learnt of that death; far in the future if it has not. */
        long heardOf(int subject) {
            return silentAt.getOrDefault(subject, Long.MAX_VALUE);
        }

        private void deliver(int from, RingMessage message) {
            if (up) {
                answering = from;
                detector.receive(now, message);
                arm();
            }
        }

        private void arm() {
            long due = detector.nextDeadline();
            if (due < armedFor) {
                armedFor = due;
                at(due, () -> tick(due));
            }
        }

        private void tick(long due) {
            if (up && due == armedFor) {
                armedFor = Long.MAX_VALUE;
                detector.tick(now);
                arm();
            }
        }

        @Override
        public void send(int to, RingMessage message) {
            transmit(slot, to, message);
        }

        @Override
        public void reply(RingMessage message) {
            transmit(slot, answering, message);
        }

        @Override
        public void agentSilent(int subject, int incarnation, int observer, long silenceNanos, int hops) {
            silentAt.putIfAbsent(subject, now);
            suspicions += hops == 0 ? 1 : 0;
        }

        @Override
        public void agentAlive(int subject, int incarnation, int hops) {
            silentAt.remove(subject);
        }

        @Override
        public void ownIncarnation(int incarnation) {
            refutations++;
        }

        @Override
        public void revoked(long leaderEpoch, long fabricEpoch, int hops) {
            revokedAt = now;
        }
    }
}
