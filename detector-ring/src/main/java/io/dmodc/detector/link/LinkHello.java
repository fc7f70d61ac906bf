package io.dmodc.detector.link;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One hello, mutable and reused, so that sending and receiving allocate nothing.
 *
 * <p>On the wire 40 bytes, big-endian:
 *
 * <pre>
 *    0  magic d37d        2  version 1         3  state 1 down, 2 init, 3 up
 *    4  cluster           8  GUID of the sender's switch
 *   16  its port         17  diagnosis        18  multiplier        19  reserved, 0
 *   20  own discriminator                     24  the far end's discriminator, 0: not known
 *   28  desired transmit interval, µs         32  required receive interval, µs
 *   36  sequence of the sender's session
 * </pre>
 *
 * Every field is read strictly: whatever is accepted would be written again byte for byte. It carries no signature: what
 * comes out of a cable was put in at its other end.
 */
public final class LinkHello {
    /** Bytes on the wire. */
    public static final int LENGTH = 40;

    private static final short MAGIC = (short) 0xd37d;
    private static final byte VERSION = 1;
    private static final int PORT_MAX = 254;
    private static final long MICRO = 1000;

    /** Nothing a peer may ask for makes this end wait longer than that, times {@link LinkRules#MULTIPLIER_MAX}. */
    private static final int INTERVAL_MAX_MICROS = (int) (LinkRules.SLOW_MAX_NANOS / MICRO);

    public int cluster;
    public long senderGuid;
    public int senderPort;
    public LinkState state = LinkState.DOWN;
    public LinkDiagnosis diagnosis = LinkDiagnosis.NONE;
    public int multiplier;
    public int ownDiscriminator;
    public int yourDiscriminator;
    public long transmitNanos;
    public long receiveNanos;
    public int sequence;

    /** Writes {@value #LENGTH} bytes at the buffer's position and moves it. */
    public void write(ByteBuffer out) {
        out.putShort(MAGIC).put(VERSION).put((byte) state.code());
        out.putInt(cluster).putLong(senderGuid);
        out.put((byte) senderPort).put((byte) diagnosis.code()).put((byte) multiplier);
        out.put((byte) 0);
        out.putInt(ownDiscriminator).putInt(yourDiscriminator);
        out.putInt((int) (transmitNanos / MICRO)).putInt((int) (receiveNanos / MICRO));
        out.putInt(sequence);
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
        return readFields(in) ? null : HelloDropReason.FIELD;
    }

    private boolean readFields(ByteBuffer in) {
        LinkState heard = LinkState.of(in.get());
        cluster = in.getInt();
        senderGuid = in.getLong();
        senderPort = Byte.toUnsignedInt(in.get());
        LinkDiagnosis why = LinkDiagnosis.of(in.get());
        multiplier = Byte.toUnsignedInt(in.get());
        byte reserved = in.get();
        ownDiscriminator = in.getInt();
        yourDiscriminator = in.getInt();
        int transmit = in.getInt();
        int receive = in.getInt();
        sequence = in.getInt();
        if (heard == null || why == null || reserved != 0 || !isInterval(transmit) || !isInterval(receive)) {
            return false;
        }
        state = heard;
        diagnosis = why;
        transmitNanos = transmit * MICRO;
        receiveNanos = receive * MICRO;
        return senderPort >= 1
                && senderPort <= PORT_MAX
                && multiplier >= 1
                && multiplier <= LinkRules.MULTIPLIER_MAX
                && ownDiscriminator != 0;
    }

    private static boolean isInterval(int micros) {
        return micros > 0 && micros <= INTERVAL_MAX_MICROS;
    }
}
