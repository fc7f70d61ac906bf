package io.dmodc.southbound;

import com.google.protobuf.ByteString;
import io.dmodc.southbound.proto.Addresses;
import java.util.Optional;

/** Ranges of the addresses of a host. */
final class AddressCheck {
    static final int IPV4_BYTES = 4;
    static final int IPV6_BYTES = 16;
    static final int MAC_BYTES = 6;

    /** Highest LID of one port; those above are for multicast. */
    static final int LID_MAX = 0xBFFF;

    private AddressCheck() {}

    /** Returns what is wrong, or nothing. */
    static Optional<String> invalid(Addresses addresses) {
        if (addresses.getLid() < 0 || addresses.getLid() > LID_MAX) {
            return Optional.of("LID " + Integer.toUnsignedString(addresses.getLid()) + "; expected 0.." + LID_MAX);
        }
        return length("IPv4", addresses.getIpv4(), IPV4_BYTES)
                .or(() -> length("IPv6", addresses.getIpv6(), IPV6_BYTES))
                .or(() -> length("MAC", addresses.getMac(), MAC_BYTES));
    }

    private static Optional<String> length(String kind, ByteString address, int bytes) {
        return address.isEmpty() || address.size() == bytes
                ? Optional.empty()
                : Optional.of(kind + " address of " + address.size() + " bytes; expected " + bytes + ", or none");
    }
}
