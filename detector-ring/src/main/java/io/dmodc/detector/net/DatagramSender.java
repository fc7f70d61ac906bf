package io.dmodc.detector.net;

import io.dmodc.detector.MessageType;
import io.dmodc.detector.RingMessage;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DatagramPacket;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Puts messages into datagrams and gives these to the channel, unflushed. The packet of the last heartbeat is kept and
 * filled anew for the next one: while a node keeps its observer, its heartbeats allocate nothing. Confined to the event
 * loop.
 */
final class DatagramSender {
    private DatagramMac mac;
    private @Nullable DatagramPacket kept;

    DatagramSender(DatagramMac mac) {
        this.mac = mac;
    }

    /** Makes datagrams with this from now on. */
    void use(DatagramMac newMac) {
        mac = newMac;
    }

    /** @param receiver GUID of the member that receives there */
    void write(ChannelHandlerContext context, RingMessage message, long receiver, InetSocketAddress to) {
        DatagramPacket packet = message.type == MessageType.HEARTBEAT
                ? keptPacket(context.alloc(), to)
                : newPacket(
                        context.alloc(),
                        message.copy == RingMessage.NO_COPY ? Datagram.LENGTH : Datagram.LENGTH_MAX,
                        to);
        Datagram.write(message, mac, receiver, packet.content());
        context.write(packet, context.voidPromise());
    }

    /**
     * The kept packet if it goes to the same place and the last heartbeat has left; else a new one, kept from now on.
     */
    private DatagramPacket keptPacket(ByteBufAllocator alloc, InetSocketAddress to) {
        DatagramPacket packet = kept;
        if (packet != null && packet.recipient().equals(to) && packet.refCnt() == 1) {
            packet.content().clear();
            return packet.retain();
        }
        release();
        DatagramPacket fresh = newPacket(alloc, Datagram.LENGTH, to);
        kept = fresh;
        return fresh.retain();
    }

    private static DatagramPacket newPacket(ByteBufAllocator alloc, int length, InetSocketAddress to) {
        return new DatagramPacket(alloc.ioBuffer(length, length), to);
    }

    /** Gives the kept packet back; the post can be used again. */
    void release() {
        if (kept != null) {
            kept.release();
            kept = null;
        }
    }
}
