package io.dmodc.manager.northbound;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;

/**
 * Reads no further from a connection whose client has not taken {@value #UNSENT_MAX} bytes of answers, until it has taken half of them.
 *
 * <p>{@link ConnectionBounds} sees what is asked of us alone. {@code OPTIONS *}, and frames of HTTP/2 that want an answer, are answered by
 * Armeria itself, which has no bound on how many of these answers wait: a client that only writes would fill the memory of the manager with
 * them. What was read at once is answered beyond the bound, so little is read at once: {@value #READ_BYTES} bytes.
 */
@Sharable
final class ReadsPaused extends ChannelInboundHandlerAdapter {
    /** Each answer keeps some kilobytes more while it waits. */
    private static final int UNSENT_MAX = 16 * 1024;

    private static final int READ_BYTES = 2048;

    private static final ReadsPaused HANDLER = new ReadsPaused();

    private ReadsPaused() {}

    /** Has it apply to a connection just accepted, behind which all handlers of the server are. */
    static void on(Channel accepted) {
        RecvByteBufAllocator little = new FixedRecvByteBufAllocator(READ_BYTES);
        accepted.config().setOption(ChannelOption.RECVBUF_ALLOCATOR, little);
        accepted.config().setWriteBufferWaterMark(new WriteBufferWaterMark(UNSENT_MAX / 2, UNSENT_MAX));
        accepted.pipeline().addFirst(HANDLER);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        context.channel().config().setAutoRead(context.channel().isWritable());
        context.fireChannelWritabilityChanged();
    }
}
