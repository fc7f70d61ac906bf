package io.dmodc.agent;

import io.dmodc.southbound.FrameLimits;
import io.dmodc.southbound.SilenceGuard;
import io.dmodc.southbound.SouthboundPipeline;
import io.dmodc.southbound.Transport;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.tls.TlsEndpoint;
import io.dmodc.southbound.tls.TlsHandshake;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One TCP connection, from the attempt to its end. Lives on the agent's event loop; tells {@code Connected} once the manager
 * has shown who it is, frames, and exactly one {@code Disconnected}, unless it was made deaf.
 */
final class Session extends SimpleChannelInboundHandler<ManagerFrame> {
    private static final int CONNECT_TIMEOUT_MILLIS = 3000;

    private final InetSocketAddress manager;
    private final FrameLimits limits;
    private final @Nullable TlsEndpoint tls;
    private final Channel channel;
    private Consumer<AgentEvent> events;
    private @Nullable SilenceGuard guard;
    private @Nullable String why;
    private boolean connected;
    private boolean deaf;

    private Session(EventLoop loop, AgentConfig config, Consumer<AgentEvent> events) {
        super(ManagerFrame.class);
        manager = config.manager();
        limits = config.limits();
        tls = config.tls();
        this.events = events;
        channel = connect(loop);
    }

    /** Starts an attempt; called on {@code loop}, where its outcome arrives as an event later. */
    static Session open(EventLoop loop, AgentConfig config, Consumer<AgentEvent> events) {
        return new Session(loop, config, events);
    }

    private Channel connect(EventLoop loop) {
        ChannelFuture attempt = new Bootstrap()
                .group(loop)
                .channel(Transport.of(loop).client())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel connecting) {
                        if (tls == null) {
                            speak(connecting);
                        } else {
                            prove(connecting, tls);
                        }
                    }
                })
                .connect(manager);
        attempt.addListener(done -> {
            if (!done.isSuccess()) {
                disconnected("cannot connect: " + TlsHandshake.text(done.cause()));
            }
        });
        return attempt.channel();
    }

    private void speak(Channel on) {
        guard = SouthboundPipeline.agent(on.pipeline(), limits);
        on.pipeline().addLast("session", this);
    }

    private void prove(Channel connecting, TlsEndpoint endpoint) {
        SslHandler handler;
        try {
            handler = endpoint.to(manager.getHostString(), manager.getPort(), connecting.alloc());
        } catch (SSLException e) {
            // Told when the attempt fails, as it now does; there is no field for the channel yet.
            why = TlsHandshake.text(e);
            connecting.close();
            return;
        }
        TlsHandshake.begin(connecting.pipeline(), handler, new TlsHandshake.Outcome() {
            @Override
            public void proved(X509Certificate peer) {
                speak(connecting);
                connected();
            }

            @Override
            public void failed(String text) {
                disconnected(text);
            }
        });
    }

    /** Queues a frame; {@link #flush} lets it go. */
    void write(AgentFrame frame) {
        channel.write(frame, channel.voidPromise());
    }

    void flush() {
        // Before, it would have TLS say its first word to nobody.
        if (connected) {
            channel.flush();
        }
    }

    void greeted(int keepAliveMillis) {
        if (guard != null) {
            guard.greeted(keepAliveMillis);
        }
    }

    /** Ends the connection for this reason; the first one given counts. */
    void close(String reason) {
        why = why == null ? reason : why;
        channel.close();
    }

    /** Ends the connection without an event. */
    ChannelFuture abandon(boolean abruptly) {
        events = event -> {};
        if (abruptly && channel.isOpen()) {
            // The kernel then resets the connection instead of closing it in order.
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        return channel.close();
    }

    /** Neither reads nor writes any more, and leaves the connection open. */
    void deafen() {
        events = event -> {};
        deaf = true;
        if (channel.isOpen()) {
            channel.config().setAutoRead(false);
        }
        if (guard != null && channel.pipeline().context(guard) != null) {
            channel.pipeline().remove(guard);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        connected();
    }

    private void connected() {
        connected = true;
        events.accept(new AgentEvent.Connected());
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ManagerFrame frame) {
        events.accept(new AgentEvent.Received(frame));
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        events.accept(new AgentEvent.Writable(ctx.channel().isWritable()));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!deaf) {
            close(TlsHandshake.text(cause));
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        disconnected("closed by the manager");
    }

    /** @param text the reason, unless one was given before */
    private void disconnected(String text) {
        events.accept(new AgentEvent.Disconnected(why == null ? text : why));
        events = over -> {};
    }
}
