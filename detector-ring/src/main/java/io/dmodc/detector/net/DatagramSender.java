package io.dmodc.detector.net;

import io.dmodc.detector.RingMessage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/** Puts messages into datagrams and sends these at once, all in one buffer. Confined to the loop. */
final class DatagramSender {
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(Datagram.LENGTH_MAX);
    private DatagramMac mac;

    DatagramSender(DatagramMac mac) {
        this.mac = mac;
    }

    /** Makes datagrams with this from now on. */
    void use(DatagramMac newMac) {
        mac = newMac;
    }

    /**
     * Sends; never waits.
     *
     * @param receiver GUID of the member that receives there
     * @throws IOException when the kernel has no way there, or no room, and it is lost
     */
    void send(DatagramChannel channel, RingMessage message, long receiver, InetSocketAddress to) throws IOException {
        bytes.clear();
        Datagram.write(message, mac, receiver, bytes);
        if (channel.send(bytes.flip(), to) == 0) {
            throw new IOException("the socket's buffer is full");
        }
    }
}
