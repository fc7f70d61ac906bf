package io.dmodc.manager.southbound;

import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The addresses that begin alike, as {@code 10.1.0.0/16} or {@code fd00::/8}.
 *
 * @param prefix bits of {@code address} that count
 */
public record Network(InetAddress address, int prefix) {
    /**
     * Reads {@code address/prefix}; no name is resolved.
     *
     * @throws IllegalArgumentException when the text is not of that form
     */
    public static Network parse(String text) {
        int slash = text.indexOf('/');
        InetAddress address = slash < 0 ? null : NetUtil.createInetAddressFromIpAddressString(text.substring(0, slash));
        int prefix = slash < 0 ? -1 : prefix(text.substring(slash + 1), address);
        if (address == null || prefix < 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a network; expected address/prefix, as 10.1.0.0/16");
        }
        return new Network(address, prefix);
    }

    private static int prefix(String text, @Nullable InetAddress address) {
        int bits = address == null ? 0 : 8 * address.getAddress().length;
        int prefix = text.matches("\\d{1,3}") ? Integer.parseInt(text) : -1;
        return prefix <= bits ? prefix : -1;
    }

    /** True if the address is one of these. */
    public boolean contains(InetAddress other) {
        return new IpSubnetFilterRule(address, prefix, IpFilterRuleType.ACCEPT)
                .matches(new InetSocketAddress(other, 0));
    }

    @Override
    public String toString() {
        return address.getHostAddress() + "/" + prefix;
    }
}
