package io.dmodc.manager.northbound;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Sends whatever it is given, also what a decent client refuses to; one connection, opened anew when it is closed. */
final class RawClient implements AutoCloseable {
    private final int port;
    private @Nullable Socket socket;
    private @Nullable InputStream in;

    RawClient(int port) {
        this.port = port;
    }

    /**
     * An answer.
     *
     * @param headers by lower-case name
     * @param body unpacked; of an endless one the first piece
     */
    record Answer(int status, Map<String, String> headers, String body) {
        String header(String name) {
            return headers.getOrDefault(name, "");
        }

        String type() {
            return header("content-type").split(";", 2)[0];
        }
    }

    Answer send(String method, String target, Map<String, String> headers) throws IOException {
        StringBuilder text = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n");
        headers.forEach(
                (name, value) -> text.append(name).append(": ").append(value).append("\r\n"));
        byte[] request = text.append("\r\n").toString().getBytes(StandardCharsets.UTF_8);
        for (int tries = 0; ; tries++) {
            try {
                Socket to = connected();
                to.getOutputStream().write(request);
                return answer(method);
            } catch (IOException e) {
                // A server may have closed a connection that was kept; a fresh one must answer.
                close();
                if (tries > 0) {
                    throw new IOException(method + " " + target + ": " + e.getMessage(), e);
                }
            }
        }
    }

    private Socket connected() throws IOException {
        Socket open = socket;
        if (open == null) {
            open = new Socket(InetAddress.getLoopbackAddress(), port);
            open.setSoTimeout(20_000);
            open.setTcpNoDelay(true);
            socket = open;
            in = new BufferedInputStream(open.getInputStream());
        }
        return open;
    }

    private Answer answer(String method) throws IOException {
        String first = line();
        if (!first.startsWith("HTTP/1.1 ")) {
            throw new IOException("not an answer: '" + first + "'");
        }
        int status = Integer.parseInt(first.substring(9, 12));
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        boolean none = method.equals("HEAD") || status == 304 || status == 204;
        byte[] body = none ? new byte[0] : body(headers);
        if (headers.getOrDefault("connection", "").equals("close")
                || (!none && headers.getOrDefault("content-type", "").startsWith("text/event-stream"))) {
            close();
        }
        if (headers.getOrDefault("content-encoding", "").equals("gzip") && body.length > 0) {
            body = new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes();
        }
        return new Answer(status, headers, new String(body, StandardCharsets.UTF_8));
    }

    private byte[] body(Map<String, String> headers) throws IOException {
        if (!headers.getOrDefault("transfer-encoding", "").equals("chunked")) {
            return bytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        boolean endless = headers.getOrDefault("content-type", "").startsWith("text/event-stream");
        for (int size = Integer.parseInt(line(), 16); size > 0; size = endless ? 0 : Integer.parseInt(line(), 16)) {
            all.writeBytes(bytes(size));
            line();
        }
        if (!endless) {
            line();
        }
        return all.toByteArray();
    }

    private InputStream input() throws IOException {
        InputStream from = in;
        if (from == null) {
            throw new IOException("closed");
        }
        return from;
    }

    private byte[] bytes(int count) throws IOException {
        byte[] bytes = input().readNBytes(count);
        if (bytes.length < count) {
            throw new IOException("ended after " + bytes.length + " of " + count + " bytes");
        }
        return bytes;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = input().read(); c != '\n'; c = input().read()) {
            if (c < 0) {
                throw new IOException("ended within a line: '" + line + "'");
            }
            line.append((char) c);
        }
        return line.substring(0, Math.max(0, line.length() - 1));
    }

    @Override
    public void close() {
        Socket open = socket;
        socket = null;
        in = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                throw new AssertionError("a socket that cannot be closed", e);
            }
        }
    }
}
