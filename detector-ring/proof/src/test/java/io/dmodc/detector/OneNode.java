package io.dmodc.detector;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * One real detector under a magnifying glass: the test plays all the other nodes and the clock. η = 100, δ = 1000.
 */
final class OneNode {
    static final RingRules PUBLISHED = RingRules.published(100, 1_000);
    static final long EPOCH = 5;
    static final int CLUSTER = 42;

    final RingDetector detector;
    final RingRules rules;
    final List<String> heard = new ArrayList<>();
    long now;

    /** What the node under test asked with last: what an honest answer carries. */
    private int askedNonce;

    private int pingNonce;

    private final List<Sent> sent = new ArrayList<>();

    record Sent(int to, RingMessage message) {
        @Override
        public String toString() {
            return message + " to " + to;
        }
    }

    OneNode(int ownSlot, int slotCount) {
        this(ownSlot, slotCount, PUBLISHED);
    }

    OneNode(int ownSlot, int slotCount, RingRules rules) {
        this.rules = rules;
        detector = new RingDetector(guid(ownSlot), 1, new Outbox(), new Listener());
        install(EPOCH, ownSlot, IntStream.range(0, slotCount).map(slot -> 1).toArray());
    }

    static long guid(int slot) {
        return 0xA000L + slot;
    }

    boolean install(long epoch, int ownSlot, int... incarnations) {
        long[] guids = LongStream.range(0, incarnations.length)
                .map(slot -> guid((int) slot))
                .toArray();
        return detector.install(now, new Membership(epoch, CLUSTER, guids, incarnations), ownSlot, rules);
    }

    /** Forgets what was sent so far, and returns it. */
    List<Sent> takeSent() {
        List<Sent> taken = List.copyOf(sent);
        sent.clear();
        return taken;
    }

    /** Slots that were sent a message of this type since the last take. */
    List<Integer> takeReceivers(MessageType type) {
        return takeSent().stream()
                .filter(s -> s.message.type == type)
                .map(Sent::to)
                .toList();
    }

    /** Lets time pass as a punctual event loop does: a tick at each deadline. */
    OneNode passUntil(long time) {
        while (detector.nextDeadline() <= time) {
            now = detector.nextDeadline();
            detector.tick(now);
        }
        now = time;
        return this;
    }

    /** The same, while all others but the emitter answer pings: the node under test hears and is heard. */
    OneNode passAnswered(long time) {
        while (detector.nextDeadline() <= time) {
            now = detector.nextDeadline();
            int before = sent.size();
            detector.tick(now);
            List.copyOf(sent.subList(before, sent.size())).stream()
                    .filter(s -> s.message.type == MessageType.PING && s.message.subjectGuid == guid(s.to))
                    .filter(s -> s.to != detector.emitter())
                    .forEach(s -> receive(pong(s.to, s.to, 1, s.message.fromSlot)));
        }
        now = time;
        return this;
    }

    /** Lets time pass up to a moment, with a heartbeat from that slot each η. */
    OneNode passHearing(int from, long time) {
        while (now + PUBLISHED.heartbeatNanos() <= time) {
            passUntil(now + PUBLISHED.heartbeatNanos());
            receive(from(from, MessageType.HEARTBEAT));
        }
        return passUntil(time);
    }

    @Nullable
    DropReason receive(RingMessage message) {
        DropReason refused = detector.receive(now, message);
        detector.spreadNews();
        return refused;
    }

    /** A message as that slot would send it now, incarnation 1, knowing what the node under test knows. */
    RingMessage from(int slot, MessageType type) {
        RingMessage message = new RingMessage();
        message.type = type;
        message.cluster = CLUSTER;
        message.epoch = detector.epoch();
        message.senderGuid = guid(slot);
        message.fromSlot = slot;
        message.incarnation = 1;
        message.hops = 1;
        if (type == MessageType.HEARTBEAT) {
            message.nonce = askedNonce;
            if (!sent.isEmpty()) {
                message.setHash = sent.get(sent.size() - 1).message.setHash;
            }
        } else if (type == MessageType.PONG) {
            message.nonce = pingNonce;
        }
        return message;
    }

    RingMessage dead(int from, int subject, int incarnation, int observer, int hops) {
        RingMessage message = from(from, MessageType.DEAD);
        message.subjectGuid = guid(subject);
        message.subjectIncarnation = incarnation;
        message.observerSlot = observer;
        message.silence = 1;
        message.hops = hops;
        return message;
    }

    RingMessage alive(int from, int subject, int incarnation) {
        RingMessage message = from(from, MessageType.ALIVE);
        message.subjectGuid = guid(subject);
        message.subjectIncarnation = incarnation;
        return message;
    }

    RingMessage ping(int from, int subject, int observer) {
        RingMessage message = from(from, MessageType.PING);
        message.subjectGuid = guid(subject);
        message.observerSlot = observer;
        message.observerHash = guidHash(observer);
        return message;
    }

    RingMessage pong(int from, int subject, int incarnation, int observer) {
        RingMessage message = from(from, MessageType.PONG);
        message.subjectGuid = guid(subject);
        message.subjectIncarnation = incarnation;
        message.observerSlot = observer;
        message.observerHash = guidHash(observer);
        return message;
    }

    static int guidHash(int slot) {
        return new Membership(1, CLUSTER, new long[] {guid(slot)}, new int[1]).guidHash(0);
    }

    /** The same message, sent in a later or earlier life of its sender. */
    static RingMessage inLife(RingMessage message, int incarnation) {
        message.incarnation = incarnation;
        return message;
    }

    private final class Outbox implements RingOutbox {
        @Override
        public void send(int slot, RingMessage message) {
            sent.add(new Sent(slot, new RingMessage().set(message)));
            askedNonce = message.type == MessageType.NEW_OBSERVER ? message.nonce : askedNonce;
            pingNonce = message.type == MessageType.PING ? message.nonce : pingNonce;
        }

        @Override
        public void reply(RingMessage message) {
            send(-1, message);
        }
    }

    private final class Listener implements RingListener {
        @Override
        public void agentSilent(int subject, int incarnation, int observer, long silenceNanos, int hops) {
            heard.add("silent " + subject + "." + incarnation + " by " + observer + " hops " + hops);
        }

        @Override
        public void agentAlive(int slot, int incarnation, int hops) {
            heard.add("alive " + slot + "." + incarnation + " hops " + hops);
        }

        @Override
        public void ownIncarnation(int incarnation) {
            heard.add("own " + incarnation);
        }

        @Override
        public void deaf(boolean isDeaf) {
            heard.add(isDeaf ? "deaf" : "hears");
        }

        @Override
        public void revoked(long leaderEpoch, long fabricEpoch, int hops) {
            heard.add("revoked " + leaderEpoch + "/" + fabricEpoch + " hops " + hops);
        }
    }
}
