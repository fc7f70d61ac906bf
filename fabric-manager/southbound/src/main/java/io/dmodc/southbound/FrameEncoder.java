package io.dmodc.southbound;

import com.google.protobuf.MessageLite;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.EncoderException;
import io.netty.handler.codec.MessageToByteEncoder;

/**
 * Frames into bytes: length, then message, in one buffer of the right size. Shared by all channels.
 *
 * <p>The message is written to an array and copied: protobuf writes an array several times faster, field by field, than a
 * direct buffer, and a membership has thousands of fields.
 */
@Sharable
public final class FrameEncoder extends MessageToByteEncoder<MessageLite> {
    private final int maxFrameBytes;

    /** @param maxFrameBytes what the peer accepts; a longer message fails its write and is not sent */
    public FrameEncoder(int maxFrameBytes) {
        super(MessageLite.class);
        this.maxFrameBytes = maxFrameBytes;
    }

    /**
     * Encodes a frame once for many channels; each is given a {@link ByteBuf#retainedDuplicate}, which passes this handler
     * as it is. Outside the heap, because a channel would copy it there.
     *
     * @return the caller's to release
     */
    public static ByteBuf shared(MessageLite message) {
        byte[] bytes = message.toByteArray();
        return Unpooled.directBuffer(SouthboundProtocol.LENGTH_BYTES + bytes.length)
                .writeInt(bytes.length)
                .writeBytes(bytes);
    }

    @Override
    protected ByteBuf allocateBuffer(ChannelHandlerContext ctx, MessageLite message, boolean preferDirect) {
        int size = message.getSerializedSize();
        if (size > maxFrameBytes) {
            throw new EncoderException("frame of " + size + " bytes, more than the peer's " + maxFrameBytes);
        }
        int total = SouthboundProtocol.LENGTH_BYTES + size;
        return preferDirect ? ctx.alloc().ioBuffer(total, total) : ctx.alloc().heapBuffer(total, total);
    }

    @Override
    protected void encode(ChannelHandlerContext ctx, MessageLite message, ByteBuf out) {
        out.writeInt(message.getSerializedSize());
        out.writeBytes(message.toByteArray());
    }
}
