package io.dmodc.manager.northbound;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client of HTTP/2 that does what no decent one does: frames by hand (RFC 9113, RFC 7541). */
final class Http2Frames {
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final int END_STREAM_AND_HEADERS = 5;

    private final DataOutputStream out;
    private final DataInputStream in;

    Http2Frames(Socket socket) throws IOException {
        out = new DataOutputStream(socket.getOutputStream());
        in = new DataInputStream(socket.getInputStream());
    }

    /** @param window what may be sent to it on a stream, in bytes, until it says otherwise */
    void begin(int window) throws IOException {
        out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        ByteArrayOutputStream settings = new ByteArrayOutputStream();
        DataOutputStream to = new DataOutputStream(settings);
        to.writeShort(INITIAL_WINDOW_SIZE);
        to.writeInt(window);
        send(SETTINGS, 0, 0, settings.toByteArray());
    }

    /** @param stream odd, higher than the one before */
    void get(int stream, String path) throws IOException {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.write(0x82); // :method GET
        block.write(0x86); // :scheme http
        literal(block, 0x04, path);
        literal(block, 0x01, "localhost"); // :authority
        send(HEADERS, END_STREAM_AND_HEADERS, stream, block.toByteArray());
    }

    /** A value below 127 bytes of a name in the static table. */
    private static void literal(ByteArrayOutputStream block, int name, String value) {
        block.write(name);
        block.write(value.length());
        block.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
    }

    private void send(int type, int flags, int stream, byte[] payload) throws IOException {
        out.writeByte(0);
        out.writeShort(payload.length);
        out.writeByte(type);
        out.writeByte(flags);
        out.writeInt(stream);
        out.write(payload);
        out.flush();
    }

    /** Reads until a stream is ended by the server; returns which. */
    int awaitReset() throws IOException {
        while (true) {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            in.readUnsignedByte();
            int stream = in.readInt();
            in.skipNBytes(length);
            if (type == RST_STREAM) {
                return stream;
            }
        }
    }
}
