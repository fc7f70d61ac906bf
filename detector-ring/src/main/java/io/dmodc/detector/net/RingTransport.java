package io.dmodc.detector.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import java.util.concurrent.ThreadFactory;

/** Chooses between Linux's epoll and the portable NIO transport, and how many datagrams wait and are read at a time. */
public final class RingTransport {
    /** Datagrams read before timers have their turn; after a pause a burst of them waits in the socket. */
    static final int READS_PER_LOOP = 64;

    /**
     * What the kernel keeps for a socket whose reader is stopped. Linux doubles it and counts its bookkeeping, 768 bytes
     * for a datagram: 682 of them; later ones are lost. In calm that is a minute at η = 100 ms.
     */
    private static final int KERNEL_BYTES = 256 * 1024;

    /** One byte more than a datagram, so that a longer one is seen to be longer. */
    private static final int RECEIVE_BYTES = Datagram.LENGTH_MAX + 1;

    /** Datagrams one recvmmsg takes at most. */
    private static final int RECEIVE_BATCH = 8;

    private RingTransport() {}

    /**
     * A group for the detector alone: epoll where the native library loads, else NIO. Nothing else should run on it, for
     * what keeps a loop busy longer than η looks like a dead agent to others. At η = 100 ms an endpoint takes less than
     * 0.1 % of a core where many share a loop, so hundreds of them fit one thread. The caller shuts it down.
     *
     * @param threads       loops; an endpoint stays on one of them
     * @param threadFactory called once per loop; best a {@link io.netty.util.concurrent.DefaultThreadFactory}, for Netty
     *     keeps its small objects for reuse on threads of that kind only
     */
    public static EventLoopGroup newGroup(int threads, ThreadFactory threadFactory) {
        return new MultiThreadIoEventLoopGroup(
                threads, threadFactory, Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    }

    /**
     * The datagram channel that fits a group's transport.
     *
     * @throws IllegalArgumentException if the group runs neither epoll nor NIO
     */
    public static Class<? extends DatagramChannel> channelClass(EventLoopGroup group) {
        if (group instanceof IoEventLoopGroup io) {
            if (io.isIoType(EpollIoHandler.class)) {
                return EpollDatagramChannel.class;
            }
            if (io.isIoType(NioIoHandler.class)) {
                return NioDatagramChannel.class;
            }
        }
        throw new IllegalArgumentException(
                "detector socket: event loop group " + group.getClass().getName() + ", expected one of epoll or NIO");
    }

    /** A datagram socket that wants only a handler and an address: recvmmsg with epoll, one by one with NIO. */
    static Bootstrap bootstrap(EventLoopGroup group) {
        Class<? extends DatagramChannel> type = channelClass(group);
        Bootstrap bootstrap = new Bootstrap().group(group).channel(type).option(ChannelOption.SO_RCVBUF, KERNEL_BYTES);
        int batch = 1;
        if (type == EpollDatagramChannel.class) {
            bootstrap.option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, RECEIVE_BYTES);
            batch = RECEIVE_BATCH;
        }
        return bootstrap.option(
                ChannelOption.RECVBUF_ALLOCATOR,
                new FixedRecvByteBufAllocator(batch * RECEIVE_BYTES).maxMessagesPerRead(READS_PER_LOOP));
    }
}
