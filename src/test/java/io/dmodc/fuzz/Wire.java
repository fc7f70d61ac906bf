package io.dmodc.fuzz;

import com.google.protobuf.MessageLite;
import io.dmodc.southbound.FrameDecoder;
import io.dmodc.southbound.FrameException;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Frames as they travel, and what a decoder makes of bytes. */
final class Wire {
    private Wire() {}

    /** Frames as they travel: each behind its length. */
    static byte[] frames(MessageLite... frames) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            for (MessageLite frame : frames) {
                out.writeInt(frame.getSerializedSize());
                frame.writeTo(out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** The frames that come before the first bytes which are none. */
    static <M extends MessageLite> List<M> decoded(FrameDecoder<M> decoder, byte[] data) {
        EmbeddedChannel channel = new EmbeddedChannel(decoder);
        List<M> frames = new ArrayList<>();
        try {
            channel.writeInbound(Unpooled.wrappedBuffer(data));
        } catch (FrameException refused) {
            // What came before it counts.
        } finally {
            for (M frame = channel.readInbound(); frame != null; frame = channel.readInbound()) {
                frames.add(frame);
            }
            channel.close();
        }
        return frames;
    }
}
