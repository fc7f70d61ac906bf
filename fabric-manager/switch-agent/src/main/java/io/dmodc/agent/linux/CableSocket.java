package io.dmodc.agent.linux;

import java.io.IOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The socket of one cable: multicasts of link-local scope, which no router passes on and for which nobody must be looked up first.
 *
 * <p>It is bound to the group's address <em>on its interface</em>. To the kernel that is a socket bound to the interface, without a
 * privilege: it receives nothing from another port, and a port that storms fills no other port's buffer. Where an interface is made
 * anew under the same name, this socket stays with the old one.
 *
 * <p>{@link #send} from any thread; the rest is for one.
 */
final class CableSocket implements AutoCloseable {
    /** Beside the manager's 7470 and 7471. */
    static final int UDP_PORT = 7472;

    /** Of withdrawals, which are read the moment they come. */
    static final int WITHDRAWAL_PORT = 7473;

    /** ff12::d37d: of link-local scope, and not one that was assigned to somebody. */
    private static final byte[] GROUP = HexFormat.of().parseHex("ff12000000000000000000000000d37d");

    /** CS6, network control: what a router of the site puts first where it puts anything first. */
    static final int TRAFFIC_CLASS = 0xc0;

    /** What the kernel keeps for one port between two wake-ups, a few hundred frames. */
    static final int BUFFER_BYTES = 1 << 16;

    /** Reads a frame, or some, when something waits in a socket. */
    interface Reader {
        /** Called by who waits with the selector; {@code scratch} is free again when it returns. */
        void read(ByteBuffer scratch, long now);
    }

    /** What became of a frame. */
    enum Sent {
        SENT,
        /** Lost, because more was sent than the port takes. */
        FULL,
        /** Lost, because the interface has no address that is ready. */
        NO_ADDRESS,
        /** Lost, because the interface cannot send now. */
        REFUSED
    }

    private final DatagramChannel channel;
    private final NetworkInterface through;
    private final InetSocketAddress group;
    private volatile String refusal = "";

    private CableSocket(DatagramChannel channel, NetworkInterface through, InetSocketAddress group) {
        this.channel = channel;
        this.through = through;
        this.group = group;
    }

    /**
     * Opens one that is read when the selector says so.
     *
     * @param reader attached to its key
     * @param udpPort of both ends
     * @throws IOException when another process has it, or the interface has gone
     */
    static CableSocket open(NetworkInterface through, Selector selector, Reader reader, int udpPort)
            throws IOException {
        InetSocketAddress group =
                new InetSocketAddress(Inet6Address.getByAddress(null, GROUP, through.getIndex()), udpPort);
        DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET6);
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.IP_MULTICAST_LOOP, false);
            channel.setOption(StandardSocketOptions.IP_TOS, TRAFFIC_CLASS);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
            try {
                channel.bind(group);
            } catch (BindException e) {
                throw new IOException("UDP " + udpPort + ": " + e.getMessage(), e);
            }
            channel.join(InetAddress.getByAddress(GROUP), through);
            channel.register(selector, SelectionKey.OP_READ, reader);
            return new CableSocket(channel, through, group);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Where announcements go. */
    InetSocketAddress group() {
        return group;
    }

    /** The kernel's number of the interface. */
    int index() {
        return through.getIndex();
    }

    /** The interface's address now, 48 bits; 0: none. */
    long mac() {
        try {
            byte[] bytes = through.getHardwareAddress();
            if (bytes == null || bytes.length != 6) {
                return 0;
            }
            long mac = 0;
            for (byte each : bytes) {
                mac = mac << 8 | Byte.toUnsignedLong(each);
            }
            return HostIdentity.isMac(mac) ? mac : 0;
        } catch (SocketException e) {
            return 0;
        }
    }

    /** Sends what is between the buffer's position and its limit; never waits. */
    Sent send(ByteBuffer frame) {
        try {
            return channel.send(frame, group) > 0 ? Sent.SENT : Sent.FULL;
        } catch (IOException e) {
            refusal = String.valueOf(e.getMessage());
            return e instanceof BindException ? Sent.NO_ADDRESS : Sent.REFUSED;
        }
    }

    /** Why the last one was refused. */
    String refusal() {
        return refusal;
    }

    /** Puts the next frame that waits into the buffer, and returns from where it came, with the interface it came over; null: none waits, or it came from no IPv6 address. */
    @Nullable
    Inet6Address receive(ByteBuffer into) throws IOException {
        SocketAddress from = channel.receive(into);
        return from instanceof InetSocketAddress known && known.getAddress() instanceof Inet6Address address
                ? address
                : null;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // It is closed all the same.
        }
    }
}
