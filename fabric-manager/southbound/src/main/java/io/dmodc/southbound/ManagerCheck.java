package io.dmodc.southbound;

import io.dmodc.southbound.HelloCheck.EndpointCheck;
import io.dmodc.southbound.proto.Destination;
import io.dmodc.southbound.proto.Destinations;
import io.dmodc.southbound.proto.Member;
import io.dmodc.southbound.proto.Membership;
import io.dmodc.southbound.proto.TablePush;
import io.dmodc.southbound.proto.Welcome;
import java.util.Optional;

/** Ranges of what a manager sends, checked by agents. */
public final class ManagerCheck {
    private ManagerCheck() {}

    /** Returns what is wrong with a Welcome, or nothing. */
    public static Optional<String> invalid(Welcome welcome) {
        int version = welcome.getProtocol();
        if (version < SouthboundProtocol.VERSION_MIN || version > SouthboundProtocol.VERSION_MAX) {
            return Optional.of("Welcome chooses version " + Integer.toUnsignedString(version) + "; expected "
                    + SouthboundProtocol.VERSION_MIN + ".." + SouthboundProtocol.VERSION_MAX);
        }
        long min = SouthboundProtocol.KEEP_ALIVE_MIN.toMillis();
        long max = SouthboundProtocol.KEEP_ALIVE_MAX.toMillis();
        if (welcome.getKeepAliveMillis() < min || welcome.getKeepAliveMillis() > max) {
            return Optional.of("Welcome asks for keep-alives every "
                    + Integer.toUnsignedString(welcome.getKeepAliveMillis()) + " ms; expected " + min + ".." + max);
        }
        if (welcome.getMaxFrameBytes() < SouthboundProtocol.MIN_MAX_FRAME_BYTES) {
            return Optional.of("Welcome allows frames of " + Integer.toUnsignedString(welcome.getMaxFrameBytes())
                    + " bytes; expected " + SouthboundProtocol.MIN_MAX_FRAME_BYTES + " or more");
        }
        return EpochCheck.invalidLeader(welcome.getLeaderEpoch()).map(text -> "Welcome with " + text);
    }

    /** Returns what is wrong with the version of a table, or nothing; its entries are left to {@link TableCodec}. */
    public static Optional<String> invalid(TablePush push) {
        return EpochCheck.invalid(push.getLeaderEpoch(), push.getFabricEpoch()).map(text -> "table of " + text);
    }

    /** Returns what is wrong with destinations, or nothing; whether they fit those before is left to the receiver. */
    public static Optional<String> invalid(Destinations told) {
        return EpochCheck.invalid(0, told.getFabricEpoch())
                .map(text -> "destinations of " + text)
                .or(() -> told.getChangedList().stream()
                        .map(ManagerCheck::invalid)
                        .flatMap(Optional::stream)
                        .findFirst());
    }

    private static Optional<String> invalid(Destination told) {
        if (told.getIndex() < 0 || told.getIndex() >= SouthboundProtocol.MAX_ENTRIES) {
            return Optional.of("destination " + Integer.toUnsignedString(told.getIndex()) + "; expected 0.."
                    + (SouthboundProtocol.MAX_ENTRIES - 1));
        }
        if (told.getPortGuid() == 0) {
            return Optional.of("destination " + told.getIndex() + " without port GUID");
        }
        int bytes = BoundedText.utf8Length(told.getName());
        return (bytes > SouthboundProtocol.MAX_NAME_BYTES
                        ? Optional.of("name of " + bytes + " bytes, more than " + SouthboundProtocol.MAX_NAME_BYTES)
                        : AddressCheck.invalid(told.getAddresses()))
                .map(text -> "destination " + told.getIndex() + ": " + text);
    }

    /**
     * Returns what is wrong with a Membership, or nothing; whether it has a place for the receiver is left to him, and
     * whether a difference fits its base to {@link ListEdit#apply}.
     */
    public static Optional<String> invalid(Membership membership) {
        int count = membership.getMembersCount();
        if (count > SouthboundProtocol.MAX_MEMBERS) {
            return Optional.of("Membership of " + count + ", more than " + SouthboundProtocol.MAX_MEMBERS);
        }
        if (membership.getHeartbeatNanos() <= 0 || membership.getSuspicionNanos() <= membership.getHeartbeatNanos()) {
            return Optional.of("Membership with heartbeat " + membership.getHeartbeatNanos() + " ns and suspicion "
                    + membership.getSuspicionNanos() + " ns; expected 0 < heartbeat < suspicion");
        }
        return invalidRules(membership).or(() -> invalidBase(membership)).or(() -> invalidMembers(membership));
    }

    private static Optional<String> invalidBase(Membership membership) {
        long base = membership.getBaseEpoch();
        if (base == 0 && membership.getEditCount() > 0) {
            return Optional.of("Membership with an edit of nothing; expected a base epoch");
        }
        return base < 0 || (base != 0 && base >= membership.getEpoch())
                ? Optional.of("Membership of epoch " + membership.getEpoch() + " as a difference against "
                        + Long.toUnsignedString(base) + "; expected an earlier one")
                : Optional.empty();
    }

    private static Optional<String> invalidRules(Membership membership) {
        int width = membership.getAskingWidth();
        if (width < 0 || width > SouthboundProtocol.MAX_ASKING_WIDTH) {
            return Optional.of("Membership with asking width " + Integer.toUnsignedString(width) + "; expected 0.."
                    + SouthboundProtocol.MAX_ASKING_WIDTH);
        }
        int opinions = membership.getOpinions();
        if (opinions < 0 || opinions > SouthboundProtocol.MAX_OPINIONS) {
            return Optional.of("Membership with " + Integer.toUnsignedString(opinions) + " opinions; expected 0.."
                    + SouthboundProtocol.MAX_OPINIONS);
        }
        return membership.getOverlay() == Membership.Overlay.UNRECOGNIZED
                ? Optional.of("Membership with unknown overlay " + membership.getOverlayValue())
                : Optional.empty();
    }

    private static Optional<String> invalidMembers(Membership membership) {
        return membership.getMembersList().stream()
                .map(ManagerCheck::invalid)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> invalid(Member member) {
        if (member.getGuid() == 0) {
            return Optional.of("member without GUID");
        }
        return EndpointCheck.invalid(member.getDetector(), false)
                .map(text -> "member " + Guids.text(member.getGuid()) + ": " + text);
    }
}
