package io.dmodc.settings;

import java.net.InetSocketAddress;

/**
 * A network address as {@code host:port}; an IPv6 address stands in brackets.
 *
 * @param host name or address, resolved only when used
 * @param port 0..65535; 0 lets the system choose where one listens
 */
public record HostPort(String host, int port) {
    /** Checks host and port. */
    public HostPort {
        if (host.isEmpty() || port < 0 || port > 65_535) {
            throw new IllegalArgumentException(
                    "'" + host + ":" + port + "' is not a network address; expected host:port");
        }
    }

    /**
     * Reads {@code host:port}.
     *
     * @throws IllegalArgumentException when the text is not of that form
     */
    public static HostPort parse(String text) {
        int colon = text.lastIndexOf(':');
        boolean bracketed = text.startsWith("[");
        boolean formed = colon > 0 && (bracketed ? text.charAt(colon - 1) == ']' : text.indexOf(':') == colon);
        if (!formed || !text.substring(colon + 1).matches("\\d{1,5}")) {
            throw new IllegalArgumentException("'" + text + "' is not a network address; expected host:port");
        }
        String host = bracketed ? text.substring(1, colon - 1) : text.substring(0, colon);
        return new HostPort(host, Integer.parseInt(text.substring(colon + 1)));
    }

    /** Resolves the name now; the result is unresolved when the name is not known. */
    public InetSocketAddress resolve() {
        return new InetSocketAddress(host, port);
    }

    @Override
    public String toString() {
        return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }
}
