package io.dmodc.manager.app;

import io.dmodc.manager.loop.FabricLoop;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells systemd that the service is up, that its loop still works, and that it ends: the protocol of sd_notify(3).
 *
 * <p>{@code NOTIFY_SOCKET} names the socket; without it nothing happens. {@code WATCHDOG_USEC} is how often the service must
 * be heard: a quarter of that passes between two looks at the loop, and it is only told alive when it made a turn since the
 * last look. So a loop that hangs is ended and started again by systemd. Never blocks, except for a moment at the end.
 */
final class ServiceNotifier implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceNotifier.class);
    private static final int LAST_WORD_MILLIS = 200;
    private static final int LOOKS_PER_WATCHDOG = 4;

    private final EventLoopGroup group;
    private final Channel channel;

    private final AtomicLong turnsSeen = new AtomicLong();

    private ServiceNotifier(EventLoopGroup group, Channel channel) {
        this.group = group;
        this.channel = channel;
    }

    /**
     * Opens the socket that the environment names.
     *
     * @return null where there is none, or where it cannot be used: that is logged
     */
    static @Nullable ServiceNotifier open(Map<String, String> environment) {
        String path = environment.getOrDefault("NOTIFY_SOCKET", "");
        if (path.isEmpty()) {
            return null;
        }
        if (!Epoll.isAvailable()) {
            LOG.warn("NOTIFY_SOCKET {} is not told anything: no native library for this machine", path);
            return null;
        }
        // A name in the abstract namespace begins with NUL, which no environment can hold.
        String address = path.startsWith("@") ? "\0" + path.substring(1) : path;
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("service-notifier", true), EpollIoHandler.newFactory());
        ChannelFuture connected = new Bootstrap()
                .group(group)
                .channel(EpollDomainDatagramChannel.class)
                .handler(new ChannelInboundHandlerAdapter())
                .connect(new DomainSocketAddress(address))
                .awaitUninterruptibly();
        if (!connected.isSuccess()) {
            LOG.warn(
                    "NOTIFY_SOCKET {} is not told anything: {}",
                    path,
                    connected.cause().toString());
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            return null;
        }
        return new ServiceNotifier(group, connected.channel());
    }

    /**
     * The service is up.
     *
     * @param status one line for {@code systemctl status}
     */
    void ready(String status) {
        send("READY=1\nSTATUS=" + status);
    }

    /** Feeds the watchdog that the environment asks for, if it asks this process, as long as the loop makes turns. */
    void watch(FabricLoop loop, Map<String, String> environment) {
        long micros = watchdogMicros(environment, ProcessHandle.current().pid());
        if (micros > 0) {
            long period = Math.max(1, micros / LOOKS_PER_WATCHDOG);
            channel.eventLoop().scheduleAtFixedRate(() -> look(loop), 0, period, TimeUnit.MICROSECONDS);
        }
    }

    /** 0 when there is no watchdog, or when it watches another process. */
    static long watchdogMicros(Map<String, String> environment, long pid) {
        String wanted = environment.getOrDefault("WATCHDOG_USEC", "");
        String of = environment.getOrDefault("WATCHDOG_PID", Long.toString(pid));
        return wanted.matches("\\d{1,18}") && of.equals(Long.toString(pid)) ? Long.parseLong(wanted) : 0;
    }

    /** Feeds the watchdog if the loop made a turn since the last look. */
    void look(FabricLoop loop) {
        long turns = loop.turns();
        if (turnsSeen.getAndSet(turns) != turns) {
            send("WATCHDOG=1");
        }
    }

    /** The service begins to end. */
    void stopping() {
        send("STOPPING=1").awaitUninterruptibly(LAST_WORD_MILLIS);
    }

    private ChannelFuture send(String state) {
        return channel.writeAndFlush(Unpooled.copiedBuffer(state, StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        channel.close();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
