package io.dmodc.detector.net;

import io.dmodc.detector.MessageType;
import io.dmodc.detector.RingMessage;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A member of a ring that says and hears just what a test makes it say and hear, through a real socket. */
final class ScriptedMember implements AutoCloseable {
    static final int CLUSTER = 1;
    static final long EPOCH = 1;

    private static final int PATIENCE_MILLIS = 30_000;

    private final DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    private final int slot;
    private final long guid;
    private final DatagramMac mac;
    private final long peerGuid;
    private int sequence = 1;

    /** @param peerGuid of the endpoint it speaks with */
    ScriptedMember(int slot, long guid, RingKey key, long peerGuid) throws IOException {
        this.slot = slot;
        this.guid = guid;
        this.mac = key.newMac();
        this.peerGuid = peerGuid;
    }

    InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    /** A message of this member in its first incarnation, under the next sequence number. */
    RingMessage message(MessageType type) {
        RingMessage message = new RingMessage();
        message.type = type;
        message.cluster = CLUSTER;
        message.epoch = EPOCH;
        message.senderGuid = guid;
        message.fromSlot = slot;
        message.incarnation = 1;
        message.hops = 1;
        message.sequence = sequence++;
        return message;
    }

    RingMessage death(int subject, int incarnation) {
        RingMessage message = message(MessageType.DEAD);
        message.subjectGuid = 0xa0L + subject;
        message.subjectIncarnation = incarnation;
        message.observerSlot = slot;
        message.silence = 1;
        return message;
    }

    byte[] sealed(RingMessage message) {
        return sealed(message, mac, peerGuid);
    }

    byte[] sealedFor(long receiver, RingMessage message) {
        return sealed(message, mac, receiver);
    }

    static byte[] sealed(RingMessage message, DatagramMac mac, long receiver) {
        ByteBuffer bytes = ByteBuffer.allocate(Datagram.LENGTH_MAX);
        Datagram.write(message, mac, receiver, bytes);
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    void send(RingMessage message, InetSocketAddress to) throws IOException {
        send(sealed(message), to);
    }

    void send(byte[] bytes, InetSocketAddress to) throws IOException {
        socket.send(new DatagramPacket(bytes, bytes.length, to));
    }

    /** Waits for a message of this type and skips others. */
    RingMessage await(MessageType type) throws IOException {
        RingMessage message;
        do {
            message = receive(PATIENCE_MILLIS);
            if (message == null) {
                throw new IOException("puppet " + slot + ": no " + type + " in " + PATIENCE_MILLIS + " ms");
            }
        } while (message.type != type);
        return message;
    }

    /** How many messages of this type have arrived and were not read yet. */
    int waiting(MessageType type) throws IOException {
        int count = 0;
        for (RingMessage message = receive(1); message != null; message = receive(1)) {
            count += message.type == type ? 1 : 0;
        }
        return count;
    }

    private @Nullable RingMessage receive(int millis) throws IOException {
        byte[] bytes = new byte[Datagram.LENGTH_MAX + 1];
        DatagramPacket packet = new DatagramPacket(bytes, bytes.length);
        socket.setSoTimeout(millis);
        try {
            socket.receive(packet);
        } catch (SocketTimeoutException nothingThere) {
            return null;
        }
        RingMessage message = new RingMessage();
        if (Datagram.read(ByteBuffer.wrap(bytes, 0, packet.getLength()), mac, guid, message) != null) {
            throw new IOException("puppet " + slot + ": no datagram of this ring");
        }
        return message;
    }

    @Override
    public void close() {
        socket.close();
    }
}
