package io.dmodc.detector.link;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A hello that goes through a switch: that one forwards it by its table, and whoever is behind it answers the same way. Mutable
 * and reused, so that sending and receiving allocate nothing.
 *
 * <p>On the wire 40 bytes, big-endian:
 *
 * <pre>
 *    0  magic d37e        2  version 1         3  kind 1 question, 2 answer
 *    4  cluster           8  GUID of the asking switch
 *   16  GUID of the switch asked about        24  number of the question, drawn at random by who asks
 *   32  destination by whose route the answer comes back               36  reserved, 0
 * </pre>
 *
 * An answer is the question with another kind. Every field is read strictly: whatever is accepted would be written again byte
 * for byte. It carries no signature: an answer counts for who knows the number that was drawn.
 */
public final class TransitHello {
    /** Bytes on the wire. */
    public static final int LENGTH = 40;

    /** Destination indices are below that. */
    public static final int DESTINATIONS_MAX = 524_288;

    private static final short MAGIC = (short) 0xd37e;
    private static final byte VERSION = 1;
    private static final byte QUESTION = 1;
    private static final byte ANSWER = 2;

    public boolean answer;
    public int cluster;
    public long askerGuid;
    public long subjectGuid;
    public long number;

    /** Index in the tables, 0..{@link #DESTINATIONS_MAX} − 1. */
    public int back;

    /** Writes {@value #LENGTH} bytes at the buffer's position and moves it. */
    public void write(ByteBuffer out) {
        out.putShort(MAGIC).put(VERSION).put(answer ? ANSWER : QUESTION);
        out.putInt(cluster).putLong(askerGuid).putLong(subjectGuid).putLong(number);
        out.putInt(back).putInt(0);
    }

    /**
     * Reads the rest of the buffer, which is big-endian.
     *
     * @return null when all fields are in their ranges; otherwise the fields are not to be used
     */
    public @Nullable HelloDropReason read(ByteBuffer in) {
        if (in.remaining() != LENGTH) {
            return HelloDropReason.LENGTH;
        }
        if (in.getShort() != MAGIC) {
            return HelloDropReason.MAGIC;
        }
        if (in.get() != VERSION) {
            return HelloDropReason.VERSION;
        }
        byte kind = in.get();
        answer = kind == ANSWER;
        cluster = in.getInt();
        askerGuid = in.getLong();
        subjectGuid = in.getLong();
        number = in.getLong();
        back = in.getInt();
        boolean fits = (answer || kind == QUESTION)
                && askerGuid != 0
                && subjectGuid != 0
                && back >= 0
                && back < DESTINATIONS_MAX
                && in.getInt() == 0;
        return fits ? null : HelloDropReason.FIELD;
    }
}
