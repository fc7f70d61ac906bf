package io.dmodc.manager.app;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainDatagramPacket;
import io.netty.channel.unix.DomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** What systemd would hear from a service. */
final class NotifySocket implements AutoCloseable {
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final Channel channel;

    /** @param address a path, or a NUL and a name in the abstract namespace */
    NotifySocket(String address) {
        channel = new Bootstrap()
                .group(group)
                .channel(EpollDomainDatagramChannel.class)
                .handler(new SimpleChannelInboundHandler<DomainDatagramPacket>() {
                    @Override
                    protected void channelRead0(ChannelHandlerContext context, DomainDatagramPacket packet) {
                        heard.add(packet.content().toString(StandardCharsets.UTF_8));
                    }
                })
                .bind(new DomainSocketAddress(address))
                .syncUninterruptibly()
                .channel();
    }

    List<String> heard() {
        return heard;
    }

    @Override
    public void close() {
        channel.close().syncUninterruptibly();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
