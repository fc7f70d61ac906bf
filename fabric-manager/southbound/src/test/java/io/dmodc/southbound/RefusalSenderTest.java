package io.dmodc.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.Refusal.Reason;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.DataInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RefusalSenderTest {
    @ParameterizedTest
    @EnumSource
    void shouldReachAPeerThatKeepsTalking(Transport transport) throws Exception {
        Transport usable = transport == Transport.EPOLL ? Transport.best() : transport;
        EventLoopGroup group = usable.group(1, "test");
        try {
            Channel server = listen(usable, group);
            try (Socket client = new Socket(
                    InetAddress.getLoopbackAddress(), ((InetSocketAddress) server.localAddress()).getPort())) {
                client.setSoTimeout(20_000);
                byte[] noise = "GET / HTTP/1.1\r\n\r\n".repeat(20_000).getBytes(StandardCharsets.US_ASCII);
                client.getOutputStream().write(noise);
                DataInputStream input = new DataInputStream(client.getInputStream());

                byte[] frame = new byte[input.readInt()];
                input.readFully(frame);

                assertThat(ManagerFrame.parseFrom(frame).getRefusal().getReason())
                        .isEqualTo(Reason.GARBAGE);
                assertThat(input.read()).as("end of the connection").isEqualTo(-1);
            }
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    /** Frames before the refusal are stuck, so the refusal is never written; the connection must go all the same. */
    @Test
    void shouldLeaveAPeerThatDoesNotTakeTheRefusal() {
        EmbeddedChannel channel = new EmbeddedChannel(new ChannelOutboundHandlerAdapter() {
            @Override
            public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
                // Nothing gets through: the promise is never kept.
            }
        });
        channel.config().setAutoRead(false);

        RefusalSender.send(channel, RefusalSender.of(Reason.TOO_SLOW, "never read"));
        channel.runPendingTasks();

        assertThat(channel.config().isAutoRead()).as("so that input is dropped").isTrue();
        assertThat(channel.isOpen()).isTrue();
        channel.advanceTimeBy(SouthboundProtocol.REFUSAL_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        assertThat(channel.isOpen()).isFalse();
    }

    private static Channel listen(Transport transport, EventLoopGroup group) {
        return new ServerBootstrap()
                .group(group)
                .channel(transport.server())
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        SouthboundPipeline.manager(channel.pipeline(), FrameLimits.DEFAULT);
                        channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
                            @Override
                            public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                                if (cause instanceof FrameException failure) {
                                    RefusalSender.send(ctx.channel(), failure.refusal());
                                }
                            }
                        });
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
    }
}
