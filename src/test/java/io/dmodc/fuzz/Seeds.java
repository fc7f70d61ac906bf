package io.dmodc.fuzz;

import com.google.protobuf.MessageLite;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Well-formed inputs that a fuzzer changes. */
final class Seeds {
    private Seeds() {}

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
}
