package io.dmodc.detector.net;

import io.dmodc.detector.DropReason;
import io.dmodc.detector.MessageType;
import io.dmodc.detector.RingMessage;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The wire format of the ring: every datagram is exactly 64 bytes, big-endian, whatever it says.
 *
 * <pre>
 * offset bytes
 *      0   2   magic 0xD37C
 *      2   1   version 1
 *      3   1   type: 1 heartbeat, 2 new observer, 3 dead, 4 alive, 5 sync
 *      4   4   cluster
 *      8   8   membership epoch
 *     16   8   GUID of the sender
 *     24   1   hops this copy has travelled on arrival
 *     25   3   slot of the sender
 *     28   4   incarnation of the sender
 *     32   4   slot of the subject             (dead, alive; else 0)
 *     36   4   incarnation of the subject      (dead, alive; else 0)
 *     40   4   slot of the observer            (dead; else 0 or the subject)
 *     44   4   silence at the observer, µs     (dead; else 0)
 *     48   4   sequence, counts the sender's datagrams
 *     52   4   set hash of the sender's records
 *     56   8   reserved for a truncated MAC over bytes 0..55; sent as 0, not looked at by version 1
 * </pre>
 *
 * One length for all keeps the check simple and the answer to a foreign asker no longer than its question.
 */
public final class Datagram {
    /** Length of every datagram in bytes. */
    public static final int LENGTH = 64;

    static final int MAGIC = 0xD37C;
    static final int VERSION = 1;

    private static final int MAC_BYTES = 8;

    private Datagram() {}

    /** Appends {@link #LENGTH} bytes to the buffer. */
    public static void write(RingMessage message, ByteBuf out) {
        out.writeShort(MAGIC);
        out.writeByte(VERSION);
        out.writeByte(message.type.code());
        out.writeInt(message.cluster);
        out.writeLong(message.epoch);
        out.writeLong(message.senderGuid);
        out.writeByte(message.hops);
        out.writeMedium(message.fromSlot);
        out.writeInt(message.incarnation);
        out.writeInt(message.subjectSlot);
        out.writeInt(message.subjectIncarnation);
        out.writeInt(message.observerSlot);
        out.writeInt(message.silenceMicros);
        out.writeInt(message.sequence);
        out.writeInt(message.setHash);
        out.writeZero(MAC_BYTES);
    }

    /**
     * Reads one datagram into the message. Slots and incarnations are not judged here: only a detector knows its
     * membership.
     *
     * @return why the bytes are no ring datagram, or null; after a refusal the message's content means nothing
     */
    public static @Nullable DropReason read(ByteBuf in, RingMessage message) {
        if (in.readableBytes() != LENGTH) {
            return DropReason.LENGTH;
        }
        if (in.readUnsignedShort() != MAGIC) {
            return DropReason.MAGIC;
        }
        if (in.readUnsignedByte() != VERSION) {
            return DropReason.VERSION;
        }
        MessageType type = MessageType.ofCode(in.readUnsignedByte());
        if (type == null) {
            return DropReason.TYPE;
        }
        message.type = type;
        readFields(in, message);
        return message.silenceMicros < 0 ? DropReason.TYPE : null;
    }

    private static void readFields(ByteBuf in, RingMessage message) {
        message.cluster = in.readInt();
        message.epoch = in.readLong();
        message.senderGuid = in.readLong();
        message.hops = in.readUnsignedByte();
        message.fromSlot = in.readUnsignedMedium();
        message.incarnation = in.readInt();
        message.subjectSlot = in.readInt();
        message.subjectIncarnation = in.readInt();
        message.observerSlot = in.readInt();
        message.silenceMicros = in.readInt();
        message.sequence = in.readInt();
        message.setHash = in.readInt();
    }
}
