package io.dmodc.agent.linux;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/**
 * A socket between two ends of a cable that know each other: from the link-local address of this one to that of the far one, and from
 * nobody else. The kernel remembers the way, and finds the socket by its address alone. For a multicast it looks for the route among all
 * interfaces of the switch, and at the far end for the sockets among all of the port, which takes the longer the more ports a switch has.
 *
 * <p>Unlike a multicast it needs the far end's kernel to answer for its address, and a socket there that leads back: who sends must have heard
 * that it arrives ({@link CablePort}).
 *
 * <p>{@link #send} from any thread; the rest is for one.
 */
final class DirectSocket implements AutoCloseable {
    /** At both ends. */
    static final int UDP_PORT = 7474;

    private final DatagramChannel channel;
    private final Inet6Address far;

    private DirectSocket(DatagramChannel channel, Inet6Address far) {
        this.channel = channel;
        this.far = far;
    }

    /**
     * Opens one that is read when the selector says so.
     *
     * @param group to which this end's announcements go, from the address that the far end knows of it
     * @param far link-local, with the interface to go by
     * @param reader attached to its key
     * @throws IOException when the interface has gone or has no address that is ready, or another process has the port
     */
    static DirectSocket open(InetSocketAddress group, Inet6Address far, Selector selector, CableSocket.Reader reader)
            throws IOException {
        InetSocketAddress own = new InetSocketAddress(sourceTowards(group), UDP_PORT);
        DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET6);
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.IP_TOS, CableSocket.TRAFFIC_CLASS);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, CableSocket.BUFFER_BYTES);
            channel.bind(own);
            channel.connect(new InetSocketAddress(far, UDP_PORT));
            channel.register(selector, SelectionKey.OP_READ, reader);
            return new DirectSocket(channel, far);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** An interface may have several addresses; nothing is sent. */
    private static InetAddress sourceTowards(SocketAddress to) throws IOException {
        try (DatagramChannel asking = DatagramChannel.open(StandardProtocolFamily.INET6)) {
            asking.connect(to);
            return ((InetSocketAddress) asking.getLocalAddress()).getAddress();
        }
    }

    boolean leadsTo(Inet6Address address) {
        return far.equals(address) && far.getScopeId() == address.getScopeId();
    }

    /**
     * Sends what is between the buffer's position and its limit; never waits.
     *
     * @return false: it was not sent, because there is no way, or the far end's kernel said of the one before that nobody listens
     */
    boolean send(ByteBuffer frame) {
        try {
            return channel.write(frame) > 0;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Puts the next frame that waits into the buffer; false: none does.
     *
     * @throws IOException also when nobody listened at the far end to what was sent; the next call is as if it had not been
     */
    boolean receive(ByteBuffer into) throws IOException {
        return channel.read(into) > 0;
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
