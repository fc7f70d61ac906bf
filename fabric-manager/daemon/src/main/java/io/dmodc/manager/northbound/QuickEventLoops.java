package io.dmodc.manager.northbound;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Event loops that close without the two seconds of rest Netty takes by default.
 *
 * <p>Armeria ends the group behind its listening socket with the method that takes no times, so that method is where
 * the times must be.
 */
final class QuickEventLoops extends MultiThreadIoEventLoopGroup {
    private final long closeMillis;

    /** @param closeMillis how long tasks under way may take when the group is closed */
    QuickEventLoops(int threads, String name, long closeMillis) {
        super(threads, new DefaultThreadFactory(name, true), handlers());
        this.closeMillis = closeMillis;
    }

    /** The kind Armeria itself would choose: its sockets must fit. */
    private static IoHandlerFactory handlers() {
        return Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    }

    @Override
    public Future<?> shutdownGracefully() {
        return shutdownGracefully(0, closeMillis, TimeUnit.MILLISECONDS);
    }
}
