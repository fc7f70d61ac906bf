package io.dmodc.detector.net;

import io.dmodc.detector.DropReason;
import io.dmodc.detector.Membership;
import io.dmodc.detector.MessageType;
import io.dmodc.detector.RingMessage;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The wire format of the ring, big-endian: 64 bytes whatever a datagram says, but for copies of a hypercube broadcast.
 *
 * <pre>
 * offset bytes
 *      0   2   magic 0xD37C
 *      2   1   version 4
 *      3   1   type: 1 heartbeat, 2 new observer, 3 dead, 4 alive, 5 sync, 6 ping, 7 pong, 8 revoke
 *      4   4   cluster
 *      8   8   membership epoch
 *     16   8   GUID of the sender
 *     24   1   hops this copy has travelled on arrival
 *     25   3   slot of the sender
 *     28   4   incarnation of the sender
 *     32  16   body, by type; what a type does not name is 0
 *                heartbeat, sync          count of records 4, nonce 4 (heartbeat only)
 *                new observer             0 4, nonce 4
 *                dead, alive, ping, pong  subject's GUID 8, subject's incarnation 4, observer's slot 3,
 *                                         silence at the observer in 64ths of δ 1 (dead), nonce 1 (ping, pong)
 *                revoke                   leader epoch 8, fabric epoch 8
 *     48   4   sequence, counts the sender's datagrams
 *     52   4   ping, pong: hash of the observer's GUID; all others: set hash of the sender's records
 *     56   4   dead, alive and revoke as copies of a hypercube broadcast only: copy 1, slot of the source 3
 *     60  3d   of the same: slots of D, ascending, d of them, at most 19
 *   last   8   MAC for the receiver over all bytes before it but the magic (see DatagramMac)
 * </pre>
 *
 * An answer is never longer than its question but for those copies, which nobody gets by asking. Every field is read
 * strictly: whatever is accepted would be written again byte for byte.
 */
public final class Datagram {
    /** Length in bytes of every datagram that is no copy of a hypercube broadcast. */
    public static final int LENGTH = 64;

    /** Length of a copy that names {@link RingMessage#DEAD_MAX} dead slots. */
    public static final int LENGTH_MAX = LENGTH + 4 + 3 * RingMessage.DEAD_MAX;

    static final int MAGIC = 0xD37C;
    static final int VERSION = 4;

    private static final int COPY_BYTES = 4;
    private static final int SLOT_BYTES = 3;

    /** The magic, always the same and looked at by itself, stays out of the MAC: with it SHA-256 takes a block more. */
    private static final int MAGIC_BYTES = 2;

    private static final int VERSION_AT = MAGIC_BYTES;
    private static final int TYPE_AT = 3;

    /** One for each slot and one for the revocation. */
    private static final int RECORD_COUNT_MAX = Membership.SLOT_COUNT_MAX + 1;

    private Datagram() {}

    /**
     * Puts {@link #LENGTH} to {@link #LENGTH_MAX} bytes into a cleared big-endian buffer, to be flipped by the caller.
     *
     * @param receiver GUID of whom it is for: nobody else will take it
     */
    public static void write(RingMessage message, DatagramMac mac, long receiver, ByteBuffer out) {
        out.putShort((short) MAGIC);
        out.put((byte) VERSION);
        out.put((byte) message.type.code());
        out.putInt(message.cluster);
        out.putLong(message.epoch);
        out.putLong(message.senderGuid);
        out.put((byte) message.hops);
        putSlot(out, message.fromSlot);
        out.putInt(message.incarnation);
        writeBody(message, out);
        out.putInt(message.sequence);
        out.putInt(message.type.isPing() ? message.observerHash : message.setHash);
        if (message.copy != RingMessage.NO_COPY) {
            writeCopy(message, out);
        }
        mac.seal(out, MAGIC_BYTES, receiver);
    }

    private static void writeBody(RingMessage message, ByteBuffer out) {
        switch (message.type) {
            case HEARTBEAT, SYNC, NEW_OBSERVER -> {
                out.putInt(message.recordCount);
                out.putInt(message.nonce);
                out.putLong(0);
            }
            case DEAD, ALIVE, PING, PONG -> {
                out.putLong(message.subjectGuid);
                out.putInt(message.subjectIncarnation);
                putSlot(out, message.observerSlot);
                out.put((byte) (message.type.isRecord() ? message.silence : message.nonce));
            }
            case REVOKE -> {
                out.putLong(message.leaderEpoch);
                out.putLong(message.fabricEpoch);
            }
        }
    }

    private static void writeCopy(RingMessage message, ByteBuffer out) {
        out.put((byte) message.copy);
        putSlot(out, message.sourceSlot);
        for (int i = 0; i < message.deadCount; i++) {
            putSlot(out, message.deadSlots[i]);
        }
    }

    /**
     * Reads one datagram into the message. Whether slots, epoch and incarnation fit is not judged here: only a detector
     * knows its membership.
     *
     * @param in       what remains in it is the datagram; its position stays
     * @param receiver GUID of whoever reads it
     * @return why the bytes are no ring datagram, or null; after a refusal the message's content means nothing
     */
    public static @Nullable DropReason read(ByteBuffer in, DatagramMac mac, long receiver, RingMessage message) {
        DropReason malformed = parse(in, message);
        return malformed == null && !isSealed(in, mac, receiver) ? DropReason.MAC : malformed;
    }

    /** True if the MAC of what was parsed is that of a member, made for this receiver. Costs a hundred times what parsing does. */
    static boolean isSealed(ByteBuffer in, DatagramMac mac, long receiver) {
        return mac.fits(in, MAGIC_BYTES, receiver);
    }

    /** As {@link #read}, but whoever may have made the bytes: no secret is needed for what is looked at here. */
    static @Nullable DropReason parse(ByteBuffer in, RingMessage message) {
        int length = in.remaining();
        if (!isLength(length)) {
            return DropReason.LENGTH;
        }
        int start = in.position();
        if (Short.toUnsignedInt(in.getShort(start)) != MAGIC) {
            return DropReason.MAGIC;
        }
        if (Byte.toUnsignedInt(in.get(start + VERSION_AT)) != VERSION) {
            return DropReason.VERSION;
        }
        MessageType type = MessageType.ofCode(Byte.toUnsignedInt(in.get(start + TYPE_AT)));
        if (type == null) {
            return DropReason.TYPE;
        }
        if (length != LENGTH && !travelsInCopies(type)) {
            return DropReason.LENGTH;
        }
        message.type = type;
        DropReason refused = readFields(in, message, length);
        in.position(start);
        return refused;
    }

    private static boolean isLength(int length) {
        int dead = length - LENGTH - COPY_BYTES;
        return length == LENGTH || (dead >= 0 && length <= LENGTH_MAX && dead % SLOT_BYTES == 0);
    }

    private static boolean travelsInCopies(MessageType type) {
        return type == MessageType.DEAD || type == MessageType.ALIVE || type == MessageType.REVOKE;
    }

    private static @Nullable DropReason readFields(ByteBuffer in, RingMessage message, int length) {
        in.position(in.position() + TYPE_AT + 1);
        message.cluster = in.getInt();
        message.epoch = in.getLong();
        message.senderGuid = in.getLong();
        message.hops = Byte.toUnsignedInt(in.get());
        message.fromSlot = slot(in);
        message.incarnation = in.getInt();
        boolean isBody = readBody(in, message);
        message.sequence = in.getInt();
        int hash = in.getInt();
        message.setHash = message.type.isPing() ? 0 : hash;
        message.observerHash = message.type.isPing() ? hash : 0;
        boolean isCopy = readCopy(in, message, length);
        if (!isBody || !isCopy) {
            return DropReason.TYPE;
        }
        return areSlots(message) ? null : DropReason.SLOT;
    }

    private static boolean readBody(ByteBuffer in, RingMessage message) {
        long first = in.getLong();
        long second = in.getLong();
        clearBody(message);
        return switch (message.type) {
            case HEARTBEAT, SYNC, NEW_OBSERVER -> {
                message.recordCount = high(first);
                message.nonce = low(first);
                yield second == 0
                        && (message.type == MessageType.NEW_OBSERVER
                                ? message.recordCount == 0
                                : isWithin(message.recordCount, RECORD_COUNT_MAX + 1))
                        && (message.type != MessageType.SYNC || message.nonce == 0);
            }
            case DEAD, ALIVE, PING, PONG -> {
                message.subjectGuid = first;
                message.subjectIncarnation = high(second);
                message.observerSlot = low(second) >>> Byte.SIZE;
                int detail = low(second) & 0xff;
                message.silence = message.type == MessageType.DEAD ? detail : 0;
                message.nonce = message.type.isPing() ? detail : 0;
                yield message.type != MessageType.ALIVE || detail == 0;
            }
            case REVOKE -> {
                message.leaderEpoch = first;
                message.fabricEpoch = second;
                yield true;
            }
        };
    }

    private static void clearBody(RingMessage message) {
        message.recordCount = 0;
        message.subjectGuid = 0;
        message.subjectIncarnation = 0;
        message.observerSlot = 0;
        message.silence = 0;
        message.nonce = 0;
        message.leaderEpoch = 0;
        message.fabricEpoch = 0;
    }

    private static boolean readCopy(ByteBuffer in, RingMessage message, int length) {
        message.copy = RingMessage.NO_COPY;
        message.sourceSlot = 0;
        message.deadCount = 0;
        if (length == LENGTH) {
            return true;
        }
        message.copy = Byte.toUnsignedInt(in.get());
        message.sourceSlot = slot(in);
        message.deadCount = (length - LENGTH - COPY_BYTES) / SLOT_BYTES;
        boolean isAscending = true;
        for (int i = 0; i < message.deadCount; i++) {
            message.deadSlots[i] = slot(in);
            isAscending &= i == 0 || message.deadSlots[i] > message.deadSlots[i - 1];
        }
        return isAscending && message.copy < RingMessage.COPY_LIMIT;
    }

    /** Slots take 24 bits. */
    private static void putSlot(ByteBuffer out, int slot) {
        out.put((byte) (slot >>> Short.SIZE)).putShort((short) slot);
    }

    private static int slot(ByteBuffer in) {
        return Byte.toUnsignedInt(in.get()) << Short.SIZE | Short.toUnsignedInt(in.getShort());
    }

    private static boolean areSlots(RingMessage message) {
        int highestDead = message.deadCount == 0 ? 0 : message.deadSlots[message.deadCount - 1];
        return isWithin(message.fromSlot, Membership.SLOT_COUNT_MAX)
                && isWithin(message.observerSlot, Membership.SLOT_COUNT_MAX)
                && isWithin(message.sourceSlot, Membership.SLOT_COUNT_MAX)
                && isWithin(highestDead, Membership.SLOT_COUNT_MAX);
    }

    private static boolean isWithin(int value, int limit) {
        return value >= 0 && value < limit;
    }

    private static int high(long bits) {
        return (int) (bits >>> Integer.SIZE);
    }

    private static int low(long bits) {
        return (int) bits;
    }
}
