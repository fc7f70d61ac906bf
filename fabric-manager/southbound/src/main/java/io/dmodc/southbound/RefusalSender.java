package io.dmodc.southbound;

import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.Refusal;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** How a manager says no: the reason reaches the peer, then the connection ends. */
public final class RefusalSender {
    private static final String LINGER = "linger";

    private RefusalSender() {}

    /**
     * Builds a refusal; the text is cut to {@value SouthboundProtocol#MAX_TEXT_BYTES} bytes.
     *
     * @param text one line for people: what came, what was expected
     */
    public static Refusal of(Refusal.Reason reason, String text) {
        return Refusal.newBuilder()
                .setReason(reason)
                .setText(BoundedText.cut(text))
                .build();
    }

    /**
     * Sends a refusal and ends the connection. Any thread; a second call does nothing.
     *
     * <p>Closing a socket with unread input makes the kernel reset the connection, and the peer would lose the refusal.
     * So only the output is closed, input is dropped, and the socket goes when the peer closes or after
     * {@link SouthboundProtocol#REFUSAL_LINGER}. A peer that does not even take the refusal is left after
     * {@link SouthboundProtocol#REFUSAL_TIMEOUT}.
     */
    public static void send(Channel channel, Refusal refusal) {
        channel.eventLoop().execute(() -> {
            if (channel.pipeline().get(LINGER) == null && channel.isActive()) {
                channel.pipeline().addFirst(LINGER, new Drain());
                channel.config().setAutoRead(true);
                closeAfter(channel, SouthboundProtocol.REFUSAL_TIMEOUT);
                ManagerFrame frame =
                        ManagerFrame.newBuilder().setRefusal(refusal).build();
                channel.writeAndFlush(frame).addListener(written -> endOutput(channel));
            }
        });
    }

    private static void endOutput(Channel channel) {
        if (!(channel instanceof DuplexChannel duplex)) {
            channel.close();
            return;
        }
        duplex.shutdownOutput();
        closeAfter(channel, SouthboundProtocol.REFUSAL_LINGER);
    }

    private static void closeAfter(Channel channel, Duration wait) {
        var timer = channel.eventLoop().schedule(() -> channel.close(), wait.toMillis(), TimeUnit.MILLISECONDS);
        channel.closeFuture().addListener(closed -> timer.cancel(false));
    }

    private static final class Drain extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ReferenceCountUtil.release(message);
        }
    }
}
