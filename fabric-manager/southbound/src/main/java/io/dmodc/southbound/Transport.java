package io.dmodc.southbound;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;

/**
 * The two ways to the kernel, with the channel classes that belong together. Classes of one are not loaded while only the other is used:
 * agents are small.
 */
public enum Transport {
    EPOLL,
    NIO;

    /** Returns epoll where the native library loads, otherwise NIO. */
    public static Transport best() {
        return Epoll.isAvailable() ? EPOLL : NIO;
    }

    /** Returns the transport whose channels {@code group} can drive. */
    public static Transport of(EventLoopGroup group) {
        return group instanceof IoEventLoopGroup io && !io.isIoType(NioIoHandler.class) ? EPOLL : NIO;
    }

    /**
     * Makes a group of daemon threads.
     *
     * @param threads event loops
     * @param name prefix of thread names
     */
    public EventLoopGroup group(int threads, String name) {
        return group(threads, name, Thread.NORM_PRIORITY);
    }

    /**
     * The same.
     *
     * @param priority of the threads; the JVM may pass it over
     */
    public EventLoopGroup group(int threads, String name, int priority) {
        IoHandlerFactory handlers = this == EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        return new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory(name, true, priority), handlers);
    }

    public Class<? extends ServerChannel> server() {
        return this == EPOLL ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    public Class<? extends Channel> client() {
        return this == EPOLL ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    public Class<? extends DatagramChannel> datagram() {
        return this == EPOLL ? EpollDatagramChannel.class : NioDatagramChannel.class;
    }
}
