package io.dmodc.southbound;

import static io.dmodc.southbound.SouthboundProtocol.MAX_NAME_BYTES;
import static io.dmodc.southbound.SouthboundProtocol.MAX_PORTS;

import io.dmodc.southbound.proto.Endpoint;
import io.dmodc.southbound.proto.Hello;
import io.dmodc.southbound.proto.Refusal;
import io.dmodc.southbound.proto.Refusal.Reason;
import java.util.Optional;

/** Ranges of a Hello. */
public final class HelloCheck {
    private HelloCheck() {}

    /** Returns why a manager refuses this Hello, or nothing. */
    public static Optional<Refusal> refusal(Hello hello) {
        if (version(hello) == 0) {
            return Optional.of(RefusalSender.of(
                    Reason.WRONG_VERSION,
                    "agent speaks versions " + Integer.toUnsignedString(hello.getProtocolMin()) + ".."
                            + Integer.toUnsignedString(hello.getProtocolMax()) + ", manager "
                            + SouthboundProtocol.VERSION_MIN + ".." + SouthboundProtocol.VERSION_MAX));
        }
        return invalid(hello).map(text -> RefusalSender.of(Reason.INVALID_HELLO, text));
    }

    /** Returns the highest version both sides speak; 0 when there is none. */
    public static int version(Hello hello) {
        boolean ordered = Integer.compareUnsigned(hello.getProtocolMin(), hello.getProtocolMax()) <= 0;
        boolean reachesUs = Integer.compareUnsigned(hello.getProtocolMax(), SouthboundProtocol.VERSION_MIN) >= 0;
        boolean startsBelow = Integer.compareUnsigned(hello.getProtocolMin(), SouthboundProtocol.VERSION_MAX) <= 0;
        boolean over = Integer.compareUnsigned(hello.getProtocolMax(), SouthboundProtocol.VERSION_MAX) > 0;
        return !(ordered && reachesUs && startsBelow)
                ? 0
                : over ? SouthboundProtocol.VERSION_MAX : hello.getProtocolMax();
    }

    private static Optional<String> invalid(Hello hello) {
        String guid = "switch " + Guids.text(hello.getSwitchGuid()) + ": ";
        if (hello.getSwitchGuid() == 0) {
            return Optional.of("switch guid 0; expected the GUID of the switch");
        }
        if (SouthboundProtocol.isManagerGuid(hello.getSwitchGuid())) {
            return Optional.of(guid + "this GUID is kept for managers; expected the GUID of the switch");
        }
        if (BoundedText.utf8Length(hello.getName()) > MAX_NAME_BYTES) {
            return Optional.of(guid + "name of " + BoundedText.utf8Length(hello.getName()) + " bytes, more than "
                    + MAX_NAME_BYTES);
        }
        if (hello.getPortCount() < 1 || hello.getPortCount() > MAX_PORTS) {
            return Optional.of(
                    guid + Integer.toUnsignedString(hello.getPortCount()) + " ports; expected 1.." + MAX_PORTS);
        }
        if (hello.getMembershipEpoch() < 0) {
            return Optional.of(guid + "membership of epoch " + Long.toUnsignedString(hello.getMembershipEpoch())
                    + "; expected 0..2^63-1");
        }
        return EpochCheck.invalid(hello.getTable())
                .or(() -> EpochCheck.invalidLeader(hello.getLeaderEpoch()))
                .or(() -> EndpointCheck.invalid(hello.getDetector(), true))
                .map(text -> guid + text);
    }

    /** Ranges of an address. */
    static final class EndpointCheck {
        private EndpointCheck() {}

        /** @param optional whether an empty address and port 0 are allowed */
        static Optional<String> invalid(Endpoint endpoint, boolean optional) {
            int bytes = endpoint.getAddress().size();
            if (bytes != 4 && bytes != 16 && !(optional && bytes == 0)) {
                return Optional.of("detector address of " + bytes + " bytes; expected 4 or 16");
            }
            int port = endpoint.getPort();
            if (port < 0 || port > 65_535 || (port == 0 && !optional)) {
                return Optional.of("detector port " + Integer.toUnsignedString(port) + " is outside "
                        + (optional ? 0 : 1) + "..65535");
            }
            return Optional.empty();
        }
    }
}
