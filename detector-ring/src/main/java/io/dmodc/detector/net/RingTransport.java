package io.dmodc.detector.net;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import java.util.concurrent.ThreadFactory;

/** Chooses between Linux's epoll and the portable NIO transport. */
public final class RingTransport {
    private RingTransport() {}

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

    /** A group of its own for the detector: epoll where the native library loads, else NIO. The caller shuts it down. */
    public static EventLoopGroup newGroup(int threads, ThreadFactory threadFactory) {
        return new MultiThreadIoEventLoopGroup(
                threads, threadFactory, Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    }
}
