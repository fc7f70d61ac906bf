package io.dmodc.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.southbound.FrameException;
import io.dmodc.southbound.FrameLimits;
import io.dmodc.southbound.SilenceGuard;
import io.dmodc.southbound.SouthboundPipeline;
import io.dmodc.southbound.Transport;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.Welcome;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A manager of a few lines on a real socket; tests say each of its sentences. */
final class TinyManager implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 20;

    private final BlockingQueue<Peer> peers = new LinkedBlockingQueue<>();
    private final Channel server;

    TinyManager(EventLoopGroup group) {
        server = new ServerBootstrap()
                .group(group)
                .channel(Transport.of(group).server())
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        SilenceGuard guard = SouthboundPipeline.manager(channel.pipeline(), FrameLimits.DEFAULT);
                        Peer peer = new Peer(channel, guard);
                        channel.pipeline().addLast(peer);
                        peers.add(peer);
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
    }

    InetSocketAddress address() {
        return (InetSocketAddress) server.localAddress();
    }

    Peer accept() throws InterruptedException {
        return taken(peers);
    }

    private static <T> T taken(BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(next).as("within " + PATIENCE_SECONDS + " s").isNotNull();
        return java.util.Objects.requireNonNull(next);
    }

    @Override
    public void close() {
        server.close().syncUninterruptibly();
    }

    /** One connected agent. */
    static final class Peer extends SimpleChannelInboundHandler<AgentFrame> {
        private final Channel channel;
        private final SilenceGuard guard;
        private final BlockingQueue<AgentFrame> frames = new LinkedBlockingQueue<>();
        private final BlockingQueue<FrameException> failures = new LinkedBlockingQueue<>();
        private final BlockingQueue<Throwable> breaks = new LinkedBlockingQueue<>();

        Peer(Channel channel, SilenceGuard guard) {
            this.channel = channel;
            this.guard = guard;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, AgentFrame frame) {
            frames.add(frame);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            if (cause instanceof FrameException failure) {
                failures.add(failure);
            } else {
                breaks.add(cause);
            }
        }

        AgentFrame next() throws InterruptedException {
            return taken(frames);
        }

        FrameException failure() throws InterruptedException {
            return taken(failures);
        }

        void send(ManagerFrame frame) {
            channel.writeAndFlush(frame);
        }

        Channel channel() {
            return channel;
        }

        /** Takes the Hello, welcomes, and takes the complete report. */
        AgentFrame welcome(int keepAliveMillis) throws InterruptedException {
            return welcome(keepAliveMillis, false);
        }

        /** The same, by a manager that wants to know what switches repair by themselves. */
        AgentFrame welcomeTakingRepairs(int keepAliveMillis) throws InterruptedException {
            return welcome(keepAliveMillis, true);
        }

        private AgentFrame welcome(int keepAliveMillis, boolean repairs) throws InterruptedException {
            AgentFrame hello = next();
            assertThat(hello.hasHello()).isTrue();
            channel.eventLoop().execute(() -> guard.greeted(keepAliveMillis));
            send(ManagerFrame.newBuilder()
                    .setWelcome(Welcome.newBuilder()
                            .setProtocol(2)
                            .setLeaderEpoch(1)
                            .setKeepAliveMillis(keepAliveMillis)
                            .setMaxFrameBytes(1 << 20)
                            .setRepairReports(repairs))
                    .build());
            AgentFrame report = next();
            assertThat(report.getPortReport().getComplete()).isTrue();
            return hello;
        }

        /** Closed by the agent, and not reset as after a crash. */
        void assertClosedInOrder() throws InterruptedException {
            assertClosed();
            assertThat(breaks).isEmpty();
        }

        void assertClosed() throws InterruptedException {
            assertThat(channel.closeFuture().await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .isTrue();
        }
    }
}
