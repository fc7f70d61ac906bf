package io.dmodc.detector.sim;

import io.dmodc.detector.Membership;
import io.dmodc.detector.MessageType;
import io.dmodc.detector.RingDetector;
import io.dmodc.detector.RingListener;
import io.dmodc.detector.RingMessage;
import io.dmodc.detector.RingOutbox;
import io.dmodc.detector.RingRules;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Production detectors on a network of virtual time: seeded delays (and with them reordering), loss, duplicates,
 * partitions, crashes, restarts and pauses. The same seed gives the same run, event for event.
 *
 * <p>Node i has the GUID {@link #guid} of i, and slot i unless a membership of another order is installed. Times are nanoseconds from 0 on, kept in whole microseconds: a deadline is met at the first
 * microsecond that is not before it. Per node the wheel holds one valid timer event, armed lazily: a deadline that
 * moves away leaves its event, which looks again when it comes; one that moves closer adds an event and makes the other
 * stale. At equal times messages and timers come in the order in which they were added, scripted actions after them.
 *
 * <p>Layout and cost: the detectors (about 1.5 kB each), 17 bytes per node beside them, 8 per message copy under way
 * and 64 per different message under way. About 0.7 µs an event at 100,000 nodes. Not thread-safe.
 */
public final class VirtualRing {
    /** What a paused node's socket holds; more is lost. */
    static final int SOCKET_BUFFER = 4_096;

    private static final int NODE_BITS = 20;
    private static final int NODE_MASK = (1 << NODE_BITS) - 1;
    private static final long NEVER = Long.MAX_VALUE;
    private static final long NANOS_PER_MICRO = 1_000;
    private static final int CLUSTER = 1;
    private static final long GUID_BASE = 0xA000;

    /** A timer event is the node's number, an arrival the message's number + 1 above the receiver's. */
    static long arrival(int message, int to) {
        return (long) (message + 1) << NODE_BITS | to;
    }

    private enum Life {
        DOWN,
        UP,
        PAUSED
    }

    private record Action(long micros, long order, Runnable script) implements Comparable<Action> {
        @Override
        public int compareTo(Action other) {
            return micros != other.micros ? Long.compare(micros, other.micros) : Long.compare(order, other.order);
        }
    }

    private final RingRules rules;
    private final VirtualRingListener listener;
    private final SplittableRandom random;
    private final TimingWheel wheel = new TimingWheel();
    private final MessageStore store = new MessageStore();
    private final SimulatedNetwork network;
    private final NodeIo nodeIo = new NodeIo();
    private final RingDetector[] detectors;
    private final Life[] lives;
    private final long[] armed;
    private final RingMessage incoming = new RingMessage();
    private final PriorityQueue<Action> script = new PriorityQueue<>();
    private final Map<Integer, ArrayDeque<Integer>> sockets = new HashMap<>();
    private IntPredicate diesInstead = node -> false;
    private final Membership[] memberships;
    private Membership membership;
    private long micros;
    private long actions;
    private long events;
    private long hash;
    private int current;

    @SuppressWarnings("UnusedVariable") // written so that the looks of take are not optimised away
    private long looked;

    /** A ring whose nodes have no membership yet. */
    public VirtualRing(
            int nodeCount, RingRules rules, NetworkConditions conditions, long seed, VirtualRingListener listener) {
        this.rules = rules;
        this.listener = listener;
        random = new SplittableRandom(seed);
        network = new SimulatedNetwork(nodeCount, conditions, random.split(), wheel, store);
        membership = membership(nodeCount, 1);
        memberships = new Membership[nodeCount];
        Arrays.fill(memberships, membership);
        detectors = new RingDetector[nodeCount];
        for (int node = 0; node < nodeCount; node++) {
            detectors[node] = newDetector(node, 0);
        }
        lives = new Life[nodeCount];
        Arrays.fill(lives, Life.UP);
        armed = new long[nodeCount];
        Arrays.fill(armed, NEVER);
    }

    /** The slot table of a ring of this size, all incarnations 0. */
    public static Membership membership(int nodeCount, long epoch) {
        long[] guids =
                IntStream.range(0, nodeCount).mapToLong(VirtualRing::guid).toArray();
        return new Membership(epoch, CLUSTER, guids, new int[nodeCount]);
    }

    /** The slot table of a ring whose slots have these nodes, all incarnations 0. */
    public static Membership membership(int[] nodeOfSlot, long epoch) {
        long[] guids = IntStream.of(nodeOfSlot).mapToLong(VirtualRing::guid).toArray();
        return new Membership(epoch, CLUSTER, guids, new int[nodeOfSlot.length]);
    }

    public static long guid(int node) {
        return GUID_BASE + node;
    }

    private static int node(long guid) {
        return (int) (guid - GUID_BASE);
    }

    private RingDetector newDetector(int node, int incarnation) {
        return new RingDetector(guid(node), incarnation, nodeIo, nodeIo);
    }

    /** Each node learns the membership at a random moment within the spread. */
    public void installEverywhere(Membership installed, long spreadNanos) {
        membership = installed;
        for (int node = 0; node < detectors.length; node++) {
            installAt(now() + random.nextLong(spreadNanos), node);
        }
    }

    /** Whoever starts from now on learns this membership. */
    public void announce(Membership announced) {
        membership = announced;
    }

    /** The node learns the present membership at that time, if it is up then. */
    public void installAt(long nanos, int node) {
        Membership installed = membership;
        at(nanos, () -> {
            if (lives[node] == Life.UP) {
                install(node, installed);
            }
        });
    }

    private void install(int node, Membership installed) {
        current = node;
        Membership before = memberships[node];
        memberships[node] = installed; // installing sends by the new slots
        if (!detectors[node].install(now(), installed, installed.slotOf(guid(node)), rules)) {
            memberships[node] = before;
        }
        arm(node);
    }

    /** The process is gone, without a word. */
    public void kill(int... nodes) {
        for (int node : nodes) {
            lives[node] = Life.DOWN;
            armed[node] = NEVER;
            emptySocket(node);
        }
    }

    /** The agent starts anew: it has forgotten everything but this incarnation. */
    public void restart(int node, int incarnation) {
        lives[node] = Life.UP;
        armed[node] = NEVER;
        emptySocket(node);
        detectors[node] = newDetector(node, incarnation);
        install(node, membership);
    }

    /** The process is stopped: it does nothing, and its socket fills. */
    public void pause(int node) {
        if (lives[node] == Life.UP) {
            lives[node] = Life.PAUSED;
            armed[node] = NEVER;
        }
    }

    /** The process runs again: it reads its socket dry, then looks at its clock. */
    public void resume(int node) {
        if (lives[node] != Life.PAUSED) {
            return;
        }
        lives[node] = Life.UP;
        ArrayDeque<Integer> waiting = sockets.remove(node);
        while (waiting != null && !waiting.isEmpty()) {
            receive(node, waiting.remove());
        }
        current = node;
        detectors[node].spreadNews();
        arm(node);
    }

    private void emptySocket(int node) {
        ArrayDeque<Integer> waiting = sockets.remove(node);
        if (waiting != null) {
            waiting.forEach(store::release);
        }
    }

    /** A node floods a revocation, if it runs. */
    public void revoke(int node, long leaderEpoch, long fabricEpoch) {
        if (lives[node] != Life.UP) {
            return;
        }
        current = node;
        detectors[node].revoke(leaderEpoch, fabricEpoch);
        arm(node);
    }

    /** Lets nothing through there until it is mended. */
    public void cut(Cut cut) {
        network.cut(cut);
    }

    public void mend(Cut cut) {
        network.mend(cut);
    }

    /** From now on the last datagrams are kept for {@link #replay}. */
    void recordDatagrams(int most) {
        network.record(most);
    }

    /** One of the datagrams kept comes to its receiver again. */
    void replay() {
        network.replay(micros);
    }

    public void conditions(NetworkConditions changed) {
        network.conditions(changed);
    }

    /** Asked in place of each suspicion that is due: true if the node dies at that very moment instead of accusing. */
    void diesInstead(IntPredicate nodes) {
        diesInstead = nodes;
    }

    /** Runs something at a time; what lies in the past is run next. */
    public void at(long nanos, Runnable action) {
        script.add(new Action(Math.max(micros, nanos / NANOS_PER_MICRO), actions++, action));
    }

    public void runFor(long nanos) {
        long end = micros + nanos / NANOS_PER_MICRO;
        while (micros < end || isActionDue()) {
            long until = script.isEmpty() ? end : Math.min(end, script.element().micros);
            drainUntil(until);
            while (isActionDue()) {
                script.remove().script.run();
            }
        }
    }

    private void drainUntil(long until) {
        for (long next = wheel.nextBusy(micros + 1, until); next <= until; next = wheel.nextBusy(micros + 1, until)) {
            micros = next;
            wheel.drain(next, this::take);
        }
        micros = until;
    }

    private boolean isActionDue() {
        return !script.isEmpty() && script.element().micros <= micros;
    }

    /**
     * Memory is the cost of a large ring: most messages find their receiver's state far from the processor. So all
     * receivers of a batch are looked at first, which fetches them side by side instead of one after the other.
     */
    private void take(long[] batch, int from, int to) {
        for (int i = from; i < to; i++) {
            RingDetector detector = detectors[(int) batch[i] & NODE_MASK];
            looked += detector.nextDeadline() + (detector.isDead(0) ? 1 : 0);
        }
        for (int i = from; i < to; i++) {
            long event = batch[i];
            int node = (int) event & NODE_MASK;
            int message = (int) (event >>> NODE_BITS) - 1;
            if (message < 0) {
                wake(node);
            } else {
                arrive(node, message);
            }
        }
    }

    private void arrive(int node, int message) {
        switch (lives[node]) {
            case UP -> {
                receive(node, message);
                detectors[node].spreadNews();
                arm(node);
            }
            case DOWN -> store.release(message);
            case PAUSED -> buffer(node, message);
        }
    }

    private void buffer(int node, int message) {
        ArrayDeque<Integer> waiting = sockets.computeIfAbsent(node, any -> new ArrayDeque<>());
        if (waiting.size() < SOCKET_BUFFER) {
            waiting.add(message);
        } else {
            store.release(message);
        }
    }

    private void receive(int node, int message) {
        store.read(message, incoming);
        store.release(message);
        events++;
        record(((long) incoming.fromSlot << NODE_BITS | node) << 4 | incoming.type.code());
        current = node;
        detectors[node].receive(now(), incoming);
    }

    private void record(long what) {
        hash = (hash ^ micros ^ Long.rotateLeft(what, 20) ^ incoming.subjectGuid) * 0x9e3779b97f4a7c15L;
        hash ^= hash >>> 29;
    }

    private void wake(int node) {
        if (armed[node] != micros) {
            return;
        }
        armed[node] = NEVER;
        RingDetector detector = detectors[node];
        if (detector.nextDeadline() <= now()) {
            if (detector.isSuspicionDue(now()) && diesInstead.test(node)) {
                kill(node);
                return;
            }
            events++;
            current = node;
            detector.tick(now());
        }
        arm(node);
    }

    private void arm(int node) {
        long due = detectors[node].nextDeadline();
        if (due == NEVER) {
            return;
        }
        long at = Math.max(micros + 1, (due + NANOS_PER_MICRO - 1) / NANOS_PER_MICRO);
        if (at < armed[node]) {
            armed[node] = Math.min(at, micros + TimingWheel.SPAN_MICROS - 1);
            wheel.add(armed[node], node);
        }
    }

    public long now() {
        return micros * NANOS_PER_MICRO;
    }

    public int nodeCount() {
        return detectors.length;
    }

    /** The node's state machine; that of its last life if it is down. */
    public RingDetector detector(int node) {
        return detectors[node];
    }

    /** Whom the node watches, as a node. */
    int emitter(int node) {
        return node(memberships[node].guid(detectors[node].emitter()));
    }

    /** Whom the node sends its heartbeats to, as a node. */
    int observer(int node) {
        return node(memberships[node].guid(detectors[node].observer()));
    }

    boolean isHeldDead(int node, int subject) {
        return detectors[node].isDead(memberships[node].slotOf(guid(subject)));
    }

    /** Incarnation in which the node knows a subject. */
    int knownIncarnation(int node, int subject) {
        return detectors[node].incarnation(memberships[node].slotOf(guid(subject)));
    }

    /** Nodes in the order of the newest membership. */
    int[] ringOrder() {
        return IntStream.range(0, membership.slotCount())
                .map(slot -> node(membership.guid(slot)))
                .toArray();
    }

    /** True unless the node was killed; a paused node is live. */
    public boolean isLive(int node) {
        return lives[node] != Life.DOWN;
    }

    /** True unless the node was killed or is paused. */
    boolean isRunning(int node) {
        return lives[node] == Life.UP;
    }

    public long sent(MessageType type) {
        return network.sent(type);
    }

    /** Heartbeats this node has sent so far. */
    int heartbeats(int node) {
        return network.heartbeats(node);
    }

    /** Datagrams dropped because their sender's port had too much to do. */
    public long overflows() {
        return network.overflows();
    }

    /** Messages received and ticks so far. */
    public long events() {
        return events;
    }

    /** Mixes time, sender, receiver, type and subject of each message received so far, in order. */
    public long eventHash() {
        return hash;
    }

    /** The side of all detectors that faces the network and the listener: they run one at a time. */
    private final class NodeIo implements RingOutbox, RingListener {
        @Override
        public void send(int to, RingMessage message) {
            network.send(micros, current, nodeAt(to), message);
        }

        @Override
        public void reply(RingMessage message) {
            network.send(micros, current, node(incoming.senderGuid), message);
        }

        @Override
        public void agentSilent(int subject, int incarnation, int observer, long silenceNanos, int hops) {
            listener.silent(now(), current, nodeAt(subject), incarnation, nodeAt(observer), hops);
        }

        @Override
        public void agentAlive(int subject, int incarnation, int hops) {
            listener.alive(now(), current, nodeAt(subject), incarnation, hops);
        }

        private int nodeAt(int slot) {
            return node(memberships[current].guid(slot));
        }

        @Override
        public void deaf(boolean isDeaf) {
            listener.deaf(now(), current, isDeaf);
        }

        @Override
        public void ownIncarnation(int incarnation) {
            listener.ownIncarnation(now(), current, incarnation);
        }

        @Override
        public void revoked(long leaderEpoch, long fabricEpoch, int hops) {
            listener.revoked(now(), current, leaderEpoch, fabricEpoch, hops);
        }
    }
}
