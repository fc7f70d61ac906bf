package io.dmodc.agent.linux;

import io.dmodc.agent.plane.HelloChannel;
import io.dmodc.agent.plane.Neighbour;
import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.topology.HostAddresses;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Announcements as bytes. On the wire {@value #LENGTH} bytes, big-endian; hellos have {@value HelloChannel#MAX_BYTES} at most, so
 * that the length alone tells which is which.
 *
 * <pre>
 *    0  magic d37a        2  version 1         3  kind 1 switch, 2 host
 *    4  cluster           8  GUID of the switch, or of the host's port
 *   16  GUID of the host; 0 of a switch
 *   24  MAC of the interface, 0: none          30  port
 *   31  1: an answer is wanted at once; 2: hellos are heard directly; or both, added
 *   32  IPv4 of the host, 0: none              36  IPv6 of the host, 0: none
 *   52  length of the name in bytes            53  reserved, 0
 *   56  name of the host, UTF-8, filled up with 0 to 64 bytes
 * </pre>
 *
 * Every field is read strictly: whatever is accepted would be written again byte for byte. It carries no signature: what comes out
 * of a cable was put in at its other end. Stateless.
 */
final class AnnouncementCodec {
    /** Bytes on the wire. */
    static final int LENGTH = 120;

    private static final short MAGIC = (short) 0xd37a;
    private static final byte VERSION = 1;
    private static final int ASKS = 1;
    private static final int HEARS_DIRECTLY = 2;
    private static final byte SWITCH = 1;
    private static final byte HOST = 2;
    private static final int NAME_BYTES = SouthboundProtocol.MAX_NAME_BYTES;
    private static final byte[] ZEROS = new byte[NAME_BYTES];

    /** What a switch says where a host says what it is. */
    private static final HostPort NO_HOST = new HostPort(0, 0, 0, "");

    /** Why a frame was not read. */
    enum DropReason {
        LENGTH,
        MAGIC,
        VERSION,
        FIELD
    }

    /** An announcement, or why there is none. */
    record Reading(
            @Nullable Announcement announcement, @Nullable DropReason dropped) {}

    private AnnouncementCodec() {}

    /** Writes {@value #LENGTH} bytes at the buffer's position and moves it; a host's was checked by {@link HostIdentity}. */
    static void write(Announcement said, ByteBuffer out) {
        Neighbour sender = said.sender();
        if (sender instanceof HostPort host) {
            writeHead(HOST, said, host.portGuid(), host.hostGuid(), host.port(), out);
            writeHost(host, out);
        } else if (sender instanceof SwitchPort end) {
            writeHead(SWITCH, said, end.guid(), 0, end.port(), out);
            writeHost(NO_HOST, out);
        } else {
            throw new IllegalStateException("nobody announces a " + sender.getClass());
        }
    }

    private static void writeHead(byte kind, Announcement said, long guid, long hostGuid, int port, ByteBuffer out) {
        out.putShort(MAGIC).put(VERSION).put(kind);
        out.putInt(said.cluster()).putLong(guid).putLong(hostGuid);
        out.putShort((short) (said.mac() >>> 32)).putInt((int) said.mac());
        out.put((byte) port).put((byte) ((said.asks() ? ASKS : 0) | (said.hearsDirectly() ? HEARS_DIRECTLY : 0)));
    }

    private static void writeHost(HostPort host, ByteBuffer out) {
        HostAddresses addresses = host.addresses();
        out.putInt(addresses.ipv4()).putLong(addresses.ipv6High()).putLong(addresses.ipv6Low());
        byte[] name = host.name().getBytes(StandardCharsets.UTF_8);
        out.putInt(name.length << 24);
        out.put(name).put(ZEROS, 0, NAME_BYTES - name.length);
    }

    /** Reads the rest of the buffer, which is big-endian; whatever it holds, nothing is thrown. */
    static Reading read(ByteBuffer in) {
        if (in.remaining() != LENGTH) {
            return dropped(DropReason.LENGTH);
        }
        if (in.getShort() != MAGIC) {
            return dropped(DropReason.MAGIC);
        }
        if (in.get() != VERSION) {
            return dropped(DropReason.VERSION);
        }
        Announcement said = readFields(in);
        return said == null ? dropped(DropReason.FIELD) : new Reading(said, null);
    }

    private static Reading dropped(DropReason why) {
        return new Reading(null, why);
    }

    private static @Nullable Announcement readFields(ByteBuffer in) {
        byte kind = in.get();
        int cluster = in.getInt();
        long guid = in.getLong();
        long hostGuid = in.getLong();
        long mac = (long) Short.toUnsignedInt(in.getShort()) << 32 | Integer.toUnsignedLong(in.getInt());
        int port = Byte.toUnsignedInt(in.get());
        int flags = in.get();
        HostAddresses addresses = new HostAddresses(0, in.getInt(), in.getLong(), in.getLong(), mac);
        String name = readName(in);
        boolean fits = guid != 0
                && port >= 1
                && port <= SouthboundProtocol.MAX_PORTS
                && (flags & ~(ASKS | HEARS_DIRECTLY)) == 0
                && (mac == 0 || HostIdentity.isMac(mac))
                && name != null;
        if (!fits || name == null) {
            return null;
        }
        Neighbour sender = kind == HOST
                ? host(new HostPort(guid, hostGuid, port, name, addresses))
                : kind == SWITCH && isBare(hostGuid, addresses, name) ? new SwitchPort(guid, port) : null;
        return sender == null
                ? null
                : new Announcement(cluster, sender, mac, (flags & ASKS) != 0, (flags & HEARS_DIRECTLY) != 0);
    }

    private static boolean isBare(long hostGuid, HostAddresses addresses, String name) {
        return hostGuid == 0 && addresses.ipv4() == 0 && !addresses.hasIpv6() && name.isEmpty();
    }

    private static @Nullable HostPort host(HostPort said) {
        try {
            HostIdentity.check(said);
            return said;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Null for what is no name. */
    private static @Nullable String readName(ByteBuffer in) {
        int head = in.getInt();
        byte[] field = new byte[NAME_BYTES];
        in.get(field);
        int length = head >>> 24;
        if (length > NAME_BYTES || (head & 0xff_ffff) != 0) {
            return null;
        }
        for (int i = length; i < NAME_BYTES; i++) {
            if (field[i] != 0) {
                return null;
            }
        }
        if (length == 0) {
            return "";
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(field, 0, length))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
