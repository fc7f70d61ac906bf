package io.dmodc.southbound;

import static io.dmodc.southbound.SouthboundProtocol.MAX_FABRIC_EPOCH;
import static io.dmodc.southbound.SouthboundProtocol.MAX_LEADER_EPOCH;

import io.dmodc.southbound.proto.TableState;
import java.util.Optional;

/**
 * Ranges of the two epochs, wherever they travel. Above them a sender is broken or means harm: taken over, one such number
 * would leave no room for the next epoch.
 */
final class EpochCheck {
    private EpochCheck() {}

    /** Returns what is wrong with a leader epoch, or nothing. */
    static Optional<String> invalidLeader(long leaderEpoch) {
        return outside("leader epoch", leaderEpoch, MAX_LEADER_EPOCH);
    }

    /** Returns what is wrong with the version of a table, or nothing. */
    static Optional<String> invalid(long leaderEpoch, long fabricEpoch) {
        return invalidLeader(leaderEpoch).or(() -> outside("fabric epoch", fabricEpoch, MAX_FABRIC_EPOCH));
    }

    /** Returns what is wrong with the table a switch is said to hold, or nothing. */
    static Optional<String> invalid(TableState table) {
        int entryCount = table.getEntryCount();
        if (entryCount < 0 || entryCount > SouthboundProtocol.MAX_ENTRIES) {
            return Optional.of("table of " + Integer.toUnsignedString(entryCount) + " entries, more than "
                    + SouthboundProtocol.MAX_ENTRIES);
        }
        return invalid(table.getLeaderEpoch(), table.getFabricEpoch()).map(text -> "table of " + text);
    }

    private static Optional<String> outside(String what, long epoch, long max) {
        return epoch >= 0 && epoch <= max
                ? Optional.empty()
                : Optional.of(what + " " + Long.toUnsignedString(epoch) + "; expected 0.." + max);
    }
}
