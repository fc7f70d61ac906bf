package io.dmodc.fuzz;

import io.dmodc.detector.DropReason;
import io.dmodc.detector.Membership;
import io.dmodc.detector.MessageType;
import io.dmodc.detector.Overlay;
import io.dmodc.detector.RingDetector;
import io.dmodc.detector.RingListener;
import io.dmodc.detector.RingMessage;
import io.dmodc.detector.RingOutbox;
import io.dmodc.detector.RingRules;
import io.dmodc.detector.net.Datagram;
import io.dmodc.detector.net.DatagramFilter;
import io.dmodc.detector.net.DatagramMac;
import io.dmodc.detector.net.RingKey;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Datagrams to a member of a ring of eight, through format, filter and detector, with and without a key. The first byte of an
 * input says which ring; then come a byte for sender and time passed, one for the length, and the datagram. What is accepted
 * must be within its bounds and be written again byte for byte, and so must what the member sends.
 */
public final class DatagramFuzz {
    private static final long MILLI = 1_000_000L;
    private static final long STEP = 50 * MILLI;
    private static final int CLUSTER = 42;
    private static final long EPOCH = 5;
    private static final long FIRST_GUID = 100;
    private static final int SLOTS = 8;
    private static final int OWN_SLOT = 0;
    private static final long OWN_GUID = FIRST_GUID + OWN_SLOT;

    /** A member that is asked for all it knows has a message for each slot and the revocation. */
    private static final int SENT_MAX = 8 * (SLOTS + 1);

    /** In one step: the times a member is woken are η apart, but for some at the same moment. */
    private static final int TICKS_MAX = 1_000;

    private static final int WITH_KEY = 1;
    private static final int HYPERCUBE = 2;

    private static final RingKey KEY = RingKey.of(new byte[32]);
    private static final List<InetSocketAddress> ADDRESSES = IntStream.range(0, SLOTS)
            .mapToObj(slot -> new InetSocketAddress(InetAddress.getLoopbackAddress(), 7000 + slot))
            .toList();

    private DatagramFuzz() {}

    static List<byte[]> seeds() {
        List<byte[]> seeds = new ArrayList<>();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (MessageType type : MessageType.values()) {
            RingMessage message = example(type);
            seeds.add(input(0, 1, message));
            all.writeBytes(input(0, 9, message));
            if (type == MessageType.DEAD || type == MessageType.REVOKE) {
                message.copy = 33;
                message.sourceSlot = 2;
                message.deadCount = 2;
                message.deadSlots[0] = 3;
                message.deadSlots[1] = 5;
                message.sequence += 100;
                seeds.add(input(HYPERCUBE, 1, message));
            }
        }
        seeds.add(input(WITH_KEY, 1, example(MessageType.HEARTBEAT)));
        seeds.add(all.toByteArray());
        return seeds;
    }

    private static byte[] input(int ring, int senderAndTime, RingMessage message) {
        byte[] datagram = written(message, RingKey.none().newMac(), OWN_GUID);
        return ByteBuffer.allocate(3 + datagram.length)
                .put((byte) ring)
                .put((byte) senderAndTime)
                .put((byte) datagram.length)
                .put(datagram)
                .array();
    }

    private static RingMessage example(MessageType type) {
        RingMessage message = new RingMessage();
        message.type = type;
        message.cluster = CLUSTER;
        message.epoch = EPOCH;
        message.fromSlot = 1;
        message.senderGuid = FIRST_GUID + 1;
        message.incarnation = 1;
        message.hops = 1;
        message.sequence = type.code();
        switch (type) {
            case HEARTBEAT, SYNC -> message.recordCount = 1;
            case NEW_OBSERVER -> message.nonce = 5;
            case DEAD, ALIVE, PING, PONG -> {
                message.subjectGuid = FIRST_GUID + 3;
                message.subjectIncarnation = 2;
                message.observerSlot = 4;
            }
            case REVOKE -> {
                message.leaderEpoch = 3;
                message.fabricEpoch = 9;
            }
        }
        return message;
    }

    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length == 0) {
            return;
        }
        Member member = new Member(
                (data[0] & WITH_KEY) == 0 ? RingKey.none() : KEY,
                (data[0] & HYPERCUBE) == 0 ? Overlay.Kind.BINOMIAL : Overlay.Kind.HYPERCUBE);
        ByteBuffer in = ByteBuffer.wrap(data, 1, data.length - 1);
        while (in.remaining() >= 2) {
            int senderAndTime = Byte.toUnsignedInt(in.get());
            byte[] datagram = new byte[Math.min(Byte.toUnsignedInt(in.get()), in.remaining())];
            in.get(datagram);
            member.pass(senderAndTime / SLOTS * STEP);
            member.hear(datagram, ADDRESSES.get(senderAndTime % SLOTS));
        }
    }

    private static byte[] written(RingMessage message, DatagramMac mac, long receiver) {
        ByteBuffer out = ByteBuffer.allocate(Datagram.LENGTH_MAX);
        Datagram.write(message, mac, receiver, out);
        return Arrays.copyOf(out.array(), out.position());
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }

    private static void requireBounds(RingMessage message) {
        require(message.hops >= 0 && message.hops <= 255, "hops " + message.hops);
        require(message.silence >= 0 && message.silence <= 255, "silence " + message.silence);
        require(
                message.recordCount >= 0 && message.recordCount <= Membership.SLOT_COUNT_MAX + 1,
                "records " + message.recordCount);
        require(message.copy >= RingMessage.NO_COPY && message.copy < RingMessage.COPY_LIMIT, "copy " + message.copy);
        require(message.deadCount >= 0 && message.deadCount <= RingMessage.DEAD_MAX, "dead " + message.deadCount);
        IntStream.concat(
                        IntStream.of(message.fromSlot, message.observerSlot, message.sourceSlot),
                        Arrays.stream(message.deadSlots, 0, message.deadCount))
                .forEach(slot -> require(slot >= 0 && slot < Membership.SLOT_COUNT_MAX, "slot " + slot));
    }

    /** What stands behind a socket. */
    private static final class Member implements RingOutbox, RingListener {
        private final DatagramMac mac;
        private final DatagramMac none = RingKey.none().newMac();
        private final RingDetector detector = new RingDetector(OWN_GUID, 1, this, this);
        private final DatagramFilter filter;
        private long now;
        private int sent;
        private int heardLength;
        private int incarnation = 1;

        Member(RingKey key, Overlay.Kind overlay) {
            mac = key.newMac();
            filter = new DatagramFilter(key.newMac(), OWN_GUID, detector);
            long[] guids = LongStream.range(FIRST_GUID, FIRST_GUID + SLOTS).toArray();
            int[] incarnations = new int[SLOTS];
            Arrays.fill(incarnations, 1);
            Membership membership = new Membership(EPOCH, CLUSTER, guids, incarnations);
            filter.install(membership, ADDRESSES);
            RingRules rules = new RingRules(
                    100 * MILLI, 1000 * MILLI, RingRules.askingWidthFor(SLOTS), RingRules.OPINIONS_STANDARD, overlay);
            detector.install(now, membership, OWN_SLOT, rules);
        }

        void pass(long nanos) {
            long until = now + nanos;
            int ticks = 0;
            for (long due = detector.nextDeadline(); due <= until; due = detector.nextDeadline()) {
                now = Math.max(now, due);
                detector.tick(now);
                require(++ticks <= TICKS_MAX, "woken without end, last at " + now);
            }
            now = until;
        }

        void hear(byte[] bytes, InetSocketAddress from) {
            byte[] datagram = sealed(bytes);
            RingMessage message = new RingMessage();
            DropReason refused = Datagram.read(ByteBuffer.wrap(datagram), mac, OWN_GUID, message);
            if (refused == null) {
                requireBounds(message);
                require(Arrays.equals(written(message, mac, OWN_GUID), datagram), "another datagram than was read");
            }
            sent = 0;
            heardLength = datagram.length;
            DropReason stopped = filter.refusal(ByteBuffer.wrap(datagram), from);
            require(refused == null || stopped != null, "refused for " + refused + ", and let through");
            if (stopped == null) {
                detector.receive(now, filter.message());
            }
            detector.spreadNews();
            heardLength = Integer.MAX_VALUE;
            require(sent <= SENT_MAX, "sends " + sent + " for one");
            require(stopped == null || sent == 0, "sends for what was dropped");
            require(!detector.isDead(OWN_SLOT), "holds itself dead");
            require(detector.deadCount() < SLOTS, "holds all dead");
        }

        /** A datagram without a MAC gets the one of this ring; what is none stays as it is. */
        private byte[] sealed(byte[] bytes) {
            RingMessage message = new RingMessage();
            return Datagram.read(ByteBuffer.wrap(bytes), none, OWN_GUID, message) == null
                    ? written(message, mac, OWN_GUID)
                    : bytes;
        }

        @Override
        public void send(int slot, RingMessage message) {
            require(slot >= 0 && slot < SLOTS && slot != OWN_SLOT, "sends to slot " + slot);
            leave(message, FIRST_GUID + slot);
        }

        @Override
        public void reply(RingMessage message) {
            require(leave(message, filter.message().senderGuid) <= heardLength, "answers with more than was asked");
        }

        private int leave(RingMessage message, long receiver) {
            sent++;
            byte[] datagram = written(message, mac, receiver);
            RingMessage read = new RingMessage();
            @Nullable DropReason refused = Datagram.read(ByteBuffer.wrap(datagram), mac, receiver, read);
            require(refused == null, "sends what is refused for " + refused);
            require(Arrays.equals(written(read, mac, receiver), datagram), "sends what is read otherwise");
            return datagram.length;
        }

        @Override
        public void agentSilent(int subjectSlot, int number, int observerSlot, long silenceNanos, int hops) {
            requireOther(subjectSlot);
            require(silenceNanos >= 0 && hops >= 0, "silent for " + silenceNanos + ", told over " + hops);
            require(observerSlot >= 0 && observerSlot < SLOTS, "slot " + observerSlot);
        }

        @Override
        public void agentAlive(int slot, int number, int hops) {
            requireOther(slot);
        }

        private static void requireOther(int slot) {
            require(slot > OWN_SLOT && slot < SLOTS, "tells of slot " + slot);
        }

        @Override
        public void ownIncarnation(int number) {
            require(number != -1 && Integer.compareUnsigned(number, incarnation) > 0, "incarnation " + number);
            incarnation = number;
        }

        @Override
        public void revoked(long leaderEpoch, long fabricEpoch, int hops) {
            require(leaderEpoch != 0 || fabricEpoch != 0, "revokes nothing");
        }

        @Override
        public void deaf(boolean deaf) {}
    }
}
