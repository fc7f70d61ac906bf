package io.dmodc.southbound;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import com.google.protobuf.UnsafeByteOperations;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.Refusal.Reason;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.concurrent.Future;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Bytes into frames; everything else becomes one {@link FrameException} and then silence.
 *
 * <p>A frame is copied once, into an array of its own, and the message's {@code bytes} fields are views of that array.
 * At most one frame is buffered, so a peer can bind {@code maxFrameBytes} and no more. After a failure all further input
 * is dropped: a stream whose lengths cannot be trusted has no next frame.
 *
 * @param <M> {@link AgentFrame} at the manager, {@link ManagerFrame} at the agent
 */
public final class FrameDecoder<M extends MessageLite> extends ByteToMessageDecoder {
    /** A first length above this is text or another protocol rather than a long frame: ASCII letters start at a gigabyte. */
    private static final long SURELY_NO_LENGTH = 16 << 20;

    /** The first bytes of a TLS connection: a record of a handshake, of version 3.x. */
    private static final long TLS_RECORD = 0x1603;

    private final Parser<M> parser;
    private final Predicate<M> known;
    private final String peer;
    private final FrameLimits limits;

    private long frameCount;
    private long pendingBytes = -1;
    private boolean failed;
    private @Nullable Future<?> deadline;

    private FrameDecoder(Parser<M> parser, Predicate<M> known, String peer, FrameLimits limits) {
        this.parser = parser;
        this.known = known;
        this.peer = peer;
        this.limits = limits;
    }

    /** Returns a decoder for what agents send. */
    public static FrameDecoder<AgentFrame> ofAgents(FrameLimits limits) {
        Predicate<AgentFrame> known = frame -> frame.getBodyCase() != AgentFrame.BodyCase.BODY_NOT_SET;
        return new FrameDecoder<>(AgentFrame.parser(), known, "switch agent", limits);
    }

    /** Returns a decoder for what a manager sends. */
    public static FrameDecoder<ManagerFrame> ofManagers(FrameLimits limits) {
        Predicate<ManagerFrame> known = frame -> frame.getBodyCase() != ManagerFrame.BodyCase.BODY_NOT_SET;
        return new FrameDecoder<>(ManagerFrame.parser(), known, "fabric manager", limits);
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (failed) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (pendingBytes < 0) {
            if (in.readableBytes() < SouthboundProtocol.LENGTH_BYTES) {
                return;
            }
            pendingBytes = checkedLength(in.readUnsignedInt());
        }
        if (in.readableBytes() >= pendingBytes) {
            byte[] frame = new byte[(int) pendingBytes];
            in.readBytes(frame);
            frameCount++;
            pendingBytes = -1;
            cancelDeadline();
            out.add(parse(frame));
        }
    }

    private long checkedLength(long length) {
        if (length <= limits.maxFrameBytes()) {
            return length;
        }
        String size = " would be " + length + " bytes, more than " + limits.maxFrameBytes();
        if (frameCount > 0) {
            throw failure(Reason.OVERSIZE, "frame " + (frameCount + 1) + size);
        }
        if (length >>> 16 == TLS_RECORD) {
            throw failure(Reason.GARBAGE, "TLS came; authentication is off here");
        }
        Reason reason = length > SURELY_NO_LENGTH ? Reason.GARBAGE : Reason.OVERSIZE;
        throw failure(reason, "first frame" + size + ": not a " + peer + "?");
    }

    private M parse(byte[] frame) {
        M message;
        try {
            CodedInputStream input = UnsafeByteOperations.unsafeWrap(frame).newCodedInput();
            input.enableAliasing(true);
            message = parser.parseFrom(input);
            input.checkLastTagWas(0);
        } catch (InvalidProtocolBufferException e) {
            throw failure(
                    Reason.GARBAGE,
                    "frame " + frameCount + " (" + frame.length + " bytes) is no frame of a " + peer + ": "
                            + e.getMessage());
        }
        if (!known.test(message)) {
            throw failure(
                    Reason.GARBAGE,
                    "frame " + frameCount + " (" + frame.length + " bytes) has no body known to " + "version "
                            + SouthboundProtocol.VERSION_MAX);
        }
        return message;
    }

    /** A frame that came whole never needs a timer, so the deadline is set only when a read ends inside one. */
    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
        boolean inside = pendingBytes >= 0 || actualReadableBytes() > 0;
        if (inside && !failed && deadline == null) {
            awaitRest(ctx);
        }
        super.channelReadComplete(ctx);
    }

    private void awaitRest(ChannelHandlerContext ctx) {
        long nanos = limits.frameTimeout().toNanos();
        deadline = ctx.executor().schedule(() -> expire(ctx), nanos, TimeUnit.NANOSECONDS);
    }

    private void expire(ChannelHandlerContext ctx) {
        if (!ctx.channel().config().isAutoRead()) {
            awaitRest(ctx); // It may be here long since: this side does not read.
            return;
        }
        deadline = null;
        String got = pendingBytes < 0
                ? actualReadableBytes() + " of " + SouthboundProtocol.LENGTH_BYTES + " length bytes"
                : actualReadableBytes() + " of " + pendingBytes + " bytes";
        ctx.fireExceptionCaught(failure(
                Reason.TOO_SLOW,
                "frame " + (frameCount + 1) + ": " + got + " within "
                        + limits.frameTimeout().toMillis() + " ms"));
    }

    private FrameException failure(Reason reason, String text) {
        failed = true;
        cancelDeadline();
        return new FrameException(reason, text);
    }

    private void cancelDeadline() {
        if (deadline != null) {
            deadline.cancel(false);
            deadline = null;
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) throws Exception {
        cancelDeadline();
        super.channelInactive(ctx);
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) {
        cancelDeadline();
    }
}
