package io.dmodc.agent.linux;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A list of withdrawn addresses as frames. On the wire {@value #HEAD_BYTES} bytes and {@value #ADDRESS_BYTES} for each address, big-endian;
 * no longer than what each IPv6 link carries in one piece:
 *
 * <pre>
 *    0  magic d37f        2  version 1         3  reserved, 0
 *    4  number of the list; another one for the next
 *    8  GUID of the switch that says it
 *   16  which frame of the list this is, from 0       17  how many it has, 1..32
 *   18  addresses in this frame: 75, but in the last  20  reserved, 0
 *   24  the addresses, IPv4 as ::ffff:a.b.c.d
 * </pre>
 *
 * Only a list without addresses has a frame without any. Every field is read strictly: whatever is accepted would be written again byte for
 * byte. It carries no signature: what comes out of a cable was put in at its other end. Stateless.
 */
public final class WithdrawalCodec {
    /** So many frames of a list wait in the socket of a cable without loss. */
    static final int FRAMES_MAX = 32;

    static final int FRAME_ADDRESSES_MAX = 75;

    /** The longest list; who has more to say leaves the rest out. */
    static final int ADDRESSES_MAX = FRAMES_MAX * FRAME_ADDRESSES_MAX;

    static final int HEAD_BYTES = 24;
    private static final int ADDRESS_BYTES = 2 * Long.BYTES;

    /** The longest frame. */
    static final int MAX_BYTES = HEAD_BYTES + FRAME_ADDRESSES_MAX * ADDRESS_BYTES;

    private static final short MAGIC = (short) 0xd37f;
    private static final byte VERSION = 1;

    /**
     * One frame of a list.
     *
     * @param number of the list
     * @param guid of the switch that says it
     * @param at which frame of the list, from 0
     * @param of how many there are
     */
    public record Frame(int number, long guid, int at, int of, List<RouteAddress> addresses) {}

    private WithdrawalCodec() {}

    /** Returns the frames of a list, of which those behind the first {@value #ADDRESSES_MAX} are left out. */
    public static List<ByteBuffer> write(int number, long guid, Collection<RouteAddress> addresses) {
        int left = Math.min(addresses.size(), ADDRESSES_MAX);
        int of = Math.max(1, (left + FRAME_ADDRESSES_MAX - 1) / FRAME_ADDRESSES_MAX);
        Iterator<RouteAddress> next = addresses.iterator();
        List<ByteBuffer> frames = new ArrayList<>(of);
        for (int at = 0; at < of; at++) {
            List<RouteAddress> part = new ArrayList<>(Math.min(left, FRAME_ADDRESSES_MAX));
            for (int i = Math.min(left, FRAME_ADDRESSES_MAX); i > 0; i--, left--) {
                part.add(next.next());
            }
            frames.add(write(new Frame(number, guid, at, of, part)));
        }
        return frames;
    }

    /** Returns one frame. */
    public static ByteBuffer write(Frame said) {
        int count = said.addresses().size();
        ByteBuffer frame = ByteBuffer.allocate(HEAD_BYTES + count * ADDRESS_BYTES);
        frame.putShort(MAGIC).put(VERSION).put((byte) 0).putInt(said.number()).putLong(said.guid());
        frame.put((byte) said.at())
                .put((byte) said.of())
                .putShort((short) count)
                .putInt(0);
        for (RouteAddress address : said.addresses()) {
            frame.putLong(address.high()).putLong(address.low());
        }
        return frame.flip();
    }

    /** Reads the rest of the buffer, which is big-endian; null for what is no frame. Whatever it holds, nothing is thrown. */
    public static @Nullable Frame read(ByteBuffer in) {
        int length = in.remaining();
        if (length < HEAD_BYTES
                || length > MAX_BYTES
                || in.getShort() != MAGIC
                || in.get() != VERSION
                || in.get() != 0) {
            return null;
        }
        int number = in.getInt();
        long guid = in.getLong();
        int at = in.get();
        int of = in.get();
        int count = in.getShort();
        boolean fits = guid != 0
                && at >= 0
                && at < of
                && of <= FRAMES_MAX
                && in.getInt() == 0
                && length == HEAD_BYTES + count * ADDRESS_BYTES
                && (at + 1 < of ? count == FRAME_ADDRESSES_MAX : count > 0 || of == 1);
        if (!fits) {
            return null;
        }
        List<RouteAddress> addresses = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            addresses.add(new RouteAddress(in.getLong(), in.getLong()));
        }
        return new Frame(number, guid, at, of, addresses);
    }
}
