package io.dmodc.southbound;

import org.jspecify.annotations.Nullable;

/**
 * Who decided a table and for which view of the fabric; ordered by leader first, so a new leader need not know how far
 * the fabric epochs of the one before it went.
 *
 * @param leaderEpoch 0..{@link SouthboundProtocol#MAX_LEADER_EPOCH}, grows with every change of the leading manager
 * @param fabricEpoch 0..{@link SouthboundProtocol#MAX_FABRIC_EPOCH}, grows with every view of the fabric
 */
public record TableVersion(long leaderEpoch, long fabricEpoch) implements Comparable<TableVersion> {
    /** Before any table. */
    public static final TableVersion NONE = new TableVersion(0, 0);

    /** True if both epochs are in their ranges. */
    public boolean isInRange() {
        return EpochCheck.invalid(leaderEpoch, fabricEpoch).isEmpty();
    }

    @Override
    public int compareTo(TableVersion other) {
        int byLeader = Long.compare(leaderEpoch, other.leaderEpoch);
        return byLeader != 0 ? byLeader : Long.compare(fabricEpoch, other.fabricEpoch);
    }

    // Written out: what the JVM makes for a record is method handles, which an agent would interpret with each message.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TableVersion it && it.leaderEpoch == leaderEpoch && it.fabricEpoch == fabricEpoch;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(leaderEpoch) + Long.hashCode(fabricEpoch);
    }

    @Override
    public String toString() {
        return leaderEpoch + "/" + fabricEpoch;
    }
}
