package io.dmodc.southbound;

import static io.dmodc.southbound.SouthboundProtocol.IPV4_BYTES;
import static io.dmodc.southbound.SouthboundProtocol.IPV6_BYTES;
import static io.dmodc.southbound.SouthboundProtocol.MAC_BYTES;
import static io.dmodc.southbound.SouthboundProtocol.MAX_LID;

import com.google.protobuf.ByteString;
import io.dmodc.southbound.proto.Addresses;
import java.util.Optional;

/** Ranges of the addresses of a host. */
final class AddressCheck {
    private AddressCheck() {}

    /** Returns what is wrong, or nothing. */
    static Optional<String> invalid(Addresses addresses) {
        if (addresses.getLid() < 0 || addresses.getLid() > MAX_LID) {
            return Optional.of("LID " + Integer.toUnsignedString(addresses.getLid()) + " is outside 0.." + MAX_LID);
        }
        return length("IPv4", addresses.getIpv4(), IPV4_BYTES)
                .or(() -> length("IPv6", addresses.getIpv6(), IPV6_BYTES))
                .or(() -> length("MAC", addresses.getMac(), MAC_BYTES));
    }

    private static Optional<String> length(String kind, ByteString address, int bytes) {
        return address.isEmpty() || address.size() == bytes
                ? Optional.empty()
                : Optional.of(kind + " address of " + address.size() + " bytes; expected 0 or " + bytes);
    }
}
